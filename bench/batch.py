"""Part `batch`: many states in one call, per state, on one thread and on two.

Inverse and forward dynamics against Pinocchio's `rneaInParallel` and `abaInParallel` on as many threads,
where its build has them; these and others against a loop in Python over its functions. Rows that say
"compiled" go through a compiled model, the others through the general functions. By the clock: what
threads save is the point. Pinocchio's threads (OpenMP's) spin for some milliseconds after a call, waiting for
the next, which takes a core from whoever comes then: both sides wait until that is over.
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
#: Seconds, some times what OpenMP's threads spin.
_REST = 0.02
#: Of an algorithm: what it takes, Pinocchio's function, and that for many states where there is one.
ALGORITHMS = {
    "rnea": ("qva", "rnea", "rneaInParallel"),
    "aba": ("qva", "aba", "abaInParallel"),
    "generalized_gravity": ("q", "computeGeneralizedGravity", ""),
    "crba": ("q", "crba", ""),
    "minverse": ("q", "computeMinverse", ""),
    "coriolis_matrix": ("qv", "computeCoriolisMatrix", ""),
    "joint_jacobians": ("q", "computeJointJacobians", ""),
    "centroidal_map": ("q", "computeCentroidalMap", ""),
}


def run(options: Options) -> Iterator[Row]:
    """The rows of this part, as they come."""
    need("pinocchio")
    # A call takes milliseconds: fewer of them tell as much.
    budget = dataclasses.replace(options.calls, repetitions=max(3, options.calls.repetitions // 8))
    try:
        for robot in options.robots:
            sides = Sides(robot)
            for name in ALGORITHMS:
                for label, ours, theirs in sides.comparisons(name):
                    agreement.check(f"{robot.name} {label}", ours(), theirs())
                    own = dataclasses.replace(budget, rest=_REST) if "Parallel" in label else budget
                    seconds = interleave(Timer(ours), Timer(theirs), own, lambda number: None)
                    samples = [x / STATES for x in seconds[0]], [x / STATES for x in seconds[1]]
                    yield row_of((PART, robot.name, label), "pin", samples)
    finally:
        dyn_node.set_threads(None)


class Sides:
    """A robot in both libraries, and the same states for both."""

    def __init__(self, robot: Robot) -> None:
        self._pin = need("pinocchio")
        self._model, self._peer = load_ours(robot), load_pin(robot)
        self._data, self._peer_data = self._model.create_data(), self._peer.createData()
        self._fast = dyn_node.compile(self._model)
        rng = np.random.default_rng(11)
        model = self._model
        q = np.array([dyn_node.random_configuration(model, rng, unbounded=2.0) for _ in range(STATES)])
        v, a = rng.uniform(-1.0, 1.0, (2, STATES, model.nv))
        self._vectors = {"q": q, "v": v, "a": a}

    def comparisons(self, name: str) -> Iterator[tuple[str, Callable[[], Any], Callable[[], Any]]]:
        """What is compared of an algorithm: the row's name, and both sides, which return the same array."""
        taken, single, parallel = ALGORITHMS[name]
        vectors = [self._vectors[letter] for letter in taken]
        loop = self._loop(getattr(self._pin, single), vectors)
        for threads in THREADS:
            label = f"{name}, {threads} thread{'s' if threads > 1 else ''}"
            peers = [("a loop", loop)]
            if parallel and hasattr(self._pin, parallel):
                peers.append((parallel, self._together(parallel, vectors, threads)))
            for kind, ours in self._ours(name, vectors, threads):
                for peer, theirs in peers:
                    yield f"{label}{kind}, to {peer}", ours, theirs

    def _ours(self, name: str, vectors: list[Any], threads: int) -> Iterator[tuple[str, Callable[[], Any]]]:
        general, compiled = getattr(dyn_node, name), getattr(self._fast, name)
        out = general(self._model, self._data, *vectors)

        def by_general() -> Any:
            dyn_node.set_threads(threads)
            return general(self._model, self._data, *vectors, out=out)

        yield "", by_general
        yield " compiled", lambda: compiled(*vectors, out=out, threads=threads)

    def _loop(self, single: Any, vectors: list[Any]) -> Callable[[], Any]:
        peer, data = self._peer, self._peer_data
        return lambda: [single(peer, data, *state).copy() for state in zip(*vectors, strict=True)]

    def _together(self, parallel: str, vectors: list[Any], threads: int) -> Callable[[], Any]:
        pool, many = self._pin.ModelPool(self._peer, threads), getattr(self._pin, parallel)
        columns = [np.asfortranarray(x.T) for x in vectors]
        out = np.zeros((self._model.nv, STATES), order="F")

        def theirs() -> Any:
            many(threads, pool, *columns, out)
            return out.T

        return theirs
