"""What arrives wrong, late or twice, over real DDS: it is said, and stops what it has to stop."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import WrenchStamped
from nav_msgs.msg import Odometry
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import Imu, JointState

import dyn_node

BODY = """<inertial><origin xyz="0.2 0 0"/><mass value="2"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>"""
LIMIT = """<limit lower="-1" upper="1" effort="0" velocity="1"/>"""
HAND = f"""<robot name="hand"><link name="palm">{BODY}</link><link name="imu_link"/>
<joint name="mount" type="fixed"><parent link="palm"/><child link="imu_link"/></joint>
<link name="a">{BODY}</link><link name="b">{BODY}</link><link name="c">{BODY}</link>
<joint name="left" type="revolute"><axis xyz="0 1 0"/><parent link="palm"/><child link="a"/>{LIMIT}</joint>
<joint name="right" type="revolute"><axis xyz="0 1 0"/><parent link="palm"/><child link="b"/>{LIMIT}
<mimic joint="left" multiplier="-1" offset="0"/></joint>
<joint name="wrist" type="revolute"><axis xyz="0 1 0"/><parent link="palm"/><child link="c"/>{LIMIT}</joint>
</robot>"""
BOX = f"""<robot name="box"><link name="body">{BODY}</link></robot>"""
NAMES = ["left", "wrist"]


class Hand(NamedTuple):
    """A running node, the test's client, what it says."""

    node: harness.NodeProcess
    client: harness.Client
    gravity: harness.Recorder
    diagnostics: harness.Recorder

    def feed(self, send: Any) -> harness.Feed:
        """Send again and again, by a function of the stamp."""
        return harness.Feed(self.client, send)

    def values(self, wanted: Any) -> dict[str, str]:
        return harness.values_of(self.diagnostics, self.client.ns, wanted)


@pytest.fixture(scope="module")
def hand() -> Iterator[Hand]:
    ns = harness.namespace()
    values = {"robot_description": HAND, "max_jump": 0.4, "gravity_source": "imu"}
    values.update(command_joints=NAMES, max_effort=[9.0])
    with harness.client(ns) as client, harness.NodeProcess("dynamics", ns, values) as node:
        gravity = client.record(JointState, "dynamics/gravity_torques")
        diagnostics = client.record(DiagnosticArray, "/diagnostics")
        node.wait_for("ready: ")
        yield Hand(node, client, gravity, diagnostics)


@pytest.fixture(scope="module")
def floating() -> Iterator[Hand]:
    ns = harness.namespace()
    values = {"robot_description": HAND, "root_joint": "free_flyer", "max_skew": 0.2, "state_timeout": 1.5}
    with harness.client(ns) as client, harness.NodeProcess("dynamics", ns, values) as node:
        gravity = client.record(JointState, "dynamics/gravity_torques")
        diagnostics = client.record(DiagnosticArray, "/diagnostics")
        node.wait_for("ready: ")
        yield Hand(node, client, gravity, diagnostics)


def imu(**more: Any) -> Imu:
    """A level sensor unless told otherwise."""
    message = Imu()
    message.header.frame_id = more.pop("frame_id", "imu_link")
    message.orientation.w = 1.0
    for name, value in more.items():
        setattr(message.orientation, name, value)
    return message


def odometry(stamp: int, **more: Any) -> Odometry:
    """A level base at rest unless told otherwise."""
    message = Odometry(child_frame_id=more.get("child", "palm"))
    message.header.frame_id = more.get("frame", "world")
    message.header.stamp.sec, message.header.stamp.nanosec = divmod(stamp, 1_000_000_000)
    message.pose.pose.orientation.w = more.get("w", 1.0)
    message.pose.pose.position.x = more.get("x", 0.0)
    return message


