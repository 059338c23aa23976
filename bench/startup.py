"""Part `startup`: what a fresh process pays for import, loading a robot and its first calls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import agreement
from .options import Options
from .peers import need
from .results import Row, row_of
from .robots import Robot
from .startup_probe import CALLS

PART = "startup"
_ROOT = Path(__file__).resolve().parents[1]
_STEPS = ("import", "load_urdf", *CALLS)
#: Figures that are sums of steps.
_SUMS = {
    "ready (import, load, first rnea)": ("import", "load_urdf", "rnea"),
    "first calls, all": tuple(CALLS),
}


class ProbeFailedError(Exception):
    """The process that was to be measured failed; the message ends with what it wrote."""


def run(options: Options) -> Iterator[Row]:
    """The rows of this part, as they come."""
    need("pinocchio")
    ends = dict.fromkeys((options.robots[0], options.robots[-1]))
    for robot in ends:  # a start takes seconds, and differs little between robots
        with tempfile.TemporaryDirectory(prefix="dyn_node_bench_") as folder:
            yield from _robot(robot, options, Path(folder))


def _robot(robot: Robot, options: Options, folder: Path) -> Iterator[Row]:
    # The first start of a library on a machine reads it from the disk: not what is asked here.
    _probe("pin", robot, folder)
    cold, peers = [], []
    for number in range(options.cold_starts):
        cold.append(_probe("ours", robot, folder / str(number)))
        peers.append(_probe("pin", robot, folder))
    _check(robot, cold[0], peers[0])
    yield from _rows(robot, "cold", cold, peers)
    cached, peers = [], []
    for _ in range(options.starts):
        cached.append(_probe("ours", robot, folder / "0"))
        peers.append(_probe("pin", robot, folder))
    yield from _rows(robot, "cached", cached, peers)


def _probe(peer: str, robot: Robot, cache: Path) -> dict[str, Any]:
    """Start a process with a kernel cache of its own and take its figures."""
    paths = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH", "")]))
    environment = os.environ | {"DYN_NODE_CACHE_DIR": str(cache), "PYTHONPATH": paths}
    command = [sys.executable, "-m", "bench.startup_probe", peer, robot.name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ProbeFailedError(f"{' '.join(command[1:])} ended with {done.returncode}: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def _check(robot: Robot, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    for name, value in ours["results"].items():
        agreement.check(f"{robot.name} first {name}", value, theirs["results"][name])


def _rows(
    robot: Robot, state: str, ours: list[dict[str, Any]], theirs: list[dict[str, Any]]
) -> Iterator[Row]:
    """A row for each step that the state of the cache matters to, and for the sums."""
    figures = {name: (name,) for name in _STEPS} | _SUMS
    for name, steps in figures.items():
        if state == "cold" and name == "import":
            continue
        label = name if name == "import" else f"{name}, {state}"
        samples = [[sum(one["seconds"][step] for step in steps) for one in side] for side in (ours, theirs)]
        yield row_of((PART, robot.name, label), "pin", (samples[0], samples[1]))
