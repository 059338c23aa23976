"""Inverse kinematics over every type of joint: on the manifold, inside the limits, near the seed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dyn_node
from dyn_node import SE3, ik
from dyn_node.model import Model, ModelBuilder

TIP = "tip"
#: Recomputed by forward kinematics.
CLOSE = 1.01e-6
PATIENT: dict[str, Any] = {"timeout": 20.0, "max_restarts": 60, "lock_base": False}

_BEND: dict[str, Any] = {"axis": [0, 1, 0], "lower": -2.0, "upper": 2.0}
_TURN: dict[str, Any] = {"axis": [0, 0, 1], "lower": -2.0, "upper": 2.0}
_WRIST: dict[str, Any] = {"axis": [1, 0, 0], "axis2": [0, 1, 0], "lower": -2.0, "upper": 2.0}
_AXES = ([0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0])

CHAINS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "ball joints": [("spherical", {}), ("revolute", _BEND), ("spherical", {})],
    "on a plane": [("planar", {}), ("revolute", _BEND), ("revolute", _TURN), ("spherical", {})],
    "floating": [("free_flyer", {}), ("revolute", _BEND)],
    "chains of axes": [
        ("spherical_zyx", {}),
        ("revolute", _BEND),
        ("universal", _WRIST),
        ("revolute", _TURN),
    ],
    "helical": [
        ("helical", {"axis": [0, 0, 1], "pitch": 0.1, "lower": -6.0, "upper": 6.0}),
        ("spherical", {}),
        ("prismatic", {"axis": [1, 0, 0], "lower": 0.0, "upper": 0.5}),
    ],
    "translation": [("translation", {"lower": -1.0, "upper": 1.0}), ("spherical", {})],
    "turning without end": [("continuous", {"axis": axis}) for axis in _AXES],
}


@pytest.fixture(scope="module", params=CHAINS)
def chain(request: pytest.FixtureRequest) -> Model:
    builder, joint = ModelBuilder(request.param), 0
    for number, (kind, settings) in enumerate(CHAINS[request.param]):
        joint = builder.add_joint(joint, kind, SE3(np.eye(3), [0.25, 0, 0.1]), f"j{number}", **settings)
    builder.add_frame(TIP, joint, SE3(np.eye(3), [0.2, 0, 0]))
    return builder.build()


def place(model: Model, q: np.ndarray) -> SE3:
    data = model.create_data()
    dyn_node.forward_kinematics(model, data, q)
    return dyn_node.frame_placement(model, data, TIP)


def check(model: Model, target: SE3, q: np.ndarray, what: str) -> None:
    """A solution: the target met, the configuration one, the limits kept."""
    way = (place(model, q).inverse() * target).log().vector
    assert np.abs(way).max() <= CLOSE, what
    assert np.allclose(dyn_node.normalize(model, q), q, rtol=0.0, atol=1e-12), what
    assert (q >= model.lower_position_limit).all(), what
    assert (q <= model.upper_position_limit).all(), what


def test_poses_are_reached_and_the_nearest_solution_is_no_farther(chain: Model) -> None:
    rng = np.random.default_rng(1)
    for trial in range(15):
        what = f"{chain.name}, pose {trial}"
        q, seed = (dyn_node.random_configuration(chain, rng, unbounded=1.0) for _ in range(2))
        target = place(chain, q)
        first = dyn_node.solve_ik(chain, TIP, target, seed, **PATIENT)
        nearest = dyn_node.solve_ik(chain, TIP, target, seed, mode="distance", **PATIENT)
        away = []
        for result in (first, nearest):
            assert result.success, f"{what}: {result.message}"
            check(chain, target, result.q, what)
            away.append(np.linalg.norm(dyn_node.difference(chain, seed, result.q)))
        known = np.linalg.norm(dyn_node.difference(chain, seed, q))
        assert away[1] <= min(away[0], known) + 1e-5, what
        several = ik.solve_ik_all(chain, TIP, target, 2, seed, **PATIENT)
        assert several, what
        for result in several:
            check(chain, target, result.q, what)


def test_several_tasks_are_solved_over_them_too(chain: Model) -> None:
    rng = np.random.default_rng(2)
    for trial in range(10):
        what = f"{chain.name}, pose {trial}"
        q, seed = (dyn_node.random_configuration(chain, rng, unbounded=1.0) for _ in range(2))
        target = place(chain, q)
        problem = ik.IkProblem(chain, [ik.PoseTask(TIP, target), ik.PostureTask(seed)], lock_base=False)
        result = problem.solve(seed, timeout=20.0, max_restarts=60)
        assert result.success, f"{what}: {result.message}"
        check(chain, target, result.q, what)


def test_a_stream_is_followed_inside_the_limits_of_speed(chain: Model) -> None:
    rng, dt, fastest = np.random.default_rng(3), 0.01, 2.0
    for trial in range(3):
        what = f"{chain.name}, stream {trial}"
        start = dyn_node.random_configuration(chain, rng, unbounded=1.0)
        goal = dyn_node.integrate(chain, start, rng.uniform(-0.3, 0.3, chain.nv))
        goal = np.clip(goal, chain.lower_position_limit, chain.upper_position_limit)
        a, b = place(chain, start), place(chain, goal)
        limit = np.full(chain.nv, fastest)
        tracker = ik.IkTracker(chain, TIP, start, dt=dt, velocity_limit=limit, lock_base=False)
        before = start
        for k in range(200):
            q = tracker.step(a.interpolate(b, min(1.0, (k + 1) / 100)))
            moved = np.abs(dyn_node.difference(chain, before, q)).max()
            assert moved <= fastest * dt * (1.0 + 1e-9), what
            before = q
        check(chain, b, q, what)
