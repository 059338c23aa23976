"""Random configurations: uniform, inside the limits, the same from the same seed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from algorithms.mixed import MAKERS

import dyn_node
from dyn_node import SE3, SO3, ModelBuilder
from dyn_node.errors import InvalidValueError

COUNT = 4000


@pytest.fixture(scope="module", params=list(MAKERS))
def drawn(request: pytest.FixtureRequest) -> tuple[Any, np.ndarray]:
    """A model, and many of its configurations."""
    model, rng = MAKERS[request.param](), np.random.default_rng(0)
    draw = [dyn_node.random_configuration(model, rng, unbounded=1.5) for _ in range(COUNT)]
    return model, np.array(draw)


def check_uniform(parts: np.ndarray, where: str) -> None:
    """Numbers are uniform on [0, 1], by Kolmogorov and Smirnov: of such, one set in 1500 is refused."""
    steps = np.arange(len(parts) + 1) / len(parts)
    ordered = np.sort(parts)
    gap = max(np.abs(ordered - steps[1:]).max(), np.abs(ordered - steps[:-1]).max())
    assert gap < 2.0 / np.sqrt(len(parts)), where


def test_coordinates_on_a_line_are_uniform_between_their_limits(drawn) -> None:
    model, q = drawn
    line = np.ones(model.nq, dtype=bool)
    for entries in model.directions:
        line[entries] = False
    for k in np.flatnonzero(line):
        low, high = model.lower_position_limit[k], model.upper_position_limit[k]
        if not np.isfinite(high - low):
            low, high = -1.5, 1.5
        assert ((low <= q[:, k]) & (q[:, k] <= high)).all()
        check_uniform((q[:, k] - low) / (high - low), f"entry {k}")


def test_rotations_are_uniform_over_their_group(drawn) -> None:
    model, q = drawn
    assert dyn_node.is_normalized(model, q).all()
    for entries in model.directions:
        part = q[:, entries]
        size = part.shape[1]
        second = part.T @ part / COUNT
        # No direction is preferred: the second moment is that of the unit sphere.
        assert np.abs(second - np.eye(size) / size).max() < 4.0 / np.sqrt(COUNT), entries
        assert np.abs(part.mean(axis=0)).max() < 4.0 / np.sqrt(COUNT), entries
        if size == 2:
            check_uniform(np.arctan2(part[:, 1], part[:, 0]) / (2.0 * np.pi) + 0.5, "angle")
            continue
        for k in range(4):
            # An entry w of a uniform unit quaternion has the density 2 / pi sqrt(1 - w^2).
            w = part[:, k]
            check_uniform(0.5 + (w * np.sqrt(1.0 - w * w) + np.arcsin(w)) / np.pi, f"quaternion, {k}")
        turns = np.array([SO3.from_quaternion(x).matrix for x in part[:1000]])
        assert np.abs(turns.mean(axis=0)).max() < 4.0 * np.sqrt(1.0 / 3.0 / 1000)


def test_coordinates_do_not_depend_on_each_other(drawn) -> None:
    _, q = drawn
    related = np.corrcoef(q.T) - np.eye(q.shape[1])
    assert np.abs(related).max() < 5.0 / np.sqrt(COUNT)


def test_a_seed_gives_one_configuration() -> None:
    model = MAKERS["mixed"]()
    first = dyn_node.random_configuration(model, 7, unbounded=1.0)
    assert np.array_equal(first, dyn_node.random_configuration(model, 7, unbounded=1.0))
    rng = np.random.default_rng(7)
    assert np.array_equal(first, dyn_node.random_configuration(model, rng, unbounded=1.0))
    second = dyn_node.random_configuration(model, rng, unbounded=1.0)
    assert not np.array_equal(first, second), "a generator moves on"
    fresh = [dyn_node.random_configuration(model, unbounded=1.0) for _ in range(2)]
    assert not np.array_equal(*fresh)


def slider(lower: float, upper: float) -> dyn_node.Model:
    builder = ModelBuilder("slider")
    builder.add_joint(0, "prismatic", SE3.Identity(), "rail", axis=(1, 0, 0), lower=lower, upper=upper)
    return builder.build()


@pytest.mark.parametrize(
    ("lower", "upper", "low", "high"),
    [
        (-np.inf, np.inf, -0.5, 0.5),
        (2.0, np.inf, 2.0, 3.0),
        (-np.inf, 2.0, 1.0, 2.0),
        (2.0, 2.1, 2.0, 2.1),
        (0.1, 0.1, 0.1, 0.1),
        (-1.7e308, 1.7e308, -1.7e308, 1.7e308),
    ],
)
def test_the_range_where_a_limit_is_missing(lower: float, upper: float, low: float, high: float) -> None:
    model, rng = slider(lower, upper), np.random.default_rng(0)
    q = np.array([dyn_node.random_configuration(model, rng, unbounded=0.5)[0] for _ in range(500)])
    assert low <= q.min() <= q.max() <= high
    third = (high / 3.0 - low / 3.0) * 0.99  # in parts: a range may be too wide for a number
    assert q.max() / 3.0 - low / 3.0 >= third
    assert high / 3.0 - q.min() / 3.0 >= third


def test_missing_limits_are_named_and_widths_checked() -> None:
    model = MAKERS["mixed"]()
    with pytest.raises(InvalidValueError, match="has no position limits to draw from") as caught:
        dyn_node.random_configuration(model, 0)
    named = caught.value.given
    assert set(named) <= {joint.name for joint in model.joints}
    unlimited = {"continuous", "spherical"}
    assert not [name for name in named if model.joints[model.joint_id(name)].kind in unlimited]
    for wrong in (-1.0, np.nan, np.inf, -0.1):
        with pytest.raises(InvalidValueError, match=r"^unbounded"):
            dyn_node.random_configuration(model, 0, unbounded=wrong)
    panda = dyn_node.robots.load("panda")
    assert np.array_equal(
        dyn_node.random_configuration(panda, 0), dyn_node.random_configuration(panda, 0, unbounded=3.0)
    )
