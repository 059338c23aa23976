"""A and B against central differences of the step, on the manifold."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.mixed_tree import mixed_tree
from algorithms.states import relative, states
from tolerances import DIFFERENCES, IDENTITY

import dyn_node
from dyn_node.errors import InvalidValueError, ShapeError

ROBOTS = {
    "panda": lambda: dyn_node.robots.load("panda"),
    "ur5e, planar": lambda: dyn_node.robots.load("ur5e", root="planar"),
    "go2": lambda: dyn_node.robots.load("go2"),
    "every kind of joint": lambda: mixed_tree(follower=False),
    "with a follower": lambda: mixed_tree(follower=True),
}
METHODS = ("euler", "semi_implicit", "rk4")
STEP = 1e-6


def deviation(model, start, end):
    """From one state to another, along tangent vectors, (2 nv,)."""
    return np.concatenate([dyn_node.difference(model, start.q, end.q), end.v - start.v])


def differences(model, data, q, v, tau, dt, method, f_ext=None):
    """A and B side by side, by central differences of `step`."""
    n = model.nv
    at = dyn_node.step(model, data, q, v, tau, dt, method, f_ext)
    columns = []
    for axis in STEP * np.eye(3 * n):
        ends = []
        for side in (-1.0, 1.0):
            d = side * axis
            state = dyn_node.integrate(model, q, d[:n]), v + d[n : 2 * n], tau + d[2 * n :]
            ends.append(deviation(model, at, dyn_node.step(model, data, *state, dt, method, f_ext)))
        columns.append((ends[1] - ends[0]) / (2 * STEP))
    return np.array(columns).T


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ROBOTS)
def test_matrices_equal_differences_of_the_step(name: str, method: str) -> None:
    model = ROBOTS[name]()
    data = model.create_data()
    for q, v, _, tau, wrenches in states(model, 2):
        for dt, f_ext in ((1e-3, None), (0.02, wrenches)):
            found = dyn_node.linearize(model, data, q, v, tau, dt, method, f_ext)
            expected = differences(model, data, q, v, tau, dt, method, f_ext)
            n = 2 * model.nv
            assert relative(found.A, expected[:, :n]) < DIFFERENCES, f"{name}, {method}, A, dt {dt}"
            assert relative(found.B, expected[:, n:]) < DIFFERENCES, f"{name}, {method}, B, dt {dt}"


@pytest.mark.parametrize("method", METHODS)
def test_the_new_state_is_the_steps(method: str) -> None:
    model = dyn_node.robots.load("go2")
    data = model.create_data()
    for q, v, _, tau, _ in states(model, 3):
        found = dyn_node.linearize(model, data, q, v, tau, 0.01, method)
        after = dyn_node.step(model, data, q, v, tau, 0.01, method)
        assert relative(found.q, after.q) < IDENTITY, method
        assert relative(found.v, after.v) < IDENTITY, method


def test_bad_arguments_are_named() -> None:
    model = dyn_node.robots.load("panda")
    data, q = model.create_data(), dyn_node.neutral(model)
    v = np.zeros(model.nv)
    with pytest.raises(InvalidValueError, match="'euler', 'semi_implicit', 'rk4'"):
        dyn_node.linearize(model, data, q, v, v, 0.01, "rk5")
    with pytest.raises(ShapeError, match="tau"):
        dyn_node.linearize(model, data, q, v, v[1:], 0.01)
