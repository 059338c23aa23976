"""The solver's answers without DDS: request in, response out, on a given state of the robot."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

from dyn_node_msgs.msg import BaseState, FrameWrench, NamedValues, ResultCode
from dyn_node_msgs.srv import ForwardDynamics, GetFrame, GetMassMatrix, InverseDynamics, SolveIK
from geometry_msgs.msg import Accel, Wrench
from sensor_msgs.msg import JointState
from tolerances import IDENTITY

import dyn_node
from dyn_node.nodes import requests
from dyn_node.nodes.answers import answer
from dyn_node.nodes.conversions import fill_pose, fill_six, six
from dyn_node.nodes.ik_request import solve_ik
from dyn_node.nodes.joint_map import JointMap
from dyn_node.nodes.request_parts import Context, external_forces
from dyn_node.nodes.solver_settings import SolverSettings
from dyn_node.nodes.state import BASE, Snapshot
from dyn_node.spatial import SE3

STAMP = 1_500_000_000
REFERENCES = ("LOCAL", "WORLD", "LOCAL_WORLD_ALIGNED")
HANDLERS: dict[type, Callable[..., Any]] = {
    SolveIK: solve_ik,
    ForwardDynamics: requests.forward_dynamics,
    InverseDynamics: requests.inverse_dynamics,
    GetMassMatrix: requests.get_mass_matrix,
    GetFrame: requests.get_frame,
}


def context_of(name: str, root: str, seed: int = 0, **snapshot: Any) -> Context:
    """A robot in a random state; `snapshot` overrides parts of what is known of it."""
    model, rng = dyn_node.robots.load(name, root=root), np.random.default_rng(seed)
    q = dyn_node.neutral(model)
    joints = JointMap(model)
    joints.fill_q(q, rng.uniform(np.maximum(joints.lower, -1.0), np.minimum(joints.upper, 1.0)))
    if root == "free_flyer":
        base = SE3.Random(rng)
        q[:3], q[3:7] = base.translation, base.quaternion
    known = {"q": q, "v": rng.normal(size=model.nv), "position": joints.positions(q), "stamp": STAMP}
    current = Snapshot(**{**known, **snapshot})
    return Context(model, model.create_data(), joints, current, SolverSettings())


@pytest.fixture
def arm() -> Context:
    return context_of("panda", "fixed")


@pytest.fixture
def quadruped() -> Context:
    return context_of("go2", "free_flyer")


def ask(context: Context, kind: type, **fields: Any) -> Any:
    return answer(HANDLERS[kind], context, kind.Request(**fields), kind.Response())


def ik_request(context: Context, frame: str, q: np.ndarray, **fields: Any) -> Any:
    """A request for the pose that `frame` has at q."""
    data = context.model.create_data()
    dyn_node.forward_kinematics(context.model, data, q)
    request = SolveIK.Request(frame=frame, **fields)
    fill_pose(request.target.pose, dyn_node.frame_placement(context.model, data, frame))
    request.timeout.sec = 1
    return request


# What the current state completes ------------------------------------------------------------------------


def test_an_empty_request_is_about_the_current_state(arm: Context) -> None:
    current = arm.current
    response = ask(arm, InverseDynamics)
    assert (response.success, response.code) == (True, ResultCode.SUCCESS), response.message
    expected = dyn_node.nonlinear_effects(arm.model, arm.model.create_data(), current.q, current.v)
    assert np.array(response.efforts.values) == pytest.approx(expected, abs=IDENTITY)
    assert list(response.efforts.names) == list(arm.map.names)
    assert response.header.stamp.nanosec == STAMP % 1_000_000_000
    assert response.base_wrench == []


def test_given_joints_replace_the_current_ones_by_name(arm: Context) -> None:
    names = ["panda_joint6", "panda_joint2"]
    response = ask(
        arm, InverseDynamics, state=JointState(name=names, position=[0.4, -0.2], velocity=[2.0, 3.0])
    )
    q, v = arm.current.q.copy(), arm.current.v.copy()
    q[[5, 1]], v[[5, 1]] = [0.4, -0.2], [2.0, 3.0]
    expected = dyn_node.nonlinear_effects(arm.model, arm.model.create_data(), q, v)
    assert np.array(response.efforts.values) == pytest.approx(expected, abs=IDENTITY)


@pytest.mark.parametrize(
    ("position", "velocity", "q1", "v1"),
    [([0.4], [2.0], 0.4, 2.0), ([0.4], [], 0.4, 0.0), ([], [2.0], None, 2.0), ([], [], None, 0.0)],
)
def test_empty_arrays_mean_the_current_position_and_rest(
    arm: Context, position: list[float], velocity: list[float], q1: float | None, v1: float
) -> None:
    state = JointState(name=["panda_joint2"], position=position, velocity=velocity)
    response = ask(arm, InverseDynamics, state=state)
    q, v = arm.current.q.copy(), arm.current.v.copy()
    q[1], v[1] = arm.current.q[1] if q1 is None else q1, v1
    expected = dyn_node.nonlinear_effects(arm.model, arm.model.create_data(), q, v)
    assert np.array(response.efforts.values) == pytest.approx(expected, abs=IDENTITY)


def test_a_whole_state_needs_nothing_of_the_robot_and_has_no_stamp() -> None:
    context = context_of("go2", "free_flyer", missing=(BASE, *JointMap(dyn_node.robots.load("go2")).names))
    state = JointState(name=list(context.map.names), position=[0.1] * 12)
    base = BaseState()
    base.pose.orientation.w = 1.0
    response = ask(context, GetMassMatrix, state=state, base=[base])
    assert response.success, response.message
    assert response.mass_matrix.header.stamp.sec == response.mass_matrix.header.stamp.nanosec == 0
    assert response.mass_matrix.header.frame_id == "base"
    assert list(response.mass_matrix.names)[:2] == ["root_joint/vx", "root_joint/vy"]
    assert len(response.mass_matrix.data) == 18 * 18


@pytest.mark.parametrize("kind", [ForwardDynamics, InverseDynamics, GetMassMatrix])
def test_what_is_missing_or_stale_is_named(kind: type) -> None:
    response = ask(context_of("panda", "fixed", missing=("panda_joint3",)), kind)
    assert (response.success, response.code) == (False, ResultCode.INVALID_ROBOT_STATE)
    assert "panda_joint3" in response.message
    response = ask(context_of("go2", "free_flyer", stale={BASE: 3.0}), kind)
    assert (response.success, response.code) == (False, ResultCode.ROBOT_STATE_STALE)
    assert BASE in response.message
    response = ask(context_of("panda", "fixed", clock_problem="nothing on /clock"), kind)
    assert (response.code, response.message) == (ResultCode.ROBOT_STATE_STALE, "nothing on /clock")


# The answers ---------------------------------------------------------------------------------------------


def test_forward_dynamics_of_the_inverse_is_the_acceleration(quadruped: Context) -> None:
    rng = np.random.default_rng(5)
    wanted, names = rng.normal(size=12), list(quadruped.map.names)
    accelerations, base = NamedValues(names=names, values=wanted.tolist()), Accel()
    fill_six(base.linear, base.angular, rng.normal(size=6))
    wrenches = []
    for reference in REFERENCES:
        wrench = FrameWrench(frame="FL_foot", reference=reference)
        fill_six(wrench.wrench.force, wrench.wrench.torque, rng.normal(size=6))
        wrenches.append(wrench)
    inverse = ask(
        quadruped,
        InverseDynamics,
        accelerations=accelerations,
        base_acceleration=[base],
        external_wrenches=wrenches,
    )
    assert inverse.success, inverse.message
    forward = ask(
        quadruped,
        ForwardDynamics,
        efforts=inverse.efforts,
        base_wrench=inverse.base_wrench,
        external_wrenches=wrenches,
    )
    assert forward.success, forward.message
    assert np.array(forward.accelerations.values) == pytest.approx(wanted, abs=1e-8)
    answered = forward.base_acceleration[0]
    assert six(answered.linear, answered.angular) == pytest.approx(six(base.linear, base.angular), abs=1e-8)


def test_cut_torques_let_the_robot_fall(quadruped: Context) -> None:
    # Free fall: no effort anywhere, at rest, so that the base accelerates by g in its own axes.
    state = JointState(name=list(quadruped.map.names), position=[0.3] * 12)
    base = BaseState()
    base.pose.orientation.x, base.pose.orientation.w = 1.0, 0.0  # upside down
    response = ask(quadruped, ForwardDynamics, state=state, base=[base])
    answered = response.base_acceleration[0]
    assert six(answered.linear, answered.angular) == pytest.approx([0, 0, 9.81, 0, 0, 0], abs=1e-9)
    assert np.array(response.accelerations.values) == pytest.approx(np.zeros(12), abs=1e-9)


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("frame", ["FL_foot", "base", "imu", "FR_thigh"])
def test_a_wrench_at_a_frame_does_the_work_that_its_jacobian_says(
    quadruped: Context, frame: str, reference: str
) -> None:
    model, q = quadruped.model, quadruped.current.q
    values = np.random.default_rng(8).normal(size=6)
    wrench = FrameWrench(frame=frame, reference=reference)
    fill_six(wrench.wrench.force, wrench.wrench.torque, values)
    data, zero = model.create_data(), np.zeros(model.nv)
    efforts = dyn_node.rnea(model, data, q, zero, zero, external_forces(quadruped, q, [wrench]))
    without = dyn_node.rnea(model, data, q, zero, zero)
    jacobian = dyn_node.frame_jacobian(model, data, q, frame, reference)
    assert without - efforts == pytest.approx(jacobian.T @ values, abs=IDENTITY)


@pytest.mark.parametrize("reference", REFERENCES)
def test_get_frame_agrees_with_the_library(quadruped: Context, reference: str) -> None:
    model, data = quadruped.model, quadruped.model.create_data()
    q, v = quadruped.current.q, quadruped.current.v
    response = ask(quadruped, GetFrame, frame="FL_foot", reference=reference)
    assert response.success, response.message
    dyn_node.forward_kinematics(model, data, q, v, np.zeros(model.nv))
    for field, motion in (
        ("twist", dyn_node.frame_velocity),
        ("spatial_acceleration", dyn_node.frame_acceleration),
        ("classical_acceleration", dyn_node.frame_classical_acceleration),
    ):
        message = getattr(response, field)
        expected = motion(model, data, "FL_foot", reference).vector
        assert six(message.linear, message.angular) == pytest.approx(expected, abs=IDENTITY), field
    jacobian = np.array(response.jacobian).reshape(response.rows, response.cols)
    assert jacobian @ v == pytest.approx(six(response.twist.linear, response.twist.angular), abs=IDENTITY)
    assert list(response.names) == list(model.coordinate_names)
    placement = dyn_node.frame_placement(model, data, "FL_foot")
    assert response.pose.position.z == pytest.approx(placement.translation[2], abs=IDENTITY)


def test_ik_reaches_a_pose_and_says_where_every_joint_goes(arm: Context) -> None:
    goal = context_of("panda", "fixed", seed=4).current.q
    response = answer(solve_ik, arm, ik_request(arm, "panda_hand", goal), SolveIK.Response())
    assert (response.success, response.code) == (True, ResultCode.SUCCESS), response.message
    assert list(response.solution.name) == list(arm.map.names)
    assert max(response.position_error, response.orientation_error) < 1e-6
    data = arm.model.create_data()
    q = np.array(response.solution.position)
    assert (q >= arm.map.lower).all()
    assert (q <= arm.map.upper).all()
    dyn_node.forward_kinematics(arm.model, data, q)
    reached = dyn_node.frame_placement(arm.model, data, "panda_hand")
    dyn_node.forward_kinematics(arm.model, data, goal)
    assert reached.is_approx(dyn_node.frame_placement(arm.model, data, "panda_hand"), 1e-5)


def test_ik_keeps_what_may_not_move(arm: Context) -> None:
    goal = arm.current.q.copy()
    goal[[0, 1]] += 0.1
    request = ik_request(arm, "panda_hand", goal, free_joints=["panda_joint1", "panda_joint2"])
    response = answer(solve_ik, arm, request, SolveIK.Response())
    assert response.success, response.message
    assert np.array(response.solution.position)[2:] == pytest.approx(arm.current.q[2:], abs=1e-12)


def test_ik_takes_a_target_in_a_frame_of_the_robot(arm: Context) -> None:
    request = ik_request(arm, "panda_hand", arm.current.q)
    fill_pose(request.target.pose, SE3.Identity())
    request.target.header.frame_id = "panda_hand"
    response = answer(solve_ik, arm, request, SolveIK.Response())
    assert response.success, response.message
    assert np.array(response.solution.position) == pytest.approx(arm.current.q, abs=1e-5)


def test_ik_out_of_reach_hands_out_no_configuration_but_the_error(arm: Context) -> None:
    request = ik_request(arm, "panda_hand", arm.current.q)
    request.target.pose.position.x = 5.0
    request.timeout.sec, request.timeout.nanosec = 0, 20_000_000
    response = answer(solve_ik, arm, request, SolveIK.Response())
    assert response.code in (ResultCode.NO_IK_SOLUTION, ResultCode.TIMED_OUT)
    assert not response.success
    assert list(response.solution.position) == []
    assert 3.0 < response.position_error < 6.0
    assert response.iterations > 0


def test_ik_start_outside_the_limits_is_brought_inside_and_said(arm: Context) -> None:
    seed = JointState(name=["panda_joint4"], position=[1.0])  # its upper limit is below zero
    response = answer(
        solve_ik, arm, ik_request(arm, "panda_hand", arm.current.q, seed=seed), SolveIK.Response()
    )
    assert response.success, response.message
    assert "inside the limits of panda_joint4" in response.message


def test_ik_does_not_unwind_a_joint_that_has_made_turns() -> None:
    """A continuous joint that reads 7 rad is answered near 7 rad, not one turn back."""
    text = """<robot name="wheel"><link name="base"/><link name="arm"/><link name="hand"/>
      <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
      <joint name="mount" type="fixed"><parent link="arm"/><child link="hand"/><origin xyz="1 0 0"/></joint>
    </robot>"""
    model = dyn_node.load_urdf(text)
    joints, q = JointMap(model), dyn_node.neutral(model)
    joints.fill_q(q, np.array([7.0]))
    current = Snapshot(q, np.zeros(1), np.array([7.0]), STAMP)
    context = Context(model, model.create_data(), joints, current, SolverSettings())
    joints.fill_q(q := q.copy(), np.array([7.2]))
    response = answer(solve_ik, context, ik_request(context, "hand", q), SolveIK.Response())
    assert list(response.solution.position) == pytest.approx([7.2], abs=1e-5)
    seed = JointState(name=["turn"], position=[-12.0])
    response = answer(solve_ik, context, ik_request(context, "hand", q, seed=seed), SolveIK.Response())
    assert list(response.solution.position) == pytest.approx([7.2 - 6 * np.pi], abs=1e-5)


def test_ik_moves_a_free_base(quadruped: Context) -> None:
    request = ik_request(quadruped, "imu", context_of("go2", "free_flyer", seed=9).current.q, free_base=True)
    response = answer(solve_ik, quadruped, request, SolveIK.Response())
    assert response.success, response.message
    assert len(response.base_pose) == 1
    request.free_base = False
    assert not answer(solve_ik, quadruped, request, SolveIK.Response()).success


# Refusals ------------------------------------------------------------------------------------------------


def names(*given: str, **arrays: Any) -> JointState:
    return JointState(name=list(given), **arrays)


def base_state(quaternion_w: float = 1.0, z: float = 0.0, speed: float = 0.0) -> BaseState:
    state = BaseState()
    state.pose.orientation.w, state.pose.position.z, state.twist.linear.x = quaternion_w, z, speed
    return state


STATE_FAULTS = [
    (
        {"state": names("panda_joint9", position=[0.0])},
        ResultCode.INVALID_ROBOT_STATE,
        "closest: panda_joint",
    ),
    ({"state": names("panda_joint1", "panda_joint1")}, ResultCode.INVALID_ROBOT_STATE, "more than once"),
    (
        {"state": names("panda_joint1", position=[0.0, 1.0])},
        ResultCode.INVALID_ROBOT_STATE,
        "2 entries for 1 names",
    ),
    ({"state": names("panda_joint1", position=[math.nan])}, ResultCode.INVALID_ROBOT_STATE, "panda_joint1"),
    ({"state": names("panda_joint1", velocity=[math.inf])}, ResultCode.INVALID_ROBOT_STATE, "not finite"),
    ({"base": [base_state()]}, ResultCode.INVALID_ROBOT_STATE, "fixed base"),
]


@pytest.mark.parametrize("kind", [ForwardDynamics, InverseDynamics, GetFrame])
@pytest.mark.parametrize(("fields", "code", "word"), STATE_FAULTS)
def test_a_state_without_meaning_is_refused(
    arm: Context, kind: type, fields: dict[str, Any], code: int, word: str
) -> None:
    extra = {"frame": "panda_hand"} if kind is GetFrame else {}
    response = ask(arm, kind, **fields, **extra)
    assert (response.success, response.code) == (False, code), response.message
    assert word in response.message
    assert len(getattr(response, "jacobian", [])) == 0


@pytest.mark.parametrize(
    ("base", "word"),
    [
        (base_state(0.0), "length zero"),
        (base_state(z=math.nan), "not finite"),
        (base_state(speed=math.inf), "not finite"),
    ],
)
def test_a_base_without_meaning_is_refused(quadruped: Context, base: BaseState, word: str) -> None:
    response = ask(quadruped, InverseDynamics, base=[base])
    assert response.code == ResultCode.INVALID_ROBOT_STATE
    assert word in response.message


def wrench_at(frame: str, reference: str = "", force: float = 1.0) -> FrameWrench:
    wrench = FrameWrench(frame=frame, reference=reference)
    wrench.wrench.force.x = force
    return wrench


@pytest.mark.parametrize(
    ("fields", "code", "word"),
    [
        (
            {"external_wrenches": [wrench_at("panda_hnd")]},
            ResultCode.INVALID_LINK_NAME,
            "closest: panda_hand",
        ),
        ({"external_wrenches": [wrench_at("")]}, ResultCode.INVALID_LINK_NAME, "empty"),
        (
            {"external_wrenches": [wrench_at("panda_hand", "BODY")]},
            ResultCode.INVALID_GOAL_CONSTRAINTS,
            "LOCAL",
        ),
        (
            {"external_wrenches": [wrench_at("panda_hand", "", math.nan)]},
            ResultCode.INVALID_GOAL_CONSTRAINTS,
            "not finite",
        ),
        ({"efforts": NamedValues(names=["panda_joint1"])}, ResultCode.INVALID_ROBOT_STATE, "gives no values"),
        ({"efforts": NamedValues(names=["nobody"], values=[1.0])}, ResultCode.INVALID_ROBOT_STATE, "nobody"),
        ({"efforts": NamedValues(values=[1.0])}, ResultCode.INVALID_ROBOT_STATE, "1 entries for 0 names"),
        ({"efforts": NamedValues(names=["panda_joint1"], values=[1e308])}, ResultCode.FAILURE, "too large"),
        ({"base_wrench": [Wrench()]}, ResultCode.INVALID_ROBOT_STATE, "fixed base"),
        ({"contact_frames": ["panda_hnd"]}, ResultCode.INVALID_LINK_NAME, "closest: panda_hand"),
        ({"contact_frames": ["panda_link0"]}, ResultCode.FAILURE, "one body"),
        ({"contact_kinds": [1]}, ResultCode.INVALID_GOAL_CONSTRAINTS, "1 entries for 0 contact_frames"),
        (
            {"contact_frames": ["panda_hand"], "contact_kinds": [2]},
            ResultCode.INVALID_GOAL_CONSTRAINTS,
            "0 (POINT) or 1 (RIGID)",
        ),
    ],
)
def test_forward_dynamics_refuses_what_has_no_meaning(
    arm: Context, fields: dict[str, Any], code: int, word: str
) -> None:
    response = ask(arm, ForwardDynamics, **fields)
    assert (response.success, response.code) == (False, code), response.message
    assert word in response.message
    assert len(response.accelerations.values) == 0


def test_get_frame_refuses_unknown_names(arm: Context) -> None:
    response = ask(arm, GetFrame, frame="panda_hnd")
    assert response.code == ResultCode.INVALID_LINK_NAME
    assert "closest: panda_hand" in response.message
    assert ask(arm, GetFrame).code == ResultCode.INVALID_LINK_NAME
    assert (
        ask(arm, GetFrame, frame="panda_hand", reference="BODY").code == ResultCode.INVALID_GOAL_CONSTRAINTS
    )


def _negative_timeout(request: Any) -> None:
    request.timeout.sec = -1


def _zero_quaternion(request: Any) -> None:
    request.target.pose.orientation.x = request.target.pose.orientation.y = 0.0
    request.target.pose.orientation.z = request.target.pose.orientation.w = 0.0


def _nan_target(request: Any) -> None:
    request.target.pose.position.y = math.nan


def _foreign_frame(request: Any) -> None:
    request.target.header.frame_id = "map"


def _set(**fields: Any) -> Callable[[Any], None]:
    def change(request: Any) -> None:
        for name, value in fields.items():
            setattr(request, name, value)

    return change


@pytest.mark.parametrize(
    ("change", "code", "word"),
    [
        (_negative_timeout, ResultCode.INVALID_GOAL_CONSTRAINTS, "timeout"),
        (_zero_quaternion, ResultCode.INVALID_GOAL_CONSTRAINTS, "length zero"),
        (_nan_target, ResultCode.INVALID_GOAL_CONSTRAINTS, "not finite"),
        (_foreign_frame, ResultCode.FRAME_TRANSFORM_FAILURE, "map"),
        (_set(frame="panda_hnd"), ResultCode.INVALID_LINK_NAME, "closest: panda_hand"),
        (_set(weights=[1.0, 1.0]), ResultCode.INVALID_GOAL_CONSTRAINTS, "six numbers"),
        (_set(weights=[0.0] * 6), ResultCode.INVALID_GOAL_CONSTRAINTS, "not all zero"),
        (_set(weights=[1.0, 1.0, 1.0, 1.0, 1.0, -1.0]), ResultCode.INVALID_GOAL_CONSTRAINTS, ">= 0"),
        (_set(position_tolerance=-1.0), ResultCode.INVALID_GOAL_CONSTRAINTS, "position_tolerance"),
        (_set(orientation_tolerance=math.nan), ResultCode.INVALID_GOAL_CONSTRAINTS, "orientation_tolerance"),
        (_set(mode="fast"), ResultCode.INVALID_GOAL_CONSTRAINTS, "distance"),
        (_set(fixed_joints=["panda_joint8"]), ResultCode.INVALID_ROBOT_STATE, "closest"),
        (
            _set(fixed_joints=["panda_joint1"], free_joints=["panda_joint1"]),
            ResultCode.INVALID_GOAL_CONSTRAINTS,
            "panda_joint1",
        ),
        (_set(seed=names("panda_joint1", position=[math.nan])), ResultCode.INVALID_ROBOT_STATE, "not finite"),
    ],
)
def test_ik_refuses_what_has_no_meaning(
    arm: Context, change: Callable[[Any], None], code: int, word: str
) -> None:
    request = ik_request(arm, "panda_hand", arm.current.q)
    change(request)
    response = answer(solve_ik, arm, request, SolveIK.Response())
    assert (response.success, response.code) == (False, code), response.message
    assert word in response.message
    assert math.isnan(response.position_error)
    assert list(response.solution.name) == []


def test_ik_with_all_joints_fixed_is_refused(arm: Context) -> None:
    request = ik_request(arm, "panda_hand", arm.current.q, fixed_joints=list(arm.map.names))
    response = answer(solve_ik, arm, request, SolveIK.Response())
    assert response.code == ResultCode.INVALID_GOAL_CONSTRAINTS
    assert "no joint may move" in response.message


def test_a_timeout_beyond_the_longest_is_cut_and_said(arm: Context) -> None:
    request = ik_request(arm, "panda_hand", arm.current.q)
    request.timeout.sec = 100
    response = answer(solve_ik, arm, request, SolveIK.Response())
    assert "ik.max_timeout" in response.message


def test_an_error_inside_becomes_an_answer(arm: Context) -> None:
    def broken(context: Context, request: Any, response: Any) -> Any:
        response.jacobian = [1.0]
        raise ZeroDivisionError("oops")

    response = answer(broken, arm, GetFrame.Request(), GetFrame.Response())
    assert (response.success, response.code) == (False, ResultCode.FAILURE)
    assert "ZeroDivisionError: oops" in response.message
    assert len(response.jacobian) == 0
