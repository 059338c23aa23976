"""Rotations, placements, motions, forces and inertias: small immutable values, linear part first."""

from __future__ import annotations

from .force import Force
from .inertia import Inertia
from .motion import Motion
from .se3 import SE3
from .so3 import SO3

__all__ = ["SE3", "SO3", "Force", "Inertia", "Motion"]
