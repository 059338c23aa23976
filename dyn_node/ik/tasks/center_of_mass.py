"""The robot's centre of mass at a point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numpy.typing import ArrayLike

from ...errors import InvalidValueError
from ...kernels import ik_tasks as _k
from .task import Task, Vector, point, weights

if TYPE_CHECKING:
    from ...model import Model


@dataclass(frozen=True)
class CenterOfMassTask(Task):
    """The centre of mass of the whole robot at a point of the world.

    Attributes:
        target: (3,), metres; weights: (3,), of the world's directions; zero frees one.
    """

    kind: ClassVar[int] = _k.CENTRE
    target: ArrayLike
    weights: ArrayLike | None = None

    def row(self, model: Model) -> Vector:
        row = super().row(model)
        moved = sum(float(record["mass"]) for record in model.records[1:])
        if not moved > 0.0:
            raise InvalidValueError("CenterOfMassTask: no joint moves any mass", moved, "a mass above zero")
        row[_k.PLACE : _k.PLACE + 3] = point("target", self.target)
        row[_k.WEIGHTS : _k.WEIGHTS + 3] = weights("weights", self.weights, 3)
        return row
