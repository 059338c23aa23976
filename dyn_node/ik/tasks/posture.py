"""A configuration to stay near to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...algorithms import normalize
from ...algorithms.arguments import configuration
from ...kernels import ik_tasks as _k
from ..chain import middle
from .task import Task, Vector, weights

if TYPE_CHECKING:
    from ...model import Model


@dataclass(frozen=True)
class PostureTask(Task):
    """The joints near a configuration; unless told otherwise, as an objective.

    The seed as the target keeps the robot where it is; `away_from_limits` makes the task that keeps to the
    middle of the ranges.
    As a task that has to be met, its error is the weighted length of the way and counts as an orientation.

    Attributes:
        target: (nq,); weights: (nv,), one a velocity coordinate; zero frees one.
    """

    kind: ClassVar[int] = _k.POSTURE
    target: ArrayLike
    weights: ArrayLike | None = None
    objective: bool = field(default=True, kw_only=True)

    @classmethod
    def away_from_limits(cls, model: Model) -> PostureTask:
        """The middle of the ranges, each joint by its part of its own range; one without limits is free.

        Raises:
            InvalidValueError: no joint has limits.
        """
        lower, upper = model.lower_position_limit, model.upper_position_limit
        wide = np.zeros(model.nv)
        for joint in model.joints[1:]:
            if joint.mimic is None and joint.nq == joint.nv:
                entries = slice(joint.idx_q, joint.idx_q + joint.nq)
                wide[joint.moved_by] = upper[entries] - lower[entries]
        bounded = np.isfinite(wide) & (wide > 0.0)
        part = np.divide(2.0, wide, out=np.zeros(model.nv), where=bounded)
        return cls(middle(model), weights=part)

    def posture(self, model: Model) -> Vector:
        target = normalize(model, configuration(model, self.target, "target"))
        return np.concatenate([target, weights("weights", self.weights, model.nv)])
