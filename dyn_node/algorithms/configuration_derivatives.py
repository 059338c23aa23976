"""Derivatives of `integrate` and `difference`, with respect to tangent vectors.

`argument` names what the derivative is taken with respect to; both sides are tangent vectors, in
the joints' own frames, so every matrix is (nv, nv) and block-diagonal by joint.

Arrays may have one axis more in front, a batch; what comes back then has it too (see `algorithms.batch`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import empty

from ..errors import InvalidValueError
from ..kernels import configuration_derivatives as _kernels
from .arguments import REFUSED, array, configurations, tangents
from .batch import evaluate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Model


def _which(argument: str, names: tuple[str, str]) -> int:
    try:
        return names.index(argument)
    except ValueError:
        raise InvalidValueError(
            f"argument: expected {names[0]!r} or {names[1]!r}, given {argument!r}", argument, names
        ) from None


def d_integrate(
    model: Model,
    q: ArrayLike,
    dv: ArrayLike,
    argument: str = "dv",
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Derivative of `integrate(model, q, dv)`.

    Args:
        model: the robot.
        q: configuration, (nq,).
        dv: increment, (nv,).
        argument: "q" or "dv".
        out: array for the result, (nv, nv).

    Returns:
        J, (nv, nv): the result moves by J d when the argument moves by the tangent vector d.

    Raises:
        ShapeError, InvalidValueError.
    """
    which = _which(argument, ("q", "dv"))
    try:
        return _kernels.d_integrate(model.records, q, dv, which, out)
    except REFUSED:
        head = model.records, configurations(model, q), tangents(model, dv, "dv"), which
        return evaluate(_kernels.d_integrate, head, [(model.nv, model.nv)], out)[0]


def d_difference(
    model: Model,
    q0: ArrayLike,
    q1: ArrayLike,
    argument: str = "q1",
    *,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Derivative of `difference(model, q0, q1)`.

    Args:
        model: the robot.
        q0, q1: configurations, (nq,).
        argument: "q0" or "q1".
        out: array for the result, (nv, nv).

    Returns:
        J, (nv, nv): the difference changes by J d when the argument moves by the tangent vector d.

    Raises:
        ShapeError, InvalidValueError.
    """
    which = _which(argument, ("q0", "q1"))
    try:
        return _kernels.d_difference(model.records, q0, q1, which, out)
    except REFUSED:
        head = model.records, configurations(model, q0, "q0"), configurations(model, q1, "q1"), which
        return evaluate(_kernels.d_difference, head, [(model.nv, model.nv)], out)[0]


def transport(
    model: Model, q: ArrayLike, dv: ArrayLike, J: ArrayLike, argument: str = "dv"
) -> NDArray[np.float64]:
    """A matrix of tangent columns carried from q, or from dv, to `integrate(model, q, dv)`.

    Args:
        model: the robot.
        q: configuration, (nq,).
        dv: increment, (nv,).
        J: columns to carry, (nv, n).
        argument: whose tangent space they are in: "q" or "dv".

    Returns:
        `d_integrate(model, q, dv, argument) @ J`, (nv, n).

    Raises:
        ShapeError, InvalidValueError.
    """
    which = _which(argument, ("q", "dv"))
    try:
        carried = empty(J.shape)  # type: ignore[union-attr]
        _kernels.transport(model.records, q, dv, J, which, carried)
        return carried
    except REFUSED:
        return _transport(model, q, dv, J, which)


def _transport(model: Model, q: ArrayLike, dv: ArrayLike, J: ArrayLike, which: int) -> NDArray[np.float64]:
    """The same for whatever can be made of the arguments, and for batches."""
    given: Any = np.asarray(J)
    count = given.shape[-1] if given.ndim in (2, 3) else 1
    columns = array("J", J, (model.nv, count), "columns of tangent vectors", batch=True)
    head = model.records, configurations(model, q), tangents(model, dv, "dv"), columns, which
    return evaluate(_kernels.transport, head, [(model.nv, count)])[0]


def integrate_coefficient_jacobian(
    model: Model, q: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The matrix that makes velocities into rates of the entries of q: dq/dt = J v.

    Args:
        model: the robot.
        q: configuration, (nq,), normalised.
        out: array for the result, (nq, nv).

    Returns:
        J, (nq, nv).

    Raises:
        ShapeError: an array of the wrong size or type.
    """
    try:
        return _kernels.integrate_coefficient_jacobian(model.records, q, out)
    except REFUSED:
        head = model.records, configurations(model, q)
        return evaluate(_kernels.integrate_coefficient_jacobian, head, [(model.nq, model.nv)], out)[0]
