"""The calls that are compared: one statement for each library, and what both must give.

Statements are the text that a user would write, run in a namespace that holds the library's names
and `model`, `data`, `q`, `q1`, `v`, `a`, `tau`, `dv`, `frame`, `joint`, `LWA` (LOCAL_WORLD_ALIGNED).
"""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Call:
    """A call in both libraries.

    Attributes:
        name: the same for both.
        ours, theirs: the timed statements, expressions unless `value` is given.
        before: statements that have to run first and are not timed (ours, theirs).
        value: expressions (ours, theirs) for what the statements left behind, where they return nothing; an
            empty one is the statement itself.
    """

    name: str
    ours: str
    theirs: str
    before: tuple[str, str] = ("", "")
    value: tuple[str, str] | None = None


_FK0 = ("forward_kinematics(model, data, q)", "forwardKinematics(model, data, q)")
_FK1 = ("forward_kinematics(model, data, q, v)", "forwardKinematics(model, data, q, v)")
_FK2 = ("forward_kinematics(model, data, q, v, a)", "forwardKinematics(model, data, q, v, a)")
_JOINTS = ("[data.oMi[k] for k in range(model.njoints)]",) * 2
_FRAMES = ("[data.oMf[k] for k in range(len(model.frames))]",) * 2
_MOTIONS = (
    "(data.kinematics['v_lin'][1:], data.kinematics['v_ang'][1:],"
    " data.kinematics['a_lin'][1:], data.kinematics['a_ang'][1:])",
    "([m.linear for m in data.v][1:], [m.angular for m in data.v][1:],"
    " [m.linear for m in data.a][1:], [m.angular for m in data.a][1:])",
)


def _same(name: str, arguments: str, pin: str = "") -> Call:
    return Call(name, f"{name}(model, data, {arguments})", f"{pin or name}(model, data, {arguments})")


def _tuple(name: str, arguments: str, pin: str, *fields: str) -> Call:
    """A call whose results have names here and stand in the data there."""
    ours = f"{name}(model, data, {arguments})"
    value = f"(lambda r: [{', '.join('r.' + field for field in fields)}])({ours})"
    theirs = f"[{', '.join('data.' + field for field in fields)}]"
    return Call(name, ours, f"{pin}(model, data, {arguments})", value=(value, theirs))


def _frame(name: str, pin: str, before: tuple[str, str]) -> Call:
    arguments = "(model, data, frame, LWA)"
    return Call(name, name + arguments, pin + arguments, before)


#: On every robot.
ROBOT_CALLS = (
    _same("rnea", "q, v, a"),
    _same("generalized_gravity", "q", "computeGeneralizedGravity"),
    _same("nonlinear_effects", "q, v", "nonLinearEffects"),
    _same("crba", "q"),
    _same("aba", "q, v, tau"),
    Call("forward_kinematics_0", *_FK0, value=_JOINTS),
    Call("forward_kinematics_2", *_FK2, value=_MOTIONS),
    Call(
        "update_frame_placements",
        "update_frame_placements(model, data)",
        "updateFramePlacements(model, data)",
        before=_FK0,
        value=_FRAMES,
    ),
    Call(
        "frame_placement",
        "frame_placement(model, data, frame)",
        "updateFramePlacement(model, data, frame)",
        before=_FK0,
    ),
    _frame("frame_velocity", "getFrameVelocity", _FK1),
    _frame("frame_acceleration", "getFrameAcceleration", _FK2),
    _frame("frame_classical_acceleration", "getFrameClassicalAcceleration", _FK2),
    _same("frame_jacobian", "q, frame, LWA", "computeFrameJacobian"),
    _same("joint_jacobian", "q, joint", "computeJointJacobian"),
    _same("minverse", "q", "computeMinverse"),
    _same("coriolis_matrix", "q, v", "computeCoriolisMatrix"),
    _tuple("rnea_derivatives", "q, v, a", "computeRNEADerivatives", "dtau_dq", "dtau_dv"),
    _tuple("aba_derivatives", "q, v, tau", "computeABADerivatives", "ddq_dq", "ddq_dv"),
    _same("gravity_derivatives", "q", "computeGeneralizedGravityDerivatives"),
    _same("joint_jacobians", "q", "computeJointJacobians"),
    Call(
        "frame_jacobian_time_variation",
        "frame_jacobian_time_variation(model, data, q, v, frame, LWA)",
        "computeJointJacobiansTimeVariation(model, data, q, v); updateFramePlacements(model, data);"
        " dJ = getFrameJacobianTimeVariation(model, data, frame, LWA)",
        value=("frame_jacobian_time_variation(model, data, q, v, frame, LWA)", "dJ"),
    ),
    Call(
        "frame_hessian",
        "frame_hessian(model, data, q, frame, LWA)",
        "computeJointKinematicHessians(model, data, q);"
        " updateFramePlacement(model, data, frame); H = getFrameKinematicHessian(model, data, frame, LWA)",
        # Pinocchio 4.1 hands out the numbers in Fortran's order under C's label.
        value=("frame_hessian(model, data, q, frame, LWA)", "H.ravel().reshape(H.shape, order='F')"),
    ),
    Call(
        "center_of_mass",
        "center_of_mass(model, data, q)",
        "centerOfMass(model, data, q)",
        value=("center_of_mass(model, data, q).position", "data.com[0]"),
    ),
    _same("jacobian_center_of_mass", "q", "jacobianCenterOfMass"),
    Call(
        "centroidal_momentum",
        "centroidal_momentum(model, data, q, v)",
        "computeCentroidalMomentum(model, data, q, v)",
        value=("centroidal_momentum(model, data, q, v).vector", "data.hg.vector"),
    ),
    Call(
        "ccrba",
        "ccrba(model, data, q, v).Ag",
        "ccrba(model, data, q, v)",
        value=("ccrba(model, data, q, v).Ag", "data.Ag"),
    ),
    _same("kinetic_energy", "q, v", "computeKineticEnergy"),
    _same("potential_energy", "q", "computePotentialEnergy"),
    _same("joint_torque_regressor", "q, v, a", "computeJointTorqueRegressor"),
    Call("integrate", "integrate(model, q, dv)", "integrate(model, q, dv)"),
    Call("integrate, out=", "integrate(model, q, dv, out=out_q)", "integrate(model, q, dv)"),
    Call("difference, out=", "difference(model, q, q1, out=out_v)", "difference(model, q, q1)"),
    Call("difference", "difference(model, q, q1)", "difference(model, q, q1)"),
    Call("normalize", "normalize(model, q)", "normalize(model, q)"),
    Call("neutral", "neutral(model)", "neutral(model)"),
)


