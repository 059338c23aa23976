"""Exponentials, logarithms and their Jacobians, and conversions of placements."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..spatial import SE3 as CoreSE3
from ..spatial import SO3, exp_quaternion, log_quaternion
from ..spatial.inertia import skew as _skew
from .placement import SE3
from .quaternion import Quaternion, quaternion_of
from .sixvectors import Motion
from .values import Array, numbers


def exp3(w: Any) -> Array:
    """The rotation matrix of a rotation vector (3,)."""
    return SO3.exp(numbers("w", w, (3,))).matrix.copy()


def exp3_quat(w: Any) -> Array:
    """The quaternion (x, y, z, w) of a rotation vector (3,)."""
    return exp_quaternion(numbers("w", w, (3,)))


def log3(R: Any) -> Array:
    """The rotation vector of a rotation matrix (3, 3), a `Quaternion` or its four numbers (x, y, z, w)."""
    if isinstance(R, Quaternion):
        return log_quaternion(R.coeffs())
    if np.size(R) == 4:
        return log_quaternion(numbers("quat", R, (4,)))
    return SO3(numbers("R", R, (3, 3))).log()


def exp6(motion: Any) -> SE3:
    """The placement that a twist (a Motion, or six numbers) leads to after one second."""
    return SE3._from_core(CoreSE3.exp(_twist(motion)))


def exp6_quat(v: Any) -> Array:
    """The same as `exp6`, as (x, y, z, qx, qy, qz, qw)."""
    return np.concatenate([exp6(v).translation, exp3_quat(_twist(v)[3:])])


def log6(M: Any) -> Motion:
    """The twist whose exponential is this placement (an SE3, or a (4, 4) matrix)."""
    return Motion._over(_placement(M)._live.log()._v)


def log6_quat(q: Any) -> Motion:
    """The same as `log6`, of (x, y, z, qx, qy, qz, qw)."""
    return log6(XYZQUATToSE3(q))


def Jexp3(w: Any) -> Array:
    """Right Jacobian (3, 3) of `exp3`."""
    return SO3.jexp(numbers("w", w, (3,)))


def Jlog3(R: Any) -> Array:
    """Right Jacobian (3, 3) of `log3`."""
    return SO3(numbers("R", R, (3, 3))).jlog()


def Jexp6(motion: Any) -> Array:
    """Right Jacobian (6, 6) of `exp6`."""
    return CoreSE3.jexp(_twist(motion))


def Jlog6(M: Any) -> Array:
    """Right Jacobian (6, 6) of `log6`."""
    return _placement(M)._live.jlog()


def exp(x: Any) -> Any:
    """`exp3` or `exp6`, by the size of x; a number's own exponential."""
    if np.size(x) == 1 and not isinstance(x, Motion):
        return float(np.exp(x))
    if isinstance(x, Motion) or np.size(x) == 6:
        return exp6(x)
    return exp3(x)


def log(x: Any) -> Any:
    """`log3` or `log6`, by the size of x; a number's own logarithm."""
    if np.size(x) == 1 and not isinstance(x, (SE3, Quaternion)):
        return float(np.log(x))
    if isinstance(x, SE3) or np.shape(x) == (4, 4):
        return log6(x)
    return log3(x)


def SE3ToXYZQUAT(M: SE3) -> Array:
    """(x, y, z, qx, qy, qz, qw) of a placement."""
    return np.concatenate([M.translation, quaternion_of(M.rotation)])


def SE3ToXYZQUATtuple(M: SE3) -> tuple[float, ...]:
    """The same as a tuple."""
    return tuple(SE3ToXYZQUAT(M).tolist())


def XYZQUATToSE3(xyzquat: Any) -> SE3:
    """The placement of (x, y, z, qx, qy, qz, qw)."""
    x = numbers("xyzquat", xyzquat, (7,))
    return SE3._from_core(CoreSE3.from_quaternion(x[3:], x[:3]))


def skew(u: Any) -> Array:
    """The matrix of the cross product with u (3,)."""
    return _skew(numbers("u", u, (3,)))


def unSkew(U: Any) -> Array:
    """The vector (3,) of a skew matrix."""
    M = numbers("U", U, (3, 3))
    return 0.5 * np.array([M[2, 1] - M[1, 2], M[0, 2] - M[2, 0], M[1, 0] - M[0, 1]])


def skewSquare(u: Any, v: Any) -> Array:
    """The matrix of w -> u x (v x w)."""
    return skew(u) @ skew(v)


def _twist(given: Any) -> Array:
    return given._x if isinstance(given, Motion) else numbers("v", given, (6,))


def _placement(given: Any) -> SE3:
    return given if isinstance(given, SE3) else SE3(given)


__all__ = [
    "Jexp3",
    "Jexp6",
    "Jlog3",
    "Jlog6",
    "SE3ToXYZQUAT",
    "SE3ToXYZQUATtuple",
    "XYZQUATToSE3",
    "exp",
    "exp3",
    "exp3_quat",
    "exp6",
    "exp6_quat",
    "log",
    "log3",
    "log6",
    "log6_quat",
    "skew",
    "skewSquare",
    "unSkew",
]
