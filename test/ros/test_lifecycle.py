"""Nodes under a lifecycle manager, over real DDS: each state does what it says, and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness
from diagnostic_msgs.msg import DiagnosticArray
from dyn_node_msgs.srv import GetFrame
from lifecycle_msgs.msg import State, Transition
from lifecycle_msgs.srv import ChangeState, GetState
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool

import dyn_node

NAMES = [f"panda_joint{k}" for k in range(1, 8)]
DESCRIPTION = Path(dyn_node.robots.path("panda")).read_text(encoding="utf-8")


def change(client: harness.Client, node: str, transition: int) -> bool:
    request = ChangeState.Request(transition=Transition(id=transition))
    return bool(client.call(ChangeState, f"{node}/change_state", request).success)


def state_of(client: harness.Client, node: str) -> int:
    return int(client.call(GetState, f"{node}/get_state", GetState.Request()).current_state.id)


def topics_of(client: harness.Client, node: str) -> set[str]:
    """What a node publishes or listens to, as far as it is the node's own affair."""
    graph = client.node
    # It may have answered before the graph knows its name.
    harness.until(lambda: (node, client.ns) in graph.get_node_names_and_namespaces(), f"{node} has a name")
    both = (
        graph.get_publisher_names_and_types_by_node(node, client.ns),
        graph.get_subscriber_names_and_types_by_node(node, client.ns),
    )
    return {name for side in both for name, _ in side if name.startswith(client.ns)} - {
        f"{client.ns}/{node}/transition_event"
    }


def test_a_managed_dynamics_node_is_configured_activated_deactivated_and_cleaned_up() -> None:
    ns = harness.namespace()
    values = {"robot_description": DESCRIPTION, "lifecycle": True, "command_joints": NAMES}
    with harness.client(ns) as client, harness.NodeProcess("dynamics", ns, values) as node:
        node.wait_for("unconfigured: waiting for a lifecycle manager")
        gravity = client.record(JointState, "dynamics/gravity_torques")
        diagnostics = client.record(DiagnosticArray, "/diagnostics")
        assert state_of(client, "dynamics") == State.PRIMARY_STATE_UNCONFIGURED
        assert topics_of(client, "dynamics") == set()
        assert not change(client, "dynamics", Transition.TRANSITION_ACTIVATE), "it is not configured"

        def send(stamp: int) -> None:
            client.publish("joint_states", harness.joint_state(NAMES, np.zeros(7), stamp=stamp))

        def armed() -> Any:
            return client.call(SetBool, "dynamics/enable", SetBool.Request(data=True))

        with harness.Feed(client, send):
            for _ in range(2):
                assert change(client, "dynamics", Transition.TRANSITION_CONFIGURE)
                values = harness.values_of(diagnostics, ns, lambda v: v.get("missing") == "")
                assert (values["level"], "inactive" in values["message"]) == ("0", True), values
                assert "inactive" in armed().message
                count = len(gravity.messages)
                assert change(client, "dynamics", Transition.TRANSITION_ACTIVATE)
                first = gravity.wait(lambda m, n=count: len(gravity.messages) > n)
                assert len(first.effort) == 7
                harness.arm(client)
                assert change(client, "dynamics", Transition.TRANSITION_DEACTIVATE)
                assert "inactive" in armed().message
                # What was sent before may still be on its way until the first look, a second at most later.
                harness.values_of(diagnostics, ns, lambda v: "inactive" in v["message"])
                count = len(gravity.messages)
                harness.values_of(diagnostics, ns, lambda v: "inactive" in v["message"])
                assert len(gravity.messages) == count
                assert change(client, "dynamics", Transition.TRANSITION_CLEANUP)
        harness.until(lambda: not topics_of(client, "dynamics"), "it has left its topics")
        assert "effort_command is disarmed: the node was deactivated" in node.log
        assert change(client, "dynamics", Transition.TRANSITION_UNCONFIGURED_SHUTDOWN)
        assert state_of(client, "dynamics") == State.PRIMARY_STATE_FINALIZED


def test_a_managed_solver_answers_only_while_it_is_active() -> None:
    ns = harness.namespace()
    values = {"robot_description": DESCRIPTION, "lifecycle": True}
    with harness.client(ns) as client, harness.NodeProcess("solver", ns, values) as node:
        node.wait_for("unconfigured: waiting for a lifecycle manager")
        request = GetFrame.Request(frame="panda_hand")
        request.state = harness.joint_state(NAMES, np.zeros(7))
        assert change(client, "solver", Transition.TRANSITION_CONFIGURE)
        answer = client.call(GetFrame, "solver/get_frame", request)
        assert (answer.success, "inactive" in answer.message) == (False, True), answer.message
        assert change(client, "solver", Transition.TRANSITION_ACTIVATE)
        answer = client.call(GetFrame, "solver/get_frame", request)
        assert answer.success, answer.message
