"""Inverse kinematics against its peers on the same poses: `python -m bench.ik`, or `make bench-ik`.

Random configurations inside the limits give reachable poses. Each is asked of every solver in turn, from
the middle of the ranges and from a random seed. What a solver returns is checked by Pinocchio's forward
kinematics and against the limits before it counts.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import machine
from .ik_arms import ARMS, Arm, Reference
from .ik_solvers import PACKAGES, SLOW, SOLVERS, TOLERANCE, Solve
from .peers import MissingPeerError, need

SEEDS = ("middle", "random")
#: Metres and radians: peers take the tolerance axis by axis.
_ALLOWED = 1.01 * np.sqrt(3.0) * TOLERANCE
_WARM_UP = 20


@dataclasses.dataclass
class Tally:
    """What one solver did with the poses of one arm from one kind of seed.

    Attributes:
        asked, solved: requests, and right answers inside the limits; wrong: answers that were neither.
        wall, processor: seconds of each request, those of all threads in `processor`.
        distances: of the right answers from their seeds (rad).
    """

    robot: str
    seed: str
    solver: str
    asked: int = 0
    solved: int = 0
    wrong: int = 0
    wall: list[float] = dataclasses.field(default_factory=list)
    processor: list[float] = dataclasses.field(default_factory=list)
    distances: list[float] = dataclasses.field(default_factory=list)

    def ask(self, solve: Solve, reference: Reference, target: Any, seed: np.ndarray) -> None:
        """Time one request and judge its answer."""
        wall, processor = time.perf_counter(), time.process_time()
        q = solve(target, seed)
        self.wall.append(time.perf_counter() - wall)
        self.processor.append(time.process_time() - processor)
        self.asked += 1
        if q is None or not np.isfinite(q).all():
            return
        if reference.inside(q) and max(reference.misses(q, target)) <= _ALLOWED:
            self.solved += 1
            self.distances.append(reference.distance(seed, q))
        else:
            self.wrong += 1

    def summary(self) -> dict[str, Any]:
        """The row of the table; times in microseconds."""
        wall = 1e6 * np.array(self.wall)
        return {
            "robot": self.robot,
            "seed": self.seed,
            "solver": self.solver,
            "asked": self.asked,
            "solved_percent": 100.0 * self.solved / self.asked,
            "wrong": self.wrong,
            "median_us": float(np.median(wall)),
            "mean_us": float(wall.mean()),
            "p99_us": float(np.percentile(wall, 99.0)),
            "processor_us": 1e6 * float(np.mean(self.processor)),
            "distance": float(np.mean(self.distances)) if self.distances else None,
        }


def measure(arm: Arm, given: argparse.Namespace) -> Iterator[Tally]:
    """The tallies of one arm; a solver that cannot run has none."""
    text = arm.text()
    reference = Reference(arm, text, need("pinocchio"))
    solvers = {}
    for name in given.solvers:
        try:
            solvers[name] = SOLVERS[name](reference, text, given.limit)
        except Exception as error:  # a peer that does not take this robot is no failure of the run
            print(f"{arm.name}: {name} left out: {error}", file=sys.stderr)
    for kind in SEEDS:
        rng = np.random.default_rng(2024)
        tallies = {name: Tally(arm.name, kind, name) for name in solvers}
        for number in range(-_WARM_UP, given.poses):
            target = reference.pose(reference.random(rng))
            seed = reference.middle() if kind == "middle" else reference.random(rng)
            for name in _order(list(solvers), number):
                if number < 0:
                    solvers[name](target, seed)
                elif name not in SLOW or number < given.slow_poses:
                    tallies[name].ask(solvers[name], reference, target, seed)
        yield from tallies.values()


def _order(names: list[str], number: int) -> list[str]:
    """Everybody goes first in turn."""
    first = number % len(names) if names else 0
    return names[first:] + names[:first]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; 1 when this library called a wrong answer right."""
    given = _parser().parse_args(arguments)
    facts = machine.describe(*PACKAGES)  # before the run, which is a load of its own
    try:
        for module in ("rich", "pinocchio"):
            need(module)
        rows = [tally.summary() for name in given.robots for tally in _announced(measure(ARMS[name], given))]
    except MissingPeerError as error:
        print(error, file=sys.stderr)
        return 1
    from .ik_table import show

    show(rows, facts, given.limit)
    if given.json:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(
            json.dumps({"machine": facts, "limit": given.limit, "rows": rows}, indent=1) + "\n",
            encoding="utf-8",
        )
        print(f"written: {given.json}")
    return 1 if any(row["wrong"] for row in rows if row["solver"] == "dyn_node") else 0


def _announced(tallies: Iterator[Tally]) -> Iterator[Tally]:
    for tally in tallies:
        done = tally.summary()
        print(
            f"{tally.robot} {tally.seed} {tally.solver}: {done['solved_percent']:.2f} %,"
            f" mean {done['mean_us']:.0f} us",
            file=sys.stderr,
        )
        yield tally


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.ik", description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("--poses", type=_count, default=10_000, help="of each arm and kind of seed (default: 10000)")
    add("--slow-poses", type=_count, default=1000, help=f"of these for {', '.join(SLOW)} (default: 1000)")
    add("--robots", type=_some_of(ARMS), default=tuple(ARMS), metavar="ROBOT,...", help=", ".join(ARMS))
    add("--solvers", type=_some_of(SOLVERS), default=tuple(SOLVERS), metavar="NAME,...")
    add("--limit", type=_seconds, default=5e-3, help="wall time of a request in seconds (default: 0.005)")
    add("--json", type=Path, metavar="FILE", help="where to write the figures")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected at least 1")
    return number


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0.0 < seconds < np.inf:
        raise argparse.ArgumentTypeError(f"{text}: expected a time above 0")
    return seconds


def _some_of(allowed: dict[str, Any]) -> Any:
    def names(text: str) -> tuple[str, ...]:
        given = tuple(name for name in text.split(",") if name)
        unknown = [name for name in given if name not in allowed]
        if unknown or not given:
            raise argparse.ArgumentTypeError(f"{text!r}: expected some of {', '.join(allowed)}")
        return given

    return names


if __name__ == "__main__":
    sys.exit(main())
