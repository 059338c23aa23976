"""Part `growth`: how the O(N) algorithms grow with the number of joints, on chains of 10, 100 and 1,000.

A row compares one joint's share of a call on a long chain with its share on one a tenth as long:
1.0 is linear growth.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from timeit import Timer
from typing import Any

import numpy as np

import dyn_node
from dyn_node import SE3, Inertia, ModelBuilder

from .machine import pinned
from .options import Options
from .results import Row, row_of
from .timing import interleave

PART = "growth"
SIZES = (10, 100, 1000)
CALLS = {
    "rnea": "rnea(model, data, q, v, a, out=out)",
    "generalized_gravity": "generalized_gravity(model, data, q, out=out)",
    "aba": "aba(model, data, q, v, tau, out=out)",
    "forward_kinematics_2": "forward_kinematics(model, data, q, v, a)",
    "integrate": "integrate(model, q, v, out=out)",
}


def chain(count: int) -> dyn_node.Model:
    """Revolute joints one after the other, axes x, y, z in turn, short links that keep it well posed."""
    builder, parent = ModelBuilder(f"chain{count}"), 0
    link = SE3(np.eye(3), [0.0, 0.0, 0.01])
    body = Inertia(0.1, [0.0, 0.0, 0.005], 1e-3 * np.eye(3))
    for k in range(count):
        axis = np.eye(3)[k % 3]
        parent = builder.add_joint(parent, "revolute", link, f"joint{k}", axis=axis, lower=-3.0, upper=3.0)
        builder.append_body(parent, body, SE3.Identity())
    return builder.build()


def namespace(count: int) -> dict[str, Any]:
    """Everything that the statements name, on a chain of this many joints."""
    model = chain(count)
    rng = np.random.default_rng(count)
    vectors = {name: rng.uniform(-1.0, 1.0, count) for name in ("q", "v", "a", "tau")}
    return vars(dyn_node) | vectors | {"model": model, "data": model.create_data(), "out": np.zeros(count)}


def run(options: Options) -> Iterator[Row]:
    """The rows of this part, as they come."""
    with pinned():
        spaces = {count: namespace(count) for count in SIZES}
        for shorter, longer in itertools.pairwise(SIZES):
            for name, text in CALLS.items():
                timers = [
                    Timer(text, timer=time.thread_time, globals=spaces[count]) for count in (longer, shorter)
                ]
                seconds = interleave(timers[0], timers[1], options.calls, lambda number: None)
                shares = [x / longer for x in seconds[0]], [x / shorter for x in seconds[1]]
                where = (PART, f"{longer} joints", name)
                yield row_of(where, "a tenth of the joints, per joint", shares)
