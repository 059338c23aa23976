"""Arithmetic of rotations and placements as values: products, exp and log, action on points.

A pose is a (4, 3) array: the rotation in the first three rows, the translation in the fourth, so
that one placement is one argument, and whatever reads a (3, 3) rotation reads a pose as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .engine import inline, kernel
from .lie import (
    exp3_quaternion,
    exp6,
    jexp3,
    jexp3_inverse,
    jexp6,
    jexp6_inverse,
    log3_quaternion,
    log6,
    matrix_to_quaternion,
    quaternion_normalize,
    quaternion_to_matrix,
)
from .vector import add, angular, cross, dot, linear, multiply, put, put6, rotate, scale, sub, unrotate


@inline
def put_row(out: Any, row: int, a: Any) -> None:
    """out[row] = a."""
    out[row, 0] = a[0]
    out[row, 1] = a[1]
    out[row, 2] = a[2]


@inline
def row(A: Any, r: int) -> Any:
    """A[r] as a tuple."""
    return (A[r, 0], A[r, 1], A[r, 2])


@inline
def multiply_transposed(out: Any, A: Any, B: Any) -> None:
    """out = A^T B, (3, 3); out is neither A nor B."""
    for r in range(3):
        for c in range(3):
            out[r, c] = A[0, r] * B[0, c] + A[1, r] * B[1, c] + A[2, r] * B[2, c]


@inline
def all_finite(A: Any) -> bool:
    """Whether no entry of a matrix is NaN or infinite."""
    total = 0.0
    for r in range(A.shape[0]):
        for c in range(A.shape[1]):
            total += abs(A[r, c])
    return bool(np.isfinite(total))


# --- poses -------------------------------------------------------------------------------------


@inline
def put_product(out: Any, a: Any, b: Any) -> None:
    """out = a b."""
    multiply(out, a, b)
    put_row(out, 3, add(rotate(a, row(b, 3)), row(a, 3)))


@inline
def put_between(out: Any, a: Any, b: Any) -> None:
    """out = a^-1 b."""
    multiply_transposed(out, a, b)
    put_row(out, 3, unrotate(a, sub(row(b, 3), row(a, 3))))


@kernel("matrix", "matrix", "matrix", result=(4, 3), value=True)
def pose_compose(a: Any, b: Any, out: Any) -> None:
    """out = a b."""
    put_product(out, a, b)


@kernel("matrix", "vector", "matrix", result=(4, 3), value=True)
def pose_assembled(R: Any, p: Any, out: Any) -> None:
    """out = the pose of a rotation and a translation."""
    for r in range(3):
        put_row(out, r, row(R, r))
    put_row(out, 3, p)


@kernel("matrix", "matrix", result=(4, 3), value=True)
def pose_inverse(a: Any, out: Any) -> None:
    """out = a^-1."""
    for r in range(3):
        for c in range(3):
            out[r, c] = a[c, r]
    put_row(out, 3, scale(-1.0, unrotate(a, row(a, 3))))


@kernel("matrix", "matrix", "matrix", result=(4, 3), value=True)
def pose_between(a: Any, b: Any, out: Any) -> None:
    """out = a^-1 b."""
    put_between(out, a, b)


@kernel("matrix", "matrix", "matrix", result=(3, 3), value=True)
def rotation_compose(a: Any, b: Any, out: Any) -> None:
    """out = a b, (3, 3)."""
    multiply(out, a, b)


@kernel("matrix", "matrix", result=(4, 4))
def pose_homogeneous(a: Any, out: Any) -> None:
    """out = the (4, 4) matrix."""
    for r in range(3):
        for c in range(3):
            out[r, c] = a[r, c]
        out[r, 3] = a[3, r]
        out[3, r] = 0.0
    out[3, 3] = 1.0


@kernel("matrix", "matrix", result=(6, 6))
def pose_action(a: Any, out: Any) -> None:
    """out = the 6x6 action on motions, [[R, p^ R], [0, R]]."""
    p = row(a, 3)
    for c in range(3):
        column = (a[0, c], a[1, c], a[2, c])
        moved = cross(p, column)
        for r in range(3):
            out[r, c] = column[r]
            out[r + 3, c + 3] = column[r]
            out[r, c + 3] = moved[r]
            out[r + 3, c] = 0.0


@kernel("matrix", "matrix", result=(6, 6))
def pose_dual_action(a: Any, out: Any) -> None:
    """out = the 6x6 action on forces, [[R, 0], [p^ R, R]]."""
    p = row(a, 3)
    for c in range(3):
        column = (a[0, c], a[1, c], a[2, c])
        moved = cross(p, column)
        for r in range(3):
            out[r, c] = column[r]
            out[r + 3, c + 3] = column[r]
            out[r + 3, c] = moved[r]
            out[r, c + 3] = 0.0


@kernel("matrix", "vector", "vector", result=(3,))
def rotation_act(R: Any, point: Any, out: Any) -> None:
    """out = R x."""
    put(out, rotate(R, point))


@kernel("matrix", "vector", "vector", result=(3,))
def rotation_act_inv(R: Any, point: Any, out: Any) -> None:
    """out = R^T x."""
    put(out, unrotate(R, point))


@kernel("matrix", "vector", "vector", result=(3,))
def act_point(pose: Any, point: Any, out: Any) -> None:
    """out = R x + p."""
    put(out, add(rotate(pose, point), row(pose, 3)))


@kernel("matrix", "vector", "vector", result=(3,))
def act_inv_point(pose: Any, point: Any, out: Any) -> None:
    """out = R^T (x - p)."""
    put(out, unrotate(pose, sub(point, row(pose, 3))))


# --- exponential and logarithm -----------------------------------------------------------------


@kernel("vector", "matrix")
def rotation_exp(w: Any, out: Any) -> bool:
    """out = exp(w), (3, 3); False where w is not finite."""
    quaternion_to_matrix(out, exp3_quaternion(w))
    return bool(np.isfinite(dot(w, w)))


@kernel("matrix", "vector", result=(3,))
def rotation_log(R: Any, out: Any) -> None:
    """out = log(R) of a rotation or a pose's rotation."""
    put(out, log3_quaternion(matrix_to_quaternion(R)))


