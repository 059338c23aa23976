"""`dynamics_node` with feet on the ground, over real DDS: the ground's forces, and feet that come and go."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness
from diagnostic_msgs.msg import DiagnosticArray
from dyn_node_msgs.msg import NamedValues
from geometry_msgs.msg import WrenchStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

import dyn_node

FEET = ["FL_foot", "FR_foot", "RL_foot", "RR_foot"]

ROBOT: dict[str, Any] = {
    "robot_description": Path(dyn_node.robots.path("go2")).read_text(encoding="utf-8"),
    "root_joint": "free_flyer",
    "contact_frames": FEET,
    "contact_source": "topic",
    "state_timeout": 10.0,  # what was said last counts while a machine does other things
}


class Quadruped:
    """A running node whose feet are told by a topic, and the test's client."""

    def __init__(self, client: harness.Client, node: harness.NodeProcess) -> None:
        self.client, self.node, self.model = client, node, dyn_node.robots.load("go2")
        home = dyn_node.robots.describe("go2").home
        self.names = [joint.name for joint in self.model.actuated_joints]
        self.position = np.array([home[name] for name in self.names])
        self.gravity = client.record(JointState, "dynamics/gravity_torques")
        self.forces = {foot: client.record(WrenchStamped, f"dynamics/contact_forces/{foot}") for foot in FEET}
        self.diagnostics = client.record(DiagnosticArray, "/diagnostics")

    def say(self, feet: dict[str, float] | None, stamp: int) -> None:
        """Publish feet, base and joints once."""
        if feet is not None:
            names = list(feet)
            message = NamedValues(names=names, values=[feet[name] for name in names])
            self.client.publish("dynamics/contacts", message)
        odometry = Odometry(child_frame_id="base")
        odometry.header.frame_id = "world"
        odometry.header.stamp.sec, odometry.header.stamp.nanosec = divmod(stamp, 1_000_000_000)
        odometry.pose.pose.orientation.w = 1.0
        self.client.publish("odom", odometry)
        self.client.publish(
            "joint_states", harness.joint_state(self.names, self.position, np.zeros(12), stamp)
        )

    def torques(self, *feet: str) -> np.ndarray:
        """Gravity torques once exactly these feet stand."""
        expected = dyn_node.contact_gravity(self.model, self.model.create_data(), self.q, feet)
        values = {foot: 1.0 if foot in feet else 0.0 for foot in FEET}
        for _ in range(100):
            answer = self.client.exchange(lambda stamp: self.say(values, stamp), self.gravity)
            # Word of the feet and the joints come on two topics: the first answer may be older.
            if np.allclose(answer.effort, expected.tau[6:], atol=1e-8):
                return expected.wrenches
        raise AssertionError(f"standing on {feet}: {answer.effort} is not {expected.tau[6:]}")

    @property
    def q(self) -> np.ndarray:
        q = np.array(dyn_node.neutral(self.model))
        q[7:] = self.position
        return q


@pytest.fixture(scope="module")
def robot() -> Iterator[Quadruped]:
    ns = harness.namespace()
    with harness.client(ns) as client, harness.NodeProcess("dynamics", ns, ROBOT) as node:
        node.wait_for("ready: ")
        yield Quadruped(client, node)


def test_nothing_is_published_before_there_is_word_of_the_feet(robot: Quadruped) -> None:
    line = ""
    for _ in range(100):
        robot.say(None, robot.client.new_stamp())
        with robot.gravity.changed:
            robot.gravity.changed.wait(0.1)
        line = next((entry for entry in robot.node.lines if "no fresh word on contacts" in entry), "")
        if line:
            break
    assert "FL_foot, FR_foot, RL_foot, RR_foot" in line, robot.node.log
    assert robot.gravity.messages == []


def test_forces_are_along_the_worlds_axes_and_carry_the_weight(robot: Quadruped) -> None:
    wrenches = robot.torques(*FEET)
    total = 0.0
    for foot, expected in zip(FEET, wrenches, strict=True):
        values = dict.fromkeys(FEET, 1.0)
        message = robot.client.exchange(
            lambda stamp, values=values: robot.say(values, stamp), robot.forces[foot]
        )
        assert message.header.frame_id == "world"
        assert message.wrench.force.z == pytest.approx(expected[2], abs=1e-8)
        total += message.wrench.force.z
    assert total == pytest.approx(9.81 * robot.model.total_mass)


