"""Motion and Force with Pinocchio's names: mutable, over the value types of `dyn_node.spatial`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np

from ..spatial import Force as CoreForce
from ..spatial import Motion as CoreMotion
from .values import PRECISION, Array, Value, generator, numbers

if TYPE_CHECKING:
    from .placement import SE3

S = TypeVar("S", bound="SixVector")

_NUMBER = (float, int, np.floating, np.integer)


class SixVector(Value):
    """Six numbers, linear first. `Motion()`, `Motion(v6)`, `Motion(linear, angular)`, `Motion(other)`."""

    __slots__ = ()
    _SHAPE = (6,)
    _core: type[Any]

    def __init__(self, *args: Any) -> None:
        if len(args) == 2:
            self._x = np.empty(6)
            self._x[:3] = numbers("linear", args[0], (3,))
            self._x[3:] = numbers("angular", args[1], (3,))
        elif not args:
            self._x = np.zeros(6)
        elif len(args) == 1:
            given = args[0]._x if type(args[0]) is type(self) else numbers("vector", args[0], (6,))
            self._x = given.copy()
        else:
            raise TypeError(f"{type(self).__name__}: expected at most 2 arguments, given {len(args)}")

    @classmethod
    def Zero(cls: type[S]) -> S:
        """Six zeros."""
        return cls._over(np.zeros(6))

    @classmethod
    def Random(cls: type[S]) -> S:
        """Each number uniform in (-1, 1)."""
        return cls._over(generator().uniform(-1.0, 1.0, 6))

    @property
    def value(self) -> Any:
        """The same numbers as an immutable `dyn_node.Motion` or `dyn_node.Force`."""
        return self._core.from_vector(self._x)

    @property
    def linear(self) -> Array:
        """First three numbers: a view that can be written to."""
        return self._x[:3]

    @linear.setter
    def linear(self, value: Any) -> None:
        self._x[:3] = numbers("linear", value, (3,))

    @property
    def angular(self) -> Array:
        """Last three numbers: a view that can be written to."""
        return self._x[3:]

    @angular.setter
    def angular(self, value: Any) -> None:
        self._x[3:] = numbers("angular", value, (3,))

    @property
    def vector(self) -> Array:
        """All six numbers: a view that can be written to."""
        return self._x[:]

    @vector.setter
    def vector(self, value: Any) -> None:
        self._x[:] = numbers("vector", value, (6,))

    @property
    def np(self) -> Array:
        """All six numbers: a view that can be written to."""
        return self._x[:]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self._x, dtype=dtype)

    def setZero(self) -> None:
        """Make it zero."""
        self._x[:] = 0.0

    def setRandom(self) -> None:
        """Make it random."""
        self._x[:] = generator().uniform(-1.0, 1.0, 6)

    def se3Action(self: S, placement: SE3) -> S:
        """Express it in the parent frame of a placement."""
        return placement.act(self)

    def se3ActionInverse(self: S, placement: SE3) -> S:
        """Express it in the child frame of a placement."""
        return placement.actInv(self)

    def __add__(self: S, other: S) -> S:
        if type(other) is not type(self):
            return NotImplemented
        return self._over(self._x + other._x)

    def __sub__(self: S, other: S) -> S:
        if type(other) is not type(self):
            return NotImplemented
        return self._over(self._x - other._x)

    def __iadd__(self: S, other: S) -> S:
        self._x += other._x
        return self

    def __isub__(self: S, other: S) -> S:
        self._x -= other._x
        return self

    def __neg__(self: S) -> S:
        return self._over(-self._x)

    def __mul__(self: S, factor: float) -> S:
        if not isinstance(factor, _NUMBER):
            return NotImplemented
        return self._over(self._x * factor)

    __rmul__ = __mul__

    def __truediv__(self: S, divisor: float) -> S:
        if not isinstance(divisor, _NUMBER):
            return NotImplemented
        return self._over(self._x / divisor)

    def dot(self, other: Any) -> float:
        """Sum of products: the power of a force on a motion."""
        return float(self._x @ (other._x if isinstance(other, SixVector) else numbers("other", other, (6,))))


class Motion(SixVector):
    """A spatial velocity or acceleration."""

    __slots__ = ()
    _core = CoreMotion

    @overload
    def cross(self, other: Motion) -> Motion: ...
    @overload
    def cross(self, other: Force) -> Force: ...
    def cross(self, other: Any) -> Any:
        """Rate of a motion, or of a force, that is carried along by this motion."""
        if not isinstance(other, SixVector):
            raise TypeError(f"Motion.cross: expected a Motion or a Force, given {type(other).__name__}")
        return type(other)._over(self.value.cross(other.value)._v)

    def __xor__(self, other: Any) -> Any:
        return self.cross(other) if isinstance(other, (Motion, Force)) else NotImplemented

    @property
    def action(self) -> Array:
        """(6, 6): the matrix of `cross` on motions."""
        value = self.value
        return np.column_stack([value.cross(CoreMotion.from_vector(e)).vector for e in np.eye(6)])

    @property
    def dualAction(self) -> Array:
        """(6, 6): the matrix of `cross` on forces."""
        value = self.value
        return np.column_stack([value.cross(CoreForce.from_vector(e)).vector for e in np.eye(6)])

    @property
    def homogeneous(self) -> Array:
        """(4, 4): the same as an element of se(3), [[w^, v], [0, 0]]."""
        H = np.zeros((4, 4))
        H[:3, :3] = self.action[:3, :3]
        H[:3, 3] = self._x[:3]
        return H

    def __str__(self) -> str:
        return f"  v = {_row(self._x[:3])}\n  w = {_row(self._x[3:])}\n"

    __repr__ = __str__


class Force(SixVector):
    """A spatial force or momentum."""

    __slots__ = ()
    _core = CoreForce

    def __str__(self) -> str:
        return f"  f = {_row(self._x[:3])}\ntau = {_row(self._x[3:])}\n"

    __repr__ = __str__


def _row(x: Array) -> str:
    return " ".join(f"{value:g}" for value in x)


__all__ = ["PRECISION", "Force", "Motion"]
