"""Partial derivatives of inverse and forward dynamics, of gravity and of static efforts.

Derivatives with respect to q are along the tangent: column k is what a unit of `integrate`'s increment
in coordinate k changes, so every matrix is (nv, nv). SI units.

Arrays may have one axis more in front, a batch; what comes back then has it too (see `algorithms.batch`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..kernels import aba_derivatives as _aba_derivatives
from ..kernels import rnea_derivatives as _rnea_derivatives
from .arguments import NO_FORCES, REFUSED, check_data, configurations, external_forces, tangents
from .batch import evaluate, split
from .dynamics import aba

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


class RneaDerivatives(NamedTuple):
    """Partial derivatives of tau = rnea(q, v, a), each (nv, nv)."""

    #: Along the tangent of q.
    dtau_dq: NDArray[np.float64]
    dtau_dv: NDArray[np.float64]
    #: The joint-space inertia matrix M, full and symmetric.
    dtau_da: NDArray[np.float64]


class AbaDerivatives(NamedTuple):
    """Partial derivatives of ddq = aba(q, v, tau), each (nv, nv)."""

    #: Along the tangent of q.
    ddq_dq: NDArray[np.float64]
    ddq_dv: NDArray[np.float64]
    #: The inverse of the joint-space inertia matrix, full and symmetric.
    ddq_dtau: NDArray[np.float64]


def _again(
    compiled: Any,
    model: Model,
    data: Data,
    state: tuple[ArrayLike, ArrayLike, ArrayLike],
    last: str,
    f_ext: ArrayLike | None,
) -> NDArray[np.float64]:
    """What a kernel that refused gives after all; `last` names the third vector of the state."""
    check_data(model, data)
    q, v, other = state
    clean = configurations(model, q), tangents(model, v), tangents(model, other, last)
    forces = NO_FORCES if f_ext is None else external_forces(model, f_ext)
    head = model.records, data.work, *clean, forces
    return split(evaluate(compiled, head, [(3, model.nv, model.nv)])[0], 4)


def rnea_derivatives(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike, a: ArrayLike, f_ext: ArrayLike | None = None
) -> RneaDerivatives:
    """Partial derivatives of inverse dynamics.

    (Carpentier and Mansard, RSS 2018; in the form of Singh, Russell and Wensing, RA-L 2022.)

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        a: acceleration, (nv,).
        f_ext: external forces, (njoints, 6), as in `rnea`; they stay the same in their joints' frames.

    Returns:
        dtau_dq, dtau_dv and dtau_da = M, each (nv, nv).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    forces = NO_FORCES if f_ext is None else f_ext
    try:
        stack = _rnea_derivatives.rnea_derivatives(model.records, data.work, q, v, a, forces, None)
    except REFUSED:
        stack = _again(_rnea_derivatives.rnea_derivatives, model, data, (q, v, a), "a", f_ext)
    return RneaDerivatives(stack[0], stack[1], stack[2])


def aba_derivatives(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike, tau: ArrayLike, f_ext: ArrayLike | None = None
) -> AbaDerivatives:
    """Partial derivatives of forward dynamics (Carpentier and Mansard, RSS 2018).

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        tau: efforts that the actuators apply, (nv,).
        f_ext: external forces, (njoints, 6), as in `rnea`; they stay the same in their joints' frames.

    Returns:
        ddq_dq, ddq_dv and ddq_dtau = M^-1, each (nv, nv).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    forces = NO_FORCES if f_ext is None else f_ext
    try:
        stack = _aba_derivatives.aba_derivatives(model.records, data.work, q, v, tau, forces, None)
    except REFUSED:
        if model.records[0]["followers"]:
            return _with_followers(model, data, q, v, tau, f_ext)
        stack = _again(_aba_derivatives.aba_derivatives, model, data, (q, v, tau), "tau", f_ext)
    return AbaDerivatives(stack[0], stack[1], stack[2])


def _with_followers(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike, tau: ArrayLike, f_ext: ArrayLike | None
) -> AbaDerivatives:
    """Where no recursion over articulated bodies gives the acceleration: from that of `aba`."""
    ddq = aba(model, data, q, v, tau, f_ext)
    stack = np.stack(rnea_derivatives(model, data, q, v, ddq, f_ext), axis=-3)
    try:
        _aba_derivatives.derivatives_of_acceleration(model.records, stack)
    except REFUSED:
        evaluate(_aba_derivatives.derivatives_of_acceleration, (model.records, stack))
        stack = split(stack, 4)
    return AbaDerivatives(stack[0], stack[1], stack[2])
