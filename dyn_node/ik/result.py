"""What inverse kinematics answers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class IkResult(NamedTuple):
    """The outcome of `solve_ik`; without success, the best that was found.

    Attributes:
        success: both errors are within their tolerances.
        q: configuration, (nq,), always inside the limits.
        position_error: distance from the target (m), over the directions that have weight.
        orientation_error: angle from the target (rad), over the directions that have weight.
        iterations: Levenberg-Marquardt iterations over all descents.
        restarts: descents after the first.
        time: seconds spent.
        message: what happened, for a person.
        timed_out: the time ran out before the restarts did.
    """

    success: bool
    q: NDArray[np.float64]
    position_error: float
    orientation_error: float
    iterations: int
    restarts: int
    time: float
    message: str
    timed_out: bool = False

    def __bool__(self) -> bool:
        return self.success
