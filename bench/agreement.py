"""Whether two libraries gave the same numbers. Before that is shown, nothing is timed."""

from __future__ import annotations

from typing import Any

import numpy as np

from .peers import DisagreementError

#: Relative to the largest entry, absolute below one.
TOLERANCE = 1e-9


def numbers(value: Any) -> np.ndarray:
    """An array, a placement, a motion or a nested list of them, of either library, as plain numbers."""
    if isinstance(value, (list, tuple)):
        return np.array([numbers(entry) for entry in value])
    for attribute in ("vector", "homogeneous"):
        if hasattr(value, attribute):
            return np.array(getattr(value, attribute), dtype=float)
    return np.array(value, dtype=float)


def check(where: str, ours: Any, theirs: Any) -> None:
    """Compare two results.

    Raises:
        DisagreementError: they differ; it says where and by how much.
    """
    a, b = numbers(ours), numbers(theirs)
    if a.shape != b.shape or not a.size:
        raise DisagreementError(f"{where}: shapes {a.shape} and {b.shape} instead of the same")
    error = float(np.abs(a - b).max()) / max(1.0, float(np.abs(b).max()))
    if not error <= TOLERANCE:
        raise DisagreementError(f"{where}: results differ by {error:.2g} relative; allowed: {TOLERANCE:g}")
