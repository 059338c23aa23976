"""Runs one script text under the reference library and under dyn_node.pin, and compares what it leaves."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tolerances import REL

import dyn_node.pin as ours  # noqa: F401 - for the tests that compare

theirs = pytest.importorskip("pinocchio", reason="the reference library (pip install pin) is needed")

SCRIPTS = Path(__file__).parent / "scripts"


def numbers(value: Any) -> Any:
    """A value of either library as an array; None for what is no number."""
    if isinstance(value, (bool, int, float, np.number, np.ndarray)):
        return np.asarray(value, dtype=np.float64)
    if isinstance(value, str):
        return None
    for name in ("homogeneous", "vector", "matrix", "coeffs"):
        part = getattr(value, name, None)
        if part is not None and type(value).__name__ in ("SE3", "Motion", "Force", "Inertia", "Quaternion"):
            if name == "homogeneous" and type(value).__name__ != "SE3":
                continue
            return np.asarray(part() if callable(part) else part, dtype=np.float64)
    if hasattr(value, "__len__") and hasattr(value, "__getitem__") and not isinstance(value, Mapping):
        parts = [numbers(value[i]) for i in range(len(value))]
        if any(part is None for part in parts):
            return None
        return np.concatenate([part.ravel() for part in parts]) if parts else np.zeros(0)
    return None


def assert_same(where: str, mine: Any, reference: Any, tolerance: float = REL) -> None:
    """Fail with the name of what differs and by how much."""
    a, b = numbers(mine), numbers(reference)
    assert b is not None, f"{where}: {type(reference).__name__} cannot be compared"
    assert a is not None, f"{where}: {type(mine).__name__} cannot be compared"
    assert a.shape == b.shape, f"{where}: shape {a.shape}, reference {b.shape}"
    if b.size:
        error = np.abs(a - b).max() / max(1.0, np.abs(b).max())
        assert error <= tolerance, f"{where}: differs by {error:.3g}"


@functools.cache
def script(name: str) -> Any:
    """The code of a script of this folder."""
    return compile((SCRIPTS / name).read_text(encoding="utf-8"), name, "exec")


def run(name: str, library: Any, **given: Any) -> dict[str, Any]:
    """The variables that a script leaves when `pin` is this library."""
    scope: dict[str, Any] = {"pin": library, "np": np, **given}
    exec(script(name), scope)
    return scope
