"""The safety of ~/effort_command over real DDS: armed by request only, and stopped by what makes it wrong."""

from __future__ import annotations

import itertools
import time
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
from std_msgs.msg import Float64MultiArray, String
from std_srvs.srv import SetBool
from tolerances import IDENTITY

import dyn_node

NAMES = [f"panda_joint{k}" for k in range(1, 8)]
POSE = np.array([0.0, -0.7, 0.0, -2.3, 0.0, 1.6, 0.7])
#: Seconds.
RAMP, TIMEOUT = 0.6, 1.0


class Arm(NamedTuple):
    """A running node that hears a robot standing still, and what it commands."""

    node: harness.NodeProcess
    client: harness.Client
    feed: harness.Feed
    commands: harness.Recorder
    gravity: harness.Recorder
    diagnostics: harness.Recorder
    whole: np.ndarray

    def enable(self, on: bool) -> SetBool.Response:
        return self.client.call(SetBool, "dynamics/enable", SetBool.Request(data=on))

    def armed(self) -> int:
        """Arm, wait for the whole command; how many commands came before this."""
        self.feed.resume()
        before = len(self.commands.messages)
        harness.arm(self.client)
        self.commands.wait(lambda m: self.is_whole(m, before))
        return before

    def is_whole(self, message: Any, after: int = 0) -> bool:
        """Whether a command, not one of the first `after`, is the gravity torques."""
        late = not any(message is old for old in self.commands.messages[:after])
        return late and np.allclose(message.data, self.whole, rtol=0, atol=IDENTITY)

    def silent(self) -> None:
        """Assert that states are answered by gravity torques, but not by commands any more."""
        self.feed.resume()
        begin = len(self.gravity.messages)
        self.gravity.wait(lambda m: len(self.gravity.messages) >= begin + 10)
        commands, answers = len(self.commands.messages), len(self.gravity.messages)
        self.gravity.wait(lambda m: len(self.gravity.messages) >= answers + 30)
        assert len(self.commands.messages) == commands, self.node.log


@pytest.fixture(scope="module")
def arm() -> Iterator[Arm]:
    ns = harness.namespace()
    model = dyn_node.robots.load("panda")
    values = {"command_joints": NAMES, "start_ramp": RAMP, "state_timeout": TIMEOUT}
    with harness.client(ns) as client, harness.NodeProcess("dynamics", ns, values) as node:

        def send(stamp: int) -> None:
            client.publish("joint_states", harness.joint_state(NAMES, POSE, np.zeros(7), stamp))

        commands = client.record(Float64MultiArray, "dynamics/effort_command")
        gravity = client.record(JointState, "dynamics/gravity_torques")
        diagnostics = client.record(DiagnosticArray, "/diagnostics")
        whole = dyn_node.generalized_gravity(model, model.create_data(), POSE)
        with harness.Feed(client, send) as feed:
            feed.pause()
            yield Arm(node, client, feed, commands, gravity, diagnostics, whole)


def describe(arm: Arm, robot: str = "panda") -> None:
    text = Path(dyn_node.robots.path(robot)).read_text(encoding="utf-8")
    seen = len(arm.node.lines)
    arm.client.publish("robot_description", String(data=text), latched=True)
    arm.node.wait_for(f"ready: {robot}", after=seen)


def test_refusals_say_what_is_missing_and_nothing_is_commanded_before_arming(arm: Arm) -> None:
    arm.node.wait_for("no robot yet")
    answer = arm.enable(True)
    assert (answer.success, "no robot model" in answer.message) == (False, True), answer.message
    describe(arm)
    answer = arm.enable(True)
    assert (answer.success, "panda_joint1" in answer.message) == (False, True), answer.message
    arm.silent()
    assert arm.commands.messages == []


