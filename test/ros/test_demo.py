"""The demo from outside: its exit code, and that nothing of it stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
import uuid
from pathlib import Path

import pytest

pytest.importorskip("rclpy", reason="needs ROS 2")
pytest.importorskip("dyn_node_msgs", reason="the interfaces are not built: `make test` builds them")

DEADLINE = 300.0  # a cold start compiles kernels
DEMO = [sys.executable, "-m", "dyn_node.tools.demo", "--plain", "--duration", "2"]
MARK = "DYN_NODE_DEMO_TEST"

# Gravity of another planet: the torques that are published do not hold this robot up.
ON_THE_MOON = textwrap.dedent("""
    import sys
    from dyn_node.tools import demo
    start = demo._start
    def wrong(children, name, parameters, more=()):
        if name == "demo_robot":
            parameters = {**parameters, "gravity": [0.0, 0.0, -1.62]}
        start(children, name, parameters, more)
    demo._start = wrong
    sys.exit(demo.main(["--plain", "--duration", "1"]))""")


@pytest.fixture
def environment():
    """An environment whose mark every process of the demo inherits; afterwards none may carry it."""
    mark = uuid.uuid4().hex
    environment = {**os.environ, MARK: mark, "PYTHONUNBUFFERED": "1"}
    environment.pop("ROS_DOMAIN_ID", None)
    yield environment
    deadline = time.monotonic() + 20.0
    while left := _marked(mark):
        assert time.monotonic() < deadline, f"still running: {left}"
        time.sleep(0.05)


def _marked(mark: str) -> list[str]:
    wanted = f"{MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes() and (folder / "cmdline").read_bytes():
                found.append(f"{folder.name} {(folder / 'cmdline').read_bytes()!r}")
        except OSError:
            continue  # ended meanwhile, or another user's
    return found


def _run(command, environment) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=DEADLINE, check=False
    )


@pytest.mark.parametrize(
    ("robot", "claims"), [("arm", 3), ("ur5e", 3), ("quadruped", 6), ("quadruped --held", 3)]
)
def test_every_claim_holds(robot, claims, environment):
    done = _run([*DEMO, "--robot", *robot.split()], environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("   held ") == claims
    assert "FAILED" not in done.stdout
    assert "every claim held" in done.stdout


def test_a_claim_that_fails_ends_it_with_1(environment):
    done = _run([sys.executable, "-c", ON_THE_MOON], environment)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAILED gravity torques hold the robot still" in done.stdout
    assert "FAILED forward_dynamics" in done.stdout


@pytest.mark.parametrize(
    ("number", "when"),
    [
        (signal.SIGINT, "starting"),
        (signal.SIGINT, "== 1."),
        (signal.SIGTERM, "== 2."),
        (signal.SIGKILL, "== 1."),
    ],
)
def test_nothing_stays_behind_after_a_signal(number, when, environment):
    demo = subprocess.Popen(
        [*DEMO, "--duration", "60" if when == "== 1." else "1"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with demo:
        seen = []
        for line in demo.stdout:
            seen.append(line)
            if when in line:
                break
        demo.send_signal(number)
        seen += list(demo.stdout)
        code = demo.wait(60.0)
    expected = -number if number == signal.SIGKILL else 128 + number
    assert code == expected, "".join(seen)


def test_a_node_that_dies_is_named(environment):
    script = textwrap.dedent("""
        import sys
        from dyn_node.tools import demo
        start = demo._start
        def wrong(children, name, parameters, more=()):
            if name == "solver":
                parameters = {**parameters, "root_joint": "sideways"}
            start(children, name, parameters, more)
        demo._start = wrong
        sys.exit(demo.main(["--plain"]))""")
    done = _run([sys.executable, "-c", script], environment)
    assert done.returncode == 1
    assert "solver ended with exit code 1" in done.stderr
    assert "sideways" in done.stderr
