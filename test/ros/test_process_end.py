"""How the node processes end: exit code 0 on signals, whenever they come, and a sentence for a bad start."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness

import dyn_node


@pytest.mark.parametrize("module", ["dynamics", "solver"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_running_node_with_exit_code_0(module: str, number: int) -> None:
    description = Path(dyn_node.robots.path("panda")).read_text(encoding="utf-8")
    node = harness.NodeProcess(module, harness.namespace(), {"robot_description": description})
    node.wait_for("ready: ")
    code = node.end(number)
    assert code == 0, node.log
    assert not node.strays()
    assert "Traceback" not in node.log


def test_a_signal_ends_a_node_that_waits_for_its_robot() -> None:
    node = harness.NodeProcess("dynamics", harness.namespace())
    node.wait_for("no robot yet: waiting for")
    assert node.end() == 0, node.log
    assert "Traceback" not in node.log


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"rate": 100}, ("rate", "decimal point")),
        ({"rate": -1.0}, ("rate", "from 0 to 10000")),
        ({"outputs": ["gravity_torque"]}, ("outputs", "did you mean gravity_torques?")),
        ({"gravity": [0.0, 0.0]}, ("gravity", "3 entries")),
    ],
)
def test_refused_parameters_end_the_process_with_a_sentence(
    parameters: dict[str, Any], words: tuple[str, ...]
) -> None:
    node = harness.NodeProcess("dynamics", harness.namespace(), parameters)
    code = node.process.wait(harness.READY)
    node.end()
    assert code == 1, node.log
    for word in words:
        assert word in node.log, node.log
    assert "Traceback" not in node.log
