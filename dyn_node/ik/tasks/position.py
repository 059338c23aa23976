"""A frame's origin at a point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numpy.typing import ArrayLike

from ...kernels import ik_tasks as _k
from .task import Task, Vector, point, weights

if TYPE_CHECKING:
    from ...model import Model


@dataclass(frozen=True)
class PositionTask(Task):
    """A frame's origin at a point of the world.

    Attributes:
        frame: name or number; target: (3,), metres.
        weights: (3,), of the world's directions; zero frees one.
    """

    kind: ClassVar[int] = _k.POSITION
    frame: int | str
    target: ArrayLike
    weights: ArrayLike | None = None

    def frames(self) -> tuple[int | str, ...]:
        return (self.frame,)

    def row(self, model: Model) -> Vector:
        row = super().row(model)
        row[_k.FRAME] = model.frame_id(self.frame)
        row[_k.PLACE : _k.PLACE + 3] = point("target", self.target)
        row[_k.WEIGHTS : _k.WEIGHTS + 3] = weights("weights", self.weights, 3)
        return row
