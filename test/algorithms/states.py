"""Random states, and the comparison that every agreement test uses."""

from __future__ import annotations

from typing import Any

import numpy as np

import dyn_node

#: States drawn for each robot.
COUNT = 100


def states(model: Any, count: int = COUNT, seed: int = 0) -> list[tuple[np.ndarray, ...]]:
    """(q, v, a, tau, f_ext) drawn within the limits, bases within a metre of the origin."""
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(count):
        q = dyn_node.random_configuration(model, rng, unbounded=1.0)
        v, a, tau = rng.standard_normal((3, model.nv))
        drawn.append((q, v, a, 10.0 * tau, rng.standard_normal((model.njoints, 6))))
    return drawn


def relative(ours: Any, reference: Any) -> float:
    """Largest difference, relative to the largest entry where that is above one."""
    ours, reference = np.asarray(ours), np.asarray(reference)
    if ours.shape != reference.shape:
        raise AssertionError(f"shape {ours.shape} against {reference.shape}")
    if ours.size == 0:
        return 0.0
    difference = np.abs(ours - reference).max()
    return float("inf") if np.isnan(difference) else float(difference / max(1.0, np.abs(reference).max()))


class Comparison:
    """Collects the worst difference by field, and fails with the names of all that are off."""

    def __init__(self, robot: str, root: str) -> None:
        self.case = f"{robot}, {root}"
        self.worst: dict[str, float] = {}

    def add(self, field: str, ours: Any, reference: Any) -> None:
        """Compare one value of one field."""
        self.worst[field] = max(self.worst.get(field, 0.0), relative(ours, reference))

    def check(self, tolerance: float) -> None:
        """Raise unless every field agreed."""
        assert self.worst, f"{self.case}: nothing was compared"
        off = {field: error for field, error in self.worst.items() if not error <= tolerance}
        assert not off, f"{self.case}: above {tolerance:g}: " + ", ".join(
            f"{field} {error:.3g}" for field, error in off.items()
        )
