"""The pose of one frame in another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numpy.typing import ArrayLike

from ...kernels import ik_tasks as _k
from ...spatial import SE3
from ..solve import pose_of
from .task import Task, Vector, weights

if TYPE_CHECKING:
    from ...model import Model


@dataclass(frozen=True)
class RelativePoseTask(Task):
    """A frame at a pose in another frame, both of which may move ("two hands hold one box").

    Attributes:
        frame, base: names or numbers; target: pose of `frame` in `base`, SE3 or (4, 4).
        weights: (6,), linear then angular directions of `frame`'s axes; zero frees one.
    """

    kind: ClassVar[int] = _k.RELATIVE
    frame: int | str
    base: int | str
    target: SE3 | ArrayLike
    weights: ArrayLike | None = None

    def frames(self) -> tuple[int | str, ...]:
        return (self.frame, self.base)

    def row(self, model: Model) -> Vector:
        row = super().row(model)
        row[_k.FRAME], row[_k.OTHER] = model.frame_id(self.frame), model.frame_id(self.base)
        row[_k.ROTATION : _k.PLACE + 3] = pose_of(self.target).ravel()
        row[_k.WEIGHTS : _k.WEIGHTS + 6] = weights("weights", self.weights, 6)
        return row
