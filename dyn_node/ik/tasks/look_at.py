"""An axis of a frame towards a point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numpy.typing import ArrayLike

from ...kernels import ik_tasks as _k
from .task import Task, Vector, point, unit

if TYPE_CHECKING:
    from ...model import Model


@dataclass(frozen=True)
class LookAtTask(Task):
    """A frame's axis, through its origin, towards a point of the world.

    Attributes:
        frame: name or number; axis: (3,) in the frame, any length but zero; target: (3,), metres.
    """

    kind: ClassVar[int] = _k.LOOK_AT
    frame: int | str
    axis: ArrayLike
    target: ArrayLike

    def frames(self) -> tuple[int | str, ...]:
        return (self.frame,)

    def row(self, model: Model) -> Vector:
        row = super().row(model)
        row[_k.FRAME] = model.frame_id(self.frame)
        row[_k.AXIS_AT : _k.AXIS_AT + 3] = unit("axis", self.axis)
        row[_k.PLACE : _k.PLACE + 3] = point("target", self.target)
        return row
