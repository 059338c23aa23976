"""Under simulated time: freshness follows /clock, and a clock that is missing or jumps back is noticed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness
from diagnostic_msgs.msg import DiagnosticArray
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

import dyn_node

NAMES = [f"panda_joint{k}" for k in range(1, 8)]


def at(seconds: int) -> Clock:
    message = Clock()
    message.clock.sec = seconds
    return message


def test_state_goes_stale_with_the_clock_and_a_jump_back_forgets_it() -> None:
    ns = harness.namespace()
    urdf = Path(dyn_node.robots.path("panda")).read_text(encoding="utf-8")
    values = {"robot_description": urdf, "use_sim_time": True}
    with harness.client(ns) as client, harness.NodeProcess("dynamics", ns, values) as node:
        gravity = client.record(JointState, "dynamics/gravity_torques")
        diagnostics = client.record(DiagnosticArray, "/diagnostics")

        def joints(names: list[str], stamp: int) -> None:
            client.publish("joint_states", harness.joint_state(names, np.zeros(len(names)), stamp=stamp))

        def clock_reaches(seconds: int) -> None:
            """Publish the clock until the node's own diagnostics are stamped with it."""

            def arrived(message: Any) -> bool:
                return message.header.stamp.sec == seconds and message.status[0].name.startswith(ns[1:])

            for _ in range(30):
                client.publish("/clock", at(seconds))
                with diagnostics.changed:
                    diagnostics.changed.wait(1.0)
                if any(map(arrived, diagnostics.messages)):
                    return
            raise AssertionError(f"the node's clock did not reach {seconds} s")

        node.wait_for("nothing arrives on /clock")
        clock_reaches(10)
        client.exchange(lambda stamp: joints(NAMES, stamp), gravity)
        clock_reaches(20)
        old = client.new_stamp()
        joints(NAMES[:1], old)  # the other six are ten seconds old
        client.exchange(lambda stamp: joints(NAMES, stamp), gravity)
        assert old not in gravity.stamps()
        clock_reaches(5)
        partial = client.new_stamp()
        joints(NAMES[:1], partial)  # the other six belong to the time before the jump
        node.wait_for("the clock jumped back", harness.ANSWER)
        client.exchange(lambda stamp: joints(NAMES, stamp), gravity)
        assert partial not in gravity.stamps()
