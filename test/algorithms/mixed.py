"""Robots for tests without a reference: every joint type, followers, two trees, and real ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dyn_node
from dyn_node import SE3, Inertia, ModelBuilder
from dyn_node.model import Mimic

AXES = {
    "revolute": {"axis": (0.6, 0.0, 0.8)},
    "prismatic": {"axis": (0.0, 0.6, 0.8)},
    "continuous": {"axis": (0.0, 0.0, 1.0)},
    "helical": {"axis": (0.0, 1.0, 0.0), "pitch": 0.1},
    "universal": {"axis": (1.0, 0.0, 0.0), "axis2": (0.0, 0.0, 1.0)},
}


def _add(builder: ModelBuilder, rng: np.random.Generator, parent: Any, kind: str, **more: Any) -> int:
    placement = SE3(SE3.Random(rng).rotation, rng.uniform(-0.4, 0.4, 3))
    joint = builder.add_joint(parent, kind, placement, **AXES.get(kind, {}), **more)
    A = rng.standard_normal((3, 3))
    inertia = 0.05 * (np.trace(A @ A.T) * np.eye(3) - A @ A.T)
    builder.append_body(joint, Inertia(rng.uniform(0.5, 2.0), rng.uniform(-0.2, 0.2, 3), inertia))
    return joint


def mixed_model(followers: bool) -> dyn_node.Model:
    """Two trees with every joint type; with followers, one in its leader's subtree and one beside it."""
    rng, builder = np.random.default_rng(7), ModelBuilder("followers" if followers else "mixed")
    base = _add(builder, rng, 0, "free_flyer")
    leader = _add(builder, rng, base, "revolute", name="leader", armature=0.3)
    ball = _add(builder, rng, leader, "spherical")
    _add(builder, rng, _add(builder, rng, ball, "prismatic"), "helical")
    _add(builder, rng, _add(builder, rng, base, "universal"), "continuous")
    other = _add(builder, rng, 0, "planar")
    _add(builder, rng, _add(builder, rng, other, "translation"), "spherical_zyx")
    if followers:
        _add(builder, rng, ball, "revolute", mimic=Mimic("leader", -1.5, 0.2))
        _add(builder, rng, other, "prismatic", mimic=Mimic("leader", 0.5, 0.0))
    return builder.build()


MAKERS = {
    "mixed": lambda: mixed_model(False),
    "followers": lambda: mixed_model(True),
    "panda": lambda: dyn_node.robots.load("panda"),
    "go2": lambda: dyn_node.robots.load("go2", root="free_flyer"),
}


@pytest.fixture(scope="module", params=list(MAKERS))
def robot(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """(model, data)."""
    model = MAKERS[request.param]()
    return model, model.create_data()


def slope(function: Any, count: int, step: float = 1e-6) -> np.ndarray:
    """Central differences of function(d) at zero along each of `count` unit vectors: one column each."""
    columns = []
    for unit in np.eye(count):
        columns.append((function(step * unit) - function(-step * unit)) / (2.0 * step))
    return np.stack(columns, axis=-1)
