"""The parameter files in config/, given to real nodes in a namespace, as the launch files do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness
from dyn_node_msgs.msg import NamedValues
from dyn_node_msgs.srv import GetFrame
from geometry_msgs.msg import TwistStamped
from nav_msgs.msg import Odometry
from numpy.testing import assert_allclose
from std_msgs.msg import Float64MultiArray
from tolerances import REL

import dyn_node
from dyn_node import robots

CONFIG = Path(__file__).parents[2] / "config"
WORLD = {"panda": "panda_link0", "ur5e": "base_link", "go2": "odom"}


def start(module: str, ns: str, robot: str, **parameters: Any) -> harness.NodeProcess:
    """A node that has the robot's description, its file and what a user adds."""
    given = {"robot_description": robots.path(robot).read_text(encoding="utf-8"), **parameters}
    return harness.NodeProcess(module, ns, given, files=[CONFIG / f"{robot}.yaml"])


def send_home(client: harness.Client, robot: str, stamp: int) -> None:
    """The robot at rest at home, its base level, on whatever feet it has."""
    home, feet = robots.describe(robot).home, robots.describe(robot).feet
    if feet:
        client.publish("dynamics/contacts", NamedValues(names=feet, values=[40.0] * len(feet)))
    if robots.describe(robot).root != "fixed":
        odometry: Any = Odometry(child_frame_id="base")
        odometry.header.frame_id = WORLD[robot]
        odometry.pose.pose.orientation.w = 1.0
        odometry.header.stamp.sec, odometry.header.stamp.nanosec = divmod(stamp, 1_000_000_000)
        client.publish("odom", odometry)
    client.publish(
        "joint_states", harness.joint_state(list(home), list(home.values()), [0.0] * len(home), stamp)
    )


@pytest.mark.parametrize("robot", robots.names())
def test_streaming_node_commands_the_joints_that_it_is_given(robot: str) -> None:
    ns, described = harness.namespace(), robots.describe(robot)
    model = robots.load(robot)
    q = dyn_node.neutral(model)
    for joint in model.actuated_joints:
        q[joint.idx_q] = described.home[joint.name]
    commanded = [joint.name for joint in model.actuated_joints]
    armed = {"arm_automatically": True, "start_ramp": 0.0}
    with (
        start("dynamics", ns, robot, command_joints=commanded, **armed) as node,
        harness.client(ns) as client,
    ):
        node.wait_for("ready: ")
        command = client.record(Float64MultiArray, "dynamics/effort_command")
        twists = client.record(TwistStamped, f"dynamics/twist/{described.tool}")
        twist = client.exchange(lambda stamp: send_home(client, robot, stamp), twists)
        assert twist.header.frame_id == WORLD[robot], robot
        held = dyn_node.contact_gravity(model, model.create_data(), q, described.feet)
        assert held.unsupported < REL * 9.81 * model.total_mass, robot
        gravity = held.tau[-len(commanded) :]
        assert_allclose(command.wait(lambda _: True).data, gravity, rtol=REL, atol=REL, err_msg=robot)


@pytest.mark.parametrize("robot", robots.names())
def test_solver_takes_the_file(robot: str) -> None:
    ns = harness.namespace()
    with start("solver", ns, robot) as node, harness.client(ns) as client:
        node.wait_for("ready: ")
        request = GetFrame.Request(frame=robots.describe(robot).tool)
        answer = client.call(GetFrame, "solver/get_frame", request)
        # It has heard nothing yet: what it misses tells how the file holds the root.
        assert not answer.success, robot
        assert ("no state of the base" in answer.message) == (robot == "go2"), answer.message
