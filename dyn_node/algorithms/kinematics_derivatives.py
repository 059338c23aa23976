"""Partial derivatives of the velocities and accelerations of frames, joints and points.

Derivatives with respect to q are along the tangent, of the components that the quantity has in the
reference frame. (In LOCAL_WORLD_ALIGNED Pinocchio's functions of joints and frames hold the frame's
origin back: column k of their dv_dq has J_k x omega more in its linear rows, J_k being the linear half
of the Jacobian's column, and da_dq has J_k x alpha more; those of points do not.)

Computed from the arguments alone: the kinematics that `data` holds are neither needed nor changed.
(Carpentier and Mansard, RSS 2018.)

Arrays may have one axis more in front, a batch; what comes back then has it too (see `algorithms.batch`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy import empty

from ..kernels import acceleration_derivatives as _acceleration
from ..kernels import frame_rates as _rates
from .arguments import REFUSED, check_data, configurations, frame_of_joint, tangents
from .batch import evaluate, split
from .jacobian_rates import ORIGIN, a_point, axes_code
from .reference import LOCAL, LOCAL_WORLD_ALIGNED, WORLD, ReferenceFrame, reference_code

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


class VelocityDerivatives(NamedTuple):
    """Partial derivatives of a velocity: (6, nv) of a twist, linear first; (3, nv) of a point's."""

    #: Along the tangent of q.
    dv_dq: NDArray[np.float64]
    #: With respect to the joint velocity: the Jacobian.
    dv_dv: NDArray[np.float64]


class AccelerationDerivatives(NamedTuple):
    """Partial derivatives of a velocity and an acceleration: (6, nv), linear first; (3, nv) of a point's."""

    #: Along the tangent of q.
    dv_dq: NDArray[np.float64]
    #: With respect to the joint velocity: the Jacobian.
    dv_dv: NDArray[np.float64]
    #: Along the tangent of q.
    da_dq: NDArray[np.float64]
    #: With respect to the joint velocity.
    da_dv: NDArray[np.float64]
    #: With respect to the joint acceleration: the Jacobian.
    da_da: NDArray[np.float64]


_tuple = tuple.__new__  # the classes' own way takes longer


def _again(
    kernel: Any, model: Model, data: Data, state: tuple[ArrayLike, ...], where: tuple[Any, ...], rows: int
) -> NDArray[np.float64]:
    """The stack of a kernel that refused its arguments, once they were looked at.

    Args:
        kernel, model, data, state: the kernel, the robot and its scratch, q and v or q, v and a.
        where: frame, point, code of the reference frame, and what the kernel takes after that.
        rows: of each matrix.
    """
    check_data(model, data)
    frame, point, *codes = where
    clean = [tangents(model, x, name) for x, name in zip(state[1:], ("v", "a"), strict=False)]
    head = model.records, data.work, model.frame_records, configurations(model, state[0]), *clean
    arguments = *head, model.frame_id(frame), a_point(point), *codes
    # Of two arrays or three: two matrices or five.
    shape = 3 * len(state) - 4, rows, model.nv
    return split(evaluate(kernel, arguments, [shape])[0], 4)


def frame_velocity_derivatives(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    frame_id: int | str,
    reference: ReferenceFrame | str = LOCAL,
) -> VelocityDerivatives:
    """Partial derivatives of a frame's spatial velocity.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        frame_id: number or name.
        reference: LOCAL, WORLD or LOCAL_WORLD_ALIGNED.

    Returns:
        dv_dq and dv_dv, each (6, nv): linear rows, then angular rows.

    Raises:
        UnknownFrameError: no such frame.
        ShapeError: an array of the wrong size or type.
        InvalidValueError: an unknown reference, or data of another model.
    """
    frame = frame_id if type(frame_id) is int else model.frame_id(frame_id)
    records = model.frame_records
    try:
        stack = _rates.velocity_derivatives(
            model.records, data.work, records, q, v, frame, ORIGIN, reference, None
        )
    except REFUSED:
        where = frame, ORIGIN, reference_code(reference)
        stack = _again(_rates.velocity_derivatives, model, data, (q, v), where, 6)
    return _tuple(VelocityDerivatives, (stack[0], stack[1]))


def joint_velocity_derivatives(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    joint_id: int | str,
    reference: ReferenceFrame | str = LOCAL,
) -> VelocityDerivatives:
    """Partial derivatives of a joint frame's spatial velocity; see `frame_velocity_derivatives`.

    Raises:
        UnknownJointError: no such joint.
    """
    return frame_velocity_derivatives(model, data, q, v, frame_of_joint(model, joint_id), reference)


