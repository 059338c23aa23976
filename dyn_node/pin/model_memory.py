"""One block of memory for all numbers of a model that algorithms depend on, to notice changes by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .model import Model


class Memory:
    """Moves the values of a model into one block, and tells whether any of them changed since.

    Scripts write into placements and inertias through views that nothing else could see. Comparing
    the whole block costs about a microsecond.
    """

    def __init__(self, model: Model) -> None:
        values = [model._gravity, *model.jointPlacements, *model.inertias]
        values += [frame.placement for frame in model.frames]
        sizes = [value._x.size for value in values]
        self._block = np.empty(sum(sizes) + len(model._armature))
        first = 0
        for value, size in zip(values, sizes, strict=True):
            value._rebind(self._block[first : first + size].reshape(value._SHAPE))
            first += size
        self._block[first:] = model._armature
        model._armature = self._block[first:]
        self._before = self._block.tobytes()

    def changed(self) -> bool:
        """Whether a number is not what it was when this was made."""
        return self._block.tobytes() != self._before
