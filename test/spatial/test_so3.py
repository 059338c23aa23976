"""SO3: what it takes, what it refuses, and what it does at half a turn."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from tolerances import LIE

from dyn_node.errors import InvalidValueError, ShapeError
from dyn_node.spatial import SE3, SO3, exp_quaternion, log_quaternion

AXES = [
    *np.eye(3),
    *-np.eye(3),
    *(np.array(a) / np.linalg.norm(a) for a in [(1, 1, 0), (1, 0, -1), (0, 1, 1), (-1, 2, 3), (1e-9, 1, 0)]),
]


def half_turn(axis: np.ndarray) -> np.ndarray:
    return 2.0 * np.outer(axis, axis) - np.eye(3)


@pytest.mark.parametrize("axis", AXES, ids=str)
def test_log_at_exactly_pi_returns_a_valid_axis(axis: np.ndarray) -> None:
    R = half_turn(axis)
    for w in (SO3(R).log(), SE3(R, [1.0, 2.0, 3.0]).log().angular, log_quaternion([*axis, 0.0])):
        assert np.linalg.norm(w) == pytest.approx(np.pi, abs=1e-15)
        assert abs(abs(w @ axis) - np.pi) < 1e-14
        np.testing.assert_allclose(SO3.exp(w).matrix, R, rtol=0.0, atol=LIE)


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-8, 1e-3, 1.0, 3.0, np.pi - 1e-9, np.pi])
@pytest.mark.parametrize("axis", AXES[6:], ids=str)
def test_a_slightly_skewed_rotation_is_cleaned(angle: float, axis: np.ndarray) -> None:
    rng = np.random.default_rng(4)
    R = SO3.exp(angle * axis)
    for _ in range(5):
        skewed = R.matrix + rng.uniform(-1e-8, 1e-8, (3, 3))
        cleaned = SO3(skewed)
        np.testing.assert_allclose(cleaned.matrix @ cleaned.matrix.T, np.eye(3), rtol=0.0, atol=1e-15)
        np.testing.assert_allclose(cleaned.matrix, R.matrix, rtol=0.0, atol=3e-8)
        # The closest rotation of all: the orthogonal factor of the polar decomposition.
        U, _, Vt = np.linalg.svd(skewed)
        np.testing.assert_allclose(cleaned.matrix, U @ Vt, rtol=0.0, atol=LIE)
        w = cleaned.log()
        assert np.isfinite(w).all()
        assert min(np.linalg.norm(w - angle * axis), np.linalg.norm(w + angle * axis)) < 1e-7


def test_single_precision_rotations_are_taken() -> None:
    R = SO3.Random(np.random.default_rng(1))
    assert SO3(R.matrix.astype(np.float32)).is_approx(R, 1e-6)


def test_a_clean_rotation_is_kept_bit_for_bit() -> None:
    R = SO3.exp([0.3, -1.2, 0.7]).matrix
    np.testing.assert_array_equal(SO3(R).matrix, R)


REFUSED = {
    "reflection": np.diag([1.0, 1.0, -1.0]),
    "inversion": -np.eye(3),
    "scaled": 1.001 * np.eye(3),
    "sheared": np.array([[1.0, 1e-5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    "zero": np.zeros((3, 3)),
    "nan": np.full((3, 3), np.nan),
    "one nan": np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, np.nan]]),
    "infinite": np.diag([np.inf, 1.0, 1.0]),
}


@pytest.mark.parametrize("matrix", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_no_rotation_is_refused(matrix: np.ndarray) -> None:
    for build in (SO3, lambda R: SE3(R, np.zeros(3))):
        with pytest.raises(InvalidValueError, match="not a rotation matrix") as caught:
            build(matrix)
        assert caught.value.given is not None
        assert "R^T R = 1" in caught.value.allowed


@pytest.mark.parametrize(
    "quaternion", [[0, 0, 0, 0], [0, 0, 0, 2], [1, 1, 1, 1], [0, 0, 0, np.nan], [0, np.inf, 0, 1]], ids=str
)
def test_what_is_no_unit_quaternion_is_refused(quaternion: list[float]) -> None:
    for build in (SO3.from_quaternion, log_quaternion, lambda q: SE3.from_quaternion(q, [0, 0, 0])):
        with pytest.raises(InvalidValueError, match="quaternion: expected unit length"):
            build(quaternion)


def test_a_quaternion_typed_by_hand_is_normalised() -> None:
    R = SO3.from_quaternion([0, 0, 0.7071, 0.7071])
    np.testing.assert_allclose(R.matrix, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], rtol=0, atol=1e-15)


@pytest.mark.parametrize("bad", [[np.nan, 0, 0], [0, np.inf, 0], [0, 0, 1e200]], ids=str)
def test_tangents_that_are_not_finite_are_refused(bad: list[float]) -> None:
    for f in (SO3.exp, SO3.jexp, SO3.jexp_inverse, exp_quaternion):
        with pytest.raises(InvalidValueError, match="w: "):
            f(bad)
    for g in (SE3.exp, SE3.jexp, SE3.jexp_inverse):
        with pytest.raises(InvalidValueError, match="twist: "):
            g([0, 0, 0, *bad])
        if not np.isfinite(bad).all():
            with pytest.raises(InvalidValueError, match="twist: "):
                g([*bad, 0, 0, 0])


def test_wrong_shapes_name_the_argument() -> None:
    with pytest.raises(ShapeError, match=r"rotation: expected shape \(3, 3\), given shape \(4, 4\)"):
        SO3(np.eye(4))
    with pytest.raises(ShapeError, match="w: "):
        SO3.exp([1, 2])
    with pytest.raises(ShapeError, match="quaternion: "):
        SO3.from_quaternion("abc")
    with pytest.raises(ShapeError, match="points: "):
        SO3.Identity().act([1.0, 2.0])
    with pytest.raises(InvalidValueError, match=r"side: expected .* given 'up'"):
        SO3.jexp([0, 0, 1], "up")


def test_anything_that_converts_is_taken() -> None:
    w = np.array([0.1, 0.2, 0.3])
    expected = SO3.exp(w)
    strided = np.array([0.1, 9, 0.2, 9, 0.3, 9])[::2]
    fixed = w.copy()
    fixed.setflags(write=False)
    for given in ([0.1, 0.2, 0.3], (0.1, 0.2, 0.3), strided, fixed, w.astype(object), w.astype(">f8")):
        assert SO3.exp(given) == expected, repr(given)
    assert SO3.exp(np.array([0, 0, 1])) == SO3.exp([0.0, 0.0, 1.0])
    with pytest.raises(ShapeError):
        SO3.exp(w + 1j)
    assert SO3(np.asfortranarray(expected.matrix)) == expected


def test_values_cannot_be_changed() -> None:
    given = np.eye(3)
    R = SO3(given)
    given[0, 0] = 7.0
    assert SO3.Identity() == R
    with pytest.raises(ValueError, match="read-only"):
        R.matrix[0, 0] = 1.0
    with pytest.raises(AttributeError):
        R.matrix = np.eye(3)
    R.quaternion[0] = 5.0
    np.array(R)[0, 0] = 5.0
    np.asarray(R)[0, 0] = 5.0
    assert SO3.Identity() == R


def test_copies_pickle_hash_and_print() -> None:
    R = SO3.exp([0.1, 0.2, 0.3])
    for twin in (pickle.loads(pickle.dumps(R)), copy.copy(R), copy.deepcopy(R), eval(repr(R))):
        assert twin == R
        assert hash(twin) == hash(R)
    assert SO3.Identity() != R
    assert R != "R"


def test_points_alone_and_many() -> None:
    R, rng = SO3.exp([0.1, 0.2, 0.3]), np.random.default_rng(0)
    points = rng.normal(size=(2, 5, 3))
    turned = R.act(points)
    assert turned.shape == points.shape
    np.testing.assert_allclose(turned[1, 3], R.act(points[1, 3]), rtol=1e-15)
    np.testing.assert_allclose(R.act_inv(turned), points, rtol=0, atol=1e-15)
    np.testing.assert_allclose(R.act_inv(turned[1, 3]), points[1, 3], rtol=0, atol=1e-15)
    np.testing.assert_array_equal(R.act([1, 0, 0]), R.matrix[:, 0])
    assert R.act(np.empty((0, 3))).shape == (0, 3)


def test_random_rotations_are_uniform() -> None:
    rng = np.random.default_rng(0)
    mean = np.mean([SO3.Random(rng).matrix for _ in range(4000)], axis=0)
    np.testing.assert_allclose(mean, 0.0, atol=0.05)
    assert SO3.Random(np.random.default_rng(3)) == SO3.Random(np.random.default_rng(3))
