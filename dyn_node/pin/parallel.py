"""Dynamics of many states at once, one a column, on several threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import algorithms as _core
from ..algorithms import threads as _threads
from .containers import StdVec
from .values import Array

if TYPE_CHECKING:
    from .data import Data
    from .model import Model


class ModelPool:
    """A model for calls on many states. Its size is remembered and limits nothing."""

    def __init__(self, model: Model, size: int = 1) -> None:
        self._model, self._data = model.copy(), [model.createData() for _ in range(size)]

    def size(self) -> int:
        """How many threads it was made for."""
        return len(self._data)

    def resize(self, new_size: int) -> None:
        """Another size."""
        self._data = [self._model.createData() for _ in range(new_size)]

    def update(self, model: Model) -> None:
        """Take another model."""
        self._model = model.copy()
        self.resize(self.size())

    def getModel(self, index: int = 0) -> Model:
        """The model."""
        return self._model

    def getModels(self) -> StdVec:
        """The model, as often as the size says."""
        return StdVec([self._model] * self.size())

    def getData(self, index: int) -> Data:
        """A Data of it."""
        return self._data[index]

    def getDatas(self) -> StdVec:
        """Its Data."""
        return StdVec(self._data)

    def copy(self) -> ModelPool:
        """An independent copy."""
        return ModelPool(self._model, self.size())


def _together(
    function: Any, threads: int, pool: ModelPool, states: tuple[Any, ...], out: Any
) -> Array | None:
    core, core_data = pool._data[0].for_model(pool._model)
    before = list(_threads._count)
    try:
        _threads.set_threads(int(threads))
        found = function(core, core_data, *[np.ascontiguousarray(np.transpose(x)) for x in states]).T
    finally:
        _threads._count[:] = before
    if out is None:
        return found
    out[...] = found
    return None


def rneaInParallel(num_thread: int, pool: ModelPool, q: Any, v: Any, a: Any, tau: Any = None) -> Array | None:
    """Inverse dynamics of the states in the columns of q, v, a: (nv, N), into tau where it is given."""
    return _together(_core.rnea, num_thread, pool, (q, v, a), tau)


def abaInParallel(num_thread: int, pool: ModelPool, q: Any, v: Any, tau: Any, a: Any = None) -> Array | None:
    """Forward dynamics of the states in the columns of q, v, tau: (nv, N), into a where it is given."""
    return _together(_core.aba, num_thread, pool, (q, v, tau), a)


__all__ = ["ModelPool", "abaInParallel", "rneaInParallel"]
