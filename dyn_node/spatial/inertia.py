"""Inertia of a rigid body."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import empty

from ..errors import InvalidValueError
from ..kernels import spatial as _k
from . import shapes
from ._call import finite, frozen, run
from .force import Force
from .motion import Motion

_new = object.__new__

_CENTRE = np.zeros(3)

# Where the six different entries of a symmetric matrix stand, in the order in which they are kept.
_PACKED = ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))

#: How much the two sides of a symmetric matrix's diagonal may differ, relative to its largest entry.
SYMMETRY_TOLERANCE = 1e-9


class Inertia:
    """Mass (kg), centre of mass (m), rotational inertia (kg m^2) about the centre of mass; axes of one frame.

    `Inertia(mass, com, inertia)` refuses a negative mass, numbers that are not finite and a matrix that is
    not symmetric. Whether a real body can have these numbers is another question: `check`. Immutable.
    """

    # mass, com (3), inertia at com: xx, xy, yy, xz, yz, zz.
    __slots__ = ("_v",)
    _v: np.ndarray

    def __init__(self, mass: float, com: Any, inertia: Any) -> None:
        v = empty(10)
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

    @classmethod
    def Random(cls, rng: np.random.Generator | None = None) -> Inertia:
        """Of six random point masses of 0.1 to 1 kg, a body with its centre within two metres."""
        rng = np.random.default_rng() if rng is None else rng
        points = rng.uniform(-1.0, 1.0, (6, 3)) + rng.uniform(-1.0, 1.0, 3)
        masses = rng.uniform(0.1, 1.0, 6)
        homogeneous = np.column_stack([points, np.ones(6)])
        return cls.from_pseudo_inertia(homogeneous.T @ (masses[:, None] * homogeneous))

    @classmethod
    def from_box(cls, mass: float, size: Any) -> Inertia:
        """A solid box, centred; size: full lengths along x, y and z (m)."""
        return cls(mass, _CENTRE, shapes.box(size) * mass)

    @classmethod
    def from_cylinder(cls, mass: float, radius: float, length: float) -> Inertia:
        """A solid cylinder along z, centred; radius and length in metres."""
        return cls(mass, _CENTRE, shapes.cylinder(radius, length) * mass)

    @classmethod
    def from_sphere(cls, mass: float, radius: float) -> Inertia:
        """A solid ball, centred; radius in metres."""
        return cls(mass, _CENTRE, shapes.ellipsoid((radius, radius, radius)) * mass)

    @classmethod
    def from_ellipsoid(cls, mass: float, semi_axes: Any) -> Inertia:
        """A solid ellipsoid, centred; semi_axes: half its extent along x, y and z (m)."""
        return cls(mass, _CENTRE, shapes.ellipsoid(semi_axes) * mass)

    @classmethod
    def from_mesh(cls, mass: float, mesh: Any) -> Inertia:
        """A solid inside a closed mesh, in the mesh's frame.

        mesh: a `trimesh.Trimesh`, or the path of a file that trimesh reads, in metres. Raises
        MissingDependencyError without trimesh, InvalidValueError for a surface that is not closed.
        """
        com, moments = shapes.mesh(mesh)
        return cls(mass, com, moments * mass)

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
        M = empty((6, 6))
        M[:3, :3] = self._v[0] * np.eye(3)
        M[:3, 3:] = -hx
        M[3:, :3] = hx
        M[3:, 3:] = self.inertia_at_origin
        return M

    def __add__(self, other: Inertia) -> Inertia:
        """Both bodies fixed to each other, given in the same frame."""
        if type(other) is not Inertia:
            return NotImplemented
        return run(_k.inertia_sum, self._v, other._v, Inertia)

    def __mul__(self, motion: Motion) -> Force:
        """Momentum of the body that moves so."""
        if type(motion) is not Motion:
            return NotImplemented
        return run(_k.inertia_times, self._v, motion._v, Force)

    def kinetic_energy(self, motion: Motion) -> float:
        """Kinetic energy (J) of the body that moves so."""
        return 0.5 * (self * motion).dot(motion)

    @property
    def principal_moments(self) -> np.ndarray:
        """Principal moments about the centre of mass (3,), kg m^2, ascending, the caller's own."""
        return np.linalg.eigvalsh(self.inertia)

    def violations(self, tolerance: float = 1e-9) -> tuple[str, ...]:
        """What no real body can have, one sentence each, with the numbers; empty when consistent.

        A body made of positive masses has a positive mass, positive principal moments, and none of these
        larger than the sum of the other two (Traversaro et al. 2016). Inequalities may fail by `tolerance`
        times the largest moment, for flat bodies that were rounded.
        """
        found = []
        if not self._v[0] > 0.0:
            found.append(f"mass is {self._v[0]:g} kg, expected above 0")
        a, b, c = self.principal_moments.tolist()
        shown = f"principal moments are {a:.6g}, {b:.6g}, {c:.6g} kg m^2"
        if a < -tolerance * abs(c) or c <= 0.0 or b <= 0.0:
            found.append(f"{shown}, expected above 0")
        elif c > (a + b) + tolerance * c:
            found.append(f"{shown}, expected {c:.6g} to be at most {a:.6g} + {b:.6g} = {a + b:.6g}")
        return tuple(found)

    def is_consistent(self, tolerance: float = 1e-9) -> bool:
        """Whether a real body can have these numbers, see `violations`."""
        return not self.violations(tolerance)

    def check(self, tolerance: float = 1e-9) -> None:
        """Raise InvalidValueError, with the numbers, unless a real body can have them."""
        found = self.violations(tolerance)
        if found:
            raise InvalidValueError(
                f"inertia of no real body: {'; '.join(found)}",
                self,
                "positive mass and moments, each moment at most the sum of the other two",
            )

    @property
    def dynamic_parameters(self) -> np.ndarray:
        """The ten numbers that the equation of motion is linear in, the caller's own.

        (m, m cx, m cy, m cz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz), the inertia about the frame's origin.
        """
        A = self.inertia_at_origin
        return np.array([*(self._v[0] * np.array([1.0, *self._v[1:4]])), *(A[r, c] for r, c in _PACKED)])

    @classmethod
    def from_dynamic_parameters(cls, parameters: Any) -> Inertia:
        """From the ten numbers of `dynamic_parameters`; zero mass needs zero first moments."""
        x = finite("parameters", parameters, (10,))
        return _from_moments(float(x[0]), x[1:4], unpacked_symmetric(x[4:]))

    @property
    def pseudo_inertia(self) -> np.ndarray:
        """(4, 4) pseudo-inertia [[S, m c], [m c^T, m]], S the second moments of mass, the caller's own.

        Positive definite exactly for real bodies with volume (Wensing, Kim and Slotine 2018).
        """
        A = self.inertia_at_origin
        P = empty((4, 4))
        P[:3, :3] = 0.5 * np.trace(A) * np.eye(3) - A
        P[:3, 3] = P[3, :3] = self.first_moment
        P[3, 3] = self._v[0]
        return P

    @classmethod
    def from_pseudo_inertia(cls, matrix: Any) -> Inertia:
        """From a symmetric (4, 4) pseudo-inertia, the inverse of `pseudo_inertia`."""
        P = finite("matrix", matrix, (4, 4))
        packed_symmetric(P[:3, :3])
        if np.abs(P[:3, 3] - P[3, :3]).max() > SYMMETRY_TOLERANCE * np.abs(P).max():
            raise InvalidValueError(
                f"matrix: expected a symmetric matrix, given {P.tolist()}", P, "a symmetric matrix"
            )
        S = P[:3, :3]
        return _from_moments(float(P[3, 3]), P[:3, 3], np.trace(S) * np.eye(3) - S)

    @classmethod
    def from_matrix(cls, matrix: Any) -> Inertia:
        """From a symmetric (6, 6) inertia of `matrix`'s form, linear first."""
        M = finite("matrix", matrix, (6, 6))
        h = np.array([M[5, 1], M[3, 2], M[4, 0]])
        result = _from_moments(float(M[0, 0]), h, M[3:, 3:])
        if np.abs(result.matrix - M).max() > SYMMETRY_TOLERANCE * np.abs(M).max():
            raise InvalidValueError(
                f"matrix: not of the form [[m 1, -h^], [h^, I]], given {M.tolist()}",
                M,
                "the 6x6 inertia of one rigid body, linear first",
            )
        return result

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


