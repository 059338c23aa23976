"""The simulated quadruped on its feet, under the torques that `dynamics_node` publishes, over real DDS."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness
from dyn_node_msgs.msg import NamedValues
from geometry_msgs.msg import WrenchStamped
from nav_msgs.msg import Odometry
from std_msgs.msg import String
from std_srvs.srv import SetBool

import dyn_node

FEET = ["FL_foot", "FR_foot", "RL_foot", "RR_foot"]
#: The base may move this far while the robot stands (m), for so long (s).
DRIFT, DURATION = 5e-3, 10.0
#: How far it must sink once the torques are cut (m).
SUNK = 0.05
#: How far the trunk leans towards the foot across, as a part of the way there, so that a foot carries little.
LEAN = 0.2


class Standing(NamedTuple):
    client: harness.Client
    simulated: harness.NodeProcess
    odom: harness.Recorder
    force: harness.Recorder
    felt: harness.Recorder

    def base(self) -> np.ndarray:
        """Where the base is now."""
        position = self.odom.messages[-1].pose.pose.position
        return np.array([position.x, position.y, position.z])

    def stands_still(self, duration: float) -> None:
        """For so many seconds the base stays where it is."""
        start, began = self.base(), time.monotonic()
        self.wait(duration)
        places = [message.pose.pose.position for message in self.odom.messages]
        drift = max(float(np.linalg.norm([p.x - start[0], p.y - start[1], p.z - start[2]])) for p in places)
        seen = f"{1e3 * drift:.2g} mm in {time.monotonic() - began:.0f} s"
        assert drift < DRIFT, f"{seen}\n{self.simulated.log}"

    def wait(self, seconds: float) -> None:
        """Until odometry says that so much time has gone by."""
        start = self.odom.stamps()[-1]
        self.odom.wait(lambda m: harness.stamp_of(m) - start > 1e9 * seconds, 10.0 * seconds + harness.ANSWER)


def leaning() -> list[float]:
    """Joint positions with the trunk a fifth of the way from the left fore foot to the right hind one."""
    model = dyn_node.robots.load("go2")
    data, home = model.create_data(), dyn_node.neutral(model)
    for name, position in dyn_node.robots.describe("go2").home.items():
        home[model.joints[model.joint_id(name)].idx_q] = position
    dyn_node.forward_kinematics(model, data, home)
    places = {foot: dyn_node.frame_placement(model, data, foot).translation for foot in FEET}
    shift = LEAN * (places["RR_foot"] - places["FL_foot"])
    q = home.copy()
    for foot, place in places.items():
        target = dyn_node.SE3(np.eye(3), place - shift)
        weights = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
        found = dyn_node.solve_ik(model, foot, target, home, weights=weights, timeout=1.0)
        assert found.success, found.message
        moved = np.flatnonzero(found.q != home)
        q[moved] = found.q[moved]
    return q[7:].tolist()


@pytest.fixture
def robot(request: pytest.FixtureRequest) -> Iterator[Standing]:
    ns = harness.namespace()
    names = [joint.name for joint in dyn_node.robots.load("go2").actuated_joints]
    simulation: dict[str, Any] = {"robot": "go2", "feet": FEET, "rate": 500.0, "effort_timeout": 5.0}
    if getattr(request, "param", "") == "leaning":
        # Its feet come down a micrometre apart: without joint servos that grows to a fall within the test.
        servo = {"hold_posture": True, "servo_frequency": 25.0}
        simulation |= {"initial_positions": leaning(), **servo}
    dynamics: dict[str, Any] = {
        "robot_description": Path(dyn_node.robots.path("go2")).read_text(encoding="utf-8"),
        "root_joint": "free_flyer",
        "contact_frames": FEET,
        "contact_source": "topic",
        "contact_threshold": 15.0,
        "command_joints": names,
        "arm_automatically": True,
        "start_ramp": 0.0,
    }
    command, feet = ["~/effort_command:=effort_command"], ["contacts:=dynamics/contacts"]
    with (
        harness.client(ns) as client,
        harness.NodeProcess("demo_robot", ns, simulation, remaps=feet) as simulated,
        harness.NodeProcess("dynamics", ns, dynamics, remaps=command) as node,
    ):
        odom = client.record(Odometry, "odom")
        force = client.record(WrenchStamped, "dynamics/contact_forces/FL_foot")
        node.wait_for("ready: ")
        simulated.wait_for("the robot is driven")
        odom.wait(lambda message: True)
        yield Standing(client, simulated, odom, force, client.record(NamedValues, "dynamics/contacts"))


def test_it_stands_for_ten_seconds_and_sinks_when_the_torques_are_cut(robot: Standing) -> None:
    start = robot.base()
    robot.stands_still(DURATION)
    weight = 9.81 * dyn_node.robots.load("go2").total_mass
    force = robot.force.wait(lambda message: True).wrench.force.z
    felt = robot.felt.wait(lambda message: True)
    assert list(felt.names) == FEET
    assert sum(felt.values) == pytest.approx(weight, rel=1e-3)
    assert force == pytest.approx(felt.values[0], abs=1.0)
    modes = robot.client.record(String, "demo_robot/mode")
    assert robot.client.call(SetBool, "demo_robot/motors", SetBool.Request(data=False)).success
    robot.odom.wait(lambda message: message.pose.pose.position.z < start[2] - SUNK)
    modes.wait(lambda message: message.data == "limp")


@pytest.mark.parametrize("robot", ["leaning"], indirect=True)
def test_it_stands_on_three_feet_once_one_carries_too_little(robot: Standing) -> None:
    """The fourth foot touches the ground, but below the threshold: the torques of three leave it nothing."""
    robot.stands_still(0.3 * DURATION)
    assert robot.force.wait(lambda message: True).wrench.force.z == 0.0
    felt = robot.felt.wait(lambda message: message.values[0] < 1e-3)
    weight = 9.81 * dyn_node.robots.load("go2").total_mass
    assert sum(felt.values[1:]) == pytest.approx(weight, rel=1e-3)
    assert min(felt.values[1:]) > 0.2 * weight
