"""Centres of mass: of the whole robot and of the subtree that hangs on each joint.

All in world axes, from the world's origin. What is fixed to the world does not count. A subtree
without mass has no centre: its entries are NaN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import InvalidValueError
from ..kernels import center_of_mass as _com
from .arguments import REFUSED, again, check_data, configuration, output, tangent

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


_tuple = tuple.__new__


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


def _computed(
    model: Model, data: Data, rows: int, q: ArrayLike, v: ArrayLike | None, a: ArrayLike | None
) -> NDArray[np.float64]:
    """Positions, velocities and accelerations as far as asked for, (orders, rows, 3)."""
    if v is None and a is not None:
        raise InvalidValueError("v: expected a velocity where a is given, given None", None, "(nv,)")
    try:
        if v is None:
            out = np.empty((1, rows, 3))
            _com.center_of_mass_0(model.records, data.work, q, out)
        elif a is None:
            out = np.empty((2, rows, 3))
            _com.center_of_mass_1(model.records, data.work, q, v, out)
        else:
            out = np.empty((3, rows, 3))
            _com.center_of_mass_2(model.records, data.work, q, v, a, out)
    except REFUSED:
        check_data(model, data)
        q = configuration(model, q)
        if v is None:
            again(_com.center_of_mass_0, model.records, data.work, q, out)
        elif a is None:
            again(_com.center_of_mass_1, model.records, data.work, q, tangent(model, v), out)
        else:
            motion = tangent(model, v), tangent(model, a, "a")
            again(_com.center_of_mass_2, model.records, data.work, q, *motion, out)
    return out


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
    found = _computed(model, data, 1, q, v, a)
    # Indexed one by one, and made as a plain tuple is: half of what unpacking would cost.
    if v is None:
        return _tuple(CenterOfMass, (found[0, 0], None, None))
    return _tuple(CenterOfMass, (found[0, 0], found[1, 0], None if a is None else found[2, 0]))


def subtree_centers_of_mass(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None
) -> CenterOfMass:
    """The centre of mass of what hangs on each joint, in the world.

    Args, Raises: as `center_of_mass`.

    Returns:
        position, velocity, acceleration, (njoints, 3) each: row i belongs to the bodies of joint i
        and of all joints that it carries, row 0 to the whole robot.
    """
    rows = _computed(model, data, len(model.records), q, v, a)
    if len(model.records) != model.njoints:  # composite joints: the last record of each has its body
        rows = rows[:, list(model.joint_records)]
    return CenterOfMass(*rows)


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
    record = model.joint_records[model.joint_id(subtree)] if subtree else 0
    J = np.empty((3, model.nv)) if out is None else out
    try:
        _com.jacobian_center_of_mass(model.records, data.work, q, record, J)
    except REFUSED:
        check_data(model, data)
        output(J, (3, model.nv))
        again(_com.jacobian_center_of_mass, model.records, data.work, configuration(model, q), record, J)
    return J


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
    J = np.empty((3, model.nv)) if out is None else out
    try:
        _com.center_of_mass_velocity_derivatives(model.records, data.work, q, v, J)
    except REFUSED:
        check_data(model, data)
        output(J, (3, model.nv))
        state = configuration(model, q), tangent(model, v)
        again(_com.center_of_mass_velocity_derivatives, model.records, data.work, *state, J)
    return J
