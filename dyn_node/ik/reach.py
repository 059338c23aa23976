"""How far joints get from where they are in a given time: velocity limits of inverse kinematics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..algorithms import difference
from .chain import on_a_line

if TYPE_CHECKING:
    from ..model import Model

Vector = NDArray[np.float64]

#: What rounding may add to a way, rad or m.
_ROUNDING = 1e-9


class Reach:
    """What a robot reaches from a configuration in a time, each joint no faster than its velocity limit.

    Attributes:
        limits: (2, nq), the joints' limits, narrowed where a plain coordinate cannot get that far.
        round: whether joints on a circle or a sphere, whose limits these cannot be, are bounded too.
    """

    def __init__(self, model: Model, limits: Vector, free: Vector, at: Vector, within: float) -> None:
        """Of a start.

        Args:
            model: the robot; a velocity limit that is zero or infinite is none.
            limits: (2, nq); free: (nv,), zero where a coordinate stays.
            at: where it starts, (nq,); outside the limits, from the nearest limit.
            within: seconds.
        """
        line = on_a_line(model)
        self._model, self._at = model, np.where(line, np.clip(at, *limits), at)
        speed = np.abs(model.velocity_limit)
        self._farthest = np.where((speed > 0.0) & np.isfinite(speed) & (free > 0.0), speed * within, np.inf)
        self.limits = limits.copy()
        bounded = np.isfinite(self._farthest)
        for joint in model.joints[1:]:
            q, v = slice(joint.idx_q, joint.idx_q + joint.nq), joint.moved_by
            if joint.mimic is None and joint.nv and line[q].all():
                self.limits[0, q] = np.maximum(limits[0, q], self._at[q] - self._farthest[v])
                self.limits[1, q] = np.minimum(limits[1, q], self._at[q] + self._farthest[v])
                bounded[v] = False
        self._round = bounded
        self.round = bool(bounded.any())

    def exceeded(self, q: Vector) -> bool:
        """Whether a joint on a circle or a sphere is farther away than it gets."""
        way = np.abs(difference(self._model, self._at, q))
        return bool((way > self._farthest + _ROUNDING)[self._round].any())

    def round_joints(self) -> list[str]:
        """Names of the joints on circles or spheres that are bounded."""
        return [joint.name for joint in self._model.joints[1:] if self._round[joint.moved_by].any()]
