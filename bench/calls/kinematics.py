"""Placements, velocities, accelerations and Jacobians, and how these change."""

from __future__ import annotations

from .call import Call, in_turn, same

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
_ALL_FRAMES = "framesForwardKinematics(model, data, q)"
_FRAME = "updateFramePlacement(model, data, frame)"
_RATES = "computeJointJacobiansTimeVariation(model, data, q, v)"
#: What Pinocchio returns of the derivatives of an acceleration; dv_dv is da_da.
_FOUR = "(lambda D: (D.dv_dq, D.da_dq, D.da_dv, D.da_da))({})"
_DERIVATIVES = "computeForwardKinematicsDerivatives(model, data, q, v, a)"


def _getter(name: str, pin: str, before: tuple[str, str], where: str = "frame") -> Call:
    arguments = f"(model, data, {where}, LWA)"
    return Call(name, name + arguments, pin + arguments, before)


def _hessian(name: str, pin: str, where: str, *before: str) -> Call:
    # Pinocchio 4.1 hands out the numbers in Fortran's order under C's label.
    result = "H.ravel().reshape(H.shape, order='F')"
    first = ("computeJointKinematicHessians(model, data, q)", *before)
    return in_turn(name, f"q, {where}, LWA", *first, f"H = {pin}(model, data, {where}, LWA)", result=result)


def _derived(name: str, state: str, pin: str, where: str) -> Call:
    theirs = f"D = {pin}(model, data, {where}, LOCAL)"
    own = _FOUR if "acceleration" in name else "{}"
    return in_turn(name, f"{state}, {where}, LOCAL", _DERIVATIVES, theirs, result="D", own=own)


def _of_point(name: str, state: str, pin: str) -> Call:
    theirs = f"D = {pin}(model, data, joint, place, LWA)"
    own = _FOUR if "acceleration" in name else "{}"
    return in_turn(name, f"{state}, joint_frame, point, LWA", _DERIVATIVES, theirs, result="D", own=own)


STATES = (
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
    _getter("frame_velocity", "getFrameVelocity", _FK1),
    _getter("frame_acceleration", "getFrameAcceleration", _FK2),
    _getter("frame_classical_acceleration", "getFrameClassicalAcceleration", _FK2),
    _getter("joint_velocity", "getVelocity", _FK1, "joint"),
    _getter("joint_acceleration", "getAcceleration", _FK2, "joint"),
    _getter("joint_classical_acceleration", "getClassicalAcceleration", _FK2, "joint"),
    in_turn("frame_placements", "q", _ALL_FRAMES, result="[M.homogeneous for M in data.oMf]"),
)

JACOBIANS = (
    same("frame_jacobian", "q, frame, LWA", "computeFrameJacobian"),
    same("joint_jacobian", "q, joint", "computeJointJacobian"),
    same("joint_jacobians", "q", "computeJointJacobians"),
    same("joint_jacobians_time_variation", "q, v", "computeJointJacobiansTimeVariation"),
    in_turn(
        "frame_jacobian_time_variation",
        "q, v, frame, LWA",
        _RATES,
        "updateFramePlacements(model, data)",
        "dJ = getFrameJacobianTimeVariation(model, data, frame, LWA)",
        result="dJ",
    ),
    in_turn(
        "joint_jacobian_time_variation",
        "q, v, joint, LWA",
        _RATES,
        "dJ = getJointJacobianTimeVariation(model, data, joint, LWA)",
        result="dJ",
    ),
    _hessian(
        "frame_hessian", "getFrameKinematicHessian", "frame", "updateFramePlacement(model, data, frame)"
    ),
    _hessian("joint_hessian", "getJointKinematicHessian", "joint"),
)

DERIVATIVES = (
    _derived("frame_velocity_derivatives", "q, v", "getFrameVelocityDerivatives", "frame"),
    _derived("frame_acceleration_derivatives", "q, v, a", "getFrameAccelerationDerivatives", "frame"),
    _derived("joint_velocity_derivatives", "q, v", "getJointVelocityDerivatives", "joint"),
    _derived("joint_acceleration_derivatives", "q, v, a", "getJointAccelerationDerivatives", "joint"),
    _of_point("point_velocity_derivatives", "q, v", "getPointVelocityDerivatives"),
    _of_point("point_acceleration_derivatives", "q, v, a", "getPointClassicAccelerationDerivatives"),
)
