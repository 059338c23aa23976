"""Regressors: the equations of motion as a matrix times the inertial parameters.

    joint_torque_regressor(q, v, a) @ dynamic_parameters(model) = rnea(q, v, a)

Ten numbers a body, in the order of `Inertia.dynamic_parameters`: m, m cx, m cy, m cz, Ixx, Ixy,
Iyy, Ixz, Iyz, Izz, the rotational inertia about the joint's origin. Bodies one after the other,
from joint 1; what is fixed to the world has no part. Rotors (armature) are no body: their share,
`armature * a` in the torque and `armature . v^2 / 2` in the energy, comes on top.

Atkeson, An and Hollerbach 1986, "Estimation of inertial parameters of manipulator loads and
links"; Wensing, Kim and Slotine 2018, "Linear matrix inequalities for physically consistent
inertial parameter identification", for the form of the parameters.

Arrays may have one axis more in front, a batch; what comes back then has it too (see `algorithms.batch`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy import empty

from ..kernels import regressor as _regressor
from ..spatial import Motion
from .arguments import REFUSED, array, check_data, configurations, output, tangents
from .batch import evaluate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model

_SIX = "six numbers, linear first"


def dynamic_parameters(model: Model) -> NDArray[np.float64]:
    """The inertial parameters of all moving bodies, (10 (njoints - 1),), the caller's own."""
    if model.njoints == 1:
        return empty(0)
    return np.concatenate([inertia.dynamic_parameters for inertia in model.inertias[1:]])


def _of_joints(
    model: Model, Y: NDArray[np.float64], each: int, out: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """The columns of the records that carry the joints' bodies, in `out` where that is given.

    Kernels give columns to every record, and a composite joint takes several.
    """
    bodies = np.array(model.joint_records[1:], dtype=np.intp) - 1
    chosen = np.take(Y, (each * bodies[:, None] + np.arange(each)).ravel(), axis=-1)
    if out is None:
        return chosen
    output(out, chosen.shape)[...] = chosen
    return out


def joint_torque_regressor(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Y with Y @ parameters = rnea(q, v, a), less the rotors' `armature * a`.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        a: acceleration, (nv,).
        out: array for the result.

    Returns:
        Y, (nv, 10 (njoints - 1)).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    chains = len(model.records) != model.njoints
    own = None if chains else out
    try:
        Y = _regressor.joint_torque_regressor(model.records, data.work, q, v, a, own)
    except REFUSED:
        check_data(model, data)
        state = configurations(model, q), tangents(model, v), tangents(model, a, "a")
        head, shape = (model.records, data.work, *state), (model.nv, 10 * len(model.records) - 10)
        Y = evaluate(_regressor.joint_torque_regressor, head, [shape], own)[0]
    return _of_joints(model, Y, 10, out) if chains else Y


def body_regressor(v: Motion | ArrayLike, a: Motion | ArrayLike) -> NDArray[np.float64]:
    """Y with Y @ parameters = I a + v x* I v of one body.

    Args:
        v: spatial velocity of the body, (6,), in the frame that the parameters are in.
        a: its spatial acceleration, (6,), same frame; subtract gravity to have its weight counted.

    Returns:
        Y, (6, 10): force rows (N), then moment rows (N m).

    Raises:
        ShapeError: an argument that is not six numbers.
    """
    if type(v) is Motion:
        v = v._v
    if type(a) is Motion:
        a = a._v
    try:
        return _regressor.body_regressor(v, a, None)
    except REFUSED:
        pair = array("v", v, (6,), _SIX, batch=True), array("a", a, (6,), _SIX, batch=True)
        return evaluate(_regressor.body_regressor, pair, [(6, 10)])[0]


def static_regressor(
    model: Model, data: Data, q: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Y that makes masses and first moments into the centre of mass in the world.

    The total mass that it divides by is the model's.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        out: array for the result.

    Returns:
        Y, (3, 4 (njoints - 1)): four columns a body, for m, m cx, m cy, m cz.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    chains = len(model.records) != model.njoints
    own = None if chains else out
    try:
        Y = _regressor.static_regressor(model.records, data.work, q, own)
    except REFUSED:
        check_data(model, data)
        head, shape = (model.records, data.work, configurations(model, q)), (3, 4 * len(model.records) - 4)
        Y = evaluate(_regressor.static_regressor, head, [shape], own)[0]
    return _of_joints(model, Y, 4, out) if chains else Y


def kinetic_energy_regressor(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """y with y @ parameters = kinetic energy (J) of the bodies.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        out: array for the result.

    Returns:
        y, (10 (njoints - 1),).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    chains = len(model.records) != model.njoints
    own = None if chains else out
    try:
        y = _regressor.kinetic_energy_regressor(model.records, data.work, q, v, own)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), tangents(model, v)
        shape = (10 * len(model.records) - 10,)
        y = evaluate(_regressor.kinetic_energy_regressor, head, [shape], own)[0]
    return _of_joints(model, y, 10, out) if chains else y


def potential_energy_regressor(
    model: Model, data: Data, q: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """y with y @ parameters = potential energy (J) in the model's gravity.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        out: array for the result.

    Returns:
        y, (10 (njoints - 1),).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    chains = len(model.records) != model.njoints
    own = None if chains else out
    try:
        y = _regressor.potential_energy_regressor(model.records, data.work, q, own)
    except REFUSED:
        check_data(model, data)
        head, shape = (model.records, data.work, configurations(model, q)), (10 * len(model.records) - 10,)
        y = evaluate(_regressor.potential_energy_regressor, head, [shape], own)[0]
    return _of_joints(model, y, 10, out) if chains else y
