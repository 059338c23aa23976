"""Inverse kinematics: a pose of a frame in, a configuration inside the limits out."""

from .result import IkResult
from .solve import MODES, solve_ik

__all__ = ["MODES", "IkResult", "solve_ik"]
