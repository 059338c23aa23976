"""Inverse and forward dynamics, gravity and the mass matrix.

    M(q) a + C(q, v) v + g(q) = tau + sum J^T f_ext

tau is what the actuators apply. All functions take the model first and its Data (scratch) second;
vectors of joint space are in the model's order, SI units (N m for joints that turn, N for joints
that slide). `out`, where given, receives the result and is returned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import empty

from ..kernels import aba as _aba
from ..kernels import crba as _crba
from ..kernels import rnea as _rnea
from .arguments import REFUSED, again, check_data, configuration, external_forces, output, tangent

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
    tau = empty(model.nv) if out is None else out
    try:
        if f_ext is None:
            _rnea.rnea(model.records, data.work, q, v, a, tau)
        else:
            _rnea.rnea_external(model.records, data.work, q, v, a, f_ext, tau)
    except REFUSED:
        check_data(model, data)
        output(tau, (model.nv,))
        state = configuration(model, q), tangent(model, v), tangent(model, a, "a")
        if f_ext is None:
            again(_rnea.rnea, model.records, data.work, *state, tau)
        else:
            forces = external_forces(model, f_ext)
            again(_rnea.rnea_external, model.records, data.work, *state, forces, tau)
    return tau


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
    tau = empty(model.nv) if out is None else out
    try:
        _rnea.generalized_gravity(model.records, data.work, q, tau)
    except REFUSED:
        check_data(model, data)
        output(tau, (model.nv,))
        again(_rnea.generalized_gravity, model.records, data.work, configuration(model, q), tau)
    return tau


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
    tau = empty(model.nv) if out is None else out
    try:
        _rnea.nonlinear_effects(model.records, data.work, q, v, tau)
    except REFUSED:
        check_data(model, data)
        output(tau, (model.nv,))
        state = configuration(model, q), tangent(model, v)
        again(_rnea.nonlinear_effects, model.records, data.work, *state, tau)
    return tau


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
    M = empty((model.nv, model.nv)) if out is None else out
    try:
        _crba.crba(model.records, data.work, q, M)
    except REFUSED:
        check_data(model, data)
        output(M, (model.nv, model.nv))
        again(_crba.crba, model.records, data.work, configuration(model, q), M)
    return M


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
    ddq = empty(model.nv) if out is None else out
    try:
        if f_ext is None:
            _aba.aba(model.records, data.work, q, v, tau, ddq)
        else:
            _aba.aba_external(model.records, data.work, q, v, tau, f_ext, ddq)
    except REFUSED:
        check_data(model, data)
        output(ddq, (model.nv,))
        state: Any = configuration(model, q), tangent(model, v), tangent(model, tau, "tau")
        if model.records[0]["followers"]:
            _with_followers(model, data, state, f_ext, ddq)
        elif f_ext is None:
            again(_aba.aba, model.records, data.work, *state, ddq)
        else:
            forces = external_forces(model, f_ext)
            again(_aba.aba_external, model.records, data.work, *state, forces, ddq)
    return ddq


def _with_followers(
    model: Model,
    data: Data,
    state: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
    f_ext: ArrayLike | None,
    ddq: NDArray[np.float64],
) -> None:
    """ddq from M ddq = tau - (C v + g - sum J^T f_ext), for state = (q, v, tau)."""
    q, v, tau = state
    bias = rnea(model, data, q, v, np.zeros(model.nv), f_ext)
    try:
        ddq[:] = np.linalg.solve(crba(model, data, q), tau - bias)
    except np.linalg.LinAlgError:  # singular: a joint that moves no mass
        ddq[:] = np.nan
