"""Partial derivatives of inverse and forward dynamics, of gravity and of static efforts.

Derivatives with respect to q are along the tangent: column k is what a unit of `integrate`'s increment
in coordinate k changes, so every matrix is (nv, nv). SI units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..kernels import aba_derivatives as _aba_derivatives
from ..kernels import rnea_derivatives as _rnea_derivatives
from .arguments import REFUSED, again, check_data, configuration, external_forces, tangent
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


def _rnea_stack(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike, a: ArrayLike, f_ext: ArrayLike | None
) -> NDArray[np.float64]:
    stack = np.empty((3, model.nv, model.nv))
    try:
        if f_ext is None:
            _rnea_derivatives.rnea_derivatives(model.records, data.work, q, v, a, stack)
        else:
            _rnea_derivatives.rnea_derivatives_external(model.records, data.work, q, v, a, f_ext, stack)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configuration(model, q), tangent(model, v), tangent(model, a, "a")
        if f_ext is None:
            again(_rnea_derivatives.rnea_derivatives, *head, stack)
        else:
            forces = external_forces(model, f_ext)
            again(_rnea_derivatives.rnea_derivatives_external, *head, forces, stack)
    return stack


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
    stack = _rnea_stack(model, data, q, v, a, f_ext)
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
    ddq = aba(model, data, q, v, tau, f_ext)
    stack = _rnea_stack(model, data, q, v, ddq, f_ext)
    try:
        _aba_derivatives.aba_derivatives(model.records, stack)
    except REFUSED:
        again(_aba_derivatives.aba_derivatives, model.records, stack)
    return AbaDerivatives(stack[0], stack[1], stack[2])
