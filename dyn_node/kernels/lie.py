"""Exponential, logarithm and their Jacobians on SO(3) and SE(3), as helpers of other kernels.

Vectors come as arrays or tuples of three and leave as tuples; quaternions are tuples (x, y, z, w);
outputs that are matrices are written into the first argument, `out`. Names that other kernels use:

    stumpff_01(y)                 -> (c0, c1)
    stumpff(x)                    -> (c1, ..., c6)
    exp3_quaternion(w)            -> (x, y, z, w), unit
    log3_quaternion(quat)         -> w, of length at most pi; any non-zero length of `quat`
    exp6(v, w)                    -> (quat, p)
    log6(quat, p)                 -> (v, w)
    quaternion_multiply(a, b), quaternion_conjugate(a), quaternion_normalize(a)
    quaternion_rotate(quat, a), quaternion_unrotate(quat, a)
    quaternion_to_matrix(out, quat), matrix_to_quaternion(R)
    jexp3(out, w, side), jexp3_inverse(out, w, side)
    jexp6(out, v, w, side), jexp6_inverse(out, v, w, side)

`side` is +1.0 for the left Jacobian (exp(J d) exp(w) = exp(w + d)) and -1.0 for the right one
(exp(w) exp(J d) = exp(w + d)); the right one at w is the left one at -w.

Every coefficient is a Stumpff function c_k(x) = sum_j (-x)^j / (2j + k)! of the squared angle x, or
a combination of a few: c0 = cos, c1 = sin(t)/t, c2 = (1 - cos t)/t^2, c3 = (t - sin t)/t^3, with
c_k = 1/k! - x c_{k+2} and dc_k/dx = (k c_{k+2} - c_{k+1}) / 2. They are even and entire, so that
there is no square root near zero, and an angle so small that its square is zero is no special case.

Where the series take over, and why there:
* `stumpff_01`: below y = 1. The closed form loses nothing at any y whose square root exists; the
  series is there for y that underflowed, and up to 1 because nine terms (next: 1/18! = 2e-16 of
  the tenth, times y^9) are cheaper than sine, cosine and square root.
* `stumpff`: below x = 4. Closed forms of c3 ... c6 divide differences of nearly equal numbers by
  powers of x: their error is about eps * k! / x^(k/2), 6 eps for c6 at x = 4 and growing as 1/x^3 below.
  Ten terms of c5 and c6 leave 4^10 / 25! = 7e-20 there, below half an ulp of c5. c4 ... c1 follow
  by the recurrence downwards, which subtracts at most 4 c_{k+2} from 1/k! and keeps every digit.
* `log3_quaternion`: below |v|^2 / w^2 = 1e-6, that is 2 mrad. The closed form 2 atan2(s, w) / s is
  exact to rounding wherever s^2 does not underflow; three terms leave t^3 / 7 = 2e-19.

Accuracy, against 50 digits (test/spatial/test_lie_accuracy.py): below 1e-14 of the largest entry at
every angle from 0 over 1e-300 to past 2 pi; the inverse Jacobians have a pole at 2 pi and lose as many
digits there as the angle's own rounding costs.

Only `stumpff_01`, `stumpff`, `log3_quaternion` and `matrix_to_quaternion` branch on a value;
everything else passes symbols and complex numbers through.

Sources: Stumpff (1959) for the c_k; Chirikjian, Stochastic Models, Information Theory and Lie
Groups 2 (2012), section 10, and Barfoot, State Estimation for Robotics (2017), section 7, for the
Jacobians. The coupling block of SE(3) is found by the dual number w + e v in place of w in SO(3)'s Jacobian:
its e part is the derivative of that Jacobian along v.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .engine import inline
from .vector import cross, dot

INVERSE_FACTORIAL = tuple(1.0 / math.factorial(k) for k in range(25))


@inline
def stumpff_01(y: Any) -> Any:
    """(cos t, sin(t) / t) of the squared angle y = t^2."""
    if y < 1.0:
        c0 = INVERSE_FACTORIAL[18]
        c1 = INVERSE_FACTORIAL[19]
        for k in range(16, -2, -2):
            c0 = INVERSE_FACTORIAL[k] - y * c0
            c1 = INVERSE_FACTORIAL[k + 1] - y * c1
        return (c0, c1)
    t = np.sqrt(y)
    return (np.cos(t), np.sin(t) / t)


@inline
def stumpff(x: Any) -> Any:
    """(c1, c2, c3, c4, c5, c6) of the squared angle x."""
    if x < 4.0:
        c5 = INVERSE_FACTORIAL[23]
        c6 = INVERSE_FACTORIAL[24]
        for k in range(21, 3, -2):
            c5 = INVERSE_FACTORIAL[k] - x * c5
            c6 = INVERSE_FACTORIAL[k + 1] - x * c6
        c4 = 1.0 / 24.0 - x * c6
        c3 = 1.0 / 6.0 - x * c5
        return (1.0 - x * c3, 0.5 - x * c4, c3, c4, c5, c6)
    t = np.sqrt(x)
    half = np.sin(0.5 * t)
    c1 = np.sin(t) / t
    # 1 - cos t as a square: it vanishes at 2 pi, where the difference would keep no digit.
    c2 = 2.0 * half * half / x
    c3 = (1.0 - c1) / x
    c4 = (0.5 - c2) / x
    return (c1, c2, c3, c4, (1.0 / 6.0 - c3) / x, (1.0 / 24.0 - c4) / x)


@inline
def quaternion_multiply(a: Any, b: Any) -> Any:
    """a b."""
    return (
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    )


@inline
def quaternion_conjugate(a: Any) -> Any:
    """The inverse of a unit quaternion."""
    return (-a[0], -a[1], -a[2], a[3])


@inline
def quaternion_normalize(a: Any) -> Any:
    """a / |a|."""
    n = np.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3])
    return (a[0] / n, a[1] / n, a[2] / n, a[3] / n)


@inline
def quaternion_rotate(quat: Any, a: Any) -> Any:
    """R(quat) a."""
    u = cross(quat, a)
    u = (2.0 * u[0], 2.0 * u[1], 2.0 * u[2])
    c = cross(quat, u)
    s = quat[3]
    return (a[0] + s * u[0] + c[0], a[1] + s * u[1] + c[1], a[2] + s * u[2] + c[2])


@inline
def quaternion_unrotate(quat: Any, a: Any) -> Any:
    """R(quat)^T a."""
    u = cross(quat, a)
    u = (2.0 * u[0], 2.0 * u[1], 2.0 * u[2])
    c = cross(quat, u)
    s = quat[3]
    return (a[0] - s * u[0] + c[0], a[1] - s * u[1] + c[1], a[2] - s * u[2] + c[2])


@inline
def quaternion_to_matrix(out: Any, quat: Any) -> None:
    """Write the rotation matrix of a unit quaternion into out[:3, :3]."""
    x, y, z, w = quat[0], quat[1], quat[2], quat[3]
    out[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    out[0, 1] = 2.0 * (x * y - z * w)
    out[0, 2] = 2.0 * (x * z + y * w)
    out[1, 0] = 2.0 * (x * y + z * w)
    out[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    out[1, 2] = 2.0 * (y * z - x * w)
    out[2, 0] = 2.0 * (x * z - y * w)
    out[2, 1] = 2.0 * (y * z + x * w)
    out[2, 2] = 1.0 - 2.0 * (x * x + y * y)


@inline
def matrix_to_quaternion(R: Any) -> Any:
    """The unit quaternion of a rotation matrix, largest component positive (Shepperd 1978).

    The component that is divided by is at least 1/2, so no digit is lost at any angle.
    """
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    if trace >= R[0, 0] and trace >= R[1, 1] and trace >= R[2, 2]:
        w = np.sqrt(1.0 + trace)
        f = 0.5 / w
        q = ((R[2, 1] - R[1, 2]) * f, (R[0, 2] - R[2, 0]) * f, (R[1, 0] - R[0, 1]) * f, 0.5 * w)
    elif R[0, 0] >= R[1, 1] and R[0, 0] >= R[2, 2]:
        x = np.sqrt(1.0 + R[0, 0] - R[1, 1] - R[2, 2])
        f = 0.5 / x
        q = (0.5 * x, (R[1, 0] + R[0, 1]) * f, (R[2, 0] + R[0, 2]) * f, (R[2, 1] - R[1, 2]) * f)
    elif R[1, 1] >= R[2, 2]:
        y = np.sqrt(1.0 + R[1, 1] - R[0, 0] - R[2, 2])
        f = 0.5 / y
        q = ((R[1, 0] + R[0, 1]) * f, 0.5 * y, (R[2, 1] + R[1, 2]) * f, (R[0, 2] - R[2, 0]) * f)
    else:
        z = np.sqrt(1.0 + R[2, 2] - R[0, 0] - R[1, 1])
        f = 0.5 / z
        q = ((R[2, 0] + R[0, 2]) * f, (R[2, 1] + R[1, 2]) * f, 0.5 * z, (R[1, 0] - R[0, 1]) * f)
    return q


@inline
def exp3_quaternion(w: Any) -> Any:
    """The unit quaternion of the rotation vector w."""
    c0, c1 = stumpff_01(0.25 * dot(w, w))
    f = 0.5 * c1
    return (f * w[0], f * w[1], f * w[2], c0)


@inline
def log3_quaternion(quat: Any) -> Any:
    """The rotation vector, of length at most pi, of a quaternion of any non-zero length."""
    s2 = dot(quat, quat)
    c = quat[3]
    sign = 1.0
    if c < 0.0:  # -quat is the same rotation, by the shorter way
        c = -c
        sign = -1.0
    c2 = c * c
    if s2 < 1e-6 * c2:
        t = s2 / c2
        f = sign * 2.0 / c * (1.0 - t * (1.0 / 3.0 - t * 0.2))
    else:
        s = np.sqrt(s2)
        f = sign * 2.0 * np.arctan2(s, c) / s
    return (f * quat[0], f * quat[1], f * quat[2])


@inline
def exp6(v: Any, w: Any) -> Any:
    """(unit quaternion, translation) of the twist (v, w)."""
    _, c2, c3, _, _, _ = stumpff(dot(w, w))
    u = cross(w, v)
    uu = cross(w, u)
    p = (
        v[0] + c2 * u[0] + c3 * uu[0],
        v[1] + c2 * u[1] + c3 * uu[1],
        v[2] + c2 * u[2] + c3 * uu[2],
    )
    return (exp3_quaternion(w), p)


@inline
def jexp_inverse_coefficient(x: Any) -> Any:
    """d of the inverse left Jacobian 1 - w^/2 + d w^ w^ at the squared angle x."""
    _, c2, c3, c4, _, _ = stumpff(x)
    return (c3 - 2.0 * c4) / (2.0 * c2)


@inline
def log6(quat: Any, p: Any) -> Any:
    """(v, w): the twist whose exponential is the pose (quat, p), angle at most pi."""
    w = log3_quaternion(quat)
    d = jexp_inverse_coefficient(dot(w, w))
    u = cross(w, p)
    uu = cross(w, u)
    v = (
        p[0] - 0.5 * u[0] + d * uu[0],
        p[1] - 0.5 * u[1] + d * uu[1],
        p[2] - 0.5 * u[2] + d * uu[2],
    )
    return (v, w)


@inline
def put_polynomial(out: Any, row: int, col: int, one: Any, a: Any, b: Any, w: Any) -> None:
    """out[row:row+3, col:col+3] = one 1 + a w^ + b w^ w^."""
    x, y, z = w[0], w[1], w[2]
    out[row, col] = one - b * (y * y + z * z)
    out[row, col + 1] = b * x * y - a * z
    out[row, col + 2] = b * x * z + a * y
    out[row + 1, col] = b * x * y + a * z
    out[row + 1, col + 1] = one - b * (x * x + z * z)
    out[row + 1, col + 2] = b * y * z - a * x
    out[row + 2, col] = b * x * z - a * y
    out[row + 2, col + 1] = b * y * z + a * x
    out[row + 2, col + 2] = one - b * (x * x + y * y)


@inline
def add_coupling(out: Any, a: Any, b: Any, v: Any, w: Any) -> None:
    """out[0:3, 3:6] += a v^ + b (w^ v^ + v^ w^), the second being w v^T + v w^T - 2 (w.v) 1."""
    trace = 2.0 * dot(w, v)
    s = (a * v[0], a * v[1], a * v[2])
    out[0, 3] += b * (2.0 * w[0] * v[0] - trace)
    out[1, 4] += b * (2.0 * w[1] * v[1] - trace)
    out[2, 5] += b * (2.0 * w[2] * v[2] - trace)
    xy = b * (w[0] * v[1] + v[0] * w[1])
    xz = b * (w[0] * v[2] + v[0] * w[2])
    yz = b * (w[1] * v[2] + v[1] * w[2])
    out[0, 4] += xy - s[2]
    out[1, 3] += xy + s[2]
    out[0, 5] += xz + s[1]
    out[2, 3] += xz - s[1]
    out[1, 5] += yz - s[0]
    out[2, 4] += yz + s[0]


@inline
def clear_lower(out: Any) -> None:
    """out[3:6, 0:3] = 0."""
    for r in range(3):
        for c in range(3):
            out[r + 3, c] = 0.0


@inline
def jexp3(out: Any, w: Any, side: Any) -> None:
    """out = the left (side = 1) or right (side = -1) Jacobian of exp at w, (3, 3)."""
    _, c2, c3, _, _, _ = stumpff(dot(w, w))
    put_polynomial(out, 0, 0, 1.0, side * c2, c3, w)


@inline
def jexp3_inverse(out: Any, w: Any, side: Any) -> None:
    """out = the inverse of `jexp3`, (3, 3); singular where the angle is 2 pi."""
    put_polynomial(out, 0, 0, 1.0, -0.5 * side, jexp_inverse_coefficient(dot(w, w)), w)


@inline
def jexp6(out: Any, v: Any, w: Any, side: Any) -> None:
    """out = the left (side = 1) or right (side = -1) Jacobian of exp at (v, w), (6, 6)."""
    _, c2, c3, c4, c5, _ = stumpff(dot(w, w))
    twice = 2.0 * dot(w, v)
    c2_x = 0.5 * (2.0 * c4 - c3)
    c3_x = 0.5 * (3.0 * c5 - c4)
    put_polynomial(out, 0, 0, 1.0, side * c2, c3, w)
    put_polynomial(out, 3, 3, 1.0, side * c2, c3, w)
    put_polynomial(out, 0, 3, 0.0, side * twice * c2_x, twice * c3_x, w)
    add_coupling(out, side * c2, c3, v, w)
    clear_lower(out)


@inline
def jexp6_inverse(out: Any, v: Any, w: Any, side: Any) -> None:
    """out = the inverse of `jexp6`, (6, 6); singular where the angle is 2 pi."""
    _, c2, c3, c4, c5, c6 = stumpff(dot(w, w))
    c2_x = 0.5 * (2.0 * c4 - c3)
    c2_xx = 0.25 * (8.0 * c6 - 5.0 * c5 + c4)
    # d = -c2_x / c2 and its derivative.
    d = -c2_x / c2
    d_x = d * d - c2_xx / c2
    put_polynomial(out, 0, 0, 1.0, -0.5 * side, d, w)
    put_polynomial(out, 3, 3, 1.0, -0.5 * side, d, w)
    put_polynomial(out, 0, 3, 0.0, 0.0, 2.0 * dot(w, v) * d_x, w)
    add_coupling(out, -0.5 * side, d, v, w)
    clear_lower(out)