def test_gravity_from_an_imu_is_waited_for_and_turns_with_the_base(hand: Hand) -> None:
    def joints(stamp: int) -> None:
        hand.client.publish("joint_states", harness.joint_state(NAMES, [0.1, 0.2], stamp=stamp))

    with hand.feed(joints):
        values = hand.values(lambda v: v["level"] == "2" and not v["stale"] and v["missing"])
        assert values["missing"] == "gravity (imu)"
        assert hand.gravity.messages == []
        model = dyn_node.load_urdf(HAND)
        half = math.sqrt(0.5)
        for orientation, down in (({}, [0, 0, -9.81]), ({"x": half, "w": half}, [0, -9.81, 0])):
            turned = model.with_gravity(down)
            expected = dyn_node.generalized_gravity(turned, turned.create_data(), [0.1, 0.2])
            with hand.feed(lambda stamp, turn=orientation: hand.client.publish("imu", imu(**turn))):
                hand.gravity.wait(lambda m, e=expected: np.allclose(m.effort, e, rtol=0, atol=1e-9))
        with hand.feed(lambda stamp: hand.client.publish("imu", imu(frame_id="elsewhere"))):
            values = hand.values(lambda v: "elsewhere" in v["last refusals"])
        hand.node.wait_for("imu: frame_id is not fixed to", harness.ANSWER)
        values = hand.values(lambda v: "stale: gravity (imu)" in v["message"])
        assert "elsewhere" in values["message"], "the reason stands beside what is stale"


def test_a_change_that_leaves_the_command_without_a_bound_is_refused(hand: Hand) -> None:
    none = Parameter("max_effort", Parameter.Type.DOUBLE_ARRAY, [])
    request = SetParameters.Request(parameters=[none.to_parameter_msg()])
    result = hand.client.call(SetParameters, "dynamics/set_parameters", request).results[0]
    assert (result.successful, "effort limit of left, wrist is 0" in result.reason) == (False, True), result


@pytest.mark.parametrize(
    ("concern", "word", "names", "positions"),
    [
        ("jumped", "wrist by 0.9", NAMES, [[0.0, 0.0], [0.0, 0.9], [0.0, 0.9]]),
        ("outside limits", "left", NAMES, [[1.2, 0.0]]),
        ("mimic disagreement", "follows left to -0.3", ["left", "right", "wrist"], [[0.3, 0.3, 0.0]]),
    ],
)
def test_what_looks_wrong_is_said_and_used(
    hand: Hand, concern: str, word: str, names: list[str], positions: list[list[float]]
) -> None:
    sent: list[int] = []

    def send(stamp: int) -> None:
        sent.append(stamp)
        hand.client.publish("imu", imu())
        place = positions[min(len(sent) - 1, len(positions) - 1)] if len(sent) % 50 else positions[0]
        hand.client.publish("joint_states", harness.joint_state(names, place, stamp=stamp))

    seen = len(hand.node.lines)
    with hand.feed(send):
        hand.values(lambda v: word in v[concern] and v["level"] == "1")
        last = sent[-1]
        hand.gravity.wait(lambda m: harness.stamp_of(m) >= last)
        hand.node.wait_for(f"{concern}: ", harness.ANSWER, seen)


def test_publishers_that_contradict_each_other_are_named(hand: Hand) -> None:
    with harness.client(hand.client.ns, "impostor") as other:
        here = harness.joint_state(NAMES, [0.1, 0.1])
        there = harness.joint_state(NAMES, [0.1, 0.35])

        def send(stamp: int) -> None:
            hand.client.publish("imu", imu())
            hand.client.publish("joint_states", here)

        with hand.feed(send), harness.Feed(other, lambda stamp: other.publish("joint_states", there)):
            # The name of a node may be discovered a moment after its publisher.
            both = (f"{hand.client.ns}/client", f"{hand.client.ns}/impostor")
            values = hand.values(lambda v: all(name in v["contradicting publishers"] for name in both))
    assert "about wrist;" in values["contradicting publishers"], values["contradicting publishers"]


