"""SE3, Motion and Force as values: construction, arithmetic, immutability, refusals."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from dyn_node.errors import InvalidValueError, ShapeError
from dyn_node.spatial import SE3, SO3, Force, Inertia, Motion

RNG = np.random.default_rng(5)
M = SE3.Random(RNG)
MOTION, FORCE = Motion.Random(RNG), Force.Random(RNG)


@pytest.mark.parametrize("value", [M, MOTION, FORCE, Inertia.Random(RNG)], ids=lambda v: type(v).__name__)
def test_copies_pickle_and_hash(value: object) -> None:
    for twin in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert twin == value
        assert twin is not None
        assert hash(twin) == hash(value)
        assert twin.is_approx(value, 0.0)  # type: ignore[attr-defined]
    assert value != 3
    assert type(value).__name__ in repr(value)


@pytest.mark.parametrize("value", [M, MOTION, FORCE], ids=lambda v: type(v).__name__)
def test_repr_builds_the_same_value(value: object) -> None:
    assert eval(repr(value)) == value


def test_equal_values_with_zeros_of_either_sign_hash_equally() -> None:
    a, b = Motion([0.0, 0, 0], [0, 0, 0]), Motion([-0.0, 0, 0], [0, 0, 0])
    assert a == b
    assert hash(a) == hash(b)


@pytest.mark.parametrize("kind", [Motion, Force])
def test_six_vectors(kind: type) -> None:
    a = kind([1, 2, 3], [4, 5, 6])
    np.testing.assert_array_equal(a.linear, [1, 2, 3])
    np.testing.assert_array_equal(a.angular, [4, 5, 6])
    np.testing.assert_array_equal(np.asarray(a), a.vector)
    assert a == kind.from_vector(range(1, 7))
    assert a + a == 2 * a == a * 2 == np.float64(2.0) * a
    assert a - a == kind.Zero() == a + -a
    assert a / 2 == 0.5 * a
    assert list(a) == [1, 2, 3, 4, 5, 6]
    assert len(a) == 6
    assert a.is_approx(a + 1e-13 * a)
    assert not a.is_approx(1.001 * a)
    assert type(a + a) is kind


def test_motions_and_forces_do_not_mix() -> None:
    for operation in (
        lambda: MOTION + FORCE,
        lambda: FORCE - MOTION,
        lambda: MOTION * "2.5",
        lambda: MOTION / [1],
    ):
        with pytest.raises(TypeError):
            operation()
    with pytest.raises(TypeError, match="expected a Motion or a Force"):
        MOTION.cross(np.zeros(6))
    with pytest.raises(TypeError):
        M * MOTION
    assert Force.from_vector(MOTION.vector) != MOTION


def test_constructors_copy_and_views_are_read_only() -> None:
    v, R, p = np.arange(6.0), np.eye(3), np.zeros(3)
    motion, placement = Motion.from_vector(v), SE3(R, p)
    halves = Motion(v[:3], v[3:])
    v[:], R[0, 0], p[:] = 9.0, 5.0, 7.0
    assert motion == halves == Motion.from_vector(range(6))
    assert placement == SE3.Identity()
    for view in (motion.vector, motion.linear, motion.angular, placement.rotation, placement.translation):
        with pytest.raises(ValueError, match="read-only"):
            view[...] = 1.0
    for mine in (placement.homogeneous, placement.action, placement.dual_action, placement.quaternion):
        mine[...] = 1.0
    np.asarray(motion)[:] = 3.0
    assert motion == halves
    assert placement == SE3.Identity()
    with pytest.raises(AttributeError):
        motion.linear = v[:3]
    with pytest.raises(AttributeError):
        motion.other = 1


def test_trusted_placement_does_not_alias() -> None:
    R, p = np.eye(3), np.zeros(3)
    placement = SE3._trusted(R, p)
    R[0, 0] = p[0] = 4.0
    assert placement == SE3.Identity()


def test_homogeneous_both_ways() -> None:
    assert SE3.from_homogeneous(M.homogeneous) == M
    np.testing.assert_array_equal(M.homogeneous[3], [0, 0, 0, 1])
    bad = M.homogeneous
    bad[3, 0] = 0.1
    with pytest.raises(InvalidValueError, match="last row must be 0 0 0 1"):
        SE3.from_homogeneous(bad)
    with pytest.raises(ShapeError, match="matrix: "):
        SE3.from_homogeneous(np.eye(3))


def test_placement_from_parts() -> None:
    assert SE3(SO3.exp([0, 0, 1]), [0, 0, 0]) == SE3.exp([0, 0, 0, 0, 0, 1])
    assert SE3(M.so3, M.translation) == M
    assert SE3.from_quaternion(M.quaternion, M.translation).is_approx(M, 1e-15)
    assert SE3.exp(M.log()).is_approx(M)
    assert SE3.exp(M.log().vector).is_approx(M)
    assert not M.is_approx(SE3(M.rotation, M.translation + 1e-6))
    with pytest.raises(InvalidValueError, match="translation: expected finite"):
        SE3(np.eye(3), [0, np.nan, 0])
    with pytest.raises(InvalidValueError, match="translation: expected finite"):
        SE3.from_quaternion([0, 0, 0, 1], [0, np.inf, 0])
    with pytest.raises(ShapeError, match="translation: "):
        SE3(np.eye(3), [0, 0])


def test_acting_on_points_and_refusing_the_rest() -> None:
    points = RNG.normal(size=(4, 2, 3))
    moved = M.act(points)
    np.testing.assert_allclose(moved[3, 1], M.act(points[3, 1]), rtol=0, atol=1e-15)
    np.testing.assert_allclose(M.act_inv(moved), points, rtol=0, atol=1e-14)
    np.testing.assert_allclose(M.act([1, 2, 3]), M.act(np.array([1.0, 2.0, 3.0])), rtol=0)
    np.testing.assert_allclose(M.act_inv([1, 2, 3]), M.inverse().act(np.array([1, 2, 3])), rtol=0, atol=1e-15)
    point = np.ones(3)
    assert SE3.Identity().act(point) is not point
    for bad in ("abc", None, 3.0, [1.0, 2.0], np.ones((3, 2)), object()):
        with pytest.raises(ShapeError, match="points: "):
            M.act(bad)
        with pytest.raises(ShapeError, match="points: "):
            M.act_inv(bad)


def test_sizes_are_checked_before_memory_is_read() -> None:
    for call in (
        lambda: Motion.from_vector(np.zeros(5)),
        lambda: Force(np.zeros(3), np.zeros(4)),
        lambda: SE3.exp(np.zeros(5)),
        lambda: SE3.jexp(np.zeros(7)),
        lambda: SE3(np.zeros((2, 3)), np.zeros(3)),
        lambda: SE3.from_quaternion(np.zeros(3), np.zeros(3)),
    ):
        with pytest.raises(ShapeError):
            call()
