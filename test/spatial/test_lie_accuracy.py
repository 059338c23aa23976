"""exp, log and their Jacobians against 50 digits, over every angle where a formula could break."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from lie_reference import Reference, error, exact, exp_reference, hat, inverse, length, mpmath, shortest
from tolerances import LIE

from dyn_node.spatial import SE3, SO3, exp_quaternion, log_quaternion

PI = np.pi
TINY = [0.0, 1e-300, 1e-200, 1e-160, 1e-155, 1e-150, 1e-100, 1e-30]
DECADES = [10.0**-k for k in range(20, 0, -1)]
# Both sides of every value at which a series takes over, and the range between.
SWITCHES = [1.999e-3, 2.001e-3, 0.3, 0.999999, 1.0, 1.000001, 1.999999, 2.0, 2.000001, 2.7, 3.0]
NEAR_PI = [PI - 10.0**-k for k in range(1, 16)] + [PI] + [PI + 10.0**-k for k in (15, 12, 8, 4, 1)]
NEAR_2PI = [4.0, 5.0, 6.0] + [2 * PI + s * 10.0**-k for k in (2, 5, 8, 15) for s in (-1, 1)] + [2 * PI, 7.0]
ANGLES = TINY + DECADES + SWITCHES + NEAR_PI + NEAR_2PI
# The inverse Jacobian has a pole at 2 pi: near it, rounding the angle alone moves the result.
AWAY_FROM_POLE = [angle for angle in ANGLES if abs(angle - 2 * PI) > 0.2]

AXES = [
    np.array([1.0, 0.0, 0.0]),
    np.array([0.0, -0.6, 0.8]),
    np.array([-0.48, 0.6, -0.64]),
    np.array([2.0, -1.0, 3.0]) / np.sqrt(14.0),
]
LINEAR = np.array([0.7, -1.3, 0.4])


@cache
def reference(angle: float, axis: int) -> Reference:
    return exp_reference(exact(LINEAR), exact(AXES[axis] * angle))


def cases(angles: list[float]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("angle", angles, ids=[f"{angle!r}" for angle in angles])


def each(angle: float) -> list[tuple[np.ndarray, np.ndarray, Reference, str]]:
    """(w, twist, reference, name) for every axis."""
    turns = [axis * angle for axis in AXES]
    return [
        (w, np.concatenate([LINEAR, w]), reference(angle, k), f"angle {angle!r}, axis {AXES[k]}")
        for k, w in enumerate(turns)
    ]


@cases(ANGLES)
def test_exp_agrees_with_fifty_digits(angle: float) -> None:
    for w, twist, expected, case in each(angle):
        M = SE3.exp(twist)
        assert error(SO3.exp(w).matrix, expected.R) < LIE, f"{case}: rotation"
        assert error(M.rotation, expected.R) < LIE, f"{case}: pose's rotation"
        assert error(M.translation, expected.p) < LIE, f"{case}: translation"


@cases([angle for angle in TINY + DECADES if angle > 0.0])
def test_exp_keeps_the_digits_of_a_small_angle(angle: float) -> None:
    for w, _, expected, case in each(angle):
        turned = SO3.exp(w).matrix - np.diag(np.diag(SO3.exp(w).matrix))
        off_diagonal = expected.R - np.diag(np.diag(expected.R))
        assert error(turned, off_diagonal) < LIE, case


@cases(ANGLES)
def test_exp_quaternion_agrees_with_fifty_digits(angle: float) -> None:
    for w, _, _, case in each(angle):
        exact_w = exact(w)
        half = length(exact_w) / 2
        unit = exact_w / (2 * half) if half else exact_w
        expected = np.array([*(unit * mpmath.sin(half)), mpmath.cos(half)], dtype=object)
        got = exp_quaternion(w)
        assert error(got, expected) < LIE, case
        # The vector part alone tells a small rotation from none; through 2 pi it loses what the angle lost.
        if 0.0 < angle < 3.2:
            assert error(got[:3], expected[:3]) < LIE, f"{case}: vector part"


@cases(ANGLES)
def test_left_and_right_jacobians_agree_with_fifty_digits(angle: float) -> None:
    for w, twist, expected, case in each(angle):
        got = SE3.jexp(twist, "left")
        assert error(SO3.jexp(w, "left"), expected.J) < LIE, f"{case}: SO(3)"
        assert error(got[:3, :3], expected.J) < LIE, f"{case}: linear block"
        assert error(got[:3, 3:], expected.Q) < LIE, f"{case}: coupling block"
        np.testing.assert_array_equal(got[3:, 3:], got[:3, :3], err_msg=case)
        np.testing.assert_array_equal(got[3:, :3], 0.0, err_msg=case)
        np.testing.assert_array_equal(SE3.jexp(twist, "right"), SE3.jexp(-twist, "left"), err_msg=case)
        np.testing.assert_array_equal(SO3.jexp(w, "right"), SO3.jexp(-w, "left"), err_msg=case)


@cases(AWAY_FROM_POLE)
def test_inverse_jacobians_agree_with_fifty_digits(angle: float) -> None:
    for w, twist, expected, case in each(angle):
        J = inverse(expected.J)
        Q = -(J @ expected.Q @ J)
        # Beyond pi the nearer pole magnifies the rounding of the angle by about angle / distance.
        allowed = LIE * max(1.0, angle / abs(2 * PI - angle))
        got = SE3.jexp_inverse(twist, "left")
        assert error(SO3.jexp_inverse(w, "left"), J) < allowed, f"{case}: SO(3)"
        assert error(got[:3, :3], J) < allowed, f"{case}: linear block"
        assert error(got[:3, 3:], Q) < allowed, f"{case}: coupling block"
        np.testing.assert_array_equal(got[3:, 3:], got[:3, :3], err_msg=case)
        np.testing.assert_array_equal(
            SE3.jexp_inverse(twist, "right"), SE3.jexp_inverse(-twist, "left"), case
        )


@cases(ANGLES)
def test_log_agrees_with_fifty_digits(angle: float) -> None:
    for w, _, expected, case in each(angle):
        M = SE3(expected.R.astype(np.float64), expected.p.astype(np.float64))
        exact_w = exact(w)
        turn = shortest(exact_w)
        if abs(length(turn) - mpmath.pi) < 1e-14 and M.log().angular @ w * float(turn @ exact_w) < 0.0:
            turn = -turn  # within the rounding of R, half a turn either way is the same rotation
        J = expected.J if turn is exact_w else exp_reference(turn, turn).J
        linear = inverse(J) @ expected.p
        # What R's entries were rounded by is all that a rotation near none has left of its angle.
        allowed = LIE if angle < 6.0 else LIE + 4e-16 / max(float(length(turn)), 1e-300)
        assert error(M.so3.log(), turn) < allowed, f"{case}: rotation"
        assert error(M.log().angular, turn) < allowed, f"{case}: angular"
        assert error(M.log().linear, linear) < LIE, f"{case}: linear"
        if angle < 6.0:
            assert error(log_quaternion(M.quaternion), turn) < LIE, f"{case}: quaternion"


@cases(ANGLES[::3])
def test_log_jacobian_is_the_inverse_jacobian_at_the_log(angle: float) -> None:
    for _, _, expected, case in each(angle):
        M = SE3(expected.R.astype(np.float64), expected.p.astype(np.float64))
        xi = M.log().vector
        exact_J = exp_reference(exact(-xi[:3]), exact(-xi[3:]))
        J = inverse(exact_J.J)
        Q = -(J @ exact_J.Q @ J)
        assert error(M.so3.jlog(), J) < LIE, f"{case}: SO(3)"
        assert error(M.jlog()[:3, 3:], Q) < LIE, f"{case}: coupling block"
        np.testing.assert_array_equal(M.jlog()[:3, :3], M.so3.jlog(), err_msg=case)


def test_the_reference_is_the_matrix_exponential() -> None:
    expected = reference(2.7, 3)
    X = mpmath.zeros(4, 4)
    X[:3, :3] = mpmath.matrix(hat(exact(AXES[3] * 2.7)).tolist())
    X[:3, 3] = mpmath.matrix(list(exact(LINEAR)))
    M = mpmath.expm(X, method="taylor")
    got = np.array([[M[r, c] for c in range(4)] for r in range(3)], dtype=object)
    difference = got - np.column_stack([expected.R, expected.p])
    assert max(abs(x) for x in difference.flat) < 1e-50
