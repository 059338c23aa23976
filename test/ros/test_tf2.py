"""The nodes beside the real tf2_ros, over real DDS. It is not on PyPI: these run where ROS 2 is installed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")
pytest.importorskip("tf2_ros", reason="tf2_ros is not installed")

import harness
import tf2_ros
from diagnostic_msgs.msg import DiagnosticArray
from dyn_node_msgs.msg import ResultCode
from dyn_node_msgs.srv import SolveIK
from geometry_msgs.msg import TransformStamped, TwistStamped
from numpy.testing import assert_allclose
from rclpy.time import Time
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

import dyn_node
from dyn_node import SE3
from dyn_node.nodes.conversions import fill_pose, fill_transform, placement_of_transform

SECOND = 1_000_000_000
#: Metres and entries of rotation matrices; tf2 calculates with rounded quaternions.
NEAR = 1e-9
#: What the simulated localisation says: half a metre a second along odom's x, which is map's y.
SPEED = 0.5
ODOM = SE3.from_quaternion(np.array([0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5)]), np.array([1.0, 2.0, 0.0]))


def urdf(robot: str) -> str:
    return Path(dyn_node.robots.path(robot)).read_text(encoding="utf-8")


def names_of(robot: str) -> list[str]:
    return [joint.name for joint in dyn_node.robots.load(robot).actuated_joints]


def transform(parent: str, child: str, placement: SE3, stamp: int = 0) -> TransformStamped:
    message = TransformStamped(child_frame_id=child)
    message.header.frame_id = parent
    message.header.stamp.sec, message.header.stamp.nanosec = divmod(stamp, SECOND)
    fill_transform(message.transform, placement)
    return message


class Localised:
    """A quadruped whose base only tf knows: map to odom is static, odom to base moves."""

    def __init__(self, client: harness.Client, ns: str) -> None:
        self.client = client
        self._static = tf2_ros.StaticTransformBroadcaster(client.node)
        self._static.sendTransform(transform("map", "odom", ODOM))
        self._moving = tf2_ros.TransformBroadcaster(client.node)
        self.names = names_of("go2")
        self.parameters: dict[str, Any] = {
            "robot_description": urdf("go2"),
            "root_joint": "free_flyer",
            "base_source": "tf",
            "base_pose_filter": 0.0,
            "world_frame": "map",
            "frames": ["base"],
        }
        self.twists = client.record(TwistStamped, "dynamics/twist/base")

    def joints(self, stamp: int) -> None:
        self.client.publish(
            "joint_states", harness.joint_state(self.names, np.zeros(12), np.zeros(12), stamp)
        )

    def base(self, stamp: int) -> None:
        place = SE3(np.eye(3), np.array([SPEED * stamp / SECOND, 0.0, 0.3]))
        self._moving.sendTransform(transform("odom", "base", place, stamp))

    def both(self, stamp: int) -> None:
        self.base(stamp)
        self.joints(stamp)


@pytest.fixture
def localised() -> Iterator[Localised]:
    ns = harness.namespace()
    with harness.client(ns) as client:
        yield Localised(client, ns)


def moves_along_y(message: TwistStamped) -> bool:
    """Along odom's x, which is map's y."""
    linear = message.twist.linear
    return np.allclose([linear.x, linear.y, linear.z], [0.0, SPEED, 0.0], rtol=0, atol=1e-6)


def test_the_base_follows_tf_through_two_transforms_until_they_end(localised: Localised) -> None:
    client = localised.client
    with harness.NodeProcess("dynamics", client.ns, localised.parameters) as node:
        diagnostics = client.record(DiagnosticArray, "/diagnostics")
        node.wait_for("ready: ")
        with harness.Feed(client, localised.both):
            twist = localised.twists.wait(moves_along_y)
        assert twist.header.frame_id == "map"
        with harness.Feed(client, localised.joints):
            harness.values_of(diagnostics, client.ns, lambda v: "stale: the base" in v["message"])
            count = len(localised.twists.messages)
            harness.values_of(diagnostics, client.ns, lambda v: "stale: the base" in v["message"])
            assert len(localised.twists.messages) == count


def test_a_clock_that_jumps_back_does_not_leave_the_base_in_the_future(localised: Localised) -> None:
    client = localised.client
    with harness.NodeProcess("dynamics", client.ns, {**localised.parameters, "use_sim_time": True}) as node:
        node.wait_for("ready: ")
        now = 100 * SECOND

        def step(_: int) -> None:
            nonlocal now
            now += SECOND // 100
            clock = Clock()
            clock.clock.sec, clock.clock.nanosec = divmod(now, SECOND)
            client.publish("/clock", clock)
            localised.both(now)

        with harness.Feed(client, step) as feed:
            localised.twists.wait(moves_along_y)
            feed.pause()
            localised.twists.messages.clear()
            before, now = now, now - 3 * SECOND  # well within what tf2 remembers
            feed.resume()
            localised.twists.wait(lambda m: moves_along_y(m) and harness.stamp_of(m) < before - SECOND)


def test_a_node_shows_its_frames_beside_the_tree_of_others() -> None:
    ns, names = harness.namespace(), names_of("panda")
    values = {"robot_description": urdf("panda"), "outputs": ["tf", "gravity_torques"], "tf_lwa": True}
    with harness.client(ns) as client, harness.NodeProcess("dynamics", ns, values) as node:
        buffer = tf2_ros.Buffer()
        listener = tf2_ros.TransformListener(buffer, client.node)
        others = tf2_ros.StaticTransformBroadcaster(client.node)
        # As robot_state_publisher has them: the same links under the same names.
        others.sendTransform([transform("world", "panda_link0", SE3.Identity())])
        node.wait_for("ready: ")
        gravity = client.record(JointState, "dynamics/gravity_torques")
        model = dyn_node.robots.load("panda")
        q = dyn_node.random_configuration(model, np.random.default_rng(1))
        data = model.create_data()
        dyn_node.forward_kinematics(model, data, q)

        def send(stamp: int) -> None:
            client.publish("joint_states", harness.joint_state(names, q, stamp=stamp))

        client.exchange(send, gravity)
        with harness.Feed(client, send):
            for parent in ("world", "panda_link0"):
                harness.until(
                    lambda p=parent: buffer.can_transform(p, "dyn_node/panda_hand_lwa", Time()),
                    "tf knows the frame",
                )
        hand = dyn_node.frame_placement(model, data, "panda_hand")
        upright = SE3(np.eye(3), hand.translation)
        for name, expected in (("dyn_node/panda_hand", hand), ("dyn_node/panda_hand_lwa", upright)):
            found = buffer.lookup_transform("panda_link0", name, Time())
            placement = placement_of_transform(found.transform, name)
            assert_allclose(placement.homogeneous, expected.homogeneous, rtol=0, atol=NEAR, err_msg=name)
        listener.unregister()


def test_the_target_of_inverse_kinematics_is_in_a_frame_of_tf() -> None:
    ns, names = harness.namespace(), names_of("panda")
    model = dyn_node.robots.load("panda")
    q = np.array(list(dyn_node.robots.describe("panda").home.values()))
    data = model.create_data()
    dyn_node.forward_kinematics(model, data, q)
    hand = dyn_node.frame_placement(model, data, "panda_hand")
    camera = SE3.from_quaternion(np.array([0.5, 0.5, -0.5, 0.5]), np.array([0.7, -0.3, 0.4]))
    with (
        harness.client(ns) as client,
        harness.NodeProcess("solver", ns, {"robot_description": urdf("panda")}) as node,
    ):
        others = tf2_ros.StaticTransformBroadcaster(client.node)
        others.sendTransform(transform("world", f"{ns[1:]}/camera", camera))
        node.wait_for("ready: ")
        request = SolveIK.Request(frame="panda_hand", seed=harness.joint_state(names, q + 0.05))
        request.timeout.sec = 1
        fill_pose(request.target.pose, camera.inverse() * hand)
        request.target.header.frame_id = f"{ns[1:]}/lens"
        ask = client.keep_service(SolveIK, "solver/solve_ik")
        refused = ask(request)
        assert (refused.success, refused.code) == (False, ResultCode.FRAME_TRANSFORM_FAILURE)
        assert "lens" in refused.message
        request.target.header.frame_id = f"{ns[1:]}/camera"
        harness.until(lambda: ask(request).code != ResultCode.FRAME_TRANSFORM_FAILURE, "tf knows the camera")
        answer = ask(request)
        assert answer.success, answer.message
        dyn_node.forward_kinematics(model, data, np.array(answer.solution.position))
        reached = dyn_node.frame_placement(model, data, "panda_hand")
        assert_allclose(reached.homogeneous, hand.homogeneous, rtol=0, atol=1e-5)