def test_the_armed_command_grows_from_zero_to_the_gravity_torques(arm: Arm) -> None:
    before = arm.armed()
    sizes = [np.array(message.data) @ arm.whole for message in arm.commands.messages[before:]]
    sizes = sizes[: 1 + next(k for k, size in enumerate(sizes) if size > 0.999 * arm.whole @ arm.whole)]
    assert sizes[0] < 0.2 * sizes[-1], "it did not start small"
    assert all(b >= a for a, b in itertools.pairwise(sizes))
    harness.values_of(
        arm.diagnostics, arm.client.ns, lambda v: v.get("effort_command") == "armed, ramp 100 %"
    )


def change(arm: Arm, **values: Any) -> None:
    parameters = [Parameter(name, value=value).to_parameter_msg() for name, value in values.items()]
    request = SetParameters.Request(parameters=parameters)
    results = arm.client.call(SetParameters, "dynamics/set_parameters", request).results
    assert all(result.successful for result in results), results


def test_a_bounded_rate_is_kept_and_reported(arm: Arm) -> None:
    assert arm.enable(False).success
    change(arm, start_ramp=0.0, max_effort_rate=[25.0])
    try:
        began = time.monotonic()
        arm.armed()
        assert time.monotonic() - began > 0.9 * np.abs(arm.whole).max() / 25.0
        harness.values_of(
            arm.diagnostics, arm.client.ns, lambda v: int(v.get("times limited in rate", 0)) > 5
        )
    finally:
        change(arm, start_ramp=RAMP, max_effort_rate=[1e6])


def test_a_live_change_is_a_ramp_too(arm: Arm) -> None:
    arm.armed()
    before = len(arm.commands.messages)
    change(arm, gravity_scale=0.5)
    arm.commands.wait(lambda m: np.allclose(m.data, 0.5 * arm.whole, rtol=0, atol=IDENTITY))
    shares = [m.data[1] / arm.whole[1] for m in arm.commands.messages[before:]]
    assert any(0.55 < share < 0.95 for share in shares), "it stepped"
    assert all(b <= a + IDENTITY for a, b in itertools.pairwise(shares)), "it stays armed and only sinks"
    change(arm, gravity_scale=1.0)


def test_a_request_ends_it(arm: Arm) -> None:
    arm.armed()
    assert arm.enable(False).success
    arm.silent()


def test_a_stale_state_ends_it_until_it_is_armed_again(arm: Arm) -> None:
    arm.armed()
    arm.feed.pause()
    harness.values_of(
        arm.diagnostics, arm.client.ns, lambda v: "stale" in v.get("effort_command stopped", "")
    )
    arm.silent()
    values = harness.values_of(
        arm.diagnostics, arm.client.ns, lambda v: v["level"] == "1" and v["effort_command stopped"]
    )
    assert "panda_joint1" in values["effort_command stopped"], values
    before = arm.armed()
    assert np.abs(arm.commands.messages[before].data).max() < 0.2 * np.abs(arm.whole).max()


def test_a_new_description_ends_it(arm: Arm) -> None:
    arm.armed()
    describe(arm)
    harness.values_of(arm.diagnostics, arm.client.ns, lambda v: "description" in v["effort_command stopped"])
    arm.silent()
    arm.armed()


def test_a_robot_without_these_joints_ends_it_and_cannot_be_armed(arm: Arm) -> None:
    arm.armed()
    describe(arm, "ur5e")
    answer = arm.enable(True)
    assert (answer.success, "panda_joint1" in answer.message) == (False, True), answer.message
    describe(arm)
    arm.silent()
    arm.armed()


def test_without_command_joints_there_is_nothing_to_arm() -> None:
    ns = harness.namespace()
    values = {"robot_description": Path(dyn_node.robots.path("panda")).read_text(encoding="utf-8")}
    with harness.client(ns) as client, harness.NodeProcess("dynamics", ns, values) as node:
        node.wait_for("ready: ")
        answer = client.call(SetBool, "dynamics/enable", SetBool.Request(data=True))
        assert not answer.success
        assert "command_joints" in answer.message
