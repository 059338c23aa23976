"""Small helpers that scripts import from pinocchio.utils."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.linalg as npl

from . import random
from .containers import StdVec
from .rpy import matrixToRpy, rotate, rpyToMatrix
from .values import Array


def eye(n: Any) -> Array:
    """The unit matrix."""
    return np.eye(*n) if isinstance(n, tuple) else np.eye(n)


def zero(n: Any) -> Array:
    """Zeros."""
    return np.zeros(n)


def rand(n: Any) -> Array:
    """Numbers uniform in [0, 1)."""
    return random.generator.random(n)


def isapprox(a: Any, b: Any, epsilon: float = 1e-6) -> bool:
    """Whether no number differs by more than epsilon."""
    return bool(np.allclose(getattr(a, "np", a), getattr(b, "np", b), epsilon))


def mprint(M: Any, name: str = "ans", eps: float = 1e-15) -> None:
    """Print a matrix with a name."""
    shown = np.where(np.abs(M) < eps, 0.0, M)
    sys.stdout.write(f"{name} =\n{np.array2string(np.asarray(shown), precision=5)}\n")


def npToTTuple(M: Any) -> tuple[tuple[float, ...], ...]:
    """A matrix as a tuple of rows."""
    return tuple(tuple(row) for row in np.asarray(M).tolist())


def npToTuple(M: Any) -> Any:
    """A vector or matrix as a tuple."""
    array = np.asarray(M)
    return npToTTuple(array) if array.ndim == 2 and 1 not in array.shape else tuple(array.ravel().tolist())


def fromListToVectorOfString(items: Iterable[str]) -> StdVec:
    """A list of strings."""
    return StdVec(items)


__all__ = [
    "eye",
    "fromListToVectorOfString",
    "isapprox",
    "matrixToRpy",
    "mprint",
    "np",
    "npToTTuple",
    "npToTuple",
    "npl",
    "rand",
    "rotate",
    "rpyToMatrix",
    "zero",
]
