"""What all mutable spatial values share: one array of numbers, which may be somebody else's memory."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import ShapeError
from . import random

V = TypeVar("V", bound="Value")
Array = NDArray[np.float64]

#: Pinocchio's default precision of comparisons.
PRECISION = 1e-12

_new = object.__new__


def numbers(name: str, given: Any, shape: tuple[int, ...]) -> Array:
    """`given` as float64 numbers of this shape; columns and rows of a matrix count as vectors.

    Raises:
        ShapeError: when there are more or fewer numbers, or none.
    """
    try:
        array = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ShapeError(name, repr(given)[:80], f"numbers of shape {shape}") from None
    if array.shape == shape:
        return array
    if len(shape) == 1 and array.size == shape[0] and max(array.shape, default=0) == shape[0]:
        return array.reshape(shape)
    raise ShapeError(name, f"shape {array.shape}", f"shape {shape}")


def generator() -> np.random.Generator:
    """The generator that `seed` sets."""
    return random.generator


class Value:
    """A spatial value: mutable, copied by `copy`, compared entry by entry.

    Attributes:
        _x: its numbers, C-contiguous. Those of a model or a data are views of their memory.
    """

    __slots__ = ("_x",)
    #: NumPy leaves products with these to the methods here.
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    _x: Array
    _SHAPE: tuple[int, ...] = ()

    @classmethod
    def _over(cls: type[V], memory: Array) -> V:
        """A value whose numbers are this memory."""
        self = _new(cls)
        self._x = memory
        return self

    def assign(self: V, other: V) -> None:
        """Take over the numbers of another value of this type."""
        if not isinstance(other, type(self)):
            raise TypeError(f"expected {type(self).__name__}, given {type(other).__name__}")
        self._x[...] = other._x

    def _rebind(self, memory: Array) -> None:
        """Move to other memory, which takes over the numbers."""
        memory[...] = self._x
        self._x = memory

    def copy(self: V) -> V:
        """An independent copy."""
        return self._over(self._x.copy())

    __copy__ = copy

    def __deepcopy__(self: V, memo: dict[int, Any]) -> V:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (type(self), self._x.copy())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return bool((self._x == other._x).all())  # type: ignore[attr-defined]

    def isApprox(self: V, other: V, prec: float = PRECISION) -> bool:
        """Whether the numbers differ by at most `prec`, relative to their norm."""
        difference = float(np.linalg.norm(self._x - other._x))
        smaller = min(float(np.linalg.norm(self._x)), float(np.linalg.norm(other._x)))
        return difference <= prec * smaller

    def isZero(self, prec: float = PRECISION) -> bool:
        """Whether no number is larger than `prec`."""
        return bool((np.abs(self._x) <= prec).all())


def _unpickled(kind: type[V], memory: Array) -> V:
    return kind._over(memory)
