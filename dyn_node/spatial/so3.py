"""Rotations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import empty

from ..errors import InvalidValueError, ShapeError
from ..kernels import pose as _k
from ._call import frozen, not_finite, real, run, side_sign, sized

#: The largest entry of R^T R - 1 that is taken for rounding (single precision leaves 2e-7).
ROTATION_TOLERANCE = 1e-6
#: How far a quaternion's length may be from one (four digits typed by hand leave 1e-4).
QUATERNION_TOLERANCE = 1e-3

_new = object.__new__
_VECTOR, _MATRIX = (3,), (3, 3)


def refuse_rotation(R: np.ndarray, distance: float) -> InvalidValueError:
    """The error for a matrix that is no rotation."""
    return InvalidValueError(
        f"rotation: not a rotation matrix, {_why_not(R, distance)}; given {R.tolist()}",
        R,
        f"R^T R = 1 within {ROTATION_TOLERANCE:g} and a positive determinant",
    )


def _why_not(R: np.ndarray, distance: float) -> str:
    if not np.isfinite(R).all():
        return "its entries are not all finite"
    determinant = float(np.linalg.det(R))
    if determinant <= 0.0:
        return f"its determinant is {determinant:.6g}, expected 1"
    return f"R^T R differs from the identity by {distance:.3g}, allowed {ROTATION_TOLERANCE:g}"


def check_quaternion_length(q: np.ndarray, length: float) -> None:
    """InvalidValueError unless the length is one within the tolerance."""
    if not abs(length - 1.0) <= QUATERNION_TOLERANCE:
        raise InvalidValueError(
            f"quaternion: expected unit length within {QUATERNION_TOLERANCE:g}, given {q.tolist()}"
            f" (x, y, z, w) of length {length:.6g}; normalise it if it is meant to be a rotation",
            q,
            f"unit length within {QUATERNION_TOLERANCE:g}",
        )


def no_inverse(argument: str, given: np.ndarray) -> InvalidValueError:
    """The error for an inverse Jacobian at a tangent where it does not exist."""
    return InvalidValueError(
        f"{argument}: the Jacobian of exp has no finite inverse at {given.tolist()}",
        given,
        "finite numbers, an angle that is not a multiple of 2 pi (other than 0)",
    )


class SO3:
    """A rotation, stored as a matrix; immutable.

    `SO3(matrix)` takes a (3, 3) rotation. One that is off by at most 1e-6 (largest entry of
    R^T R - 1) is replaced by the closest rotation, one that is orthonormal to rounding is kept bit
    for bit, anything else raises InvalidValueError.
    """

    __slots__ = ("_R",)
    _R: np.ndarray

    def __init__(self, matrix: Any) -> None:
        R = sized("rotation", matrix, _MATRIX)
        self._R = out = empty(_MATRIX)
        distance = run(_k.closest_rotation, R, out)
        if not distance <= ROTATION_TOLERANCE:
            raise refuse_rotation(R, distance)

    @classmethod
    def _trusted(cls, R: np.ndarray) -> SO3:
        """Wrap a contiguous float64 (3, 3) rotation that nobody else writes to, without a check."""
        self = _new(cls)
        self._R = R
        return self

    @classmethod
    def Identity(cls) -> SO3:
        """No rotation."""
        return cls._trusted(np.eye(3))

    @classmethod
    def Random(cls, rng: np.random.Generator | None = None) -> SO3:
        """Uniform over all rotations."""
        return cls.from_quaternion(random_quaternion(rng))

    @classmethod
    def from_quaternion(cls, xyzw: Any) -> SO3:
        """From a quaternion (x, y, z, w) of unit length within 1e-3, which is normalised."""
        q = sized("quaternion", xyzw, (4,))
        out = empty(_MATRIX)
        check_quaternion_length(q, run(_k.quaternion_rotation, q, out))
        return cls._trusted(out)

    @classmethod
    def exp(cls, w: Any) -> SO3:
        """The rotation by |w| radians about w."""
        w = sized("w", w, _VECTOR)
        rotation = _new(cls)
        rotation._R = out = empty(_MATRIX)
        if not run(_k.rotation_exp, w, out):
            raise not_finite("w", w)
        return rotation

    def log(self) -> np.ndarray:
        """The rotation vector (3,), in radians, of length at most pi; at exactly pi, one of the two."""
        return run(_k.rotation_log, self._R, None)

    @staticmethod
    def jexp(w: Any, side: str = "right") -> np.ndarray:
        """Jacobian (3, 3) of exp at w.

        side "right": exp(w + d) = exp(w) exp(J d) to first order, "left": exp(w + d) = exp(J d) exp(w).
        """
        w = sized("w", w, _VECTOR)
        out = empty(_MATRIX)
        if not run(_k.rotation_jexp, w, side_sign(side), out):
            raise not_finite("w", w)
        return out

    @staticmethod
    def jexp_inverse(w: Any, side: str = "right") -> np.ndarray:
        """Inverse (3, 3) of `jexp` at w; unbounded as |w| nears a multiple of 2 pi other than 0."""
        w = sized("w", w, _VECTOR)
        out = empty(_MATRIX)
        if not run(_k.rotation_jexp_inverse, w, side_sign(side), out):
            raise no_inverse("w", w)
        return out

    def jlog(self, side: str = "right") -> np.ndarray:
        """Jacobian (3, 3) of log here: log(R exp(d)) = log(R) + J d for side "right"."""
        return run(_k.rotation_jlog, self._R, side_sign(side), None)

    @property
    def matrix(self) -> np.ndarray:
        """(3, 3), read-only view."""
        return frozen(self._R[:])

    @property
    def quaternion(self) -> np.ndarray:
        """Unit quaternion (x, y, z, w) with w >= 0, the caller's own."""
        return run(_k.rotation_quaternion, self._R, None)

    def inverse(self) -> SO3:
        """The opposite rotation."""
        return SO3._trusted(np.array(self._R.T, order="C"))

    def __mul__(self, other: SO3) -> SO3:
        if type(other) is not SO3:
            return NotImplemented
        return run(_k.rotation_compose, self._R, other._R, SO3)

    __matmul__ = __mul__

    def act(self, points: Any) -> np.ndarray:
        """Rotate a point (3,) or points (..., 3)."""
        x = points_of(points)
        if x.shape != _VECTOR:
            return x @ self._R.T
        return run(_k.rotation_act, self._R, x, None)

    def act_inv(self, points: Any) -> np.ndarray:
        """Rotate back a point (3,) or points (..., 3)."""
        x = points_of(points)
        if x.shape != _VECTOR:
            return x @ self._R
        return run(_k.rotation_act_inv, self._R, x, None)

    def interpolate(self, other: SO3, t: float) -> SO3:
        """On the shortest way from here (t = 0) to `other` (t = 1), at constant speed."""
        return run(_k.rotation_interpolate, self._R, other._R, float(t), SO3)

    def is_approx(self, other: SO3, tolerance: float = 1e-12) -> bool:
        """Whether no entry of the matrices differs by more than `tolerance`."""
        return bool(np.abs(self._R - other._R).max() <= tolerance)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False and dtype in (None, np.float64):
            return self.matrix
        return np.array(self._R, dtype=dtype)

    def __eq__(self, other: object) -> bool:
        if type(other) is not SO3:
            return NotImplemented
        return bool((self._R == other._R).all())

    def __hash__(self) -> int:
        return hash((SO3, (self._R + 0.0).tobytes()))

    def __repr__(self) -> str:
        return f"SO3({self._R.tolist()})"


def points_of(given: Any) -> np.ndarray:
    """Points as an array (..., 3), the caller's own where it is one."""
    x = given
    if type(x) is not np.ndarray:
        try:
            x = real(np.asarray(given)).astype(np.float64)
        except (TypeError, ValueError):
            x = empty(0)
    if x.ndim == 0 or x.shape[-1] != 3:
        shown = f"shape {x.shape}" if type(given) is np.ndarray else repr(given)[:80]
        raise ShapeError("points", shown, "numbers of shape (..., 3)")
    return x


def random_quaternion(rng: np.random.Generator | None = None) -> np.ndarray:
    """A unit quaternion, uniform over all rotations."""
    q = (np.random.default_rng() if rng is None else rng).normal(size=4)
    return q / np.linalg.norm(q)
