"""Jacobians of frames and joints in the three reference frames.

Arrays may have one axis more in front, a batch; what comes back then has it too (see `algorithms.batch`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..kernels import frames as _frames
from .arguments import REFUSED, check_data, configurations, frame_of_joint
from .batch import evaluate
from .reference import LOCAL, ReferenceFrame, reference_code

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


def frame_jacobian(
    model: Model,
    data: Data,
    q: ArrayLike,
    frame_id: int | str,
    reference: ReferenceFrame | str = LOCAL,
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Jacobian of a frame: J v is its twist in the reference frame, J^T f the efforts of a wrench.

    Computed from q alone; it neither needs nor changes the kinematics held by `data`.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        frame_id: number or name.
        reference: LOCAL, WORLD or LOCAL_WORLD_ALIGNED.
        out: array for the result, (6, nv).

    Returns:
        J, (6, nv): linear rows (m), then angular rows (rad).

    Raises:
        UnknownFrameError: no such frame.
        ShapeError: an array of the wrong size or type.
        InvalidValueError: an unknown reference, or data of another model.
    """
    frame = frame_id if type(frame_id) is int else model.frame_id(frame_id)
    try:
        return _frames.frame_jacobian(model.records, data.work, model.frame_records, q, frame, reference, out)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, model.frame_records, configurations(model, q)
        where = model.frame_id(frame), reference_code(reference)
        return evaluate(_frames.frame_jacobian, (*head, *where), [(6, model.nv)], out)[0]


def joint_jacobian(
    model: Model,
    data: Data,
    q: ArrayLike,
    joint_id: int | str,
    reference: ReferenceFrame | str = LOCAL,
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Jacobian of a joint's frame; see `frame_jacobian`.

    Raises:
        UnknownJointError: no such joint.
    """
    return frame_jacobian(model, data, q, frame_of_joint(model, joint_id), reference, out=out)
