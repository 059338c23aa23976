"""A frame's orientation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numpy.typing import ArrayLike

from ...kernels import ik_tasks as _k
from ...spatial import SO3
from .task import Task, Vector, weights

if TYPE_CHECKING:
    from ...model import Model


@dataclass(frozen=True)
class OrientationTask(Task):
    """A frame's axes along those of a rotation; the error is log(R^T R_target) in the frame's axes.

    Attributes:
        frame: name or number; target: SO3 or (3, 3), frame to world.
        weights: (3,), of the frame's directions; zero frees one.
    """

    kind: ClassVar[int] = _k.ORIENTATION
    frame: int | str
    target: SO3 | ArrayLike
    weights: ArrayLike | None = None

    def frames(self) -> tuple[int | str, ...]:
        return (self.frame,)

    def row(self, model: Model) -> Vector:
        row = super().row(model)
        row[_k.FRAME] = model.frame_id(self.frame)
        rotation = self.target if isinstance(self.target, SO3) else SO3(self.target)
        row[_k.ROTATION : _k.ROTATION + 9] = rotation.matrix.ravel()
        row[_k.WEIGHTS + 3 : _k.WEIGHTS + 6] = weights("weights", self.weights, 3)
        return row