def point_velocity_derivatives(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    frame_id: int | str,
    point: ArrayLike,
    reference: ReferenceFrame | str = LOCAL_WORLD_ALIGNED,
) -> VelocityDerivatives:
    """Partial derivatives of the velocity of a point that stands still in a frame.

    Args:
        model, data, q, v: as in `frame_velocity_derivatives`.
        frame_id: number or name of the frame.
        point: the point in the frame's axes, from its origin, (3,), metres.
        reference: LOCAL for the frame's axes, WORLD or LOCAL_WORLD_ALIGNED for the world's.

    Returns:
        dv_dq and dv_dv, each (3, nv).

    Raises: as `frame_velocity_derivatives`.
    """
    frame = frame_id if type(frame_id) is int else model.frame_id(frame_id)
    records = model.frame_records
    try:
        axes = LOCAL_WORLD_ALIGNED if reference == WORLD else reference
        stack = _rates.velocity_derivatives(
            model.records, data.work, records, q, v, frame, point, axes, empty((2, 3, model.nv))
        )
    except REFUSED:
        where = frame, point, axes_code(reference)
        stack = _again(_rates.velocity_derivatives, model, data, (q, v), where, 3)
    return _tuple(VelocityDerivatives, (stack[0], stack[1]))


def frame_acceleration_derivatives(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    frame_id: int | str,
    reference: ReferenceFrame | str = LOCAL,
) -> AccelerationDerivatives:
    """Partial derivatives of a frame's spatial velocity and acceleration (`frame_acceleration`).

    Args:
        model, data, q, v: as in `frame_velocity_derivatives`.
        a: acceleration, (nv,).
        frame_id: number or name.
        reference: LOCAL, WORLD or LOCAL_WORLD_ALIGNED.

    Returns:
        dv_dq, dv_dv, da_dq, da_dv and da_da, each (6, nv): linear rows, then angular rows.

    Raises: as `frame_velocity_derivatives`.
    """
    frame = frame_id if type(frame_id) is int else model.frame_id(frame_id)
    records = model.frame_records
    try:
        stack = _acceleration.acceleration_derivatives(
            model.records, data.work, records, q, v, a, frame, ORIGIN, reference, 0, None
        )
    except REFUSED:
        where = frame, ORIGIN, reference_code(reference), 0
        stack = _again(_acceleration.acceleration_derivatives, model, data, (q, v, a), where, 6)
    return _tuple(AccelerationDerivatives, (stack[0], stack[1], stack[2], stack[3], stack[4]))


def frame_classical_acceleration_derivatives(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    frame_id: int | str,
    reference: ReferenceFrame | str = LOCAL,
) -> AccelerationDerivatives:
    """Partial derivatives of a frame's velocity and classical acceleration (`frame_classical_acceleration`).

    Args, Returns, Raises: as `frame_acceleration_derivatives`.
    """
    frame = frame_id if type(frame_id) is int else model.frame_id(frame_id)
    records = model.frame_records
    try:
        stack = _acceleration.acceleration_derivatives(
            model.records, data.work, records, q, v, a, frame, ORIGIN, reference, 1, None
        )
    except REFUSED:
        where = frame, ORIGIN, reference_code(reference), 1
        stack = _again(_acceleration.acceleration_derivatives, model, data, (q, v, a), where, 6)
    return _tuple(AccelerationDerivatives, (stack[0], stack[1], stack[2], stack[3], stack[4]))


def joint_acceleration_derivatives(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    joint_id: int | str,
    reference: ReferenceFrame | str = LOCAL,
) -> AccelerationDerivatives:
    """Partial derivatives of a joint frame's motion; see `frame_acceleration_derivatives`.

    Raises:
        UnknownJointError: no such joint.
    """
    return frame_acceleration_derivatives(model, data, q, v, a, frame_of_joint(model, joint_id), reference)


def point_acceleration_derivatives(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    frame_id: int | str,
    point: ArrayLike,
    reference: ReferenceFrame | str = LOCAL_WORLD_ALIGNED,
) -> AccelerationDerivatives:
    """Partial derivatives of the velocity and the (classical) acceleration of a point of a frame.

    Args:
        model, data, q, v, frame_id, point, reference: as in `point_velocity_derivatives`.
        a: acceleration, (nv,).

    Returns:
        dv_dq, dv_dv, da_dq, da_dv and da_da, each (3, nv).

    Raises: as `frame_velocity_derivatives`.
    """
    frame = frame_id if type(frame_id) is int else model.frame_id(frame_id)
    records = model.frame_records
    try:
        axes = LOCAL_WORLD_ALIGNED if reference == WORLD else reference
        stack = _acceleration.acceleration_derivatives(
            model.records, data.work, records, q, v, a, frame, point, axes, 1, empty((5, 3, model.nv))
        )
    except REFUSED:
        where = frame, point, axes_code(reference), 1
        stack = _again(_acceleration.acceleration_derivatives, model, data, (q, v, a), where, 3)
    return _tuple(AccelerationDerivatives, (stack[0], stack[1], stack[2], stack[3], stack[4]))