def _from_moments(mass: float, h: np.ndarray, at_origin: np.ndarray) -> Inertia:
    """From mass, first moment, and inertia about the frame's origin."""
    if mass <= 0.0:
        if mass < 0.0 or np.any(h):
            raise InvalidValueError(
                f"mass: expected above 0 for the first moment {h.tolist()} kg m, given {mass:g} kg",
                mass,
                "above 0, or zero with a zero first moment",
            )
        return Inertia(0.0, np.zeros(3), at_origin)
    c = h / mass
    return Inertia(mass, c, at_origin - mass * ((c @ c) * np.eye(3) - np.outer(c, c)))


def packed_symmetric(A: np.ndarray) -> np.ndarray:
    """xx, xy, yy, xz, yz, zz of a symmetric matrix; InvalidValueError when it is not symmetric."""
    difference = float(np.abs(A - A.T).max())
    if difference > SYMMETRY_TOLERANCE * float(np.abs(A).max()):
        raise InvalidValueError(
            f"inertia: expected a symmetric matrix, given {A.tolist()}, asymmetric by {difference:.3g}",
            A,
            "a symmetric matrix",
        )
    S = 0.5 * (A + A.T)
    return np.array([S[r, c] for r, c in _PACKED])


def unpacked_symmetric(v: np.ndarray) -> np.ndarray:
    """The matrix (3, 3) of xx, xy, yy, xz, yz, zz."""
    return v[[0, 1, 3, 1, 2, 4, 3, 4, 5]].reshape(3, 3)
