"""Quaternion and AngleAxis with the names of eigenpy, over `dyn_node.SO3`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..spatial import SO3, exp_quaternion, log_quaternion
from .values import PRECISION, Array, numbers


def _between(u: Any, v: Any) -> Array:
    """The shortest rotation that turns the direction u to v, as (x, y, z, w)."""
    u, v = numbers("u", u, (3,)), numbers("v", v, (3,))
    u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
    axis, cosine = np.cross(u, v), float(u @ v)
    sine = float(np.linalg.norm(axis))
    if sine == 0.0:  # parallel, or opposite: then any axis across
        across = np.cross(u, np.eye(3)[np.argmin(np.abs(u))])
        axis, sine = across, float(np.linalg.norm(across))
        return exp_quaternion(axis / sine * (0.0 if cosine > 0.0 else np.pi))
    return exp_quaternion(axis / sine * np.arctan2(sine, cosine))


def quaternion_of(R: Any) -> Array:
    """(x, y, z, w) of a rotation matrix, of the two the one that Eigen gives."""
    matrix = numbers("R", R, (3, 3))
    q = SO3(matrix).quaternion
    if np.trace(matrix) <= 0.0 and q[np.argmax(np.diag(matrix))] < 0.0:
        q = -q
    return q


class Quaternion:
    """Four numbers (x, y, z, w), unit or not.

    `Quaternion(w, x, y, z)`, `Quaternion(array_xyzw)`, `Quaternion(R)`, `Quaternion(angle_axis)`,
    `Quaternion(u, v)` (turns u to v), `Quaternion(other)`, `Quaternion()`.
    """

    __slots__ = ("_q",)
    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None

    def __init__(self, *args: Any) -> None:
        if len(args) == 4:
            w, x, y, z = map(float, args)
            self._q = np.array([x, y, z, w])
        elif len(args) == 2:
            self._q = _between(*args)
        elif len(args) == 1:
            self._q = self._of(args[0])
        elif not args:
            self._q = np.array([0.0, 0.0, 0.0, 1.0])
        else:
            raise TypeError(f"Quaternion: expected 0, 1, 2 or 4 arguments, given {len(args)}")

    @staticmethod
    def _of(given: Any) -> Array:
        if isinstance(given, Quaternion):
            return given._q.copy()
        if isinstance(given, AngleAxis):
            return exp_quaternion(given.angle * given.axis)
        if np.size(given) == 4:
            return numbers("vec4", given, (4,)).copy()
        return quaternion_of(given)

    @staticmethod
    def Identity() -> Quaternion:
        """No rotation."""
        return Quaternion()

    @staticmethod
    def FromTwoVectors(u: Any, v: Any) -> Quaternion:
        """The shortest rotation that turns the direction u to v."""
        return Quaternion(_between(u, v))

    def setFromTwoVectors(self, u: Any, v: Any) -> Quaternion:
        """Become the shortest rotation that turns the direction u to v."""
        self._q[:] = _between(u, v)
        return self

    def assign(self, other: Quaternion) -> Quaternion:
        """Take over the numbers of another."""
        self._q[:] = other._q
        return self

    def setIdentity(self) -> Quaternion:
        """Become no rotation."""
        self._q[:] = (0.0, 0.0, 0.0, 1.0)
        return self

    def coeffs(self) -> Array:
        """(x, y, z, w), the caller's own."""
        return self._q.copy()

    def vec(self) -> Array:
        """(x, y, z), the caller's own."""
        return self._q[:3].copy()

    def _so3(self) -> SO3:
        return SO3.from_quaternion(self._q / np.linalg.norm(self._q))

    def matrix(self) -> Array:
        """The rotation (3, 3)."""
        return self._so3().matrix.copy()

    toRotationMatrix = matrix

    def norm(self) -> float:
        """Length of the four numbers."""
        return float(np.linalg.norm(self._q))

    __abs__ = norm

    def squaredNorm(self) -> float:
        """Squared length of the four numbers."""
        return float(self._q @ self._q)

    def normalize(self) -> Quaternion:
        """Give it unit length."""
        self._q /= np.linalg.norm(self._q)
        return self

    def normalized(self) -> Quaternion:
        """A copy of unit length."""
        return Quaternion(self._q / np.linalg.norm(self._q))

    def conjugate(self) -> Quaternion:
        """The opposite rotation, of the same length."""
        return Quaternion(self._q * (-1.0, -1.0, -1.0, 1.0))

    def inverse(self) -> Quaternion:
        """The opposite rotation, of the inverse length."""
        return Quaternion(self._q * (-1.0, -1.0, -1.0, 1.0) / self.squaredNorm())

    def dot(self, other: Quaternion) -> float:
        """Sum of products of the four numbers."""
        return float(self._q @ other._q)

    def angularDistance(self, other: Quaternion) -> float:
        """Angle between the two rotations, radians."""
        return float(np.linalg.norm((self._so3().inverse() * other._so3()).log()))

    def slerp(self, t: float, other: Quaternion) -> Quaternion:
        """On the shorter way from here (t = 0) to `other` (t = 1)."""
        nearer = other._q if self.dot(other) >= 0.0 else -other._q
        way = log_quaternion((self.conjugate() * Quaternion(nearer))._q)
        return self * Quaternion(exp_quaternion(t * way))

    def _transformVector(self, vector: Any) -> Array:
        return self._so3().act(numbers("vector", vector, (3,)))

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Quaternion):
            return self._transformVector(other)
        a, s, b, t = self._q[:3], self._q[3], other._q[:3], other._q[3]
        return Quaternion(np.append(s * b + t * a + np.cross(a, b), s * t - a @ b))

    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> float:
        return float(self._q[index])

    def __setitem__(self, index: int, value: float) -> None:
        self._q[index] = value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Quaternion):
            return NotImplemented
        return bool((self._q == other._q).all())

    def isApprox(self, other: Quaternion, prec: float = PRECISION) -> bool:
        """Whether the four numbers differ by at most `prec`."""
        return bool(np.linalg.norm(self._q - other._q) <= prec * min(self.norm(), other.norm()))

    def copy(self) -> Quaternion:
        """An independent copy."""
        return Quaternion(self)

    def __repr__(self) -> str:
        return f"(x,y,z,w) = {' '.join(f'{x:g}' for x in self._q)}\n"


