"""Rigid placements."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy import empty

from ..errors import InvalidValueError
from ..kernels import pose as _k
from ..kernels import spatial as _s
from ._call import copied, finite, frozen, not_finite, run, side_sign, sized
from .force import Force
from .inertia import Inertia
from .motion import Motion
from .so3 import (
    ROTATION_TOLERANCE,
    SO3,
    check_quaternion_length,
    no_inverse,
    points_of,
    random_quaternion,
    refuse_rotation,
)

_new = object.__new__
_POSE, _POINT = (4, 3), (3,)


class SE3:
    """The placement of one frame in another: x_parent = rotation x_child + translation (m); immutable.

    `SE3(rotation, translation)` takes a (3, 3) rotation (or an `SO3`) and three numbers. A rotation
    that is off by at most 1e-6 is replaced by the closest one; see `SO3`. `a * b` and `a @ b` compose.
    """

    # Rotation in rows 0 to 2, translation in row 3: one array is one argument of a kernel.
    __slots__ = ("_pose",)
    _pose: np.ndarray

    def __init__(self, rotation: Any, translation: Any) -> None:
        R = rotation._R if type(rotation) is SO3 else sized("rotation", rotation, (3, 3))
        p = sized("translation", translation, (3,))
        self._pose = pose = empty(_POSE)
        distance = run(_k.pose_checked, R, p, pose)
        if distance < 0.0:
            raise not_finite("translation", p)
        if not distance <= ROTATION_TOLERANCE:
            raise refuse_rotation(R, distance)

    @classmethod
    def _trusted(cls, rotation: np.ndarray, translation: np.ndarray) -> SE3:
        """Copy a rotation and a translation without a check: for results of kernels."""
        return run(_k.pose_assembled, rotation, translation, cls)

    @classmethod
    def _wrap(cls, pose: np.ndarray) -> SE3:
        """Wrap a contiguous float64 (4, 3) pose that nobody else writes to, without a check."""
        self = _new(cls)
        self._pose = pose
        return self

    @classmethod
    def Identity(cls) -> SE3:
        """The frame itself."""
        return cls._wrap(np.eye(4, 3))

    @classmethod
    def Random(cls, rng: np.random.Generator | None = None) -> SE3:
        """Rotation uniform over all rotations, coordinates of the translation uniform in (-1, 1)."""
        rng = np.random.default_rng() if rng is None else rng
        return cls.from_quaternion(random_quaternion(rng), rng.uniform(-1.0, 1.0, 3))

    @classmethod
    def from_quaternion(cls, xyzw: Any, translation: Any) -> SE3:
        """From a translation and a quaternion (x, y, z, w) of unit length within 1e-3, normalised here."""
        q = sized("quaternion", xyzw, (4,))
        pose = empty(_POSE)
        check_quaternion_length(q, run(_k.quaternion_rotation, q, pose))
        pose[3] = finite("translation", translation, (3,))
        return cls._wrap(pose)

    @classmethod
    def from_homogeneous(cls, matrix: Any) -> SE3:
        """From a (4, 4) homogeneous matrix whose last row is 0 0 0 1."""
        H = copied("matrix", matrix, (4, 4))
        if not np.array_equal(H[3], (0.0, 0.0, 0.0, 1.0)):
            raise InvalidValueError(
                f"matrix: the last row must be 0 0 0 1, given {H[3].tolist()}", H[3], (0.0, 0.0, 0.0, 1.0)
            )
        return cls(H[:3, :3], H[:3, 3])

    @staticmethod
    def exp(twist: Any) -> SE3:
        """Where a body is after one second of the constant twist (a Motion, or six numbers, linear first)."""
        try:
            return _k.pose_exp(twist._v if type(twist) is Motion else twist, SE3)
        except (TypeError, ValueError):
            xi = _twist(twist)
        try:
            return run(_k.pose_exp, xi, SE3)
        except ValueError:
            raise not_finite("twist", twist) from None

    def log(self) -> Motion:
        """The twist of smallest angle (at most pi) whose exponential is this placement."""
        try:
            return _k.pose_log(self._pose, Motion)
        except TypeError:
            return run(_k.pose_log, self._pose, Motion)

    @staticmethod
    def jexp(twist: Any, side: str = "right") -> np.ndarray:
        """Jacobian (6, 6) of exp at a twist.

        side "right": exp(x + d) = exp(x) exp(J d) to first order, "left": exp(x + d) = exp(J d) exp(x).
        """
        xi = _twist(twist)
        out = empty((6, 6))
        if not run(_k.pose_jexp, xi, side_sign(side), out):
            raise not_finite("twist", xi)
        return out

    @staticmethod
    def jexp_inverse(twist: Any, side: str = "right") -> np.ndarray:
        """Inverse (6, 6) of `jexp`; unbounded as the angle nears a multiple of 2 pi other than 0."""
        xi = _twist(twist)
        out = empty((6, 6))
        if not run(_k.pose_jexp_inverse, xi, side_sign(side), out):
            raise no_inverse("twist", xi)
        return out

    def jlog(self, side: str = "right") -> np.ndarray:
        """Jacobian (6, 6) of log here: log(M exp(d)) = log(M) + J d for side "right"."""
        return run(_k.pose_jlog, self._pose, side_sign(side), None)

    @property
    def rotation(self) -> np.ndarray:
        """(3, 3), read-only view."""
        return frozen(self._pose[:3])

    @property
    def translation(self) -> np.ndarray:
        """(3,), in metres, read-only view."""
        return frozen(self._pose[3])

    @property
    def so3(self) -> SO3:
        """The rotation as a value."""
        return SO3._trusted(self._pose[:3])  # shares memory that nobody writes to

    @property
    def quaternion(self) -> np.ndarray:
        """Unit quaternion (x, y, z, w) with w >= 0, the caller's own."""
        return run(_k.rotation_quaternion, self._pose, None)

    @property
    def homogeneous(self) -> np.ndarray:
        """(4, 4), the caller's own."""
        return run(_k.pose_homogeneous, self._pose, None)

    @property
    def action(self) -> np.ndarray:
        """(6, 6) matrix that acts on motions (the adjoint), [[R, p^ R], [0, R]], the caller's own."""
        return run(_k.pose_action, self._pose, None)

    @property
    def dual_action(self) -> np.ndarray:
        """(6, 6) matrix that acts on forces, [[R, 0], [p^ R, R]]: the inverse transpose of `action`."""
        return run(_k.pose_dual_action, self._pose, None)

    def inverse(self) -> SE3:
        """The placement of the parent frame in the child frame."""
        try:
            return _k.pose_inverse(self._pose, SE3)
        except TypeError:
            return run(_k.pose_inverse, self._pose, SE3)

    def __mul__(self, other: SE3) -> SE3:
        if type(other) is not SE3:
            return NotImplemented
        try:
            return _k.pose_compose(self._pose, other._pose, SE3)
        except TypeError:
            return run(_k.pose_compose, self._pose, other._pose, SE3)

    __matmul__ = __mul__

    @overload
    def act(self, x: Motion) -> Motion: ...
    @overload
    def act(self, x: Force) -> Force: ...
    @overload
    def act(self, x: Inertia) -> Inertia: ...
    @overload
    def act(self, x: SE3) -> SE3: ...
    @overload
    def act(self, x: np.ndarray) -> np.ndarray: ...
    def act(self, x: Any) -> Any:
        """Express in the parent frame what is given in the child frame.

        x: a Motion, Force, Inertia or SE3, or a point (3,), or points (..., 3), in metres.
        """
        kind = type(x)
        if kind in _ACT:
            try:
                return _ACT[kind](self._pose, x._v, kind)
            except TypeError:
                return run(_ACT[kind], self._pose, x._v, kind)
        if kind is SE3:
            return self * x
        if kind is not np.ndarray or x.shape != _POINT:
            x = points_of(x)
            if x.shape != _POINT:
                return x @ self._pose[:3].T + self._pose[3]
        try:
            return _k.act_point(self._pose, x, None)
        except TypeError:
            return run(_k.act_point, self._pose, x, None)

    @overload
    def act_inv(self, x: Motion) -> Motion: ...
    @overload
    def act_inv(self, x: Force) -> Force: ...
    @overload
    def act_inv(self, x: Inertia) -> Inertia: ...
    @overload
    def act_inv(self, x: SE3) -> SE3: ...
    @overload
    def act_inv(self, x: np.ndarray) -> np.ndarray: ...
    def act_inv(self, x: Any) -> Any:
        """Express in the child frame what is given in the parent frame; takes what `act` takes."""
        kind = type(x)
        if kind in _ACT_INV:
            try:
                return _ACT_INV[kind](self._pose, x._v, kind)
            except TypeError:
                return run(_ACT_INV[kind], self._pose, x._v, kind)
        if kind is SE3:
            return run(_k.pose_between, self._pose, x._pose, SE3)
        if kind is not np.ndarray or x.shape != _POINT:
            x = points_of(x)
            if x.shape != _POINT:
                return (x - self._pose[3]) @ self._pose[:3]
        try:
            return _k.act_inv_point(self._pose, x, None)
        except TypeError:
            return run(_k.act_inv_point, self._pose, x, None)

    def interpolate(self, other: SE3, t: float) -> SE3:
        """On the screw from here (t = 0) to `other` (t = 1), at constant twist."""
        return run(_k.pose_interpolate, self._pose, other._pose, float(t), SE3)

    def is_approx(self, other: SE3, tolerance: float = 1e-12) -> bool:
        """Whether no entry of rotation or translation differs by more than `tolerance`.

        For the translation the tolerance grows with its largest coordinate, where that exceeds one metre.
        """
        difference = np.abs(self._pose - other._pose)
        scale = max(1.0, float(np.abs(self._pose[3]).max()))
        return bool(difference[:3].max() <= tolerance and difference[3].max() <= tolerance * scale)

    def __eq__(self, other: object) -> bool:
        if type(other) is not SE3:
            return NotImplemented
        return bool((self._pose == other._pose).all())

    def __hash__(self) -> int:
        return hash((self._pose + 0.0).tobytes())

    def __repr__(self) -> str:
        return f"SE3(rotation={self._pose[:3].tolist()}, translation={self._pose[3].tolist()})"


def _twist(given: Any) -> np.ndarray:
    return given._v if type(given) is Motion else sized("twist", given, (6,))


_ACT = {Motion: _s.act_motion, Force: _s.act_force, Inertia: _s.act_inertia}
_ACT_INV = {Motion: _s.act_inv_motion, Force: _s.act_inv_force, Inertia: _s.act_inv_inertia}
