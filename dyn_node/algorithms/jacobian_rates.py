"""Jacobians of all joints and of points, and the time derivatives of Jacobians.

Arrays may have one axis more in front, a batch; what comes back then has it too (see `algorithms.batch`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy import empty

from ..kernels import frame_rates as _rates
from ..kernels import joint_jacobians as _joints
from .arguments import REFUSED, array, check_data, configurations, frame_of_joint, output, tangents
from .batch import evaluate
from .reference import LOCAL, LOCAL_WORLD_ALIGNED, ReferenceFrame, reference_code

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model

ORIGIN = np.zeros(3)


def axes_code(reference: ReferenceFrame | str) -> int:
    """The kernel's code of the axes that a point's motion is given in: WORLD means the world's axes."""
    return reference_code(reference) or int(LOCAL_WORLD_ALIGNED)


def a_point(point: ArrayLike) -> NDArray[np.float64]:
    """A point in a frame's axes, (3,), or a batch of them, (N, 3)."""
    return array("point", point, (3,), "a point in the frame's axes", batch=True)


def joint_jacobians(
    model: Model, data: Data, q: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The Jacobian columns of all joints, in the world's axes about its origin.

    The WORLD Jacobian of a frame is made of the columns of its `frame_support`, zeros elsewhere.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        out: array for the result, (6, nv).

    Returns:
        J, (6, nv): linear rows, then angular rows.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _joints.joint_jacobians(model.records, data.work, q, out)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q)
        return evaluate(_joints.joint_jacobians, head, [(6, model.nv)], out)[0]


def joint_jacobians_time_variation(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The time derivative of `joint_jacobians` at the velocity v.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        out: array for the result, (6, nv).

    Returns:
        dJ/dt, (6, nv).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _joints.joint_jacobians_time_variation(model.records, data.work, q, v, out)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), tangents(model, v)
        return evaluate(_joints.joint_jacobians_time_variation, head, [(6, model.nv)], out)[0]


def point_jacobian(
    model: Model,
    data: Data,
    q: ArrayLike,
    frame_id: int | str,
    point: ArrayLike,
    reference: ReferenceFrame | str = LOCAL_WORLD_ALIGNED,
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Jacobian of a point that stands still in a frame: J v is the point's velocity (m/s).

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        frame_id: number or name of the frame.
        point: the point in the frame's axes, from its origin, (3,), metres.
        reference: LOCAL for the frame's axes, WORLD or LOCAL_WORLD_ALIGNED for the world's.
        out: array for the result, (3, nv).

    Returns:
        J, (3, nv).

    Raises:
        UnknownFrameError: no such frame.
        ShapeError: an array of the wrong size or type.
        InvalidValueError: an unknown reference, or data of another model.
    """
    frame = frame_id if type(frame_id) is int else model.frame_id(frame_id)
    code = axes_code(reference)
    try:
        # The kernel would fill six rows too, so that `out` is looked at here.
        J = empty((3, model.nv)) if out is None else output(out, (3, model.nv))
        _rates.point_jacobian(model.records, data.work, model.frame_records, q, frame, point, code, J)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, model.frame_records, configurations(model, q)
        where = model.frame_id(frame), a_point(point), code
        return evaluate(_rates.point_jacobian, (*head, *where), [(3, model.nv)], out)[0]
    return J


def _time_variation_again(
    model: Model,
    data: Data,
    state: tuple[ArrayLike, ArrayLike],
    where: tuple[int, ArrayLike, int],
    rows: int,
    out: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """What the kernel refused, looked at; `where` is the frame, the point and the code of the reference."""
    check_data(model, data)
    (q, v), (frame, point, code) = state, where
    head = model.records, data.work, model.frame_records, configurations(model, q), tangents(model, v)
    clean = *head, model.frame_id(frame), a_point(point), code
    return evaluate(_rates.jacobian_time_variation, clean, [(rows, model.nv)], out)[0]


def frame_jacobian_time_variation(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    frame_id: int | str,
    reference: ReferenceFrame | str = LOCAL,
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """The time derivative of `frame_jacobian` at the velocity v.

    J a + dJ v is the frame's acceleration: the spatial one in LOCAL and WORLD, the classical one in
    LOCAL_WORLD_ALIGNED (whose axes do not turn, while its origin moves with the frame).

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        frame_id: number or name.
        reference: LOCAL, WORLD or LOCAL_WORLD_ALIGNED.
        out: array for the result, (6, nv).

    Returns:
        dJ/dt, (6, nv): linear rows, then angular rows.

    Raises:
        UnknownFrameError: no such frame.
        ShapeError: an array of the wrong size or type.
        InvalidValueError: an unknown reference, or data of another model.
    """
    frame = frame_id if type(frame_id) is int else model.frame_id(frame_id)
    records = model.frame_records
    try:
        # The kernel would fill three rows too, so that `out` is looked at here.
        wanted = out if out is None else output(out, (6, model.nv))
        return _rates.jacobian_time_variation(
            model.records, data.work, records, q, v, frame, ORIGIN, reference, wanted
        )
    except REFUSED:
        where = frame, ORIGIN, reference_code(reference)
        return _time_variation_again(model, data, (q, v), where, 6, out)


def joint_jacobian_time_variation(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    joint_id: int | str,
    reference: ReferenceFrame | str = LOCAL,
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """The time derivative of `joint_jacobian`; see `frame_jacobian_time_variation`.

    Raises:
        UnknownJointError: no such joint.
    """
    frame = frame_of_joint(model, joint_id)
    return frame_jacobian_time_variation(model, data, q, v, frame, reference, out=out)


def point_jacobian_time_variation(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    frame_id: int | str,
    point: ArrayLike,
    reference: ReferenceFrame | str = LOCAL_WORLD_ALIGNED,
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """The time derivative of `point_jacobian` at the velocity v.

    In the world's axes J a + dJ v is the point's acceleration; in LOCAL the axes turn with the frame.

    Args:
        v: velocity, (nv,).
        model, data, q, frame_id, point, reference, out: as in `point_jacobian`.

    Returns:
        dJ/dt, (3, nv).

    Raises:
        UnknownFrameError: no such frame.
        ShapeError: an array of the wrong size or type.
        InvalidValueError: an unknown reference, or data of another model.
    """
    frame = frame_id if type(frame_id) is int else model.frame_id(frame_id)
    code, records = axes_code(reference), model.frame_records
    try:
        # The kernel would fill six rows too, so that `out` is looked at here.
        dJ = empty((3, model.nv)) if out is None else output(out, (3, model.nv))
        return _rates.jacobian_time_variation(model.records, data.work, records, q, v, frame, point, code, dJ)
    except REFUSED:
        return _time_variation_again(model, data, (q, v), (frame, point, code), 3, out)
