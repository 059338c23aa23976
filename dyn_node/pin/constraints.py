"""Dynamics of robots that constraints hold: from constraint models, or from a Jacobian and its bias."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import algorithms as _core
from ..algorithms.constrained_dynamics import solve_multipliers
from .all_terms import computeAllTerms
from .constraint_models import ProximalSettings, RigidConstraintData, RigidConstraintModel, tied
from .dynamics import crba
from .state import at
from .values import Array, numbers

if TYPE_CHECKING:
    from .data import Data
    from .model import Model

Models = Sequence[RigidConstraintModel]
Datas = Sequence[RigidConstraintData]


def initConstraintDynamics(
    model: Model, data: Data, contact_models: Models, contact_datas: Datas | None = None
) -> None:
    """Make the constraints ready, which constraintDynamics would do by itself."""
    tied(data.for_model(model)[0], data, contact_models)


def constraintDynamics(
    model: Model,
    data: Data,
    q: Any,
    v: Any,
    tau: Any,
    contact_models: Models,
    contact_datas: Datas,
    prox_settings: ProximalSettings | None = None,
) -> Array:
    """Forward dynamics under constraints: data.ddq, lambda_c; the force of each constraint."""
    core, core_data = data.for_model(model)
    ties = tied(core, data, contact_models)
    found = _core.constrained_forward_dynamics(core, core_data, q, v, tau, ties)
    data.ddq, data.lambda_c = found.ddq.copy(), found.multipliers.copy()
    data.applied = np.array(tau, dtype=np.float64)
    at(model, data, q, v, data.ddq)
    for one, own, rows in zip(contact_models, contact_datas, ties.slices, strict=True):
        own._place(data, one)
        own._push(data.lambda_c[rows])
    if prox_settings is not None:
        prox_settings.iter, prox_settings.absolute_residual = 1, found.residual
    return data.ddq.copy()


def computeConstraintDynamicsDerivatives(
    model: Model,
    data: Data,
    contact_models: Models,
    contact_datas: Datas,
    settings: ProximalSettings | None = None,
) -> tuple[Array, ...]:
    """After constraintDynamics: ddq_dq, ddq_dv, ddq_dtau, then those of lambda; all in data too."""
    core, core_data = data.for_model(model)
    ties = tied(core, data, contact_models)
    q, v, a = data.state
    found = _core.constrained_dynamics_derivatives(core, core_data, q, v, data.applied, ties)
    at(model, data, q, v, a)
    data.ddq_dq, data.ddq_dv, data.ddq_dtau, data.dlambda_dq, data.dlambda_dv, data.dlambda_dtau = found
    return tuple(part.copy() for part in found)


def getConstraintsJacobian(
    model: Model, data: Data, constraint_models: Models, constraint_datas: Datas
) -> Array:
    """Jacobian (rows, nv) of constraints at the last placements."""
    core, core_data = data.for_model(model)
    return _core.constraint_jacobian(
        core, core_data, data.state[0], [one._constraint(core) for one in constraint_models]
    )


def getConstraintJacobian(
    model: Model, data: Data, constraint_model: RigidConstraintModel, constraint_data: RigidConstraintData
) -> Array:
    """Jacobian of one constraint at the last placements."""
    return getConstraintsJacobian(model, data, [constraint_model], [constraint_data])


def _spread(model: Model, data: Data, J: Array) -> tuple[Any, Array, Array]:
    """Factors of M at the last placements, M^-1 J^T and J M^-1 J^T."""
    factor = _core.cholesky(*data.for_model(model), data.state[0])
    spread = factor.solve(J.T)
    return factor, spread, J @ spread


def forwardDynamics(model: Model, data: Data, *arguments: Any, damping: float = 0.0) -> Array:
    """Forward dynamics, M ddq + nle = tau + J^T lambda, under J ddq + gamma = 0: data.ddq, data.lambda_c.

    Arguments: q, v, tau, J, gamma, (damping); or after computeAllTerms tau, J, gamma, (damping).
    """
    if len(arguments) > 4:
        q, v, *arguments = arguments  # type: ignore[assignment]
        computeAllTerms(model, data, q, v)
    tau, J, gamma, *damped = arguments
    J = numbers("constraint_jacobian", J, (len(J), model.nv))
    factor, spread, G = _spread(model, data, J)
    free = factor.solve(numbers("tau", tau, (model.nv,)) - data.nle)
    softened = G + (damped[0] if damped else damping) * np.eye(len(J))
    data.lambda_c, *_ = solve_multipliers(softened, -numbers("constraint_drift", gamma, (len(J),)) - J @ free)
    data.ddq = free + spread @ data.lambda_c
    return data.ddq.copy()


def impulseDynamics(model: Model, data: Data, *arguments: Any, **named: Any) -> Array:
    """Velocity after an impact: data.dq_after, and data.impulse_c.

    Arguments: q, v, J, (restitution, damping); after crba v, J, (restitution, damping); or q, v, constraint
    models, constraint datas, (restitution, settings).
    """
    if (
        len(arguments) > 3
        and isinstance(arguments[2], (list, tuple))
        and isinstance(arguments[3], (list, tuple))
    ):
        return _struck(model, data, *arguments, **named)
    if np.ndim(arguments[1]) == 1:
        crba(model, data, arguments[0])
        arguments = arguments[1:]
    before, J, *more = arguments
    before = numbers("v_before", before, (model.nv,))
    J = numbers("constraint_jacobian", J, (len(J), model.nv))
    given = {**dict(zip(("restitution_coefficient", "damping"), more, strict=False)), **named}
    _, spread, G = _spread(model, data, J)
    softened = G + given.get("damping", 0.0) * np.eye(len(J))
    wanted = -(1.0 + given.get("restitution_coefficient", 0.0)) * (J @ before)
    data.impulse_c, *_ = solve_multipliers(softened, wanted)
    data.dq_after = before + spread @ data.impulse_c
    return data.dq_after.copy()


def _struck(
    model: Model,
    data: Data,
    q: Any,
    v: Any,
    contact_models: Models,
    contact_datas: Datas,
    r_coeff: float = 0.0,
    prox_settings: ProximalSettings | None = None,
) -> Array:
    core, core_data = at(model, data, q, v)
    ties = tied(core, data, contact_models)
    found = _core.impulse_dynamics(core, core_data, q, v, ties, r_coeff)
    data.dq_after, data.impulse_c = found.v, found.impulses
    for one, own, rows in zip(contact_models, contact_datas, ties.slices, strict=True):
        own._place(data, one)
        own._push(found.impulses[rows])
    return data.dq_after.copy()


def computeKKTContactDynamicMatrixInverse(
    model: Model, data: Data, q: Any, constraint_jacobian: Any, damping: float = 0.0
) -> Array:
    """Inverse of [[M, J^T], [J, -damping]], (nv + rows, nv + rows)."""
    crba(model, data, q)
    return _kkt_inverse(model, data, constraint_jacobian, damping)


def getKKTContactDynamicMatrixInverse(model: Model, data: Data, constraint_jacobian: Any) -> Array:
    """Inverse of [[M, J^T], [J, 0]] at the last placements."""
    return _kkt_inverse(model, data, constraint_jacobian, 0.0)


def _kkt_inverse(model: Model, data: Data, J: Any, damping: float) -> Array:
    J = numbers("constraint_jacobian", J, (len(J), model.nv))
    factor, spread, G = _spread(model, data, J)
    small = np.linalg.inv(G + damping * np.eye(len(J)))
    corner = spread @ small
    return np.block([[factor.inverse() - corner @ spread.T, corner], [corner.T, -small]])


__all__ = [
    "computeConstraintDynamicsDerivatives",
    "computeKKTContactDynamicMatrixInverse",
    "constraintDynamics",
    "forwardDynamics",
    "getConstraintJacobian",
    "getConstraintsJacobian",
    "getKKTContactDynamicMatrixInverse",
    "impulseDynamics",
    "initConstraintDynamics",
]
