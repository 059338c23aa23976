"""A frame at a pose."""

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
class PoseTask(Task):
    """A frame at a pose in the world; the error is log(T^-1 T_target) in the frame's axes.

    Attributes:
        frame: name or number; target: SE3 or (4, 4).
        weights: (6,), linear then angular directions of the frame's axes; zero frees one.
    """

    kind: ClassVar[int] = _k.POSE
    frame: int | str
    target: SE3 | ArrayLike
    weights: ArrayLike | None = None

    def frames(self) -> tuple[int | str, ...]:
        return (self.frame,)

    def row(self, model: Model) -> Vector:
        row = super().row(model)
        row[_k.FRAME] = model.frame_id(self.frame)
        # The rotation's rows and then the translation: as the kernel has them.
        row[_k.ROTATION : _k.PLACE + 3] = pose_of(self.target).ravel()
        row[_k.WEIGHTS : _k.WEIGHTS + 6] = weights("weights", self.weights, 6)
        return row
