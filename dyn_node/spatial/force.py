"""Spatial forces: forces, wrenches and momenta of a rigid body seen from one frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernels import spatial as _k
from ._call import run
from .sixvector import SixVector

if TYPE_CHECKING:
    from .motion import Motion


class Force(SixVector):
    """A wrench or momentum: force (N), and moment (N m) about the frame's origin.

    `Force(linear, angular)` or `Force.from_vector(six_numbers)`; immutable.
    """

    __slots__ = ()

    def dot(self, motion: Motion) -> float:
        """Power (W) on a motion given in the same frame; the same number in every frame."""
        return run(_k.dot6, self._v, motion._v)
