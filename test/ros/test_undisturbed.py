"""The stream of torques goes on while the solver is busy: two processes, over real DDS."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness
from dyn_node_msgs.msg import ResultCode
from dyn_node_msgs.srv import SolveIK
from sensor_msgs.msg import JointState

import dyn_node

NAMES = [f"panda_joint{k}" for k in range(1, 8)]
#: Requests out of reach, each of which searches for the whole second that it may take.
REQUESTS = 3
#: States answered during each of them: thousands are possible, one would be if the stream had to wait.
ANSWERED = 25


def out_of_reach() -> SolveIK.Request:
    request = SolveIK.Request(frame="panda_hand")
    request.target.pose.position.x = 5.0
    request.target.pose.orientation.w = 1.0
    request.seed = harness.joint_state(NAMES, np.zeros(7))
    request.timeout.sec = 1
    return request


def test_every_state_is_answered_while_the_solver_searches() -> None:
    ns = harness.namespace()
    values: dict[str, Any] = {
        "robot_description": Path(dyn_node.robots.path("panda")).read_text(encoding="utf-8"),
        # Best effort may lose a message, which is not what this test is about.
        f"qos_overrides.{ns}/joint_states.subscription.reliability": "reliable",
    }
    with (
        harness.client(ns) as client,
        harness.NodeProcess("dynamics", ns, values) as dynamics,
        # Simulated time that stands still: the solver's patience is measured by a steady clock all the same.
        harness.NodeProcess("solver", ns, {**values, "use_sim_time": True}) as solver,
    ):
        gravity = client.record(JointState, "dynamics/gravity_torques")
        dynamics.wait_for("ready: ")
        solver.wait_for("ready: ")
        service = client.node.create_client(SolveIK, "solver/solve_ik")
        assert service.wait_for_service(harness.ANSWER)

        def send() -> int:
            stamp = client.new_stamp()
            client.publish("joint_states", harness.joint_state(NAMES, np.zeros(7), stamp=stamp))
            return stamp

        def answered(stamp: int) -> bool:
            return bool(gravity.messages) and harness.stamp_of(gravity.messages[-1]) == stamp

        def wait_for(stamp: int) -> None:
            with gravity.changed:
                assert gravity.changed.wait_for(lambda: answered(stamp), harness.ANSWER), f"{stamp} was lost"

        client.exchange(
            lambda stamp: client.publish(
                "joint_states", harness.joint_state(NAMES, np.zeros(7), stamp=stamp)
            ),
            gravity,
        )
        wait_for(send())  # and with it whatever else was still under way
        before, sent = len(gravity.messages), list[int]()
        for number in range(REQUESTS):
            asked, future = len(sent), service.call_async(out_of_reach())
            while not future.done():
                sent.append(send())
                wait_for(sent[-1])
            answer = future.result()
            assert (answer.success, answer.code) == (False, ResultCode.TIMED_OUT), answer.message
            assert answer.position_error > 3.0
            assert answer.elapsed.sec >= 1, "it gave up before its time"
            meanwhile = len(sent) - asked
            assert meanwhile >= ANSWERED, f"request {number}: {meanwhile} answers meanwhile"
        assert gravity.stamps()[before:] == sent, "a state was answered twice, out of order or never"
