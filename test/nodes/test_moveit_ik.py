"""MoveIt's GetPositionIK answered by SolveIK. moveit_msgs is stood in for: its fields are what counts."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

from builtin_interfaces.msg import Duration
from dyn_node_msgs.msg import ResultCode
from geometry_msgs.msg import PoseStamped, Transform
from sensor_msgs.msg import JointState

import dyn_node
from dyn_node.errors import MissingDependencyError
from dyn_node.nodes.conversions import fill_pose
from dyn_node.nodes.joint_map import JointMap
from dyn_node.nodes.moveit_ik import compute_ik
from dyn_node.nodes.request_parts import Context
from dyn_node.nodes.solver_settings import SolverSettings
from dyn_node.nodes.state import Snapshot


def context_of(name: str, root: str) -> Context:
    """A robot at rest in the middle of its limits, which is known."""
    model = dyn_node.robots.load(name, root=root)
    q, joints = dyn_node.neutral(model), JointMap(model)
    joints.fill_q(q, 0.5 * (joints.lower + joints.upper))
    known = {"q": q, "v": np.zeros(model.nv), "position": joints.positions(q), "stamp": 1}
    return Context(model, model.create_data(), joints, Snapshot(**known), SolverSettings())


def ask(context: Context | None, link: str, pose: Any = None, **fields: Any) -> Any:
    """A request with MoveIt's fields, and the answer to it."""
    target = PoseStamped()
    if pose is not None:
        fill_pose(target.pose, pose)
    state = SimpleNamespace(
        joint_state=fields.pop("joint_state", JointState()),
        multi_dof_joint_state=SimpleNamespace(joint_names=[], transforms=[]),
    )
    for name, transform in fields.pop("base", {}).items():
        state.multi_dof_joint_state.joint_names.append(name)
        state.multi_dof_joint_state.transforms.append(transform)
    none = {f"{kind}_constraints": [] for kind in ("joint", "position", "orientation", "visibility")}
    asked = {
        "ik_link_name": link, "pose_stamped": target, "ik_link_names": [], "pose_stamped_vector": [],
        "robot_state": state, "avoid_collisions": False, "constraints": SimpleNamespace(**none),
        "timeout": Duration(sec=2), **fields,
    }  # fmt: skip
    response = SimpleNamespace(
        solution=SimpleNamespace(joint_state=JointState()),
        error_code=SimpleNamespace(val=0, message="", source=""),
    )
    return compute_ik(context, SimpleNamespace(ik_request=SimpleNamespace(**asked)), response, "no model yet")


def reach(context: Context, frame: str, q: np.ndarray) -> Any:
    data = context.model.create_data()
    dyn_node.forward_kinematics(context.model, data, q)
    return dyn_node.frame_placement(context.model, data, frame)


def test_a_reachable_pose_is_answered_and_joints_of_others_are_ignored() -> None:
    context = context_of("panda", "fixed")
    target = reach(context, "panda_hand", context.current.q + 0.2)
    seed = JointState(name=["panda_joint2", "gripper_of_another"], position=[0.3, 1.0])
    response = ask(context, "panda_hand", target, joint_state=seed)
    assert response.error_code.val == ResultCode.SUCCESS, response.error_code.message
    assert list(response.solution.joint_state.name) == list(context.map.names)
    q = context.current.q.copy()
    context.map.fill_q(q, np.array(response.solution.joint_state.position))
    miss = (reach(context, "panda_hand", q).inverse() * target).log().vector
    assert np.abs(miss).max() < 1e-4


def test_what_is_not_honoured_is_said() -> None:
    def missing() -> Any:
        raise MissingDependencyError("coal is not here", "coal")

    for checker in (None, missing):
        context = dataclasses.replace(context_of("panda", "fixed"), checker=checker)
        target = reach(context, "panda_hand", context.current.q)
        response = ask(context, "panda_hand", target, avoid_collisions=True)
        assert response.error_code.val == ResultCode.SUCCESS
        assert "collisions were not checked" in response.error_code.message
    assert "coal is not here" in response.error_code.message


def test_collisions_are_avoided_where_they_can_be() -> None:
    pytest.importorskip("coal", reason="coal is not installed")
    context = context_of("panda", "fixed")
    checker = dyn_node.CollisionChecker(context.model, dyn_node.robots.path("panda"))
    context = dataclasses.replace(context, checker=lambda: checker)
    rng, solved = np.random.default_rng(1), 0
    for _ in range(6):
        q = dyn_node.random_configuration(context.model, rng)
        while not checker.in_collision(q):
            q = dyn_node.random_configuration(context.model, rng)
        seed = JointState(name=list(context.map.names), position=q.tolist())
        target = reach(context, "panda_hand", q)
        answer = ask(context, "panda_hand", target, joint_state=seed, avoid_collisions=True)
        if answer.error_code.val == ResultCode.SUCCESS:
            assert not checker.in_collision(answer.solution.joint_state.position)
            solved += 1
        else:
            assert "solutions collide" in answer.error_code.message
    assert solved, "the poses show nothing"


def test_failures_have_moveits_numbers() -> None:
    context = context_of("panda", "fixed")
    near = reach(context, "panda_hand", context.current.q)
    far = dyn_node.SE3(np.eye(3), [5.0, 0.0, 0.0])
    short = Duration(nanosec=2_000_000)
    unreached = (ResultCode.NO_IK_SOLUTION, ResultCode.TIMED_OUT)
    assert ask(context, "panda_hand", far, timeout=short).error_code.val in unreached
    assert ask(context, "no_such_link", near).error_code.val == ResultCode.INVALID_LINK_NAME
    assert ask(None, "panda_hand", near).error_code.message == "no model yet"
    two = ask(context, "panda_hand", near, ik_link_names=["panda_hand", "panda_link7"])
    assert two.error_code.val == ResultCode.FAILURE


def test_a_floating_base_stands_where_the_request_has_it() -> None:
    context = context_of("go2", "free_flyer")
    q = context.current.q.copy()
    q[0] = 3.0
    base = Transform()
    base.translation.x = 3.0
    target = reach(context, "FL_foot", q)
    response = ask(context, "FL_foot", target, base={"root_joint": base})
    # A foot has three joints: its own pose is met only from the base that the request gives.
    assert response.error_code.val == ResultCode.SUCCESS, response.error_code.message
