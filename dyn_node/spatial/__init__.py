"""Rotations, placements, motions, forces and inertias: small immutable values, linear part first."""

from __future__ import annotations

from .conversions import (
    exp_quaternion,
    free_flyer_from_mujoco,
    free_flyer_to_mujoco,
    log_quaternion,
    swap_blocks,
    swap_halves,
    wxyz_from_xyzw,
    xyzw_from_wxyz,
)
from .force import Force
from .inertia import Inertia
from .motion import Motion
from .se3 import SE3
from .so3 import SO3

__all__ = [
    "SE3",
    "SO3",
    "Force",
    "Inertia",
    "Motion",
    "exp_quaternion",
    "free_flyer_from_mujoco",
    "free_flyer_to_mujoco",
    "log_quaternion",
    "swap_blocks",
    "swap_halves",
    "wxyz_from_xyzw",
    "xyzw_from_wxyz",
]