def _entry(index: int, name: str) -> property:
    def read(self: Quaternion) -> float:
        return float(self._q[index])

    def write(self: Quaternion, value: float) -> None:
        self._q[index] = value

    return property(read, write, doc=f"The number {name}.")


for _index, _name in enumerate("xyzw"):
    setattr(Quaternion, _name, _entry(_index, _name))


class AngleAxis:
    """A rotation by an angle about a unit axis.

    `AngleAxis(angle, axis)`, `AngleAxis(R)`, `AngleAxis(quaternion)`, `AngleAxis(other)`, `AngleAxis()`.
    """

    __slots__ = ("angle", "axis")

    def __init__(self, *args: Any) -> None:
        self.angle, self.axis = 0.0, np.array([1.0, 0.0, 0.0])
        if len(args) == 2:
            self.angle, self.axis = float(args[0]), numbers("axis", args[1], (3,)).copy()
        elif len(args) == 1 and isinstance(args[0], AngleAxis):
            self.angle, self.axis = args[0].angle, args[0].axis.copy()
        elif len(args) == 1:
            given = args[0].matrix() if isinstance(args[0], Quaternion) else numbers("R", args[0], (3, 3))
            self._take(SO3(given).log())

    def _take(self, w: Array) -> None:
        self.angle = float(np.linalg.norm(w))
        if self.angle > 0.0:
            self.axis = w / self.angle

    def _so3(self) -> SO3:
        return SO3.exp(self.angle * self.axis)

    def matrix(self) -> Array:
        """The rotation (3, 3)."""
        return self._so3().matrix.copy()

    toRotationMatrix = matrix

    def inverse(self) -> AngleAxis:
        """The opposite rotation."""
        return AngleAxis(-self.angle, self.axis)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, AngleAxis):
            return Quaternion(self) * Quaternion(other)
        if isinstance(other, Quaternion):
            return Quaternion(self) * other
        return self._so3().act(numbers("vector", other, (3,)))

    def isApprox(self, other: AngleAxis, prec: float = PRECISION) -> bool:
        """Whether angle and axis differ by at most `prec`."""
        return abs(self.angle - other.angle) <= prec and bool(np.linalg.norm(self.axis - other.axis) <= prec)

    def __repr__(self) -> str:
        return f"angle: {self.angle:g}\naxis: {' '.join(f'{x:g}' for x in self.axis)}\n"
