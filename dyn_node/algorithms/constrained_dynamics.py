"""Forward dynamics under constraints.

    M ddq + C v + g = tau + J^T lambda,        J ddq + gamma = -kd J v - kp error

lambda is what the constraint does to the robot: the force (and moment) on end 1, in the constraint's axes
at end 1; end 2 gets the opposite. A foot that stands on the ground has a lambda that points up.

Constraints that depend on each other (more contacts than the motion needs) leave lambda open: the smallest
is returned, and the rank says so. Constraints that contradict each other are met in the sense of least
squares, and the residual says so.

Arrays may have one axis more in front, a batch (see `algorithms.batch`); ranks and residuals then are arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy import empty

from ..errors import InvalidValueError
from ..kernels import constrained_dynamics as _kernels
from .arguments import REFUSED, check_data, configurations, tangents
from .batch import evaluate
from .constraint_set import ConstraintSet, prepared
from .constraints import finite
from .dynamics import generalized_gravity
from .inertia_matrix import cholesky
from .state_by_state import batch_length
from .statics import static_torque

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model

#: Eigenvalues of the Delassus matrix below this part of the largest count as zero.
_RANK = 1e-10


# Made as a plain tuple is: the class's own way costs as much as a small robot's kernel.
_tuple = tuple.__new__


class ConstrainedAcceleration(NamedTuple):
    """What `constrained_forward_dynamics` returns."""

    #: The acceleration, (nv,).
    ddq: NDArray[np.float64]
    #: lambda, (rows,): force on end 1 in the constraint's axes, N and N m.
    multipliers: NDArray[np.float64]
    #: How many rows are independent; below `rows` the multipliers are the smallest of many.
    rank: int
    #: Largest entry of J ddq + gamma less what it is asked to be; not zero where constraints conflict.
    residual: float


class Proximal(NamedTuple):
    """Proximal iterations in place of the direct solution: lambda <- (G + mu 1)^-1 (b + mu lambda).

    What other libraries do; here for comparison and for soft constraints (few iterations).

    Attributes:
        mu: regularisation, of the size of an inverse mass; above zero.
        iterations: at most so many.
        tolerance: stop when lambda changes by less.
    """

    mu: float = 1e-8
    iterations: int = 10
    tolerance: float = 1e-12


def constrained_forward_dynamics(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    constraints: Any,
    f_ext: ArrayLike | None = None,
    *,
    proximal: Proximal | None = None,
) -> ConstrainedAcceleration:
    """The acceleration under the efforts tau of a robot that constraints hold, and their forces.

    From the tree's sparse factors of M and the Delassus matrix J M^-1 J^T (Featherstone 2008, chapter 8;
    Carpentier, Budhiraja and Mansard, RSS 2021); see this file's head for equations and signs.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        tau: efforts that the actuators apply, (nv,).
        constraints: a ConstraintSet (made once, used often), or constraints of which one is made.
        f_ext: external forces, (njoints, 6), as in `rnea`.
        proximal: iterations in place of the direct solution.

    Raises:
        ShapeError: an array of the wrong size or type.
        UnknownFrameError, UnknownJointError: a name that the model does not have.
        InvalidValueError: data or constraints of another model.
    """
    ties = prepared(model, constraints)
    m, nv = ties.rows, model.nv
    if f_ext is not None:
        tau = _with_forces(model, data, q, tau, f_ext)
    extra = _targeted(ties, configurations(model, q)) if ties.moving_targets else ties.extra
    J, G, out = empty((m, nv)), empty((m, m + 1)), empty(nv + m)
    head = model.records, data.work, ties.ends, ties.settings, extra
    try:
        residual = _kernels.constrained_dynamics(*head, q, v, tau, J, G, out)
    except REFUSED:
        check_data(model, data)
        state = configurations(model, q), tangents(model, v), tangents(model, tau, "tau")
        found = evaluate(_kernels.constrained_dynamics, (*head, *state), [J.shape, G.shape, out.shape])
        if found[0].ndim > 2:
            return _of_batch(model, data, state[0], found, proximal)
        J, G, out, residual = found
    if residual >= 0.0 and proximal is None:
        return _tuple(ConstrainedAcceleration, (out[:nv], out[nv:], m, residual))
    return _solved_apart(model, data, q, J, G, out, residual >= 0.0, proximal)


def _with_forces(
    model: Model, data: Data, q: ArrayLike, tau: ArrayLike, f_ext: ArrayLike
) -> NDArray[np.float64]:
    """The efforts tau and those of external forces."""
    pushed = generalized_gravity(model, data, q) - static_torque(model, data, q, f_ext)
    given = tangents(model, tau, "tau")
    batch_length(((pushed, 1), (given, 1)))
    return given + pushed


def _targeted(ties: ConstraintSet, q: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the kernel takes of constraints whose targets depend on q, of one state or of a batch."""
    if q.ndim == 1:
        return ties.targeted(q)
    return np.array([ties.targeted(one) for one in q]).reshape(len(q), *ties.extra.shape)