def test_a_subscriber_whose_qos_does_not_fit_is_named_with_both_sides_policies(hand: Hand) -> None:
    ns = hand.client.ns
    # The node's own topics are reliable; it offers no deadline.
    strict = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE)
    strict.deadline = harness.seconds(0.5)
    with harness.client(ns, "strict") as other:
        recorder = other.record(JointState, "dynamics/gravity_torques", strict)
        values = hand.values(lambda v: f"{ns}/strict" in v["incompatible QoS"])
        for word in ("deadline 0.5 s", f"{ns}/dynamics/gravity_torques", "offers reliability"):
            assert word in values["incompatible QoS"], values["incompatible QoS"]
        hand.node.wait_for("incompatible QoS: ", harness.ANSWER)
        assert recorder.messages == []
    hand.values(lambda v: not v["incompatible QoS"])


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"child": "a"}, ("'a' is not fixed to the root link 'palm'",)),
        ({"child": "tool"}, ("tool", "palm")),
        ({"w": 0.0}, ("length zero",)),
        ({"x": math.nan}, ("position is not finite",)),
    ],
)
def test_why_the_base_was_refused_stands_beside_what_is_missing(
    floating: Hand, more: dict[str, Any], words: tuple[str, ...]
) -> None:
    def send(stamp: int) -> None:
        floating.client.publish("odom", odometry(stamp, **more))
        floating.client.publish("joint_states", harness.joint_state(NAMES, [0.0, 0.0], stamp=stamp))

    with floating.feed(send):
        values = floating.values(lambda v: all(word in v["message"] for word in words))
    assert "the base" in values["message"], values["message"]
    assert floating.gravity.messages == []


def test_stamps_far_apart_are_said_and_used(floating: Hand) -> None:
    def send(stamp: int) -> None:
        floating.client.publish("odom", odometry(stamp + 700_000_000))
        floating.client.publish("joint_states", harness.joint_state(NAMES, [0.0, 0.0], stamp=stamp))

    def steady(values: dict[str, str]) -> bool:
        """Whether the rates are those of a whole second of messages."""
        return all(10.0 < float(values[f"{kind} rate Hz"]) < 200.0 for kind in ("joint_states", "base"))

    with floating.feed(send):
        values = floating.values(lambda v: v["stamps apart"] and steady(v))
        floating.gravity.wait(lambda m: True)
    assert "by 0.7" in values["stamps apart"], values


def test_a_base_in_another_frame_is_said_once(floating: Hand) -> None:
    def send(stamp: int) -> None:
        floating.client.publish("odom", odometry(stamp, frame="map", child=""))

    with floating.feed(send):
        line = floating.node.wait_for("taken for the world frame", harness.ANSWER)
        assert "'map'" in line
        floating.node.wait_for("odom has no child_frame_id", harness.ANSWER)


def test_a_body_without_joints_is_answered_with_its_odometry() -> None:
    ns = harness.namespace()
    values = {"robot_description": BOX, "root_joint": "free_flyer"}
    with harness.client(ns) as client, harness.NodeProcess("dynamics", ns, values) as node:
        node.wait_for("ready: ")
        wrench = client.record(WrenchStamped, "dynamics/base_wrench")
        message = client.exchange(lambda stamp: client.publish("odom", odometry(stamp, child="body")), wrench)
        assert message.wrench.force.z == pytest.approx(2 * 9.81)


def test_tf_as_the_base_says_what_it_needs() -> None:
    values = {"robot_description": HAND, "root_joint": "free_flyer", "base_source": "tf"}
    try:
        import tf2_ros  # noqa: F401
    except ImportError:
        node = harness.NodeProcess("dynamics", harness.namespace(), values)
        assert node.process.wait(harness.READY) == 1
        node.end()
        assert "needs the ROS package tf2_ros" in node.log
        return
    follow_tf(values)


def follow_tf(values: dict[str, Any]) -> None:
    """Where tf2 is installed: the base follows the transform."""
    from geometry_msgs.msg import TransformStamped
    from tf2_msgs.msg import TFMessage

    ns = harness.namespace()
    with harness.client(ns) as client, harness.NodeProcess("dynamics", ns, values) as node:
        node.wait_for("ready: ")
        gravity = client.record(JointState, "dynamics/gravity_torques")

        def send(stamp: int) -> None:
            transform = TransformStamped(child_frame_id="palm")
            transform.header.frame_id = "world"
            transform.header.stamp.sec, transform.header.stamp.nanosec = divmod(stamp, 1_000_000_000)
            transform.transform.rotation.w = 1.0
            client.publish("/tf", TFMessage(transforms=[transform]))
            client.publish("joint_states", harness.joint_state(NAMES, [0.1, 0.2], stamp=stamp))

        client.exchange(send, gravity)
