"""The damped least-squares step of inverse kinematics, in the six dimensions of a pose."""

from __future__ import annotations

from typing import Any

import numpy as np

from .engine import inline


@inline
def factor(A: Any, size: int) -> None:
    """Cholesky factor of the lower triangle of A, in place, with the reciprocals of its diagonal.

    A pivot that vanishes gives zero.
    """
    for r in range(size):
        for c in range(r):
            total = A[r, c]
            for k in range(c):
                total -= A[r, k] * A[c, k]
            A[r, c] = total * A[c, c]
        total = A[r, r]
        for k in range(r):
            total -= A[r, k] * A[r, k]
        A[r, r] = 1.0 / np.sqrt(total) if total > 0.0 else 0.0


@inline
def back_solve(A: Any, size: int, b: Any) -> None:
    """b = A^-1 b for an A that `factor` has factored."""
    for r in range(size):
        total = b[r]
        for k in range(r):
            total -= A[r, k] * b[k]
        b[r] = total * A[r, r]
    for back in range(size):
        r = size - 1 - back
        total = b[r]
        for k in range(r + 1, size):
            total -= A[k, r] * b[k]
        b[r] = total * A[r, r]


@inline
def damped_step(J: Any, e: Any, m: int, damping: float, A: Any, y: Any) -> None:
    """y = (J J^T + damping 1)^-1 e; the step is J^T y."""
    for r in range(6):
        y[r] = e[r]
        for c in range(r + 1):
            total = damping if r == c else 0.0
            for k in range(m):
                total += J[r, k] * J[c, k]
            A[r, c] = total
    factor(A, 6)
    back_solve(A, 6, y)


@inline
def gram_determinant(J: Any, m: int, weights: Any, A: Any) -> float:
    """Square root of det(J J^T) over the rows that have weight; A is a (6, 6) scratch array."""
    size = 0
    for r in range(6):
        if weights[r] > 0.0:
            other = 0
            for c in range(r + 1):
                if weights[c] > 0.0:
                    total = 0.0
                    for k in range(m):
                        total += J[r, k] * J[c, k]
                    A[size, other] = total
                    other += 1
            size += 1
    factor(A, size)
    product = 1.0
    for r in range(size):
        product *= 1.0 / A[r, r] if A[r, r] > 0.0 else 0.0
    return product


@inline
def shorten(step: Any, columns: Any, m: int, longest: float, allowed: float) -> None:
    """Scale a step whose largest entry is longer than allowed."""
    if longest > allowed:
        for c in range(m):
            step[columns[c, 0]] *= allowed / longest
