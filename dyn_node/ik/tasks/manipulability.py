"""A frame away from its singularities."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from numpy.typing import ArrayLike

from ...errors import InvalidValueError
from ...kernels import ik_tasks as _k
from ..chain import moving
from .task import Task, Vector, weights

if TYPE_CHECKING:
    from ...model import Model


@dataclass(frozen=True)
class ManipulabilityTask(Task):
    """More manipulability, sqrt(det J J^T) of a frame (Yoshikawa 1985): always an objective.

    It has no goal to be off: both of its errors are zero.

    Attributes:
        frame: name or number.
        weights: (6,), the linear and angular directions of the frame's axes that count where above zero;
            no more of them than coordinates that carry the frame.
        strength: how much it counts beside other objectives; one is about as much as a posture that is a
            radian off.
    """

    kind: ClassVar[int] = _k.MANIPULABILITY
    frame: int | str
    weights: ArrayLike | None = None
    strength: float = 1.0
    objective: bool = field(default=True, kw_only=True)

    def frames(self) -> tuple[int | str, ...]:
        return (self.frame,)

    def row(self, model: Model) -> Vector:
        row = super().row(model)
        if not self.objective:
            raise InvalidValueError("ManipulabilityTask: nothing that can be met", False, "objective=True")
        row[_k.FRAME] = number = model.frame_id(self.frame)
        if not 0.0 < (strength := float(self.strength)) < float("inf"):
            raise InvalidValueError(f"strength: expected a number > 0, given {strength}", strength, "> 0")
        row[_k.PLACE] = strength
        row[_k.WEIGHTS : _k.WEIGHTS + 6] = counted = weights("weights", self.weights, 6)
        carriers, directions = int(moving(model, [number], (), False).sum()), int((counted > 0.0).sum())
        if directions > carriers:
            allowed = f"at most {carriers} directions above zero, as many as coordinates carry the frame"
            raise InvalidValueError(f"weights: expected {allowed}, given {directions}", self.weights, allowed)
        return row
