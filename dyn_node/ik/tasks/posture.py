"""A configuration to stay near to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...algorithms import normalize
from ...algorithms.arguments import configuration
from ...kernels import ik_tasks as _k
from .task import Task, Vector, weights

if TYPE_CHECKING:
    from ...model import Model


@dataclass(frozen=True)
class PostureTask(Task):
    """The joints near a configuration; unless told otherwise, as an objective.

    The middle of the ranges as the target keeps away from limits, the seed keeps the robot where it is.
    As a task that has to be met, its error is the weighted length of the way and counts as an orientation.

    Attributes:
        target: (nq,); weights: (nv,), one a velocity coordinate; zero frees one.
    """

    kind: ClassVar[int] = _k.POSTURE
    target: ArrayLike
    weights: ArrayLike | None = None
    objective: bool = field(default=True, kw_only=True)

    def posture(self, model: Model) -> Vector:
        target = normalize(model, configuration(model, self.target, "target"))
        return np.concatenate([target, weights("weights", self.weights, model.nv)])
