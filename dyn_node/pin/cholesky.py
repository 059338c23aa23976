"""Sparse factors of the mass matrix: M = U diag(D) U^T."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import algorithms as _core
from ..errors import NotComputedError
from .values import Array

if TYPE_CHECKING:
    from .data import Data
    from .model import Model


def decompose(model: Model, data: Data) -> Array:
    """data.U and data.D of the mass matrix at the last placements; what was written to data.M is not seen."""
    data.factor = _core.cholesky(*data.for_model(model), data.state[0])
    data.U, data.D = data.factor.L.T.copy(), data.factor.D.copy()
    return data.U.copy()


def _factor(data: Data) -> Any:
    if data.factor is None:
        raise NotComputedError("cholesky.decompose(model, data) has to run first", None, "decompose")
    return data.factor


def solve(model: Model, data: Data, v: Any) -> Array:
    """x of M x = v, from the last `decompose`."""
    return _factor(data).solve(v)


def computeMinv(model: Model, data: Data) -> Array:
    """data.Minv from the last `decompose`."""
    data.Minv = _factor(data).inverse()
    return data.Minv.copy()