@inline
def put_exp6(out: Any, v: Any, w: Any) -> None:
    """out = exp(v, w), a pose."""
    quat, p = exp6(v, w)
    quaternion_to_matrix(out, quat)
    put_row(out, 3, p)


@kernel("vector", "matrix", result=(4, 3), value=True)
def pose_exp(xi: Any, out: Any) -> None:
    """out = exp(xi); refuses what is not finite."""
    if xi.shape[0] != 6:
        raise ValueError("size of a twist")
    if not np.isfinite(xi[0] + xi[1] + xi[2] + dot(angular(xi), angular(xi))):
        raise ValueError("not finite")
    put_exp6(out, linear(xi), angular(xi))


@kernel("matrix", "vector", result=(6,), value=True)
def pose_log(pose: Any, out: Any) -> None:
    """out = log(pose)."""
    v, w = log6(matrix_to_quaternion(pose), row(pose, 3))
    put6(out, v, w)


@kernel("vector", "vector")
def quaternion_exp(w: Any, out: Any) -> bool:
    """out = the unit quaternion of the rotation vector w; False where w is not finite."""
    out[0], out[1], out[2], out[3] = exp3_quaternion(w)
    return bool(np.isfinite(dot(w, w)))


@kernel("vector", "vector")
def quaternion_log(quat: Any, out: Any) -> float:
    """out = the rotation vector of quat; returns the length of quat."""
    put(out, log3_quaternion((quat[0], quat[1], quat[2], quat[3])))
    return np.sqrt(dot(quat, quat) + quat[3] * quat[3])


@kernel("matrix", "vector", result=(4,))
def rotation_quaternion(R: Any, out: Any) -> None:
    """out = the unit quaternion of R, of the two the one with w >= 0."""
    x, y, z, w = matrix_to_quaternion(R)
    sign = -1.0 if w < 0.0 else 1.0
    put(out, (sign * x, sign * y, sign * z))
    out[3] = sign * w


@kernel("vector", "matrix")
def quaternion_rotation(quat: Any, out: Any) -> float:
    """out[:3] = the rotation of a quaternion that is normalised here; returns its length."""
    quaternion_to_matrix(out, quaternion_normalize(quat))
    return np.sqrt(dot(quat, quat) + quat[3] * quat[3])


@kernel("vector", "float", "matrix")
def rotation_jexp(w: Any, side: Any, out: Any) -> bool:
    """out = Jacobian of exp at w; False where w is not finite."""
    jexp3(out, w, side)
    return bool(np.isfinite(dot(w, w)))


@kernel("vector", "float", "matrix")
def rotation_jexp_inverse(w: Any, side: Any, out: Any) -> bool:
    """out = inverse Jacobian of exp at w; False where it has none."""
    jexp3_inverse(out, w, side)
    return all_finite(out)


@kernel("vector", "float", "matrix")
def pose_jexp(xi: Any, side: Any, out: Any) -> bool:
    """out = Jacobian of exp at xi; False where xi is not finite."""
    jexp6(out, linear(xi), angular(xi), side)
    return all_finite(out)


