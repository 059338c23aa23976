"""Velocities and accelerations of joints, and the coordinates that move a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..kernels import frames as _frames
from ..spatial import Motion
from .arguments import REFUSED, frame_of_joint
from .kinematics import frame_acceleration, frame_classical_acceleration, frame_velocity
from .reference import LOCAL, ReferenceFrame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..model import Data, Model


def joint_velocity(
    model: Model, data: Data, joint_id: int | str, reference: ReferenceFrame | str = LOCAL
) -> Motion:
    """Spatial velocity of a joint's frame; see `frame_velocity`.

    Raises:
        UnknownJointError: no such joint.
        NotComputedError: before `forward_kinematics` with a velocity.
    """
    frame = frame_of_joint(model, joint_id)
    records = model.frame_records
    try:
        return _frames.frame_velocity(model.records, data.kinematics, records, frame, reference, Motion)
    except REFUSED:
        return frame_velocity(model, data, frame, reference)


def joint_acceleration(
    model: Model, data: Data, joint_id: int | str, reference: ReferenceFrame | str = LOCAL
) -> Motion:
    """Spatial acceleration of a joint's frame; see `frame_acceleration`.

    Raises:
        UnknownJointError: no such joint.
        NotComputedError: before `forward_kinematics` with an acceleration.
    """
    frame = frame_of_joint(model, joint_id)
    records = model.frame_records
    try:
        return _frames.frame_acceleration(
            model.records, data.kinematics, records, frame, reference, 0, Motion
        )
    except REFUSED:
        return frame_acceleration(model, data, frame, reference)


def joint_classical_acceleration(
    model: Model, data: Data, joint_id: int | str, reference: ReferenceFrame | str = LOCAL
) -> Motion:
    """Classical acceleration of a joint's frame; see `frame_classical_acceleration`.

    Raises:
        UnknownJointError: no such joint.
        NotComputedError: before `forward_kinematics` with an acceleration.
    """
    frame = frame_of_joint(model, joint_id)
    records = model.frame_records
    try:
        return _frames.frame_acceleration(
            model.records, data.kinematics, records, frame, reference, 1, Motion
        )
    except REFUSED:
        return frame_classical_acceleration(model, data, frame, reference)


def frame_support(model: Model, frame_id: int | str) -> NDArray[np.intp]:
    """The velocity coordinates that move a frame: the columns of its Jacobian that can be non-zero.

    Args:
        model: the robot.
        frame_id: number or name.

    Returns:
        Numbers of coordinates, ascending.

    Raises:
        UnknownFrameError: no such frame.
    """
    joint = model.frames[model.frame_id(frame_id)].parent_joint
    moving: set[int] = set()
    while joint > 0:
        record = model.joints[joint]
        moving.update(range(record.moved_by.start, record.moved_by.stop))
        joint = record.parent
    return np.array(sorted(moving), dtype=np.intp)
