"""What tests against Pinocchio share: the cases, and a robot as both libraries have it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from robots import ROBOTS, ROOTS, our_model, pin_model

from dyn_node import ReferenceFrame

pin = pytest.importorskip("pinocchio", reason="Pinocchio (pip install pin) is the reference of these tests")

CASES = [(robot, root) for robot in ROBOTS for root in ROOTS]

REFERENCES = {
    ReferenceFrame.LOCAL: pin.LOCAL,
    ReferenceFrame.WORLD: pin.WORLD,
    ReferenceFrame.LOCAL_WORLD_ALIGNED: pin.LOCAL_WORLD_ALIGNED,
}


def pair(robot: str, root: str) -> tuple[Any, Any, Any, Any]:
    """Model and data, ours and theirs."""
    ours, theirs = our_model(robot, root), pin_model(robot, root)
    return ours, ours.create_data(), theirs, theirs.createData()


def forces(f_ext: np.ndarray) -> Any:
    """External forces as the reference library takes them."""
    return [pin.Force(f) for f in f_ext]


def full(upper: np.ndarray) -> np.ndarray:
    """A symmetric matrix of which the reference library fills the upper half."""
    return np.triu(upper) + np.triu(upper, 1).T
