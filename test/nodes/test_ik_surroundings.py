"""SolveIK and what is around the robot: targets in frames that others publish, and links that touch.

tf2_ros stands beside ROS only: here a stand-in with its names, so that what is shown is the use of it.
"""

from __future__ import annotations

import dataclasses
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

from dyn_node_msgs.msg import ResultCode
from dyn_node_msgs.srv import SolveIK
from geometry_msgs.msg import TransformStamped
from rclpy.time import Time
from sensor_msgs.msg import JointState

import dyn_node
from dyn_node import SE3
from dyn_node.nodes.answers import RefusedError, answer
from dyn_node.nodes.collision_source import CollisionSource
from dyn_node.nodes.conversions import fill_pose, fill_transform
from dyn_node.nodes.ik_request import solve_ik
from dyn_node.nodes.joint_map import JointMap
from dyn_node.nodes.request_parts import Context
from dyn_node.nodes.solver_settings import SolverSettings
from dyn_node.nodes.state import Snapshot
from dyn_node.nodes.tf_lookup import TransformLookup, tf2_package

CAMERA = SE3.from_quaternion([0.5, 0.5, 0.5, 0.5], [0.6, 0.2, 0.7])


def context_of(name: str, root: str, **known: Any) -> Context:
    """A robot in a state that is known, its base off the origin where it has one."""
    model = dyn_node.robots.load(name, root=root)
    q, joints = dyn_node.neutral(model), JointMap(model)
    joints.fill_q(q, 0.4 * joints.lower + 0.6 * joints.upper)
    if root == "free_flyer":
        q[:7] = [1.0, 2.0, 0.5, 0.0, 0.0, 0.6, 0.8]
    now = Snapshot(q=q, v=np.zeros(model.nv), position=joints.positions(q), stamp=1)
    return Context(model, model.create_data(), joints, now, SolverSettings(), **known)


def transforms(known: dict[tuple[str, str], SE3], asked: list[Any] | None = None) -> Any:
    """A lookup that knows some transforms, and notes what it is asked."""

    def look(parent: str, child: str, stamp: int) -> SE3:
        if asked is not None:
            asked.append((parent, child, stamp))
        if (parent, child) not in known:
            raise RefusedError(ResultCode.FRAME_TRANSFORM_FAILURE, f"tf: no way from {child} to {parent}")
        return known[parent, child]

    return look


def place(context: Context, frame: str, q: Any = None) -> SE3:
    data = context.model.create_data()
    dyn_node.forward_kinematics(context.model, data, context.current.q if q is None else q)
    return dyn_node.frame_placement(context.model, data, frame)


def ask(context: Context, frame: str, pose: SE3, of: str = "", stamp: int = 0, **fields: Any) -> Any:
    request = SolveIK.Request(frame=frame, **fields)
    fill_pose(request.target.pose, pose)
    request.target.header.frame_id = of
    request.target.header.stamp.sec = stamp
    request.timeout.sec = 1
    return answer(solve_ik, context, request, SolveIK.Response())


def check(context: Context, frame: str, goal: SE3, response: Any) -> None:
    assert response.success, response.message
    q = context.current.q.copy()
    context.map.fill_q(q, np.array(response.solution.position))
    assert place(context, frame, q).is_approx(goal, 1e-5)


def test_a_target_may_be_in_a_frame_that_tf_knows_in_the_world() -> None:
    asked: list[Any] = []
    context = context_of("panda", "fixed", transforms=transforms({("world", "camera"): CAMERA}, asked))
    goal = place(context, "panda_hand")
    response = ask(context, "panda_hand", CAMERA.inverse() * goal, "camera", stamp=7)
    check(context, "panda_hand", goal, response)
    assert asked == [("world", "camera", 7_000_000_000)]


@pytest.mark.parametrize(
    ("robot", "root", "frame"), [("panda", "fixed", "panda_hand"), ("go2", "free_flyer", "FL_foot")]
)
def test_or_in_the_robots_root_link_where_tf_has_no_world(robot: str, root: str, frame: str) -> None:
    link = {"panda": "panda_link0", "go2": "base"}[robot]
    context = context_of(robot, root, transforms=transforms({(link, "camera"): CAMERA}))
    goal = place(context, frame)
    camera = place(context, link) * CAMERA
    check(context, frame, goal, ask(context, frame, camera.inverse() * goal, "camera"))


def test_frames_of_the_robot_are_not_asked_of_tf() -> None:
    asked: list[Any] = []
    context = context_of("panda", "fixed", transforms=transforms({}, asked))
    check(
        context,
        "panda_hand",
        place(context, "panda_hand"),
        ask(context, "panda_hand", SE3.Identity(), "panda_hand"),
    )
    assert asked == []


def test_what_tf_does_not_know_is_said_with_both_reasons() -> None:
    context = context_of("panda", "fixed", transforms=transforms({}))
    response = ask(context, "panda_hand", SE3.Identity(), "camera")
    assert response.code == ResultCode.FRAME_TRANSFORM_FAILURE
    for words in ("no way from camera to world", "no way from camera to panda_link0"):
        assert words in response.message


