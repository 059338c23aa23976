"""Inverse and forward dynamics, energies and momenta, their derivatives and regressors."""

from __future__ import annotations

from .call import Call, fields, in_turn, same


def with_forces(name: str, arguments: str) -> Call:
    """An algorithm under external forces on every joint's body."""
    statement = f"{name}(model, data, {arguments}, f_ext)"
    return Call(f"{name}, f_ext", statement, statement)


DYNAMICS = (
    same("rnea", "q, v, a"),
    with_forces("rnea", "q, v, a"),
    same("generalized_gravity", "q", "computeGeneralizedGravity"),
    same("nonlinear_effects", "q, v", "nonLinearEffects"),
    same("static_torque", "q, f_ext", "computeStaticTorque"),
    same("crba", "q"),
    same("aba", "q, v, tau"),
    with_forces("aba", "q, v, tau"),
    same("minverse", "q", "computeMinverse"),
    in_turn(
        "cholesky",
        "q",
        "crba(model, data, q)",
        "cholesky.decompose(model, data)",
        result="np.tril(data.U.T, -1) + np.diag(data.D)",
        own="{}.packed",
    ),
    same("coriolis_matrix", "q, v", "computeCoriolisMatrix"),
)

DERIVATIVES = (
    fields("rnea_derivatives", "q, v, a", "computeRNEADerivatives", "dtau_dq", "dtau_dv"),
    fields("aba_derivatives", "q, v, tau", "computeABADerivatives", "ddq_dq", "ddq_dv"),
    same("gravity_derivatives", "q", "computeGeneralizedGravityDerivatives"),
    same("static_torque_derivatives", "q, f_ext", "computeStaticTorqueDerivatives"),
)

MOMENTA = (
    in_turn("center_of_mass", "q", "centerOfMass(model, data, q)", result="data.com[0]", own="{}.position"),
    in_turn(
        "subtree_centers_of_mass",
        "q",
        "centerOfMass(model, data, q, True)",
        result="[data.com[0], *(data.oMi[k].act(data.com[k]) for k in range(1, model.njoints))]",
        own="{}.position",
    ),
    same("jacobian_center_of_mass", "q", "jacobianCenterOfMass"),
    in_turn(
        "center_of_mass_velocity_derivatives",
        "q, v",
        "centerOfMass(model, data, q, v)",
        "computeForwardKinematicsDerivatives(model, data, q, v, a)",
        "D = getCenterOfMassVelocityDerivatives(model, data)",
        result="D",
    ),
    in_turn(
        "centroidal_momentum", "q, v", "computeCentroidalMomentum(model, data, q, v)", result="data.hg.vector"
    ),
    in_turn(
        "centroidal_momentum_time_variation",
        "q, v, a",
        "computeCentroidalMomentumTimeVariation(model, data, q, v, a)",
        result="data.dhg.vector",
    ),
    same("centroidal_map", "q", "computeCentroidalMap"),
    # Pinocchio 4.1's function of this name gives other numbers than its dccrba.
    in_turn("centroidal_map_time_variation", "q, v", "dccrba(model, data, q, v)", result="data.dAg"),
    fields("ccrba", "q, v", "ccrba", "Ag"),
    fields("dccrba", "q, v", "dccrba", "dAg", "Ag"),
    same("centroidal_dynamics_derivatives", "q, v, a", "computeCentroidalDynamicsDerivatives"),
    same("kinetic_energy", "q, v", "computeKineticEnergy"),
    same("potential_energy", "q", "computePotentialEnergy"),
    same("mechanical_energy", "q, v", "computeMechanicalEnergy"),
)

REGRESSORS = (
    same("joint_torque_regressor", "q, v, a", "computeJointTorqueRegressor"),
    same("static_regressor", "q", "computeStaticRegressor"),
    same("kinetic_energy_regressor", "q, v", "computeKineticEnergyRegressor"),
    same("potential_energy_regressor", "q", "computePotentialEnergyRegressor"),
    Call("body_regressor", "body_regressor(V, A)", "bodyRegressor(V, A)"),
)
