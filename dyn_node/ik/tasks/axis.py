"""An axis of a frame along a direction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numpy.typing import ArrayLike

from ...kernels import ik_tasks as _k
from .task import Task, Vector, unit

if TYPE_CHECKING:
    from ...model import Model


@dataclass(frozen=True)
class AxisTask(Task):
    """An axis of a frame along a direction of the world ("keep the cup upright"); turning about it is free.

    Attributes:
        frame: name or number; axis: (3,) in the frame; direction: (3,) in the world. Any length but zero.
    """

    kind: ClassVar[int] = _k.AXIS
    frame: int | str
    axis: ArrayLike
    direction: ArrayLike

    def frames(self) -> tuple[int | str, ...]:
        return (self.frame,)

    def row(self, model: Model) -> Vector:
        row = super().row(model)
        row[_k.FRAME] = model.frame_id(self.frame)
        row[_k.AXIS_AT : _k.AXIS_AT + 3] = unit("axis", self.axis)
        row[_k.DIRECTION : _k.DIRECTION + 3] = unit("direction", self.direction)
        return row
