"""SE3 with Pinocchio's names: mutable, over `dyn_node.SE3`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..spatial import SE3 as CoreSE3
from .inertia import Inertia
from .quaternion import Quaternion
from .sixvectors import Force, Motion
from .values import PRECISION, Array, Value, generator, numbers


class SE3(Value):
    """A placement. `SE3(R, p)`, `SE3(quaternion, p)`, `SE3(matrix4)`, `SE3(other)`, `SE3(1)`, `SE3()`.

    As in Pinocchio the rotation is taken as it is, without a check.
    """

    __slots__ = ()
    _SHAPE = (4, 3)  # rotation in rows 0 to 2, translation in row 3

    def __init__(self, *args: Any) -> None:
        self._x = np.eye(4, 3)
        if len(args) == 2:
            rotation = args[0].matrix() if isinstance(args[0], Quaternion) else args[0]
            self._x[:3] = numbers("rotation", rotation, (3, 3))
            self._x[3] = numbers("translation", args[1], (3,))
        elif len(args) == 1 and isinstance(args[0], SE3):
            self._x[...] = args[0]._x
        elif len(args) == 1 and not isinstance(args[0], int):
            H = numbers("matrix", args[0], (4, 4))
            self._x[:3], self._x[3] = H[:3, :3], H[:3, 3]
        elif len(args) > 2:
            raise TypeError(f"SE3: expected at most 2 arguments, given {len(args)}")

    @classmethod
    def _from_core(cls, value: CoreSE3) -> SE3:
        return cls._over(value._pose)

    @classmethod
    def Identity(cls) -> SE3:
        """The frame itself."""
        return cls._over(np.eye(4, 3))

    @classmethod
    def Random(cls) -> SE3:
        """Rotation uniform over all rotations, coordinates of the translation uniform in (-1, 1)."""
        return cls._from_core(CoreSE3.Random(generator()))

    @staticmethod
    def Interpolate(A: SE3, B: SE3, alpha: float) -> SE3:
        """On the screw from A (alpha = 0) to B (alpha = 1)."""
        return SE3._from_core(A._live.interpolate(B._live, alpha))

    @property
    def _live(self) -> CoreSE3:
        """The library's value over the same memory: for the moment of one call."""
        return CoreSE3._wrap(self._x)

    @property
    def value(self) -> CoreSE3:
        """The same placement as an immutable `dyn_node.SE3`."""
        return CoreSE3._wrap(self._x.copy())

    @property
    def rotation(self) -> Array:
        """(3, 3): a view that can be written to."""
        return self._x[:3]

    @rotation.setter
    def rotation(self, value: Any) -> None:
        self._x[:3] = numbers("rotation", value, (3, 3))

    @property
    def translation(self) -> Array:
        """(3,): a view that can be written to."""
        return self._x[3]

    @translation.setter
    def translation(self, value: Any) -> None:
        self._x[3] = numbers("translation", value, (3,))

    @property
    def homogeneous(self) -> Array:
        """(4, 4)."""
        return self._live.homogeneous

    np = homogeneous

    @property
    def action(self) -> Array:
        """(6, 6): acts on motions."""
        return self._live.action

    @property
    def actionInverse(self) -> Array:
        """(6, 6): the inverse of `action`."""
        return self._live.inverse().action

    @property
    def dualAction(self) -> Array:
        """(6, 6): acts on forces."""
        return self._live.dual_action

    def toActionMatrix(self) -> Array:
        """(6, 6): acts on motions."""
        return self.action

    def toActionMatrixInverse(self) -> Array:
        """(6, 6): the inverse of `toActionMatrix`."""
        return self.actionInverse

    def toDualActionMatrix(self) -> Array:
        """(6, 6): acts on forces."""
        return self.dualAction

    def inverse(self) -> SE3:
        """The placement of the parent frame in the child frame."""
        return self._from_core(self._live.inverse())

    __invert__ = inverse

    def act(self, x: Any) -> Any:
        """Express in the parent frame: a point, or an SE3, Motion, Force or Inertia."""
        kind = type(x)
        if kind is SE3:
            return self._from_core(self._live * x._live)
        if kind in _ACTED:
            return kind._over(self._live.act(_ACTED[kind]._core._trusted(x._x))._v)
        return self._live.act(numbers("point", x, (3,)))

    def actInv(self, x: Any) -> Any:
        """Express in the child frame: a point, or an SE3, Motion, Force or Inertia."""
        kind = type(x)
        if kind is SE3:
            return self._from_core(self._live.act_inv(x._live))
        if kind in _ACTED:
            return kind._over(self._live.act_inv(_ACTED[kind]._core._trusted(x._x))._v)
        return self._live.act_inv(numbers("point", x, (3,)))

    def __mul__(self, other: Any) -> Any:
        return self.act(other)

    def isIdentity(self, prec: float = PRECISION) -> bool:
        """Whether no entry is off the identity's by more than `prec`."""
        return bool((np.abs(self._x - np.eye(4, 3)) <= prec).all())

    def isApprox(self, other: SE3, prec: float = PRECISION) -> bool:
        """Whether rotation and translation differ by at most `prec`, relative to their norms."""
        parts = (slice(0, 3), slice(3, 4))
        return all(_close(self._x[part], other._x[part], prec) for part in parts)

    def setIdentity(self) -> None:
        """Make it the identity."""
        self._x[...] = np.eye(4, 3)

    def setRandom(self) -> None:
        """Make it random."""
        self.assign(self.Random())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.homogeneous, dtype=dtype)

    def __str__(self) -> str:
        rows = "\n".join(" ".join(f"{x:g}" for x in row) for row in self._x[:3])
        return f"  R =\n{rows}\n  p = {' '.join(f'{x:g}' for x in self._x[3])}\n"

    __repr__ = __str__


_ACTED: dict[type, Any] = {Motion: Motion, Force: Force, Inertia: Inertia}


def _close(a: Array, b: Array, prec: float) -> bool:
    scale = max(PRECISION, min(float(np.linalg.norm(a)), float(np.linalg.norm(b))))
    return float(np.linalg.norm(a - b)) <= prec * scale
