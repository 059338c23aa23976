"""Arithmetic of the value types in `dyn_node.spatial`.

A pose is a (4, 3) array: the rotation in the first three rows, the translation in the fourth. A
motion or force is six numbers, linear first. A body's inertia is ten numbers: mass, centre of
mass, and xx, xy, yy, xz, yz, zz of the rotational inertia about the centre of mass.
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


# --- poses -------------------------------------------------------------------------------------


@kernel("matrix", "matrix", "matrix")
def pose_compose(a: Any, b: Any, out: Any) -> None:
    """out = a b."""
    multiply(out, a, b)
    put_row(out, 3, add(rotate(a, row(b, 3)), row(a, 3)))


@kernel("matrix", "matrix")
def pose_inverse(a: Any, out: Any) -> None:
    """out = a^-1."""
    for r in range(3):
        for c in range(3):
            out[r, c] = a[c, r]
    put_row(out, 3, scale(-1.0, unrotate(a, row(a, 3))))


@kernel("matrix", "matrix", "matrix")
def pose_between(a: Any, b: Any, out: Any) -> None:
    """out = a^-1 b."""
    for r in range(3):
        for c in range(3):
            out[r, c] = a[0, r] * b[0, c] + a[1, r] * b[1, c] + a[2, r] * b[2, c]
    put_row(out, 3, unrotate(a, sub(row(b, 3), row(a, 3))))


@kernel("matrix", "matrix")
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


@kernel("matrix", "vector", "vector")
def act_point(pose: Any, point: Any, out: Any) -> None:
    """out = R x + p."""
    put(out, add(rotate(pose, point), row(pose, 3)))


@kernel("matrix", "vector", "vector")
def act_inv_point(pose: Any, point: Any, out: Any) -> None:
    """out = R^T (x - p)."""
    put(out, unrotate(pose, sub(point, row(pose, 3))))


@kernel("matrix", "vector", "vector")
def act_motion(pose: Any, motion: Any, out: Any) -> None:
    """(R v + p x R w, R w)."""
    w = rotate(pose, angular(motion))
    put6(out, add(rotate(pose, linear(motion)), cross(row(pose, 3), w)), w)


@kernel("matrix", "vector", "vector")
def act_inv_motion(pose: Any, motion: Any, out: Any) -> None:
    """(R^T (v - p x w), R^T w)."""
    w = angular(motion)
    put6(out, unrotate(pose, sub(linear(motion), cross(row(pose, 3), w))), unrotate(pose, w))


@kernel("matrix", "vector", "vector")
def act_force(pose: Any, force: Any, out: Any) -> None:
    """(R f, R n + p x R f)."""
    f = rotate(pose, linear(force))
    put6(out, f, add(rotate(pose, angular(force)), cross(row(pose, 3), f)))


@kernel("matrix", "vector", "vector")
def act_inv_force(pose: Any, force: Any, out: Any) -> None:
    """(R^T f, R^T (n - p x f))."""
    f = linear(force)
    put6(out, unrotate(pose, f), unrotate(pose, sub(angular(force), cross(row(pose, 3), f))))


# --- exponential and logarithm -----------------------------------------------------------------


@kernel("vector", "matrix")
def rotation_exp(w: Any, out: Any) -> None:
    """out = exp(w), (3, 3)."""
    quaternion_to_matrix(out, exp3_quaternion(w))


@kernel("matrix", "vector")
def rotation_log(R: Any, out: Any) -> None:
    """out = log(R) of a rotation or a pose's rotation."""
    put(out, log3_quaternion(matrix_to_quaternion(R)))


@kernel("vector", "matrix")
def pose_exp(xi: Any, out: Any) -> None:
    """out = exp(xi)."""
    quat, p = exp6(linear(xi), angular(xi))
    quaternion_to_matrix(out, quat)
    put_row(out, 3, p)


@kernel("matrix", "vector")
def pose_log(pose: Any, out: Any) -> None:
    """out = log(pose)."""
    v, w = log6(matrix_to_quaternion(pose), row(pose, 3))
    put6(out, v, w)


@kernel("vector", "vector")
def quaternion_exp(w: Any, out: Any) -> None:
    """out = the unit quaternion of the rotation vector w."""
    x, y, z, c = exp3_quaternion(w)
    put(out, (x, y, z))
    out[3] = c


@kernel("vector", "vector")
def quaternion_log(quat: Any, out: Any) -> None:
    """out = the rotation vector of quat."""
    put(out, log3_quaternion((quat[0], quat[1], quat[2], quat[3])))


@kernel("matrix", "vector")
def rotation_quaternion(R: Any, out: Any) -> None:
    """out = the unit quaternion of R, of the two the one with w >= 0."""
    x, y, z, w = matrix_to_quaternion(R)
    sign = -1.0 if w < 0.0 else 1.0
    put(out, (sign * x, sign * y, sign * z))
    out[3] = sign * w


@kernel("vector", "matrix")
def quaternion_rotation(quat: Any, out: Any) -> None:
    """out[:3] = the rotation of a quaternion that is normalised here."""
    quaternion_to_matrix(out, quaternion_normalize(quat))


@kernel("vector", "float", "matrix")
def rotation_jexp(w: Any, side: Any, out: Any) -> None:
    """out = Jacobian of exp at w."""
    jexp3(out, w, side)


@kernel("vector", "float", "matrix")
def rotation_jexp_inverse(w: Any, side: Any, out: Any) -> None:
    """out = inverse Jacobian of exp at w."""
    jexp3_inverse(out, w, side)


