"""Where the robot comes from, over real DDS: waited for, refused, mended, replaced while the node runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness
from diagnostic_msgs.msg import DiagnosticArray
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_msgs.msg import String

import dyn_node


class Waiting(NamedTuple):
    """A node that got no robot, and a payload on a frame that none has."""

    node: harness.NodeProcess
    client: harness.Client
    gravity: harness.Recorder
    diagnostics: harness.Recorder

    def describe(self, text: str) -> int:
        """Publish a description; the number of log lines before it."""
        seen = len(self.node.lines)
        self.client.publish("robot_description", String(data=text), latched=True)
        return seen

    def set(self, **values: Any) -> Any:
        parameters = [Parameter(name.replace("__", "."), value=value) for name, value in values.items()]
        request = SetParameters.Request(parameters=[each.to_parameter_msg() for each in parameters])
        return self.client.call(SetParameters, "dynamics/set_parameters", request).results[0]

    def torques_of(self, robot: str) -> list[str]:
        """Send a state of a robot until torques answer; the joints that they are of."""
        names = [joint.name for joint in dyn_node.robots.load(robot).actuated_joints]

        def send(stamp: int) -> None:
            self.client.publish("joint_states", harness.joint_state(names, np.zeros(len(names)), stamp=stamp))

        return list(self.client.exchange(send, self.gravity).name)


def urdf(robot: str) -> str:
    return Path(dyn_node.robots.path(robot)).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def waiting() -> Iterator[Waiting]:
    ns = harness.namespace()
    values = {"payload.frame": "panda_hnd", "payload.mass": 0.5}
    with harness.client(ns) as client, harness.NodeProcess("dynamics", ns, values) as node:
        gravity = client.record(JointState, "dynamics/gravity_torques")
        yield Waiting(node, client, gravity, client.record(DiagnosticArray, "/diagnostics"))


def test_the_warning_names_topic_and_qos_and_a_volatile_publisher_is_found_out(waiting: Waiting) -> None:
    ns = waiting.client.ns
    line = waiting.node.wait_for("no robot yet: waiting for")
    for word in (f"{ns}/robot_description", "reliable", "transient local"):
        assert word in line
    with harness.client(ns, "careless") as other:
        other.publish("robot_description", String(data=urdf("panda")))
        # The name of a node may be discovered a moment after its publisher.
        values = harness.values_of(
            waiting.diagnostics, ns, lambda v: f"{ns}/careless" in v["incompatible QoS"]
        )
    for word in ("durability VOLATILE", "durability TRANSIENT_LOCAL"):
        assert word in values["incompatible QoS"], values


def test_a_good_description_refused_for_its_payload_is_taken_once_that_is_mended(waiting: Waiting) -> None:
    seen = waiting.describe(urdf("panda"))
    assert "closest: panda_hand" in waiting.node.wait_for("refused", harness.ANSWER, seen)
    assert waiting.set(payload__frame="panda_hand").successful
    waiting.node.wait_for("ready: panda", harness.ANSWER, seen)
    assert len(waiting.torques_of("panda")) == 7


def test_a_bad_description_leaves_the_old_robot_in_place(waiting: Waiting) -> None:
    for text, reason in (("<robot", "refused"), (urdf("ur5e"), "payload")):
        seen = waiting.describe(text)
        assert reason in waiting.node.wait_for("robot_description refused", harness.ANSWER, seen)
        assert len(waiting.torques_of("panda")) == 7, reason
    values = harness.values_of(waiting.diagnostics, waiting.client.ns, lambda v: v.get("model") == "panda")
    assert "payload" in values["robot_description refused"]


def test_another_robot_takes_over_without_a_restart(waiting: Waiting) -> None:
    seen = len(waiting.node.lines)
    # The robot that was refused last is looked at again: without the payload it fits.
    assert waiting.set(payload__mass=0.0).successful
    waiting.node.wait_for("ready: ur5e", harness.ANSWER, seen)
    assert len(waiting.torques_of("ur5e")) == 6


def test_a_stamp_of_zero_is_the_time_of_receipt(waiting: Waiting) -> None:
    names = waiting.torques_of("ur5e")
    message = harness.joint_state(names, np.zeros(6))
    year_2020 = 1_577_836_800_000_000_000
    with harness.Feed(waiting.client, lambda stamp: waiting.client.publish("joint_states", message)):
        waiting.gravity.wait(lambda answer: harness.stamp_of(answer) > year_2020)
