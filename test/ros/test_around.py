"""What surrounds the outputs, over real DDS: parameters that describe themselves, diagnostics, quiet logs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness
from diagnostic_msgs.msg import DiagnosticArray
from dyn_node_msgs.srv import GetFrame
from rcl_interfaces.srv import DescribeParameters, GetParameters, SetParameters
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState

import dyn_node
from dyn_node.nodes.dynamics_settings import DynamicsSettings
from dyn_node.nodes.settings import specs
from dyn_node.nodes.solver_settings import SolverSettings

NAMES = [f"panda_joint{k}" for k in range(1, 8)]
#: Requests in a row, of which at most one line may tell within five seconds.
MANY = 30
STATE = {
    "model",
    "missing",
    "stale",
    "oldest s",
    "joint_states used",
    "joint_states rate Hz",
    "last refusals",
}
CONCERNS = {"outside limits", "jumped", "mimic disagreement", "contradicting publishers", "incompatible QoS"}
TIMES = {"callback median ms", "callback maximum ms"}
COMMAND = {"effort_command", "saturated", "times saturated", "effort_command stopped"}


class Nodes(NamedTuple):
    client: harness.Client
    dynamics: harness.NodeProcess
    solver: harness.NodeProcess
    diagnostics: harness.Recorder

    def of(self, node: str, wanted: Any) -> dict[str, str]:
        """The next diagnostics of one of the nodes that are as wanted."""
        return harness.values_of(self.diagnostics, self.client.ns, wanted, node)

    def send(self, stamp: int) -> None:
        """A state whose efforts are no numbers, which nobody needs."""
        message = harness.joint_state(NAMES, np.zeros(7), np.zeros(7), stamp)
        message.effort = [math.nan] * 7
        self.client.publish("joint_states", message)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    ns = harness.namespace()
    values = {"robot_description": Path(dyn_node.robots.path("panda")).read_text(encoding="utf-8")}
    with (
        harness.client(ns) as client,
        harness.NodeProcess("dynamics", ns, {**values, "command_joints": NAMES}) as dynamics,
        harness.NodeProcess("solver", ns, values) as solver,
    ):
        diagnostics = client.record(DiagnosticArray, "/diagnostics")
        dynamics.wait_for("ready: ")
        solver.wait_for("ready: ")
        yield Nodes(client, dynamics, solver, diagnostics)


def test_without_subscribers_nothing_is_computed_and_with_one_it_is_timed(nodes: Nodes) -> None:
    with harness.Feed(nodes.client, nodes.send):
        values = nodes.of("dynamics", lambda v: v["missing"] == "" and v["stale"] == "")
        assert not TIMES & set(values), "it computed for nobody"
        gravity = nodes.client.record(JointState, "dynamics/gravity_torques")
        values = nodes.of("dynamics", lambda v: set(v) >= TIMES)
        assert gravity.wait(lambda m: True).effort
    assert set(values) >= STATE | CONCERNS | COMMAND, (STATE | CONCERNS | COMMAND) - set(values)
    assert 0.0 < float(values["callback median ms"]) <= float(values["callback maximum ms"])


@pytest.mark.parametrize(("node", "kind"), [("dynamics", DynamicsSettings), ("solver", SolverSettings)])
def test_every_parameter_describes_itself(nodes: Nodes, node: str, kind: type) -> None:
    wanted = specs(kind)
    request = DescribeParameters.Request(names=[spec.name for spec in wanted])
    answer = nodes.client.call(DescribeParameters, f"{node}/describe_parameters", request)
    for spec, found in zip(wanted, answer.descriptors, strict=True):
        assert (found.name, found.description) == (spec.name, spec.description)
        assert found.read_only == (not spec.live), spec.name
        assert found.additional_constraints == spec.allowed, spec.name
        bounds = [
            (each.from_value, each.to_value) for each in (*found.floating_point_range, *found.integer_range)
        ]
        single = spec.kind in ("double", "integer") and math.isfinite(spec.maximum)
        assert bounds == ([(spec.minimum, spec.maximum)] if single else []), spec.name


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("gravity", 9, ("Wrong parameter type", "DOUBLE_ARRAY")),
        ("gravity_scale", "half", ("Wrong parameter type", "DOUBLE")),
        ("state_timeout", 1e9, ("state_timeout", "range")),
        ("gravity", [0.0, 0.0, 1e3], ("gravity", "from -100 to 100")),
        ("max_effort", [math.nan], ("max_effort", "finite")),
        ("max_effort", [1.0, 2.0], ("max_effort", "2 entries", "7 command_joints")),
        ("payload.frame", "panda_hnd", ()),  # nothing is wrong with it while there is no mass
        ("payload.mass", 1.0, ("payload", "closest: panda_hand")),
        ("rate", 10.0, ("read-only", "rate")),
    ],
)
def test_a_wrong_value_is_refused_with_a_sentence(
    nodes: Nodes, name: str, value: Any, words: tuple[str, ...]
) -> None:
    before = value_of(nodes, name)
    request = SetParameters.Request(parameters=[Parameter(name, value=value).to_parameter_msg()])
    result = nodes.client.call(SetParameters, "dynamics/set_parameters", request).results[0]
    assert result.successful == (not words), result.reason
    for word in words:
        assert word in result.reason, result.reason
    if words:
        assert value_of(nodes, name) == before


def value_of(nodes: Nodes, name: str) -> Any:
    request = GetParameters.Request(names=[name])
    return nodes.client.call(GetParameters, "dynamics/get_parameters", request).values


def test_a_change_is_logged_with_both_values(nodes: Nodes) -> None:
    seen = len(nodes.dynamics.lines)
    parameter = Parameter("gravity_scale", value=0.25).to_parameter_msg()
    request = SetParameters.Request(parameters=[parameter])
    assert nodes.client.call(SetParameters, "dynamics/set_parameters", request).results[0].successful
    nodes.dynamics.wait_for("parameter gravity_scale: 1.0 -> 0.25", harness.ANSWER, seen)


def test_requests_are_logged_only_where_they_fail_and_then_once_in_a_while(nodes: Nodes) -> None:
    ask = nodes.client.keep_service(GetFrame, "solver/get_frame")
    state = harness.joint_state(NAMES, np.zeros(7))
    nodes.of("solver", lambda v: v["answers"] == "0" and v["last failures"] == "")
    seen = len(nodes.solver.lines)
    for _ in range(MANY):
        assert ask(GetFrame.Request(frame="panda_hand", state=state)).success
    for _ in range(MANY):
        assert not ask(GetFrame.Request(frame="hand", state=state)).success
    values = nodes.of("solver", lambda v: v["answers"] == str(2 * MANY))
    assert set(values) >= STATE | CONCERNS | TIMES
    assert (values["get_frame failed"], "closest: panda_hand" in values["last failures"]) == (str(MANY), True)
    said = [line for line in nodes.solver.lines[seen:] if "get_frame" in line]
    assert 1 <= len(said) <= 3, said
    assert all("WARN" in line and "closest: panda_hand" in line for line in said)
