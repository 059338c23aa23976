"""Derivatives of Jacobians of frames and joints along the tangent of q: kinematic Hessians.

Arrays may have one axis more in front, a batch; what comes back then has it too (see `algorithms.batch`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..kernels import frame_hessian as _hessian
from .arguments import REFUSED, check_data, configurations, frame_of_joint
from .batch import evaluate
from .reference import LOCAL, ReferenceFrame, reference_code

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


def frame_hessian(
    model: Model,
    data: Data,
    q: ArrayLike,
    frame_id: int | str,
    reference: ReferenceFrame | str = LOCAL,
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """How the Jacobian of a frame changes with q.

    H[:, j, k] is the derivative of column j of `frame_jacobian` along coordinate k: of its numbers, along
    q exp(t e_k) at t = 0. Summed with v over the last axis it is the rate of the Jacobian, over the middle
    one the derivative of the frame's velocity along q. It is not symmetric in j and k. (Carpentier and
    Mansard 2018.)

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        frame_id: number or name.
        reference: LOCAL, WORLD or LOCAL_WORLD_ALIGNED: of the Jacobian that is differentiated.
        out: array for the result, (6, nv, nv).

    Returns:
        H, (6, nv, nv): linear rows, then angular rows.

    Raises:
        UnknownFrameError: no such frame.
        ShapeError: an array of the wrong size or type.
        InvalidValueError: an unknown reference, or data of another model.
    """
    frame = frame_id if type(frame_id) is int else model.frame_id(frame_id)
    try:
        return _hessian.frame_hessian(model.records, data.work, model.frame_records, q, frame, reference, out)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, model.frame_records, configurations(model, q)
        where = model.frame_id(frame), reference_code(reference)
        shape = 6, model.nv, model.nv
        return evaluate(_hessian.frame_hessian, (*head, *where), [shape], out)[0]


def joint_hessian(
    model: Model,
    data: Data,
    q: ArrayLike,
    joint_id: int | str,
    reference: ReferenceFrame | str = LOCAL,
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """How the Jacobian of a joint's frame changes with q; see `frame_hessian`.

    Raises:
        UnknownJointError: no such joint.
    """
    return frame_hessian(model, data, q, frame_of_joint(model, joint_id), reference, out=out)
