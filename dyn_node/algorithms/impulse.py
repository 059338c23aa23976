"""Impacts: the velocity that a robot has once constraints hold it, all at once.

Arrays may have one axis more in front, a batch (see `algorithms.batch`); ranks and residuals then are arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy import empty

from ..errors import InvalidValueError
from ..kernels import impulse as _impulse
from .arguments import REFUSED, check_data, configurations, tangents
from .batch import evaluate
from .constrained_dynamics import solve_multipliers
from .constraint_motion import constraint_jacobian
from .constraint_set import prepared
from .constraints import finite
from .inertia_matrix import cholesky

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


# Made as a plain tuple is: the class's own way costs as much as a small robot's kernel.
_tuple = tuple.__new__


class ConstrainedImpulse(NamedTuple):
    """What `impulse_dynamics` returns."""

    #: The velocity after the impact, (nv,).
    v: NDArray[np.float64]
    #: Impulses on end 1 in the constraint's axes, (rows,), N s and N m s.
    impulses: NDArray[np.float64]
    rank: int
    #: Largest entry of J v_after + restitution J v_before; not zero where constraints conflict.
    residual: float


def impulse_dynamics(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike, constraints: Any, restitution: float = 0.0
) -> ConstrainedImpulse:
    """The velocity after an impact that makes the constraints hold.

    M (v_after - v) = J^T impulses, J v_after = -restitution J v.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity before, (nv,).
        constraints: a ConstraintSet, or constraints of which one is made.
        restitution: 0 for contacts that stick, 1 for those that lose no energy.

    Returns:
        The velocity after, the impulses (signs as in `constrained_forward_dynamics`), rank and residual.

    Raises:
        ShapeError: an array of the wrong size or type.
        UnknownFrameError, UnknownJointError: a name that the model does not have.
        InvalidValueError: a restitution outside 0 to 1; data or constraints of another model.
    """
    if not (type(restitution) is float and 0.0 <= restitution <= 1.0):
        restitution = _checked(restitution)
    ties = prepared(model, constraints)
    m, nv = ties.rows, model.nv
    G, out = empty((m, m + 1)), empty(nv + m)
    head = model.records, data.work, ties.ends, ties.settings, ties.extra
    try:
        residual = _impulse.impulse(*head, q, v, restitution, G, out)
    except REFUSED:
        check_data(model, data)
        state = configurations(model, q), tangents(model, v)
        G, out, residual = evaluate(_impulse.impulse, (*head, *state, restitution), [G.shape, out.shape])
    if out.ndim > 1:
        return _of_batch(model, data, q, ties, G, out, residual)
    rank = m
    if not residual >= 0.0:
        rank, residual = _solve_apart(model, data, q, ties, G, out)
    return _tuple(ConstrainedImpulse, (out[:nv], out[nv:], rank, residual))


def _checked(restitution: Any) -> float:
    number = finite("restitution", restitution, 0.0)
    if not 0.0 <= number <= 1.0:
        raise InvalidValueError(f"restitution: expected 0 to 1, given {restitution!r}", restitution, "0 to 1")
    return number


def _solve_apart(
    model: Model, data: Data, q: ArrayLike, ties: Any, G: NDArray[np.float64], out: NDArray[np.float64]
) -> tuple[int, float]:
    """The smallest impulses where rows depend on each other; the kernel left the velocity before in `out`."""
    nv = model.nv
    impulses, rank, residual = solve_multipliers(G[:, :-1], G[:, -1])
    out[:nv] += cholesky(model, data, q).solve(constraint_jacobian(model, data, q, ties).T @ impulses)
    out[nv:] = impulses
    return rank, residual


def _of_batch(
    model: Model,
    data: Data,
    q: ArrayLike,
    ties: Any,
    G: NDArray[np.float64],
    out: NDArray[np.float64],
    residual: NDArray[np.float64],
) -> ConstrainedImpulse:
    ranks, state = np.full(len(out), ties.rows), configurations(model, q)
    for k in np.flatnonzero(~(residual >= 0.0)):
        one = state if state.ndim == 1 else state[k]
        ranks[k], residual[k] = _solve_apart(model, data, one, ties, G[k], out[k])
    answer: Any = ConstrainedImpulse(out[:, : model.nv], out[:, model.nv :], ranks, residual)  # type: ignore[arg-type]
    return answer
