"""Robots and states for libraries that have a floating base's velocity in world axes.

They are built up with one body for each joint, all that is fixed to it lumped, as this library and Pinocchio
have it: what their own readers make of a file would leave them more to do. Their coordinates differ from ours
by an orthogonal matrix V, (nv, nv): their velocity is V v.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import dyn_node

from .per_call import STATES, Pair, random_state
from .robots import Robot

#: What the functions below take for the robot's own coordinates: (model, q) -> their q, and V.
Names = Callable[[Any, np.ndarray], tuple[np.ndarray, np.ndarray]]


def pair(robot: Robot, model: Any, theirs: dict[str, Any], names: Names) -> Pair:
    """The robot here and there, and the same states for both.

    Args:
        model: this library's.
        theirs: the namespace of their statements; for each state it gets `x`, position and velocity,
            `q`, `v`, `a`, `tau` in their coordinates, `V` and `bias` (see `state`).
    """
    frame = model.frame_id(robot.tool)
    ours = vars(dyn_node) | {"frame": frame, "LWA": dyn_node.LOCAL_WORLD_ALIGNED}
    ours |= {"model": model, "data": model.create_data()}
    rng = np.random.default_rng(7)
    states = [random_state(model, rng) for _ in range(STATES)]
    return Pair(ours, theirs, [(own, state(model, own, *names(model, own["q"]))) for own in states])


def state(model: Any, own: dict[str, np.ndarray], q: np.ndarray, V: np.ndarray) -> dict[str, np.ndarray]:
    """One of our states in their coordinates.

    A base's velocity is in body axes here and in world axes there, so accelerations differ by more than V:
    theirs is V (a + bias).
    """
    bias = np.zeros(model.nv)
    if model.root_joint is not None:
        bias[:3] = np.cross(own["v"][3:6], own["v"][:3])
    v = V @ own["v"]
    moved = {"a": V @ (own["a"] + bias), "tau": V @ own["tau"], "V": V, "bias": bias}
    return {"q": q, "v": v, "x": np.concatenate([q, v])} | moved
