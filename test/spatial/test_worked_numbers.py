"""Numbers that anyone can check on paper."""

from __future__ import annotations

import numpy as np
import pytest

from dyn_node.spatial import SE3, SO3, Force, Inertia, Motion

EXACT = pytest.approx


def test_a_quarter_turn_while_moving_ahead_is_an_arc() -> None:
    end = SE3.exp([1.0, 0.0, 0.0, 0.0, 0.0, np.pi / 2])
    np.testing.assert_allclose(end.translation, [2 / np.pi, 2 / np.pi, 0.0], rtol=0, atol=1e-16)
    np.testing.assert_allclose(
        end.act([1.0, 0.0, 0.0]) - end.translation, [0.0, 1.0, 0.0], rtol=0, atol=1e-15
    )


def test_kinetic_energy_of_a_body_off_its_axis() -> None:
    # Two kilograms as a point at 0.3 m, plus 0.06 kg m^2 of its own, turning at 2 rad/s:
    # (2 * 0.3^2 + 0.06) * 2^2 / 2 = 0.48 J.
    body = Inertia(2.0, [0.3, 0.0, 0.0], 0.06 * np.eye(3))
    turning = Motion([0.0, 0.0, 0.0], [0.0, 0.0, 2.0])
    assert body.kinetic_energy(turning) == EXACT(0.48, abs=1e-15)
    assert (body * turning).angular[2] == EXACT(0.48, abs=1e-15)
    assert (body * turning).linear[1] == EXACT(2.0 * 0.3 * 2.0, abs=1e-15)


def test_power_of_a_force_seen_from_a_metre_away() -> None:
    force, motion = Force([0.0, 10.0, 0.0], [0.0, 0.0, 0.0]), Motion([0.0, 0.5, 0.0], [0.0, 0.0, 3.0])
    aside = SE3(np.eye(3), [1.0, 0.0, 0.0])
    np.testing.assert_array_equal(aside.act(force).vector, [0.0, 10.0, 0.0, 0.0, 0.0, 10.0])
    np.testing.assert_array_equal(aside.act(motion).vector, [0.0, -2.5, 0.0, 0.0, 0.0, 3.0])
    assert force.dot(motion) == aside.act(force).dot(aside.act(motion)) == 5.0


def test_halfway_of_half_a_turn_is_a_quarter() -> None:
    quarter = SO3.Identity().interpolate(SO3.exp([0.0, 0.0, np.pi]), 0.5).matrix
    np.testing.assert_allclose(np.abs(quarter), [[0, 1, 0], [1, 0, 0], [0, 0, 1]], rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("body", "moments"),
    [
        (Inertia.from_box(12.0, [1.0, 2.0, 3.0]), [13.0, 10.0, 5.0]),
        (Inertia.from_cylinder(12.0, 1.0, 3.0), [12.0, 12.0, 6.0]),
        (Inertia.from_sphere(5.0, 2.0), [8.0, 8.0, 8.0]),
        (Inertia.from_ellipsoid(5.0, [1.0, 2.0, 3.0]), [13.0, 10.0, 5.0]),
    ],
    ids=["box", "cylinder", "sphere", "ellipsoid"],
)
def test_moments_of_shapes(body: Inertia, moments: list[float]) -> None:
    np.testing.assert_allclose(body.inertia, np.diag(moments), rtol=1e-15, atol=0)
    np.testing.assert_array_equal(body.com, 0.0)
    assert body.is_consistent()
