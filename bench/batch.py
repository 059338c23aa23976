"""Part `batch`: inverse and forward dynamics of many states in one call, per state, on one thread and on two.

Against Pinocchio's `rneaInParallel` and `abaInParallel` on as many threads, where its build has them, and
against a loop in Python over its `rnea` and `aba`. By the clock: what threads save is the point.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from timeit import Timer
from typing import Any

import numpy as np

import dyn_node

from . import agreement
from .options import Options
from .peers import need
from .results import Row, row_of
from .robots import Robot, load_ours, load_pin
from .timing import interleave

PART = "batch"
STATES = 10_000
THREADS = (1, 2)
#: Of an algorithm: the name of Pinocchio's function for many states.
ALGORITHMS = {"rnea": "rneaInParallel", "aba": "abaInParallel"}


def run(options: Options) -> Iterator[Row]:
    """The rows of this part, as they come."""
    need("pinocchio")
    # A call takes milliseconds: fewer of them tell as much.
    budget = dataclasses.replace(options.calls, repetitions=max(3, options.calls.repetitions // 6))
    try:
        for robot in options.robots:
            for name, subject, ours, theirs in comparisons(robot):
                agreement.check(f"{robot.name} {name}", ours(), theirs())
                seconds = interleave(Timer(ours), Timer(theirs), budget, lambda number: None)
                samples = [x / STATES for x in seconds[0]], [x / STATES for x in seconds[1]]
                yield row_of((PART, subject, name), "pin", samples)
    finally:
        dyn_node.set_threads(None)


def comparisons(robot: Robot) -> Iterator[tuple[str, str, Callable[[], Any], Callable[[], Any]]]:
    """What is compared on a robot: its name, the robot's, and both sides, which return (N, nv)."""
    pin = need("pinocchio")
    model, peer = load_ours(robot), load_pin(robot)
    data, peer_data = model.create_data(), peer.createData()
    rng = np.random.default_rng(11)
    q = np.array([dyn_node.random_configuration(model, rng, unbounded=2.0) for _ in range(STATES)])
    v, a = rng.uniform(-1.0, 1.0, (2, STATES, model.nv))
    columns = [np.asfortranarray(x.T) for x in (q, v, a)]
    out, peer_out = np.zeros((STATES, model.nv)), np.zeros((model.nv, STATES), order="F")
    for name, parallel in ALGORITHMS.items():
        single = getattr(pin, name)

        def loop(single: Any = single) -> Any:
            return [single(peer, peer_data, q[k], v[k], a[k]).copy() for k in range(STATES)]

        for threads in THREADS:

            def ours(name: str = name, threads: int = threads) -> Any:
                dyn_node.set_threads(threads)
                return getattr(dyn_node, name)(model, data, q, v, a, out=out)

            label = f"{name}, {threads} thread{'s' if threads > 1 else ''}"
            yield f"{label}, to a loop", robot.name, ours, loop
            if not hasattr(pin, parallel):
                continue
            pool, many = pin.ModelPool(peer, threads), getattr(pin, parallel)

            def theirs(many: Any = many, pool: Any = pool, threads: int = threads) -> Any:
                many(threads, pool, *columns, peer_out)
                return peer_out.T

            yield f"{label}, to {parallel}", robot.name, ours, theirs
