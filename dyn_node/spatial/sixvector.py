"""What motions and forces share: six numbers, linear first, in one frame."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy import empty

from ._call import copied, frozen, sized

V = TypeVar("V", bound="SixVector")

_new = object.__new__
_NUMBER = (float, int, np.floating, np.integer)


class SixVector:
    """Six numbers (linear, angular), immutable. Use `Motion` or `Force`."""

    __slots__ = ("_v",)
    __array_ufunc__ = None  # a NumPy scalar times this asks __rmul__ instead of making an array

    _v: np.ndarray

    def __init__(self, linear: Any, angular: Any) -> None:
        self._v = v = empty(6)
        v[:3] = sized("linear", linear, (3,))
        v[3:] = sized("angular", angular, (3,))

    @classmethod
    def _trusted(cls: type[V], v: np.ndarray) -> V:
        """Wrap a contiguous float64 (6,) array that nobody else writes to, without a check."""
        self = _new(cls)
        self._v = v
        return self

    @classmethod
    def from_vector(cls: type[V], vector: Any) -> V:
        """From six numbers, linear first."""
        return cls._trusted(copied("vector", vector, (6,)))

    @classmethod
    def Zero(cls: type[V]) -> V:
        """Six zeros."""
        return cls._trusted(np.zeros(6))

    @classmethod
    def Random(cls: type[V], rng: np.random.Generator | None = None) -> V:
        """Each number uniform in (-1, 1)."""
        rng = np.random.default_rng() if rng is None else rng
        return cls._trusted(rng.uniform(-1.0, 1.0, 6))

    @property
    def linear(self) -> np.ndarray:
        """First three numbers, read-only view."""
        return frozen(self._v[:3])

    @property
    def angular(self) -> np.ndarray:
        """Last three numbers, read-only view."""
        return frozen(self._v[3:])

    @property
    def vector(self) -> np.ndarray:
        """All six numbers, linear first, read-only view."""
        return frozen(self._v[:])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False and dtype in (None, np.float64):
            return self.vector
        return np.array(self._v, dtype=dtype)

    def __len__(self) -> int:
        return 6

    def __iter__(self) -> Any:
        return iter(self._v.tolist())

    def __add__(self: V, other: V) -> V:
        if type(other) is not type(self):
            return NotImplemented
        result = _new(type(self))
        result._v = self._v + other._v
        return result

    def __sub__(self: V, other: V) -> V:
        if type(other) is not type(self):
            return NotImplemented
        result = _new(type(self))
        result._v = self._v - other._v
        return result

    def __neg__(self: V) -> V:
        return self._trusted(-self._v)

    def __mul__(self: V, factor: float) -> V:
        if not isinstance(factor, _NUMBER):
            return NotImplemented
        result = _new(type(self))
        result._v = self._v * factor
        return result

    __rmul__ = __mul__

    def __truediv__(self: V, divisor: float) -> V:
        if not isinstance(divisor, _NUMBER):
            return NotImplemented
        return self._trusted(self._v / divisor)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return bool((self._v == other._v).all())  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        # Adding zero gives -0.0, which equals 0.0, the same bytes.
        return hash((type(self), (self._v + 0.0).tobytes()))

    def is_approx(self: V, other: V, tolerance: float = 1e-12) -> bool:
        """Whether no number differs by more than `tolerance`, times the largest where that exceeds 1."""
        scale = max(1.0, float(np.abs(self._v).max()))
        return bool(np.abs(self._v - other._v).max() <= tolerance * scale)

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"{name}(linear={self._v[:3].tolist()}, angular={self._v[3:].tolist()})"
