"""Partial derivatives of constrained forward dynamics.

The two equations that (ddq, lambda) solve are differentiated where they hold, which gives the same linear
system with other right-hand sides (Budhiraja, Carpentier, Mastalli and Mansard, IROS 2018).

Arrays may have one axis more in front, a batch; what comes back then has it too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy import empty

from ..kernels import constrained_derivatives as _kernels
from .arguments import NO_FORCES, REFUSED, configurations, external_forces, tangents
from .batch import evaluate, split
from .configuration_derivatives import d_difference
from .constrained_dynamics import _RANK, constrained_forward_dynamics
from .constraint_motion import constraint_jacobian
from .constraint_set import ConstraintSet, locked, prepared
from .constraints import FrameConstraint, JointLock
from .inertia_matrix import minverse

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model

    Array = NDArray[np.float64]


# Made as a plain tuple is: the class's own way costs as much as a small robot's kernel.
_tuple = tuple.__new__


class ConstrainedDerivatives(NamedTuple):
    """Partial derivatives of (ddq, lambda) = constrained_forward_dynamics(q, v, tau)."""

    #: (nv, nv), along the tangent of q.
    ddq_dq: NDArray[np.float64]
    ddq_dv: NDArray[np.float64]
    ddq_dtau: NDArray[np.float64]
    #: (rows, nv), along the tangent of q; in the constraint's axes.
    multipliers_dq: NDArray[np.float64]
    multipliers_dv: NDArray[np.float64]
    multipliers_dtau: NDArray[np.float64]


def constrained_dynamics_derivatives(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    constraints: Any,
    f_ext: ArrayLike | None = None,
) -> ConstrainedDerivatives:
    """Partial derivatives of `constrained_forward_dynamics`.

    Args, Raises: as `constrained_forward_dynamics`; f_ext stays the same in its joints' frames. Where
    constraints depend on each other, derivatives of ddq hold as long as the rank does not change, and
    those of the multipliers are the smallest; where they conflict, the derivatives do not hold.
    """
    ties = prepared(model, constraints)
    m, nv = ties.rows, model.nv
    found = constrained_forward_dynamics(model, data, q, v, tau, ties, f_ext)
    forces = NO_FORCES if f_ext is None else f_ext
    head = model.records, data.work, ties.ends, ties.settings, ties.extra, _rows_by_q(ties, q)
    of_ddq, of_force = empty((3, nv, nv)), empty((3, m, nv))
    try:
        solved = _kernels.constrained_derivatives(
            *head, q, v, found.ddq, found.multipliers, forces, of_ddq, of_force
        )
    except REFUSED:
        state = configurations(model, q), tangents(model, v), found.ddq.copy(), found.multipliers.copy()
        forces = NO_FORCES if f_ext is None else external_forces(model, f_ext)
        shapes = [of_ddq.shape, of_force.shape]
        of_ddq, of_force, solved = evaluate(_kernels.constrained_derivatives, (*head, *state, forces), shapes)
    if solved is not True and not np.all(solved):
        _solve_apart(model, data, q, ties, of_ddq, of_force, solved)
    by, forces_by = split(of_ddq, 4), split(of_force, 4)
    return _tuple(ConstrainedDerivatives, (by[0], by[1], by[2], forces_by[0], forces_by[1], forces_by[2]))


def _rows_by_q(ties: ConstraintSet, q: ArrayLike) -> Array:
    """Derivatives along q of the rows of locks and couplings, (k, nv), or of a batch (N, k, nv)."""
    model, first = ties.model, ties.rows - len(ties.extra)
    if not ties.moving_targets:
        return ties.steady
    state = configurations(model, q)
    by_q = np.zeros((*state.shape[:-1], len(ties.extra), model.nv))
    for item, rows in zip(ties.constraints, ties.slices, strict=True):
        if isinstance(item, FrameConstraint) or not item.kp:
            continue
        own = slice(rows.start - first, rows.stop - first)
        start = locked(model, item) if isinstance(item, JointLock) else model.neutral
        by_q[..., own, :] = item.kp * ties.extra[own, :-2] @ d_difference(model, start, state, "q1")
    return by_q


def _solve_apart(
    model: Model, data: Data, q: ArrayLike, ties: ConstraintSet, of_ddq: Array, of_force: Array, solved: Any
) -> None:
    """Finish what the kernel left where rows depend on each other, with the smallest multipliers."""
    state = configurations(model, q)
    if of_ddq.ndim == 3:
        _smallest(model, data, state, ties, of_ddq, of_force)
        return
    for k in np.flatnonzero(~solved.astype(bool)):
        _smallest(model, data, state if state.ndim == 1 else state[k], ties, of_ddq[k], of_force[k])


def _smallest(
    model: Model, data: Data, q: ArrayLike, ties: ConstraintSet, of_ddq: Array, of_force: Array
) -> None:
    """The pseudo-inverse in place of the Delassus matrix's inverse."""
    J, Minv = constraint_jacobian(model, data, q, ties), minverse(model, data, q)
    inverse = np.linalg.pinv(J @ Minv @ J.T, rcond=_RANK, hermitian=True)
    turned = of_force[2].copy()
    of_force[2] = 0.0
    for effort, force in zip(of_ddq, of_force, strict=True):
        force[:] = -inverse @ (force + J @ (Minv @ effort))
        effort[:] = Minv @ (effort + J.T @ force)
    of_force[0] += turned