def test_feet_come_and_go_while_the_node_runs(robot: Quadruped) -> None:
    robot.torques(*FEET)
    robot.torques(*FEET[1:])
    lifted = robot.client.exchange(
        lambda stamp: robot.say({foot: float(foot != "FL_foot") for foot in FEET}, stamp),
        robot.forces["FL_foot"],
    )
    assert lifted.wrench.force.z == 0.0
    robot.torques(*FEET[:2])

    def complains(message: DiagnosticArray) -> bool:
        status = message.status[0]
        values = {pair.key: pair.value for pair in status.values}
        return (
            status.name.startswith(robot.client.ns[1:])
            and status.level == b"\x01"
            and "2 feet leave" in values.get("unsupported", "")
        )

    for _ in range(30):
        if any(map(complains, robot.diagnostics.messages)):
            break
        robot.torques(*FEET[:2])
        with robot.diagnostics.changed:
            robot.diagnostics.changed.wait(0.3)
    robot.diagnostics.wait(complains)
    robot.torques()

    def labelled(message: DiagnosticArray) -> bool:
        values = {pair.key: pair.value for pair in message.status[0].values}
        return (values.get("torques"), values.get("rank")) == ("of the free body", "0 of 6")

    for _ in range(30):
        if any(map(labelled, robot.diagnostics.messages)):
            break
        robot.torques()
        with robot.diagnostics.changed:
            robot.diagnostics.changed.wait(0.3)
    robot.diagnostics.wait(labelled)
    assert "free body" in robot.node.wait_for("those of the free body", harness.ANSWER)


def test_a_contact_with_an_unknown_name_is_refused_with_the_closest(robot: Quadruped) -> None:
    robot.torques(*FEET)
    robot.client.exchange(lambda stamp: robot.say({"FL_fot": 0.0, "FR_foot": 0.0}, stamp), robot.gravity)
    line = robot.node.wait_for("contacts ignored: ", harness.ANSWER)
    assert "closest: FL_foot" in line
    robot.torques(*FEET)


def test_a_floating_base_without_feet_gets_the_torques_of_the_free_body_and_a_warning() -> None:
    ns = harness.namespace()
    values: dict[str, Any] = {**ROBOT, "contact_frames": [""]}
    with harness.client(ns) as client, harness.NodeProcess("dynamics", ns, values) as node:
        assert "torques are those of the free body" in node.wait_for("contact_frames is not set")
        robot = Quadruped(client, node)
        wrenches = client.record(WrenchStamped, "dynamics/base_wrench")
        wrench = client.exchange(lambda stamp: robot.say(None, stamp), wrenches).wrench
        assert wrench.force.z == pytest.approx(9.81 * robot.model.total_mass)
        free = dyn_node.generalized_gravity(robot.model, robot.model.create_data(), robot.q)
        torques = client.exchange(lambda stamp: robot.say(None, stamp), robot.gravity)
        assert torques.effort == pytest.approx(free[6:])


def test_with_friction_no_foot_pulls() -> None:
    pytest.importorskip("qpsolvers", reason="friction needs qpsolvers")
    pytest.importorskip("proxsuite", reason="friction needs proxsuite")
    ns = harness.namespace()
    with (
        harness.client(ns) as client,
        harness.NodeProcess("dynamics", ns, {**ROBOT, "contact_friction": [0.6]}) as node,
    ):
        node.wait_for("ready: ")
        robot = Quadruped(client, node)
        robot.torques(*FEET)
        # On these three without friction RR has to pull, for the centre of mass is ahead of FR and RL.
        three = {foot: float(foot != "FL_foot") for foot in FEET}
        for _ in range(50):
            force = client.exchange(lambda stamp: robot.say(three, stamp), robot.forces["FL_foot"])
            if force.wrench.force.z == 0.0:
                break
        for foot in FEET[1:]:
            force = client.exchange(lambda stamp: robot.say(three, stamp), robot.forces[foot]).wrench.force
            assert force.z > -1e-6, f"{foot} pulls"
            assert max(abs(force.x), abs(force.y)) <= 0.6 * force.z + 1e-6, foot
        node.wait_for("3 feet leave", harness.ANSWER)


def test_friction_without_its_solver_ends_the_node_at_its_start(tmp_path: Path) -> None:
    (tmp_path / "qpsolvers.py").write_text("raise ImportError('hidden by a test')", encoding="utf-8")
    values = {**ROBOT, "contact_friction": [0.6]}
    with pytest.MonkeyPatch.context() as patch:
        path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
        patch.setenv("PYTHONPATH", path)
        node = harness.NodeProcess("dynamics", harness.namespace(), values)
    try:
        assert "pip install qpsolvers proxsuite" in node.wait_for(
            "contacts with friction need", harness.READY
        )
        assert node.process.wait(harness.END) == 1
    finally:
        node.end()
