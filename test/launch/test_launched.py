"""The installed launch files with launch_testing, each in a process of its own.

Not by launch_testing's pytest plugin: it fails with new versions of pytest. To see one test's output:
`PYTHONPATH=test:test/ros:test/launch/processes launch_test test/launch/processes/arm.py`.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "processes"
TESTS = Path(__file__).parents[1]
#: Seconds; a first start on a machine compiles kernels.
DEADLINE = 900


def missing() -> str:
    """Why the launch tests cannot run here; empty when they can."""
    for name in ("launch_testing", "launch_ros", "ament_index_python", "dyn_node_msgs"):
        if importlib.util.find_spec(name) is None:
            return f"{name} is not installed; launch tests need a ROS 2 installation"
    from ament_index_python.packages import PackageNotFoundError, get_package_prefix

    try:
        get_package_prefix("dyn_node")
    except PackageNotFoundError:
        return "dyn_node is not installed as a ROS package; run these tests by colcon test"
    return ""


WARM = """
import dyn_node
from dyn_node.nodes.dynamics import DynamicsNode
from dyn_node.nodes.solver import SolverNode
dyn_node.warm(*DynamicsNode.kernels, *SolverNode.kernels)
"""


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory):
    """Compile once, not in six processes side by side; the installed package, not this folder's."""
    subprocess.run(
        [sys.executable, "-c", WARM], cwd=tmp_path_factory.mktemp("warm"), check=True, timeout=DEADLINE
    )


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
@pytest.mark.timeout(2 * DEADLINE)
@pytest.mark.skipif(bool(missing()), reason=missing())
@pytest.mark.parametrize("name", ["arm", "quadruped", "demo"])
def test_launch_file(name: str):
    path = os.pathsep.join([
        *map(str, (TESTS, TESTS / "ros", FOLDER)), *filter(None, [os.environ.get("PYTHONPATH")])
    ])  # fmt: skip
    environment = {
        **os.environ,
        "PYTHONPATH": path,
        "ROS_DOMAIN_ID": str(1 + os.getpid() % 100),
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
        "FASTDDS_BUILTIN_TRANSPORTS": "UDPv4",
    }
    command = [sys.executable, "-m", "launch_testing.launch_test", str(FOLDER / f"{name}.py")]
    run = subprocess.run(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=DEADLINE,
    )
    assert run.returncode == 0, f"{name}.launch.py:\n{run.stdout[-20000:]}"
