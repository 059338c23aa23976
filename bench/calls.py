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
        ours, pin: the timed statements, expressions unless `value` is given.
        before: statements that have to run first and are not timed (ours, pin).
        value: expressions (ours, pin) for what the statements left behind, where they return nothing.
    """

    name: str
    ours: str
    pin: str
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
    Call("integrate", "integrate(model, q, dv)", "integrate(model, q, dv)"),
    Call("difference", "difference(model, q, q1)", "difference(model, q, q1)"),
    Call("normalize", "normalize(model, q)", "normalize(model, q)"),
    Call("neutral", "neutral(model)", "neutral(model)"),
)

#: On placements: `A`, `B` are placements, `m` a motion, `x` a point, `xi` six numbers.
POSE_CALLS = (
    Call("exp", "SE3.exp(xi)", "exp6(xi)"),
    Call("log", "A.log()", "log6(A)"),
    Call("compose", "A * B", "A * B"),
    Call("inverse", "A.inverse()", "A.inverse()"),
    Call("act_point", "A.act(x)", "A.act(x)"),
    Call("act_motion", "A.act(m)", "A.act(m)"),
    Call("jlog", "A.jlog()", "Jlog6(A)"),
)
