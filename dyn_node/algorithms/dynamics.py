"""Inverse and forward dynamics, gravity and the mass matrix.

    M(q) a + C(q, v) v + g(q) = tau + sum J^T f_ext

tau is what the actuators apply. All functions take the model first and its Data (scratch) second;
vectors of joint space are in the model's order, SI units (N m for joints that turn, N for joints
that slide). `out`, where given, receives the result and is returned.

Any of the arrays may have one axis more in front, a batch: q (N, nq), v (N, nv), f_ext (N, njoints, 6)
and so on; those without it are shared by all states. The result, and `out`, then have it too. States
are computed in machine code on several threads (`set_threads`), none of which holds Python up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels import aba as _aba
from ..kernels import crba as _crba
from ..kernels import rnea as _rnea
from .arguments import REFUSED, check_data, configurations, external_forces, output, tangents
from .batch import evaluate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


def rnea(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    f_ext: ArrayLike | None = None,
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Inverse dynamics: the efforts that make the robot accelerate by a.

    Recursive Newton-Euler algorithm (Featherstone 2008, chapter 5).

    Args:
        model: the robot.
        data: its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,); a floating base's in base coordinates, linear first.
        a: acceleration, (nv,); the time derivative of v.
        f_ext: external forces on the joints' bodies, (njoints, 6): row i is a wrench (force, moment)
            in the frame of joint i; row 0 is not used.
        out: array for the result, (nv,).

    Returns:
        tau, (nv,): M a + C v + g - sum J^T f_ext.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        if f_ext is None:
            return _rnea.rnea(model.records, data.work, q, v, a, out)
        else:
            return _rnea.rnea_external(model.records, data.work, q, v, a, f_ext, out)
    except REFUSED:
        check_data(model, data)
        state: tuple[Any, ...] = configurations(model, q), tangents(model, v), tangents(model, a, "a")
        kernel: Any = _rnea.rnea
        if f_ext is not None:
            kernel, state = _rnea.rnea_external, (*state, external_forces(model, f_ext))
        return evaluate(kernel, (model.records, data.work, *state), [(model.nv,)], out)[0]


def generalized_gravity(
    model: Model, data: Data, q: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The efforts that hold the robot still against gravity: g(q) = rnea(q, 0, 0).

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        out: array for the result, (nv,).

    Returns:
        g, (nv,). The actuators have to apply +g. The first six entries of a floating robot are the
        force and moment that something has to apply to its base, in base coordinates.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _rnea.generalized_gravity(model.records, data.work, q, out)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q)
        return evaluate(_rnea.generalized_gravity, head, [(model.nv,)], out)[0]


def nonlinear_effects(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Coriolis, centrifugal and gravity efforts: C(q, v) v + g(q) = rnea(q, v, 0).

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        out: array for the result, (nv,).

    Returns:
        The efforts, (nv,).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _rnea.nonlinear_effects(model.records, data.work, q, v, out)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), tangents(model, v)
        return evaluate(_rnea.nonlinear_effects, head, [(model.nv,)], out)[0]


def crba(
    model: Model, data: Data, q: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The joint-space inertia (mass) matrix M(q), full and symmetric.

    Composite-rigid-body algorithm (Featherstone 2008, chapter 6).

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        out: array for the result, (nv, nv).

    Returns:
        M, (nv, nv). Kinetic energy is v^T M v / 2.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _crba.crba(model.records, data.work, q, out)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q)
        return evaluate(_crba.crba, head, [(model.nv, model.nv)], out)[0]


def aba(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    f_ext: ArrayLike | None = None,
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Forward dynamics: the acceleration under the efforts tau.

    Articulated-body algorithm (Featherstone 2008, chapter 7); where joints follow others, the mass
    matrix is solved for instead. A joint that moves no mass gives entries that are not finite.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        tau: efforts that the actuators apply, (nv,).
        f_ext: external forces on the joints' bodies, (njoints, 6), as in `rnea`.
        out: array for the result, (nv,).

    Returns:
        The acceleration, (nv,): M^-1 (tau + sum J^T f_ext - C v - g).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        if f_ext is None:
            return _aba.aba(model.records, data.work, q, v, tau, out)
        else:
            return _aba.aba_external(model.records, data.work, q, v, tau, f_ext, out)
    except REFUSED:
        check_data(model, data)
        state: Any = configurations(model, q), tangents(model, v), tangents(model, tau, "tau")
        if model.records[0]["followers"]:
            return _with_followers(model, data, state, f_ext, out)
        kernel: Any = _aba.aba
        if f_ext is not None:
            kernel, state = _aba.aba_external, (*state, external_forces(model, f_ext))
        return evaluate(kernel, (model.records, data.work, *state), [(model.nv,)], out)[0]


def _with_followers(
    model: Model,
    data: Data,
    state: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
    f_ext: ArrayLike | None,
    out: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """ddq from M ddq = tau - (C v + g - sum J^T f_ext), for state = (q, v, tau)."""
    q, v, tau = state
    rest = tau - rnea(model, data, q, v, np.zeros(model.nv), f_ext)
    ddq = np.empty(rest.shape) if out is None else output(out, rest.shape)
    M = np.broadcast_to(crba(model, data, q), (*rest.shape, model.nv))
    for k in np.ndindex(rest.shape[:-1]):
        try:
            ddq[k] = np.linalg.solve(M[k], rest[k])
        except np.linalg.LinAlgError:  # singular: a joint that moves no mass
            ddq[k] = np.nan
    return ddq