@kernel("vector", "float", "matrix")
def pose_jexp(xi: Any, side: Any, out: Any) -> None:
    """out = Jacobian of exp at xi."""
    jexp6(out, linear(xi), angular(xi), side)


@kernel("vector", "float", "matrix")
def pose_jexp_inverse(xi: Any, side: Any, out: Any) -> None:
    """out = inverse Jacobian of exp at xi."""
    jexp6_inverse(out, linear(xi), angular(xi), side)


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


@kernel("matrix", "matrix")
def closest_rotation(R: Any, out: Any) -> float:
    """Write the rotation near R into out[:3]; return how far R is from one (largest entry of R^T R - 1).

    R that is orthonormal to rounding is copied bit for bit. Otherwise two Newton steps of the
    polar decomposition, R (3 - R^T R) / 2, square the distance twice (Higham 1986). Infinite for a
    reflection or a matrix that is not finite.
    """
    distance = orthonormality(R)
    for r in range(3):
        for c in range(3):
            out[r, c] = R[r, c]
    if distance > ROUNDING and distance < 0.1:
        polar_step(out)
        polar_step(out)
    return distance


# --- motions, forces, inertias -----------------------------------------------------------------


@kernel("vector", "vector", "vector")
def cross_motion(a: Any, b: Any, out: Any) -> None:
    """out = a x b, the rate of the motion b carried along by a."""
    w = angular(a)
    put6(
        out,
        add(cross(w, linear(b)), cross(linear(a), angular(b))),
        cross(w, angular(b)),
    )


@kernel("vector", "vector", "vector")
def cross_force(a: Any, f: Any, out: Any) -> None:
    """out = a x* f, the rate of the force f carried along by a."""
    w = angular(a)
    put6(
        out,
        cross(w, linear(f)),
        add(cross(w, angular(f)), cross(linear(a), linear(f))),
    )


@kernel("vector", "vector")
def dot6(a: Any, b: Any) -> float:
    """Power of a force on a motion."""
    return dot(linear(a), linear(b)) + dot(angular(a), angular(b))


@inline
def times_symmetric(body: Any, w: Any) -> Any:
    """I w of the rotational inertia in body[4:10]."""
    return (
        body[4] * w[0] + body[5] * w[1] + body[7] * w[2],
        body[5] * w[0] + body[6] * w[1] + body[8] * w[2],
        body[7] * w[0] + body[8] * w[1] + body[9] * w[2],
    )


@kernel("vector", "vector", "vector")
def inertia_times(body: Any, motion: Any, out: Any) -> None:
    """out = momentum of the body: m (v - c x w), I w + c x f."""
    com = (body[1], body[2], body[3])
    w = angular(motion)
    f = scale(body[0], sub(linear(motion), cross(com, w)))
    put6(out, f, add(times_symmetric(body, w), cross(com, f)))


@kernel("vector", "vector", "vector")
def inertia_sum(a: Any, b: Any, out: Any) -> None:
    """out = a + b, both bodies fixed to each other."""
    mass = a[0] + b[0]
    # A common divisor of zero would be two massless bodies: any centre will do.
    fraction = b[0] / mass if mass > 0.0 else 0.0
    d = (b[1] - a[1], b[2] - a[2], b[3] - a[3])
    reduced = a[0] * fraction
    out[0] = mass
    for k in range(3):
        out[1 + k] = a[1 + k] + fraction * d[k]
    out[4] = a[4] + b[4] + reduced * (d[1] * d[1] + d[2] * d[2])
    out[5] = a[5] + b[5] - reduced * d[0] * d[1]
    out[6] = a[6] + b[6] + reduced * (d[0] * d[0] + d[2] * d[2])
    out[7] = a[7] + b[7] - reduced * d[0] * d[2]
    out[8] = a[8] + b[8] - reduced * d[1] * d[2]
    out[9] = a[9] + b[9] + reduced * (d[0] * d[0] + d[1] * d[1])


@inline
def put_turned(out: Any, body: Any, x: Any, y: Any, z: Any) -> None:
    """out[4:10] = the rotational inertia seen from axes whose rows in body axes are x, y, z."""
    ix = times_symmetric(body, x)
    iy = times_symmetric(body, y)
    out[4] = dot(x, ix)
    out[5] = dot(y, ix)
    out[6] = dot(y, iy)
    out[7] = dot(z, ix)
    out[8] = dot(z, iy)
    out[9] = dot(z, times_symmetric(body, z))


@kernel("matrix", "vector", "vector")
def act_inertia(pose: Any, body: Any, out: Any) -> None:
    """out = the same body in the frame that the pose is given in."""
    out[0] = body[0]
    com = add(rotate(pose, (body[1], body[2], body[3])), row(pose, 3))
    out[1], out[2], out[3] = com
    put_turned(out, body, row(pose, 0), row(pose, 1), row(pose, 2))


@kernel("matrix", "vector", "vector")
def act_inv_inertia(pose: Any, body: Any, out: Any) -> None:
    """out = the body, given in the pose's parent frame, seen from the posed frame."""
    out[0] = body[0]
    com = unrotate(pose, sub((body[1], body[2], body[3]), row(pose, 3)))
    out[1], out[2], out[3] = com
    x = (pose[0, 0], pose[1, 0], pose[2, 0])
    y = (pose[0, 1], pose[1, 1], pose[2, 1])
    z = (pose[0, 2], pose[1, 2], pose[2, 2])
    put_turned(out, body, x, y, z)