def test_without_tf2_it_says_so() -> None:
    response = ask(context_of("panda", "fixed"), "panda_hand", SE3.Identity(), "panda_hnd")
    assert response.code == ResultCode.FRAME_TRANSFORM_FAILURE
    for words in ("closest: panda_hand", "tf2_ros", "not installed", "'world'"):
        assert words in response.message


class TransformError(Exception):
    """What tf2_ros calls TransformException."""


class Buffer:
    """tf2_ros.Buffer with one transform."""

    def lookup_transform(self, target_frame: str, source_frame: str, time: Time) -> TransformStamped:
        if (target_frame, source_frame) != ("world", "camera"):
            raise TransformError(f'"{source_frame}" passed to lookupTransform does not exist')
        found = TransformStamped()
        fill_transform(found.transform, CAMERA)
        found.transform.translation.z += time.nanoseconds * 1e-9
        return found


def test_a_lookup_asks_the_buffer_of_tf2(monkeypatch: pytest.MonkeyPatch) -> None:
    listening: list[Any] = []

    def listener(buffer: Buffer, node: Any, spin_thread: bool) -> Any:
        assert not spin_thread, "the node's own executor spins"
        listening.append((buffer, node))
        return listening

    stand_in = SimpleNamespace(Buffer=Buffer, TransformListener=listener, TransformException=TransformError)
    monkeypatch.setitem(sys.modules, "tf2_ros", stand_in)
    assert tf2_package() is stand_in
    lookup: Any = TransformLookup("a node", tf2_package())  # type: ignore[arg-type]
    assert listening[0][1] == "a node"
    assert lookup("world", "camera", 0).is_approx(CAMERA, 1e-12)
    later = lookup("world", "camera", 2_000_000_000).translation - CAMERA.translation
    assert later == pytest.approx(np.array([0.0, 0.0, 2.0]))
    with pytest.raises(RefusedError, match="does not exist") as refused:
        lookup("world", "lens", 0)
    assert refused.value.code == ResultCode.FRAME_TRANSFORM_FAILURE
    monkeypatch.setitem(sys.modules, "tf2_ros", None)
    assert tf2_package() is None


def test_solutions_that_collide_do_not_count_where_that_is_asked() -> None:
    pytest.importorskip("coal", reason="coal is not installed")
    context = context_of("panda", "fixed")
    source, urdf = CollisionSource(), dyn_node.robots.path("panda").read_text(encoding="utf-8")
    context = dataclasses.replace(context, checker=lambda: source.checker(context.model, urdf, ""))
    checker = source.checker(context.model, urdf, "")
    assert source.checker(context.model.with_gravity([0.0, 0.0, 0.0]), urdf, "") is checker
    rng, freed = np.random.default_rng(1), 0
    for _ in range(6):
        q = dyn_node.random_configuration(context.model, rng)
        while not checker.in_collision(q):
            q = dyn_node.random_configuration(context.model, rng)
        seed = JointState(name=list(context.map.names), position=q.tolist())
        plain = ask(context, "panda_hand", place(context, "panda_hand", q), seed=seed)
        assert checker.in_collision(plain.solution.position)
        free = ask(context, "panda_hand", place(context, "panda_hand", q), seed=seed, avoid_collisions=True)
        if free.success:
            assert not checker.in_collision(free.solution.position)
            freed += 1
        else:
            assert free.code in (ResultCode.NO_IK_SOLUTION, ResultCode.TIMED_OUT)
            assert "solutions collide" in free.message
    assert freed, "the poses show nothing"


def test_what_is_left_out_without_an_srdf_is_said_and_an_srdf_is_heard() -> None:
    pytest.importorskip("coal", reason="coal is not installed")
    context = context_of("panda", "fixed")
    urdf = dyn_node.robots.path("panda").read_text(encoding="utf-8")
    # A ball around the foot that reaches the elbow in the middle of the ranges.
    ball = '<link name="panda_link0"><collision><geometry><sphere radius="0.6"/></geometry></collision>'
    urdf = urdf.replace('<link name="panda_link0">', ball)
    source = CollisionSource()
    context = dataclasses.replace(context, checker=lambda: source.checker(context.model, urdf, ""))
    goal = place(context, "panda_hand")
    assert "panda_link0 with panda_link3" in ask(context, "panda_hand", goal, avoid_collisions=True).message
    everything = '<robot name="panda"><disable_default_collisions link="panda_link0"/></robot>'
    assert all("panda_link0" not in pair for pair in source.checker(context.model, urdf, everything).pairs)


def test_asked_to_avoid_collisions_it_does_not_answer_without_looking() -> None:
    context = context_of("panda", "fixed")
    goal, bare = place(context, "panda_hand"), '<robot name="panda"/>'
    for checker in (None, lambda: CollisionSource().checker(context.model, bare, "")):
        response = ask(
            dataclasses.replace(context, checker=checker), "panda_hand", goal, avoid_collisions=True
        )
        assert response.code == ResultCode.FAILURE
        assert response.message.startswith("avoid_collisions: ")
        assert list(response.solution.position) == []
