"""Partial derivatives of constrained forward dynamics.

The two equations that (ddq, lambda) solve are differentiated where they hold, which gives the same linear
system with other right-hand sides (Budhiraja, Carpentier, Mastalli and Mansard, IROS 2018).

Arrays may have one axis more in front, a batch; what comes back then has it too.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .arguments import configurations, joint_forces, tangents
from .constrained_dynamics import _RANK, constrained_forward_dynamics
from .constraint_derivatives import Rows, joint_rows, skew
from .constraint_motion import constraint_jacobian
from .constraint_set import ConstraintSet, prepared
from .constraints import FrameConstraint
from .dynamics_derivatives import rnea_derivatives
from .inertia_matrix import minverse
from .reference import LOCAL, LOCAL_WORLD_ALIGNED, reference_code
from .state_by_state import each_state

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


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
    ties, n = prepared(model, constraints), model.nv
    local = ConstraintSet(model, [_in_local(item) for item in ties.constraints])
    forces = None if f_ext is None else joint_forces(model, f_ext)
    state = configurations(model, q), tangents(model, v), tangents(model, tau, "tau")
    shapes = [(n, n)] * 3 + [(ties.rows, n)] * 3
    arguments = [*((array, 1) for array in state), (forces, 2)]
    return ConstrainedDerivatives(
        *each_state(lambda *one: _derivatives(model, data, one, ties, local), arguments, shapes)
    )


def _derivatives(
    model: Model, data: Data, given: tuple[Any, ...], ties: ConstraintSet, local: ConstraintSet
) -> tuple[NDArray[np.float64], ...]:
    """Of one state q, v, tau, f_ext."""
    q, v, tau, f_ext = given
    solution = constrained_forward_dynamics(model, data, q, v, tau, local, f_ext)
    state = q, v, solution.ddq
    frames = [item for item in local.constraints if isinstance(item, FrameConstraint)]
    rows = [Rows(model, data, state, item) for item in frames]
    forces = local.split(solution.multipliers)
    by_q, by_v = _efforts(model, data, state, rows, forces, f_ext)
    extra_q, extra_v = joint_rows(model, local, q)
    drift_q = np.vstack([np.zeros((0, model.nv)), *(r.dq for r in rows), extra_q])
    drift_v = np.vstack([np.zeros((0, model.nv)), *(r.dv for r in rows), extra_v])
    J, Minv = constraint_jacobian(model, data, q, local), minverse(model, data, q)
    inverse = np.linalg.pinv(J @ Minv @ J.T, rcond=_RANK, hermitian=True)
    of_ddq, of_force = [], []
    for effort, drift in ((-by_q, drift_q), (-by_v, drift_v), (np.eye(model.nv), 0.0)):
        force = -inverse @ (drift + J @ (Minv @ effort))
        of_force.append(force)
        of_ddq.append(Minv @ (effort + J.T @ force))
    _turn(ties, rows, forces, of_force)
    return (*of_ddq, *of_force)


def _in_local(item: Any) -> Any:
    return dataclasses.replace(item, reference=LOCAL) if isinstance(item, FrameConstraint) else item


def _efforts(
    model: Model,
    data: Data,
    state: tuple[NDArray[np.float64], ...],
    rows: list[Rows],
    forces: list[NDArray[np.float64]],
    f_ext: ArrayLike | None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Derivatives of M ddq + C v + g - J^T lambda at fixed ddq and lambda, by q and by v."""
    total = np.zeros((model.njoints, 6)) if f_ext is None else np.array(f_ext, dtype=float)
    turned = np.zeros((model.nv, model.nv))
    for own, multipliers in zip(rows, forces, strict=False):
        for joint, force in own.forces(multipliers):
            total[joint] += force.vector
        turned += own.turned_effort(multipliers)
    q, v, a = state
    by_q, by_v, _ = rnea_derivatives(model, data, q, v, a, total)
    return by_q - turned, by_v


def _turn(
    ties: ConstraintSet,
    rows: list[Rows],
    forces: list[NDArray[np.float64]],
    of_force: list[NDArray[np.float64]],
) -> None:
    """The multipliers' derivatives in the axes that were asked for."""
    for item, own, force, where in zip(ties.constraints, rows, forces, ties.slices, strict=False):
        if reference_code(item.reference) != LOCAL_WORLD_ALIGNED:  # type: ignore[union-attr]
            continue
        R, turning = own.ends[0].world.rotation, own.ends[0].jacobian[3:]
        for first in range(where.start, where.stop, 3):
            part = slice(first, first + 3)
            own_part = force[first - where.start : first - where.start + 3]
            of_force[0][part] -= skew(own_part) @ turning
            for derivative in of_force:
                derivative[part] = R @ derivative[part]