@kernel("vector", "float", "matrix")
def pose_jexp_inverse(xi: Any, side: Any, out: Any) -> bool:
    """out = inverse Jacobian of exp at xi; False where it has none."""
    jexp6_inverse(out, linear(xi), angular(xi), side)
    return all_finite(out)


@kernel("matrix", "float", "matrix", result=(3, 3))
def rotation_jlog(R: Any, side: Any, out: Any) -> None:
    """out = Jacobian of log at R."""
    jexp3_inverse(out, log3_quaternion(matrix_to_quaternion(R)), side)


@kernel("matrix", "float", "matrix", result=(6, 6))
def pose_jlog(pose: Any, side: Any, out: Any) -> None:
    """out = Jacobian of log at the pose."""
    v, w = log6(matrix_to_quaternion(pose), row(pose, 3))
    jexp6_inverse(out, v, w, side)


@kernel("matrix", "matrix", "float", "matrix", result=(3, 3), value=True)
def rotation_interpolate(a: Any, b: Any, t: Any, out: Any) -> None:
    """out = a exp(t log(a^-1 b))."""
    step = np.empty((3, 3))
    multiply_transposed(step, a, b)
    w = log3_quaternion(matrix_to_quaternion(step))
    quaternion_to_matrix(step, exp3_quaternion(scale(t, w)))
    multiply(out, a, step)


@kernel("matrix", "matrix", "float", "matrix", result=(4, 3), value=True)
def pose_interpolate(a: Any, b: Any, t: Any, out: Any) -> None:
    """out = a exp(t log(a^-1 b))."""
    step = np.empty((4, 3))
    put_between(step, a, b)
    v, w = log6(matrix_to_quaternion(step), row(step, 3))
    put_exp6(step, scale(t, v), scale(t, w))
    put_product(out, a, step)


#: A product of two rounded rotations is this close to orthonormal; nothing is gained below it.
ROUNDING = 2e-15


@inline
def orthonormality(R: Any) -> Any:
    """Largest entry of |R^T R - 1|; infinite where R is not finite or turns right into left."""
    distance = 0.0
    for r in range(3):
        for c in range(3):
            g = R[0, r] * R[0, c] + R[1, r] * R[1, c] + R[2, r] * R[2, c]
            g = abs(g - 1.0) if r == c else abs(g)
            if not g <= distance:  # true for NaN too
                distance = g
            if not np.isfinite(g):
                return np.inf
    if dot(row(R, 0), cross(row(R, 1), row(R, 2))) <= 0.0:
        return np.inf
    return distance


@inline
def polar_step(R: Any) -> None:
    """R = R (3 - R^T R) / 2, each row on its own once the Gram matrix is known."""
    a, b, c = row(R, 0), row(R, 1), row(R, 2)
    xx = a[0] * a[0] + b[0] * b[0] + c[0] * c[0]
    yy = a[1] * a[1] + b[1] * b[1] + c[1] * c[1]
    zz = a[2] * a[2] + b[2] * b[2] + c[2] * c[2]
    xy = a[0] * a[1] + b[0] * b[1] + c[0] * c[1]
    xz = a[0] * a[2] + b[0] * b[2] + c[0] * c[2]
    yz = a[1] * a[2] + b[1] * b[2] + c[1] * c[2]
    for r in range(3):
        x, y, z = R[r, 0], R[r, 1], R[r, 2]
        R[r, 0] = 0.5 * (x * (3.0 - xx) - y * xy - z * xz)
        R[r, 1] = 0.5 * (y * (3.0 - yy) - x * xy - z * yz)
        R[r, 2] = 0.5 * (z * (3.0 - zz) - x * xz - y * yz)


@inline
def put_closest(out: Any, R: Any) -> Any:
    """Write the rotation near R into out[:3] and return how far R is from one, see `closest_rotation`."""
    distance = orthonormality(R)
    for r in range(3):
        for c in range(3):
            out[r, c] = R[r, c]
    if distance > ROUNDING and distance < 0.1:
        polar_step(out)
        polar_step(out)
    return distance


@kernel("matrix", "matrix")
def closest_rotation(R: Any, out: Any) -> float:
    """Write the rotation near R into out[:3]; return how far R is from one (largest entry of R^T R - 1).

    R that is orthonormal to rounding is copied bit for bit. Otherwise two Newton steps of the
    polar decomposition, R (3 - R^T R) / 2, square the distance twice (Higham 1986). Infinite for a
    reflection or a matrix that is not finite.
    """
    return put_closest(out, R)


@kernel("matrix", "vector", "matrix")
def pose_checked(R: Any, p: Any, out: Any) -> float:
    """As `closest_rotation`, and p into the fourth row; -1 where p is not finite."""
    put_row(out, 3, p)
    distance = put_closest(out, R)
    return distance if np.isfinite(p[0] + p[1] + p[2]) else -1.0
