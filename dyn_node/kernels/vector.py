"""Three-vectors and rotations in scalar arithmetic.

Vectors come as arrays or tuples of three and leave as tuples; rotations are (3, 3) arrays. Nothing
here branches on a value, so that symbols and complex numbers pass through.
"""

from __future__ import annotations

from typing import Any

from .engine import inline


@inline
def cross(a: Any, b: Any) -> Any:
    """a x b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@inline
def dot(a: Any, b: Any) -> Any:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def add(a: Any, b: Any) -> Any:
    """a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@inline
def sub(a: Any, b: Any) -> Any:
    """a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@inline
def scale(s: Any, a: Any) -> Any:
    """s a."""
    return (s * a[0], s * a[1], s * a[2])


@inline
def rotate(R: Any, a: Any) -> Any:
    """R a."""
    return (
        R[0, 0] * a[0] + R[0, 1] * a[1] + R[0, 2] * a[2],
        R[1, 0] * a[0] + R[1, 1] * a[1] + R[1, 2] * a[2],
        R[2, 0] * a[0] + R[2, 1] * a[1] + R[2, 2] * a[2],
    )


@inline
def unrotate(R: Any, a: Any) -> Any:
    """R^T a."""
    return (
        R[0, 0] * a[0] + R[1, 0] * a[1] + R[2, 0] * a[2],
        R[0, 1] * a[0] + R[1, 1] * a[1] + R[2, 1] * a[2],
        R[0, 2] * a[0] + R[1, 2] * a[1] + R[2, 2] * a[2],
    )


@inline
def put(out: Any, a: Any) -> None:
    """out[:] = a for three entries."""
    out[0] = a[0]
    out[1] = a[1]
    out[2] = a[2]


@inline
def put_sum(out: Any, a: Any) -> None:
    """out[:] += a for three entries."""
    out[0] += a[0]
    out[1] += a[1]
    out[2] += a[2]


@inline
def put6(out: Any, lin: Any, ang: Any) -> None:
    """Six entries, linear first."""
    out[0] = lin[0]
    out[1] = lin[1]
    out[2] = lin[2]
    out[3] = ang[0]
    out[4] = ang[1]
    out[5] = ang[2]


@inline
def linear(x: Any) -> Any:
    """First half of a six-vector."""
    return (x[0], x[1], x[2])


@inline
def angular(x: Any) -> Any:
    """Second half of a six-vector."""
    return (x[3], x[4], x[5])


@inline
def copy_matrix(out: Any, A: Any) -> None:
    """out = A, (3, 3)."""
    for r in range(3):
        for c in range(3):
            out[r, c] = A[r, c]


@inline
def multiply(out: Any, A: Any, B: Any) -> None:
    """out = A B, (3, 3); out is neither A nor B."""
    for r in range(3):
        for c in range(3):
            out[r, c] = A[r, 0] * B[0, c] + A[r, 1] * B[1, c] + A[r, 2] * B[2, c]
