"""Robots with feet, which `ties` (here) and `contacts` (there) hold on the ground."""

from __future__ import annotations

from .call import in_turn

_SOLVED = "constraintDynamics(model, data, q, v, tau, contacts, contact_datas, proximal)"
_DERIVED = "computeConstraintDynamicsDerivatives(model, data, contacts, contact_datas, proximal)"

FEET = (
    in_turn("constrained_forward_dynamics", "q, v, tau, ties", _SOLVED, result="data.ddq", own="{}.ddq"),
    in_turn(
        "constrained_dynamics_derivatives",
        "q, v, tau, ties",
        _SOLVED,
        f"D = {_DERIVED}",
        result="np.vstack(D)",
        own="np.vstack({})",
    ),
    in_turn(
        "constraint_jacobian",
        "q, ties",
        "computeJointJacobians(model, data, q)",
        "[one.calc(model, data, its) for one, its in zip(contacts, contact_datas)]",
        "J = getConstraintsJacobian(model, data, contacts, contact_datas)",
        result="J",
    ),
    in_turn(
        "impulse_dynamics",
        "q, v, ties",
        "impulseDynamics(model, data, q, v, contacts, contact_datas, 0.0, proximal)",
        result="data.dq_after",
        own="{}.v",
    ),
)
