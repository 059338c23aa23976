"""Two arms in two namespaces, over real DDS: neither hears, moves nor arms the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

import dyn_node

ROBOTS = ("panda", "ur5e")


def test_two_arms_do_not_hear_each_other() -> None:
    spaces = {robot: harness.namespace() for robot in ROBOTS}
    models = {robot: dyn_node.robots.load(robot) for robot in ROBOTS}
    names = {robot: [joint.name for joint in models[robot].actuated_joints] for robot in ROBOTS}

    def start(robot: str) -> harness.NodeProcess:
        text = Path(dyn_node.robots.path(robot)).read_text(encoding="utf-8")
        values: dict[str, Any] = {
            "robot_description": text,
            "command_joints": names[robot],
            "start_ramp": 0.0,
        }
        return harness.NodeProcess("dynamics", spaces[robot], values)

    with (
        harness.client(spaces["panda"]) as left,
        harness.client(spaces["ur5e"]) as right,
        start("panda") as first,
        start("ur5e") as second,
    ):
        first.wait_for("ready: panda, 7 joints")
        second.wait_for("ready: ur5e, 6 joints")
        clients = dict(zip(ROBOTS, (left, right), strict=True))
        torques = {r: clients[r].record(JointState, "dynamics/gravity_torques") for r in ROBOTS}
        commands = {r: clients[r].record(Float64MultiArray, "dynamics/effort_command") for r in ROBOTS}

        def send(robot: str, stamp: int) -> None:
            count = len(names[robot])
            clients[robot].publish(
                "joint_states", harness.joint_state(names[robot], np.full(count, 0.3), stamp=stamp)
            )

        for robot, other in (ROBOTS, ROBOTS[::-1]):
            before = len(torques[other].messages)
            answer = clients[robot].exchange(lambda stamp, r=robot: send(r, stamp), torques[robot])
            expected = dyn_node.generalized_gravity(
                models[robot], models[robot].create_data(), np.full(len(names[robot]), 0.3)
            )
            assert list(answer.name) == names[robot]
            assert np.array(answer.effort) == pytest.approx(expected, abs=1e-9)
            assert len(torques[other].messages) == before, f"{other} answered what {robot} was told"
        with (
            harness.Feed(left, lambda stamp: send("panda", stamp)),
            harness.Feed(right, lambda stamp: send("ur5e", stamp)),
        ):
            left.exchange(lambda stamp: send("panda", stamp), torques["panda"])
            harness.arm(left)
            commands["panda"].wait(lambda m: len(commands["panda"].messages) >= 20)
        assert all(len(message.data) == 7 for message in commands["panda"].messages)
        assert commands["ur5e"].messages == [], "armed by the other arm's request"
