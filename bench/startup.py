"""Part `startup`: what a fresh process pays for import, loading a robot and its first calls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from . import agreement
from .options import Options
from .peers import need
from .results import Row, row_of
from .robots import Robot

PART = "startup"
_ROOT = Path(__file__).resolve().parents[1]


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
    start("pin", robot, options.first_calls, folder)
    caches = {
        "cold": [folder / str(number) for number in range(options.cold_starts)],
        "cached": [folder / "0"] * options.starts,
    }
    for state, folders in caches.items():
        pairs = [
            (
                start("ours", robot, options.first_calls, cache),
                start("pin", robot, options.first_calls, cache),
            )
            for cache in folders
        ]
        for ours, theirs in pairs:
            check(robot, ours, theirs)
        yield from _rows(robot, state, options.first_calls, pairs)


def start(peer: str, robot: Robot, calls: Sequence[str], cache: Path) -> dict[str, Any]:
    """Start a process that keeps its kernels in `cache`, and take its figures.

    Raises:
        ProbeFailedError: it failed.
    """
    paths = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH", "")]))
    environment = os.environ | {"DYN_NODE_CACHE_DIR": str(cache), "PYTHONPATH": paths}
    command = [sys.executable, "-m", "bench.startup_probe", peer, robot.name, ",".join(calls)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ProbeFailedError(f"{' '.join(command[1:])} ended with {done.returncode}: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def check(robot: Robot, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """The first calls of both gave the same.

    Raises:
        DisagreementError: they did not.
    """
    for name, value in ours["results"].items():
        agreement.check(f"{robot.name} first {name}", value, theirs["results"][name])


def _rows(
    robot: Robot, state: str, calls: Sequence[str], pairs: Sequence[tuple[dict[str, Any], dict[str, Any]]]
) -> Iterator[Row]:
    """A row for each step that the state of the cache matters to, and for the sums of steps."""
    figures = {name: (name,) for name in ("import", "load_urdf", *calls)}
    figures[f"ready (import, load, first {calls[0]})"] = ("import", "load_urdf", calls[0])
    if len(calls) > 1:
        figures["first calls, all"] = tuple(calls)
    for name, steps in figures.items():
        if state == "cold" and name == "import":
            continue
        label = name if name == "import" else f"{name}, {state}"
        ours, theirs = (
            [sum(one["seconds"][step] for step in steps) for one in side] for side in zip(*pairs, strict=True)
        )
        yield row_of((PART, robot.name, label), "pin", (ours, theirs))
