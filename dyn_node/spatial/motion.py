"""Spatial motions: velocities and accelerations of a rigid body seen from one frame."""

from __future__ import annotations

from typing import Any, overload

from ..kernels import spatial as _k
from ._call import run
from .force import Force
from .sixvector import SixVector


class Motion(SixVector):
    """A spatial velocity (m/s, rad/s) or acceleration, of the body's point at a frame's origin, in its axes.

    `Motion(linear, angular)` or `Motion.from_vector(six_numbers)`; immutable.
    """

    __slots__ = ()

    @overload
    def cross(self, other: Motion) -> Motion: ...
    @overload
    def cross(self, other: Force) -> Force: ...
    def cross(self, other: Any) -> Any:
        """Rate of a motion, or of a force, that is carried along by this motion (Featherstone 2008, 2.9)."""
        kind = type(other)
        if kind is Motion or kind is Force:
            return run(_k.cross_motion if kind is Motion else _k.cross_force, self._v, other._v, kind)
        raise TypeError(f"Motion.cross: expected a Motion or a Force, given {type(other).__name__}")

    def dot(self, force: Force) -> float:
        """Power (W) of a force given in the same frame."""
        return force.dot(self)
