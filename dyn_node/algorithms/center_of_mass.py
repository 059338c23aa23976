"""Centres of mass: of the whole robot and of the subtree that hangs on each joint.

All in world axes, from the world's origin. What is fixed to the world does not count. A subtree
without mass has no centre: its entries are NaN.

Arrays may have one axis more in front, a batch; what comes back then has it too (see `algorithms.batch`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy import empty

from ..errors import InvalidValueError
from ..kernels import center_of_mass as _com
from .arguments import REFUSED, check_data, configurations, tangents
from .batch import evaluate, split

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


_tuple = tuple.__new__

_WHOLE = _com.center_of_mass_0, _com.center_of_mass_1, _com.center_of_mass_2
_SUBTREES = (
    _com.subtree_centers_of_mass_0,
    _com.subtree_centers_of_mass_1,
    _com.subtree_centers_of_mass_2,
)


class CenterOfMass(NamedTuple):
    """Where a centre of mass is and how it moves: (3,) each, or (njoints, 3) for subtrees.

    Attributes:
        position: m.
        velocity: m/s; None where v was not given.
        acceleration: m/s^2, gravity plays no part; None where a was not given.
    """

    position: NDArray[np.float64]
    velocity: NDArray[np.float64] | None = None
    acceleration: NDArray[np.float64] | None = None


def _kernel_and_state(
    kernels: tuple[Any, Any, Any], model: Model, data: Data, state: tuple[Any, ...]
) -> tuple[Any, tuple[Any, ...]]:
    """The kernel for as much of (q, v, a) as was given, and its arguments once they were looked at."""
    check_data(model, data)
    q, v, a = state
    if v is None:
        if a is not None:
            raise InvalidValueError("v: expected a velocity where a is given, given None", None, "(nv,)")
        return kernels[0], (model.records, data.work, configurations(model, q))
    head = model.records, data.work, configurations(model, q), tangents(model, v)
    return (kernels[1], head) if a is None else (kernels[2], (*head, tangents(model, a, "a")))


def center_of_mass(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None
) -> CenterOfMass:
    """The robot's centre of mass, in the world.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,): asks for the velocity too.
        a: acceleration, (nv,): asks for the acceleration too; needs v.

    Returns:
        position, velocity, acceleration, (3,) each.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model, or a without v.
    """
    velocity = acceleration = None
    try:
        if v is None:
            # A kernel without v would not notice an a.
            position = _com.center_of_mass_0(model.records, data.work, q if a is None else None, None)
        elif a is None:
            position, velocity = empty(3), empty(3)
            _com.center_of_mass_1(model.records, data.work, q, v, position, velocity)
        else:
            position, velocity, acceleration = empty(3), empty(3), empty(3)
            _com.center_of_mass_2(model.records, data.work, q, v, a, position, velocity, acceleration)
    except REFUSED:
        shapes = [(3,)] * (1 + (v is not None) + (a is not None))
        return CenterOfMass(*evaluate(*_kernel_and_state(_WHOLE, model, data, (q, v, a)), shapes))
    # Made as a plain tuple is: the class's own way costs as much as a small robot's kernel.
    return _tuple(CenterOfMass, (position, velocity, acceleration))


def subtree_centers_of_mass(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None
) -> CenterOfMass:
    """The centre of mass of what hangs on each joint, in the world.

    Args, Raises: as `center_of_mass`.

    Returns:
        position, velocity, acceleration, (njoints, 3) each: row i belongs to the bodies of joint i
        and of all joints that it carries, row 0 to the whole robot.
    """
    try:
        if v is None:
            rows = _com.subtree_centers_of_mass_0(model.records, data.work, q if a is None else None, None)
        elif a is None:
            rows = _com.subtree_centers_of_mass_1(model.records, data.work, q, v, None)
        else:
            rows = _com.subtree_centers_of_mass_2(model.records, data.work, q, v, a, None)
    except REFUSED:
        kernel, head = _kernel_and_state(_SUBTREES, model, data, (q, v, a))
        shape = len(head) - 2, len(model.records), 3
        rows = split(evaluate(kernel, head, [shape])[0], 4)
    if len(model.records) != model.njoints:  # composite joints: the last record of each has its body
        rows = rows[..., list(model.joint_records), :]
    velocity = None if v is None else rows[1]
    return _tuple(CenterOfMass, (rows[0], velocity, None if a is None else rows[2]))


def jacobian_center_of_mass(
    model: Model,
    data: Data,
    q: ArrayLike,
    subtree: int | str = 0,
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Jacobian of a centre of mass: J v is its velocity, in world axes.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        subtree: number or name of the joint whose subtree is meant; 0 for the whole robot.
        out: array for the result, (3, nv).

    Returns:
        J, (3, nv).

    Raises:
        UnknownJointError: no such joint.
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    record = 0 if subtree == 0 else model.joint_records[model.joint_id(subtree)]
    try:
        return _com.jacobian_center_of_mass(model.records, data.work, q, record, out)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), record
        return evaluate(_com.jacobian_center_of_mass, head, [(3, model.nv)], out)[0]


def center_of_mass_velocity_derivatives(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Derivative of the velocity of the centre of mass with respect to q, along tangent vectors.

    With respect to v it is `jacobian_center_of_mass`.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,); its entries are held while q moves.
        out: array for the result, (3, nv).

    Returns:
        dvcom/dq, (3, nv), world axes.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _com.center_of_mass_velocity_derivatives(model.records, data.work, q, v, out)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), tangents(model, v)
        return evaluate(_com.center_of_mass_velocity_derivatives, head, [(3, model.nv)], out)[0]
