"""Forward kinematics of the whole robot, and placements, velocities and accelerations of frames.

`forward_kinematics` fills the Data; the functions of frames read from it. Metres, radians, seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidValueError, ShapeError
from ..kernels import frames as _frames
from ..kernels import kinematics as _kinematics
from ..spatial import SE3, Motion
from .arguments import REFUSED, again, check_data, configuration, tangent
from .reference import LOCAL, ReferenceFrame, reference_code

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..model import Data, Model


def forward_kinematics(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike | None = None,
    a: ArrayLike | None = None,
) -> None:
    """Placements of all joints; with v their velocities, with a their accelerations.

    Results stay in `data`: read `data.oMi`, or ask for frames. (Featherstone 2008, section 4.1.)

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        a: acceleration, (nv,); needs v.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: a without v, or data of another model.
    """
    data.frames_current = False
    try:
        if v is None and a is None:
            _kinematics.forward_kinematics_0(model.records, data.kinematics, q)
        elif a is None:
            _kinematics.forward_kinematics_1(model.records, data.kinematics, q, v)
        else:
            _kinematics.forward_kinematics_2(model.records, data.kinematics, q, v, a)
    except REFUSED:
        _look_closer(model, data, q, v, a)


def _look_closer(model: Model, data: Data, q: ArrayLike, v: ArrayLike | None, a: ArrayLike | None) -> None:
    check_data(model, data)
    if a is not None and v is None:
        raise InvalidValueError("a: given without v; accelerations need the velocity too", None, "v")
    if np.ndim(q) == 2:
        hint = "a Data holds one state; for a batch: frame_placements, frame_velocities, frame_accelerations"
        raise ShapeError("q", f"shape {np.shape(q)}", f"one configuration, shape ({model.nq},)", hint)
    state = [configuration(model, q)]
    if v is not None:
        state.append(tangent(model, v))
    if a is not None:
        state.append(tangent(model, a, "a"))
    kernels = (
        _kinematics.forward_kinematics_0,
        _kinematics.forward_kinematics_1,
        _kinematics.forward_kinematics_2,
    )
    again(kernels[len(state) - 1], model.records, data.kinematics, *state)


def update_frame_placements(model: Model, data: Data) -> None:
    """World placements of all frames, from the joint placements of `forward_kinematics`.

    Results stay in `data.oMf`.

    Raises:
        NotComputedError: before `forward_kinematics`.
        InvalidValueError: data of another model.
    """
    try:
        _frames.update_frame_placements(model.records, data.kinematics, model.frame_records, data.frames)
    except REFUSED:
        check_data(model, data)
        data.require_order(0)
        again(
            _frames.update_frame_placements,
            model.records,
            data.kinematics,
            model.frame_records,
            data.frames,
        )
    data.frames_current = True


def frame_placement(model: Model, data: Data, frame_id: int | str) -> SE3:
    """World placement of one frame, from the joint placements of `forward_kinematics`.

    Args:
        model, data: the robot and its data.
        frame_id: number or name.

    Raises:
        UnknownFrameError: no such frame.
        NotComputedError: before `forward_kinematics`.
        InvalidValueError: data of another model.
    """
    frame = frame_id if type(frame_id) is int else model.frame_id(frame_id)
    try:
        return _frames.frame_placement(model.records, data.kinematics, model.frame_records, frame, SE3)
    except REFUSED:
        check_data(model, data)
        data.require_order(0)
        head = model.records, data.kinematics, model.frame_records
        return again(_frames.frame_placement, *head, model.frame_id(frame), SE3)


def frame_velocity(
    model: Model, data: Data, frame_id: int | str, reference: ReferenceFrame | str = LOCAL
) -> Motion:
    """Spatial velocity of a frame, from `forward_kinematics(model, data, q, v)`.

    Args:
        model, data: the robot and its data.
        frame_id: number or name.
        reference: LOCAL, WORLD or LOCAL_WORLD_ALIGNED.

    Returns:
        The twist, linear (m/s) then angular (rad/s).

    Raises:
        UnknownFrameError: no such frame.
        NotComputedError: before `forward_kinematics` with a velocity.
        InvalidValueError: an unknown reference, or data of another model.
    """
    frame = frame_id if type(frame_id) is int else model.frame_id(frame_id)
    records = model.frame_records
    try:
        return _frames.frame_velocity(model.records, data.kinematics, records, frame, reference, Motion)
    except REFUSED:
        check_data(model, data)
        data.require_order(1)
        head = model.records, data.kinematics, records
        return again(_frames.frame_velocity, *head, model.frame_id(frame), reference_code(reference), Motion)


def frame_acceleration(
    model: Model, data: Data, frame_id: int | str, reference: ReferenceFrame | str = LOCAL
) -> Motion:
    """Spatial acceleration of a frame, from `forward_kinematics(model, data, q, v, a)`.

    The spatial acceleration is the rate of the twist as a field; what the frame's origin does in
    space is `frame_classical_acceleration`. Gravity plays no part.

    Args, Raises: as `frame_velocity`; the accelerations must have been computed.

    Returns:
        Linear (m/s^2) then angular (rad/s^2).
    """
    frame = frame_id if type(frame_id) is int else model.frame_id(frame_id)
    records = model.frame_records
    try:
        return _frames.frame_acceleration(
            model.records, data.kinematics, records, frame, reference, 0, Motion
        )
    except REFUSED:
        return _acceleration_again(model, data, frame, reference, 0)


def frame_classical_acceleration(
    model: Model, data: Data, frame_id: int | str, reference: ReferenceFrame | str = LOCAL
) -> Motion:
    """Classical acceleration of a frame: the second derivative of its origin's position.

    Equals the spatial acceleration plus omega x v in the linear part (Featherstone 2008, 2.11).

    Args, Raises: as `frame_velocity`; the accelerations must have been computed.

    Returns:
        Linear (m/s^2) then angular (rad/s^2). Gravity plays no part.
    """
    frame = frame_id if type(frame_id) is int else model.frame_id(frame_id)
    records = model.frame_records
    try:
        return _frames.frame_acceleration(
            model.records, data.kinematics, records, frame, reference, 1, Motion
        )
    except REFUSED:
        return _acceleration_again(model, data, frame, reference, 1)


def _acceleration_again(
    model: Model, data: Data, frame: int | str, reference: ReferenceFrame | str, classical: int
) -> Motion:
    check_data(model, data)
    data.require_order(2)
    head = model.records, data.kinematics, model.frame_records
    code = reference_code(reference)
    return again(_frames.frame_acceleration, *head, model.frame_id(frame), code, classical, Motion)
