"""The random numbers of this module: one generator, which `seed` sets."""

from __future__ import annotations

import numpy as np

generator = np.random.default_rng()


def seed(value: int) -> None:
    """Start the random numbers of this module anew. Pinocchio draws others from the same seed."""
    global generator
    generator = np.random.default_rng(value)
