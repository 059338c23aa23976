"""Part `growth`: how the O(N) algorithms grow with the number of joints: 10, 100 and 1,000 of them.

In a chain, where every joint carries all that follow, and in a binary tree. A row compares one joint's
share of a call on many joints with its share on a tenth as many: 1.0 is linear growth.
"""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Callable, Iterator
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
#: The parent's number of joint k, counted from 1; 0 is the world.
PARENTS: dict[str, Callable[[int], int]] = {"chain": lambda k: k - 1, "tree": lambda k: k // 2}
#: Name of the function, or name and what distinguishes the call: its statement.
CALLS = {
    "rnea": "rnea(model, data, q, v, a, out=out)",
    "generalized_gravity": "generalized_gravity(model, data, q, out=out)",
    "nonlinear_effects": "nonlinear_effects(model, data, q, v, out=out)",
    "aba": "aba(model, data, q, v, tau, out=out)",
    "forward_kinematics_0": "forward_kinematics(model, data, q)",
    "forward_kinematics_2": "forward_kinematics(model, data, q, v, a)",
    "update_frame_placements": "update_frame_placements(model, data)",
    "joint_jacobians": "joint_jacobians(model, data, q, out=wide)",
    "center_of_mass": "center_of_mass(model, data, q, v, a)",
    "jacobian_center_of_mass": "jacobian_center_of_mass(model, data, q, out=wide[:3])",
    "centroidal_map": "centroidal_map(model, data, q, out=wide)",
    "centroidal_momentum": "centroidal_momentum(model, data, q, v)",
    "kinetic_energy": "kinetic_energy(model, data, q, v)",
    "potential_energy": "potential_energy(model, data, q)",
    "integrate": "integrate(model, q, v, out=out)",
    "difference": "difference(model, q, a, out=out)",
}


def robot(shape: str, count: int) -> dyn_node.Model:
    """Revolute joints with axes x, y, z in turn, and short links that keep it well posed."""
    builder, joints = ModelBuilder(f"{shape}{count}"), [0]
    link = SE3(np.eye(3), [0.0, 0.0, 0.01])
    body = Inertia(0.1, [0.0, 0.0, 0.005], 1e-3 * np.eye(3))
    for k in range(1, count + 1):
        parent, axis = joints[PARENTS[shape](k)], np.eye(3)[k % 3]
        joint = builder.add_joint(parent, "revolute", link, f"joint{k}", axis=axis, lower=-3.0, upper=3.0)
        builder.append_body(joint, body, SE3.Identity())
        joints.append(joint)
    return builder.build()


def namespace(shape: str, count: int) -> dict[str, Any]:
    """Everything that the statements name, on a robot of this shape with so many joints."""
    model = robot(shape, count)
    rng = np.random.default_rng(count)
    vectors = {name: rng.uniform(-1.0, 1.0, count) for name in ("q", "v", "a", "tau")}
    space = vars(dyn_node) | vectors | {"model": model, "data": model.create_data()}
    dyn_node.forward_kinematics(model, space["data"], space["q"])
    return space | {"out": np.zeros(count), "wide": np.zeros((6, count))}


def run(options: Options) -> Iterator[Row]:
    """The rows of this part, as they come."""
    with pinned():
        for shape in PARENTS:
            spaces = {count: namespace(shape, count) for count in SIZES}
            for fewer, more in itertools.pairwise(SIZES):
                for name, text in CALLS.items():
                    yield _row(shape, name, text, {count: spaces[count] for count in (more, fewer)}, options)


def _row(shape: str, name: str, text: str, spaces: dict[int, dict[str, Any]], options: Options) -> Row:
    """Of the many joints first and of the few."""
    timers = [Timer(text, timer=time.thread_time, globals=space) for space in spaces.values()]
    seconds = interleave(timers[0], timers[1], options.calls, lambda number: None)
    more, fewer = spaces
    shares = [x / more for x in seconds[0]], [x / fewer for x in seconds[1]]
    row = row_of((PART, f"{more} joints, {shape}", name), "a tenth of the joints, per joint", shares)
    return dataclasses.replace(row, note=f"{100.0 * (row.ratio - 1.0):+.0f} % off linear")
