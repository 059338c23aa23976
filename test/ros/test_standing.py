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


class Standing(NamedTuple):
    client: harness.Client
    simulated: harness.NodeProcess
    odom: harness.Recorder
    force: harness.Recorder

    def base(self) -> np.ndarray:
        """Where the base is now."""
        position = self.odom.messages[-1].pose.pose.position
        return np.array([position.x, position.y, position.z])

    def wait(self, seconds: float) -> None:
        """Until odometry says that so much time has gone by."""
        start = self.odom.stamps()[-1]
        self.odom.wait(lambda m: harness.stamp_of(m) - start > 1e9 * seconds, 10.0 * seconds + harness.ANSWER)


@pytest.fixture
def robot() -> Iterator[Standing]:
    ns = harness.namespace()
    names = [joint.name for joint in dyn_node.robots.load("go2").actuated_joints]
    simulation: dict[str, Any] = {"robot": "go2", "feet": FEET, "rate": 500.0, "effort_timeout": 5.0}
    dynamics: dict[str, Any] = {
        "robot_description": Path(dyn_node.robots.path("go2")).read_text(encoding="utf-8"),
        "root_joint": "free_flyer",
        "contact_frames": FEET,
        "command_joints": names,
        "arm_automatically": True,
        "start_ramp": 0.0,
    }
    command = ["~/effort_command:=effort_command"]
    with (
        harness.client(ns) as client,
        harness.NodeProcess("demo_robot", ns, simulation) as simulated,
        harness.NodeProcess("dynamics", ns, dynamics, remaps=command) as node,
    ):
        odom = client.record(Odometry, "odom")
        force = client.record(WrenchStamped, "dynamics/contact_forces/FL_foot")
        node.wait_for("ready: ")
        simulated.wait_for("the robot is driven")
        odom.wait(lambda message: True)
        yield Standing(client, simulated, odom, force)


def test_it_stands_for_ten_seconds_and_sinks_when_the_torques_are_cut(robot: Standing) -> None:
    start, began = robot.base(), time.monotonic()
    robot.wait(DURATION)
    positions = np.array([[p.x, p.y, p.z] for p in (m.pose.pose.position for m in robot.odom.messages)])
    drift = np.linalg.norm(positions - start, axis=1).max()
    assert drift < DRIFT, f"{1e3 * drift:.2g} mm in {time.monotonic() - began:.0f} s\n{robot.simulated.log}"
    weight = 9.81 * dyn_node.robots.load("go2").total_mass
    force = robot.force.wait(lambda message: True).wrench.force.z
    assert 0.1 * weight < force < 0.5 * weight
    modes = robot.client.record(String, "demo_robot/mode")
    assert robot.client.call(SetBool, "demo_robot/motors", SetBool.Request(data=False)).success
    robot.odom.wait(lambda message: message.pose.pose.position.z < start[2] - SUNK)
    modes.wait(lambda message: message.data == "limp")
