"""Inertia of a rigid body."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidValueError
from ..kernels import spatial as _k
from ._call import finite, frozen, run
from .force import Force
from .motion import Motion

_new = object.__new__

#: Entries of an inertia's symmetric matrix that two sides of the diagonal may differ by, relative to the largest.
SYMMETRY_TOLERANCE = 1e-9


class Inertia:
    """Mass (kg), centre of mass (m) and rotational inertia (kg m^2) about the centre of mass, in one frame's axes.

    `Inertia(mass, com, inertia)` refuses a negative mass, numbers that are not finite and a matrix that is
    not symmetric. Whether a real body can have these numbers is another question: `check`. Immutable.
    """

    # mass, com (3), inertia at com: xx, xy, yy, xz, yz, zz.
    __slots__ = ("_v",)
    _v: np.ndarray

    def __init__(self, mass: float, com: Any, inertia: Any) -> None:
        v = np.empty(10)
        v[0] = finite("mass", mass, ())
        if v[0] < 0.0:
            raise InvalidValueError(f"mass: expected zero or more, given {v[0]:g} kg", mass, "0 or more")
        v[1:4] = finite("com", com, (3,))
        v[4:] = packed_symmetric(finite("inertia", inertia, (3, 3)))
        self._v = v

    @classmethod
    def _trusted(cls, v: np.ndarray) -> Inertia:
        """Wrap the ten numbers of the class's layout, without a check."""
        self = _new(cls)
        self._v = v
        return self

    @classmethod
    def Zero(cls) -> Inertia:
        """No body."""
        return cls._trusted(np.zeros(10))

    @property
    def mass(self) -> float:
        """Mass, kg."""
        return float(self._v[0])

    @property
    def com(self) -> np.ndarray:
        """Centre of mass (3,), in metres, read-only view."""
        return frozen(self._v[1:4])

    @property
    def inertia(self) -> np.ndarray:
        """Rotational inertia (3, 3) about the centre of mass, kg m^2, the caller's own."""
        return unpacked_symmetric(self._v[4:])

    @property
    def inertia_at_origin(self) -> np.ndarray:
        """Rotational inertia (3, 3) about the frame's origin, kg m^2, the caller's own (parallel axis)."""
        c = self._v[1:4]
        return self.inertia + self._v[0] * ((c @ c) * np.eye(3) - np.outer(c, c))

    @property
    def first_moment(self) -> np.ndarray:
        """Mass times centre of mass (3,), kg m, the caller's own."""
        return self._v[0] * self._v[1:4]

    @property
    def matrix(self) -> np.ndarray:
        """(6, 6), from motions to momenta, linear first, the caller's own."""
        hx = skew(self.first_moment)
        M = np.empty((6, 6))
        M[:3, :3] = self._v[0] * np.eye(3)
        M[:3, 3:] = -hx
        M[3:, :3] = hx
        M[3:, 3:] = self.inertia_at_origin
        return M

    def __add__(self, other: Inertia) -> Inertia:
        """Both bodies fixed to each other, given in the same frame."""
        if type(other) is not Inertia:
            return NotImplemented
        out = np.empty(10)
        run(_k.inertia_sum, self._v, other._v, out)
        return Inertia._trusted(out)

    def __mul__(self, motion: Motion) -> Force:
        """Momentum of the body that moves so."""
        if type(motion) is not Motion:
            return NotImplemented
        out = np.empty(6)
        run(_k.inertia_times, self._v, motion._v, out)
        return Force._trusted(out)

    def kinetic_energy(self, motion: Motion) -> float:
        """Kinetic energy (J) of the body that moves so."""
        return 0.5 * (self * motion).dot(motion)

    def __eq__(self, other: object) -> bool:
        if type(other) is not Inertia:
            return NotImplemented
        return bool((self._v == other._v).all())

    def __hash__(self) -> int:
        return hash((Inertia, (self._v + 0.0).tobytes()))

    def is_approx(self, other: Inertia, tolerance: float = 1e-12) -> bool:
        """Whether no number differs by more than `tolerance`, times the largest where that exceeds 1."""
        scale = max(1.0, float(np.abs(self._v).max()))
        return bool(np.abs(self._v - other._v).max() <= tolerance * scale)

    def __repr__(self) -> str:
        return f"Inertia(mass={self.mass}, com={self._v[1:4].tolist()}, inertia={self.inertia.tolist()})"


def skew(a: np.ndarray) -> np.ndarray:
    """The matrix of b -> a x b."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def packed_symmetric(A: np.ndarray) -> np.ndarray:
    """xx, xy, yy, xz, yz, zz of a symmetric matrix; InvalidValueError when it is not symmetric."""
    difference = float(np.abs(A - A.T).max())
    if difference > SYMMETRY_TOLERANCE * float(np.abs(A).max()):
        raise InvalidValueError(
            f"inertia: expected a symmetric matrix, given {A.tolist()}, whose sides differ by {difference:.3g}",
            A,
            "a symmetric matrix",
        )
    S = 0.5 * (A + A.T)
    return np.array([S[0, 0], S[0, 1], S[1, 1], S[0, 2], S[1, 2], S[2, 2]])


def unpacked_symmetric(v: np.ndarray) -> np.ndarray:
    """The matrix (3, 3) of xx, xy, yy, xz, yz, zz."""
    return v[[0, 1, 3, 1, 2, 4, 3, 4, 5]].reshape(3, 3)