def _of_batch(
    model: Model, data: Data, q: NDArray[np.float64], found: list[Any], proximal: Proximal | None
) -> ConstrainedAcceleration:
    """The results of a batch, states of dependent rows solved one by one; `found` is what the kernel left."""
    J, G, out, residual = found
    nv = model.nv
    ranks = np.full(len(out), J.shape[1])
    for k in range(len(out)):
        solved = bool(residual[k] >= 0.0)
        if not solved or proximal is not None:
            one = _solved_apart(model, data, q if q.ndim == 1 else q[k], J[k], G[k], out[k], solved, proximal)
            out[k, :nv], out[k, nv:], ranks[k], residual[k] = one
    answer: Any = ConstrainedAcceleration(out[:, :nv], out[:, nv:], ranks, residual)  # type: ignore[arg-type]
    return answer


def _solved_apart(
    model: Model,
    data: Data,
    q: ArrayLike,
    J: NDArray[np.float64],
    G: NDArray[np.float64],
    out: NDArray[np.float64],
    solved: bool,
    proximal: Proximal | None,
) -> ConstrainedAcceleration:
    """Where the kernel met dependent rows, or is not asked for its solution."""
    factor = cholesky(model, data, q)
    # The kernel adds the multipliers' part when it finds them.
    free = out[: model.nv] - factor.solve(J.T @ out[model.nv :]) if solved else out[: model.nv]
    x, rank, residual = solve_multipliers(G[:, :-1], G[:, -1], proximal)
    return ConstrainedAcceleration(free + factor.solve(J.T @ x), x, rank, residual)


def solve_multipliers(
    G: NDArray[np.float64], b: NDArray[np.float64], proximal: Proximal | None = None
) -> tuple[NDArray[np.float64], int, float]:
    """The smallest x that meets G x = b in the sense of least squares, the rank of G, and the residual.

    G is symmetric and positive semi-definite. Not finite where G or b is not.
    """
    if len(b) == 0:
        return np.zeros(0), 0, 0.0
    if not (np.isfinite(G).all() and np.isfinite(b).all()):
        return np.full(len(b), np.nan), 0, np.nan
    values, vectors = np.linalg.eigh(G)
    kept = values > _RANK * max(values[-1], np.finfo(float).tiny)
    if proximal is None:
        x = vectors[:, kept] @ ((vectors[:, kept].T @ b) / values[kept])
    else:
        x = _iterated(values, vectors, b, proximal)
    return x, int(kept.sum()), float(np.abs(G @ x - b).max())


def _iterated(
    values: NDArray[np.float64], vectors: NDArray[np.float64], b: NDArray[np.float64], settings: Proximal
) -> NDArray[np.float64]:
    mu = finite("proximal.mu", settings.mu, 0.0)
    if mu == 0.0:
        raise InvalidValueError("proximal.mu: expected a number above zero, given 0", mu, "above zero")
    inverse = 1.0 / (np.maximum(values, 0.0) + mu)
    x, target = np.zeros(len(b)), vectors.T @ b
    for _ in range(settings.iterations):
        before, x = x, inverse * (target + mu * x)
        if np.abs(x - before).max() <= settings.tolerance:
            break
    return vectors @ x
