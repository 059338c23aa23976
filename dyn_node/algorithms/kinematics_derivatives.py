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
from .arguments import REFUSED, check_data, configurations, tangents
from .batch import evaluate, split
from .jacobian_rates import ORIGIN, a_point, axes_code
from .reference import LOCAL, LOCAL_WORLD_ALIGNED, ReferenceFrame, reference_code

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model

    _Pair = tuple[ArrayLike, ArrayLike]
    _Triple = tuple[ArrayLike, ArrayLike, ArrayLike]


# Made as a plain tuple is: the class's own way costs as much as a small robot's kernel.
_tuple = tuple.__new__


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


def _velocity(
    model: Model, data: Data, state: _Pair, frame: int | str, point: ArrayLike, reference: Any, rows: int = 6
) -> VelocityDerivatives:
    """Of a frame, or with three rows of a point of it; a `reference` that the kernel refuses is looked at."""
    records = model.records, data.work, model.frame_records
    out = None if rows == 6 else empty((2, rows, model.nv))
    try:
        stack = _rates.velocity_derivatives(*records, *state, frame, point, reference, out)
    except REFUSED:
        check_data(model, data)
        clean = configurations(model, state[0]), tangents(model, state[1])
        where = model.frame_id(frame), a_point(point), reference_code(reference)
        head = *records, *clean, *where
        stack = split(evaluate(_rates.velocity_derivatives, head, [(2, rows, model.nv)])[0], 4)
    return _tuple(VelocityDerivatives, (stack[0], stack[1]))


def _accelerations(
    model: Model,
    data: Data,
    state: _Triple,
    frame: int | str,
    point: ArrayLike,
    reference: Any,
    classical: int,
    rows: int = 6,
) -> AccelerationDerivatives:
    """As `_velocity`."""
    records = model.records, data.work, model.frame_records
    out = None if rows == 6 else empty((5, rows, model.nv))
    try:
        stack = _acceleration.acceleration_derivatives(
            *records, *state, frame, point, reference, classical, out
        )
    except REFUSED:
        check_data(model, data)
        q, v, a = state
        clean = configurations(model, q), tangents(model, v), tangents(model, a, "a")
        where = model.frame_id(frame), a_point(point), reference_code(reference), classical
        head = *records, *clean, *where
        stack = split(evaluate(_acceleration.acceleration_derivatives, head, [(5, rows, model.nv)])[0], 4)
    return _tuple(AccelerationDerivatives, (stack[0], stack[1], stack[2], stack[3], stack[4]))


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
    return _velocity(model, data, (q, v), frame, ORIGIN, reference)


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
    frame = model.joint_frames[model.joint_id(joint_id)]
    return _velocity(model, data, (q, v), frame, ORIGIN, reference)


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
    return _velocity(model, data, (q, v), frame, point, axes_code(reference), 3)


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
    return _accelerations(model, data, (q, v, a), frame, ORIGIN, reference, 0)


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
    return _accelerations(model, data, (q, v, a), frame, ORIGIN, reference, 1)


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
    frame = model.joint_frames[model.joint_id(joint_id)]
    return _accelerations(model, data, (q, v, a), frame, ORIGIN, reference, 0)


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
    return _accelerations(model, data, (q, v, a), frame, point, axes_code(reference), 1, 3)
