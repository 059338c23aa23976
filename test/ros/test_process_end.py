"""How the node processes end: exit code 0 on signals, whenever they come, and a sentence for a bad start."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness

import dyn_node
from dyn_node.nodes.ending import GRACE


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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_is_stuck_is_ended_all_the_same(number: int) -> None:
    """In place of an executor that was not woken: a main thread that goes on after a signal."""
    code = """
import time
import rclpy
from dyn_node.nodes.ending import interrupt_start_only, spin_on
interrupt_start_only()
rclpy.init()
spin_on()
print("up", flush=True)
while True:
    time.sleep(60.0)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "up\n"
        process.send_signal(number)
        _, log = process.communicate(timeout=harness.ANSWER + GRACE)
    finally:
        process.kill()
    assert process.returncode == 0, log
    assert "ended now" in log


def test_what_hangs_with_pythons_lock_is_ended_with_its_stack() -> None:
    """In place of middleware that hangs on the way out: no thread of Python can do anything any more."""
    code = """
import ctypes
import rclpy
from dyn_node.nodes.ending import end_surely, interrupt_start_only, spin_on
interrupt_start_only()
rclpy.init()
spin_on()
print("up", flush=True)
end_surely()
ctypes.PyDLL(None).sleep(600)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "up\n"
        _, log = process.communicate(timeout=harness.ANSWER + GRACE)
    finally:
        process.kill()
    assert process.returncode == 1, log
    assert 'File "<string>", line 10' in log


def test_the_network_forgets_a_node_that_was_told_to_end() -> None:
    ns = harness.namespace()

    def is_there(client: harness.Client) -> bool:
        return ("dynamics", f"/{ns.strip('/')}") in client.node.get_node_names_and_namespaces()

    with harness.client(ns) as client:
        node = harness.NodeProcess("dynamics", ns)
        node.wait_for("no robot yet: waiting for")
        harness.until(lambda: is_there(client), "the node is announced")
        assert node.end() == 0, node.log
        # Of a node that only vanished they would believe for twenty seconds that it is there.
        harness.until(lambda: not is_there(client), "the node is announced no more", 5.0)