def _compiled(name: str, arguments: str, pin: str = "", *value: str) -> Call:
    """A function of `fast`, the compiled model."""
    ours, theirs = f"fast.{name}({arguments})", f"{pin or name}(model, data, {arguments})"
    return Call(name, ours, theirs, value=(ours, *value) if value else None)  # type: ignore[arg-type]


_BY_RNEA, _BY_ABA = "[data.dtau_dq, data.dtau_dv, data.M]", "[data.ddq_dq, data.ddq_dv, data.Minv]"

#: Through a compiled model, on every robot.
COMPILED_CALLS = (
    _compiled("rnea", "q, v, a"),
    _compiled("generalized_gravity", "q", "computeGeneralizedGravity"),
    _compiled("nonlinear_effects", "q, v", "nonLinearEffects"),
    _compiled("crba", "q"),
    _compiled("aba", "q, v, tau"),
    _compiled("forward_kinematics", "q", "forwardKinematics", "[m.homogeneous for m in data.oMi]"),
    Call("frame_jacobian", "tool.jacobian(q)", "computeFrameJacobian(model, data, q, frame, LWA)"),
    _compiled("joint_jacobians", "q", "computeJointJacobians"),
    _compiled("minverse", "q", "computeMinverse"),
    _compiled("coriolis_matrix", "q, v", "computeCoriolisMatrix"),
    _compiled("gravity_derivatives", "q", "computeGeneralizedGravityDerivatives"),
    _compiled(
        "rnea_derivatives", "q, v, a", "computeRNEADerivatives", "[data.dtau_dq, data.dtau_dv, data.M]"
    ),
    _compiled(
        "aba_derivatives", "q, v, tau", "computeABADerivatives", "[data.ddq_dq, data.ddq_dv, data.Minv]"
    ),
    _compiled("center_of_mass", "q", "centerOfMass"),
    _compiled("jacobian_center_of_mass", "q", "jacobianCenterOfMass"),
    _compiled("centroidal_map", "q", "computeCentroidalMap"),
    _compiled("centroidal_momentum", "q, v", "computeCentroidalMomentum", "data.hg.vector"),
)

#: On robots with feet, which `ties` (here) and `contacts` (there) hold on the ground.
FEET_CALLS = (
    Call(
        "constrained_forward_dynamics",
        "constrained_forward_dynamics(model, data, q, v, tau, ties)",
        "constraintDynamics(model, data, q, v, tau, contacts, contact_datas, proximal)",
        value=("constrained_forward_dynamics(model, data, q, v, tau, ties).ddq", "data.ddq"),
    ),
)

#: On placements: `A`, `B` are placements, `m` a motion, `x` a point, `xi` six numbers. A "kernel" row is
#: the compiled kernel alone, into an array that is there already: what other kernels pay.
POSE_CALLS = (
    Call("exp", "SE3.exp(xi)", "exp6(xi)"),
    Call("exp, kernel", "pose_exp(xi, pose)", "E = exp6(xi)", value=("pose[:3]", "E.rotation")),
    Call("log", "A.log()", "log6(A)"),
    Call("log, kernel", "pose_log(A._pose, six)", "w = log6(A)", value=("six", "w.vector")),
    Call("compose", "A * B", "A * B"),
    Call("inverse", "A.inverse()", "A.inverse()"),
    Call("act_point", "A.act(x)", "A.act(x)"),
    Call("act_motion", "A.act(m)", "A.act(m)"),
    Call("jlog", "A.jlog()", "Jlog6(A)"),
)
