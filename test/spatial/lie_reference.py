"""exp and its Jacobians to 50 digits, from their power series, term by term, and nothing else.

No closed form and no branch: what the library does near its singular angles is not repeated here.
Matrices are NumPy arrays of mpmath numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

mpmath = pytest.importorskip("mpmath", reason="mpmath is the 50-digit arithmetic of these tests")

#: Ten more than are claimed: the terms of exp(7) reach 160 before they shrink.
mpmath.mp.dps = 60


class Reference(NamedTuple):
    """exp(v, w) and the left Jacobian [[J, Q], [0, J]]."""

    R: np.ndarray
    p: np.ndarray
    J: np.ndarray
    Q: np.ndarray


def exact(array: object) -> np.ndarray:
    """float64 numbers as mpmath numbers, without rounding."""
    given = np.asarray(array)
    result = np.empty(given.shape, dtype=object)
    result.flat = [mpmath.mpf(float(x)) for x in given.flat]
    return result


def hat(w: np.ndarray) -> np.ndarray:
    zero = mpmath.mpf(0)
    return np.array([[zero, -w[2], w[1]], [w[2], zero, -w[0]], [-w[1], w[0], zero]], dtype=object)


def exp_reference(v: np.ndarray, w: np.ndarray) -> Reference:
    """The series sum_n X^n / (n + 1)! over X = w^, and over the dual number w^ + e v^ for Q."""
    W, V = hat(w), hat(v)
    power, dual = exact(np.eye(3)), exact(np.zeros((3, 3)))
    J, Q = power.copy(), dual.copy()
    factorial = mpmath.mpf(1)
    for n in range(1, 200):
        power, dual = W @ power, W @ dual + V @ power
        factorial *= n + 1
        J, Q = J + power / factorial, Q + dual / factorial
        # Later terms shrink by more than the angle over n each.
        if n > 10 and max(abs(x) for x in [*power.flat, *dual.flat]) / factorial < mpmath.mpf(10) ** -55:
            return Reference(exact(np.eye(3)) + W @ J, J @ v, J, Q)
    raise AssertionError("the reference series did not converge")


def inverse(A: np.ndarray) -> np.ndarray:
    """Inverse of a (3, 3) matrix by cofactors."""
    C = np.array([np.cross(A[1], A[2]), np.cross(A[2], A[0]), np.cross(A[0], A[1])], dtype=object)
    return C.T / (A[0] @ C[0])


def length(w: np.ndarray) -> mpmath.mpf:
    return mpmath.sqrt(sum(x * x for x in w))


def shortest(w: np.ndarray) -> np.ndarray:
    """The rotation vector of the same rotation whose length is at most pi."""
    angle = length(w)
    if angle <= mpmath.pi:
        return w
    return w * (1 - 2 * mpmath.pi / angle)


def error(got: np.ndarray, expected: np.ndarray) -> float:
    """Largest difference over the largest entry (over one, where all entries are zero)."""
    difference = max(abs(x) for x in (exact(got) - expected).flat)
    largest = max(abs(x) for x in expected.flat)
    return float(difference / largest) if largest else float(difference)
