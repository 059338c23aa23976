"""Inertia and Symmetric3 with Pinocchio's names: mutable, over `dyn_node.Inertia`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..spatial import Inertia as CoreInertia
from ..spatial import Motion as CoreMotion
from ..spatial.inertia import packed_symmetric, unpacked_symmetric
from .sixvectors import Force, Motion
from .values import Array, Value, generator, numbers

if TYPE_CHECKING:
    from .placement import SE3


class Symmetric3(Value):
    """A symmetric (3, 3) matrix. `Symmetric3(matrix)`, `Symmetric3(six numbers)`, `Symmetric3()`."""

    __slots__ = ()
    _SHAPE = (6,)

    def __init__(self, *args: Any) -> None:
        given = args[0] if len(args) == 1 else args
        if isinstance(given, Symmetric3):
            self._x = given._x.copy()
        elif not args:
            self._x = np.zeros(6)
        elif np.size(given) == 6:
            self._x = numbers("data", given, (6,)).copy()
        else:
            self._x = packed_symmetric(numbers("matrix", given, (3, 3)))

    @classmethod
    def Zero(cls) -> Symmetric3:
        """Zeros."""
        return cls._over(np.zeros(6))

    @classmethod
    def Identity(cls) -> Symmetric3:
        """The unit matrix."""
        return cls(np.eye(3))

    @classmethod
    def Random(cls) -> Symmetric3:
        """Each number uniform in (-1, 1)."""
        return cls._over(generator().uniform(-1.0, 1.0, 6))

    @property
    def data(self) -> Array:
        """xx, xy, yy, xz, yz, zz: a view that can be written to."""
        return self._x

    def matrix(self) -> Array:
        """(3, 3), the caller's own."""
        return unpacked_symmetric(self._x)

    def setZero(self) -> None:
        """Make it zero."""
        self._x[:] = 0.0

    def setIdentity(self) -> None:
        """Make it the unit matrix."""
        self.setDiagonal(np.ones(3))

    def setRandom(self) -> None:
        """Make it random."""
        self.assign(self.Random())

    def setDiagonal(self, diagonal: Any) -> None:
        """Make it this diagonal (3,), zeros beside it."""
        self._x[:] = packed_symmetric(np.diag(numbers("diagonal", diagonal, (3,))))

    def __add__(self, other: Symmetric3) -> Symmetric3:
        return self._over(self._x + other._x)

    def __sub__(self, other: Symmetric3) -> Symmetric3:
        return self._over(self._x - other._x)

    def __mul__(self, vector: Any) -> Array:
        return self.matrix() @ numbers("vector", vector, (3,))

    def __repr__(self) -> str:
        return f"{self.matrix()}"


class Inertia(Value):
    """Inertia of a rigid body. `Inertia(mass, lever, inertia_at_com)`, `Inertia(other)`, `Inertia()`."""

    __slots__ = ()
    _SHAPE = (10,)  # mass, lever, xx, xy, yy, xz, yz, zz at the centre of mass
    _core = CoreInertia

    def __init__(self, *args: Any) -> None:
        if len(args) == 3:
            self._x = np.empty(10)
            self._x[0] = args[0]
            self._x[1:4] = numbers("lever", args[1], (3,))
            self.inertia = args[2]
        elif len(args) == 1 and isinstance(args[0], Inertia):
            self._x = args[0]._x.copy()
        elif not args:
            self._x = np.zeros(10)
        else:
            raise TypeError("Inertia: expected (mass, lever, inertia), another Inertia, or nothing")

    @classmethod
    def _from_core(cls, value: CoreInertia) -> Inertia:
        return cls._over(value._v.copy())

    @classmethod
    def Zero(cls) -> Inertia:
        """No body."""
        return cls()

    @classmethod
    def Identity(cls) -> Inertia:
        """One kilogram, unit rotational inertia, centred."""
        return cls(1.0, np.zeros(3), np.eye(3))

    @classmethod
    def Random(cls) -> Inertia:
        """Of some random point masses."""
        return cls._from_core(CoreInertia.Random(generator()))

    @classmethod
    def FromSphere(cls, mass: float, radius: float) -> Inertia:
        """A solid ball."""
        return cls._from_core(CoreInertia.from_sphere(mass, radius))

    @classmethod
    def FromBox(cls, mass: float, length_x: float, length_y: float, length_z: float) -> Inertia:
        """A solid box of full lengths."""
        return cls._from_core(CoreInertia.from_box(mass, (length_x, length_y, length_z)))

    @classmethod
    def FromCylinder(cls, mass: float, radius: float, length: float) -> Inertia:
        """A solid cylinder along z."""
        return cls._from_core(CoreInertia.from_cylinder(mass, radius, length))

    @classmethod
    def FromEllipsoid(cls, mass: float, length_x: float, length_y: float, length_z: float) -> Inertia:
        """A solid ellipsoid of semi-axes."""
        return cls._from_core(CoreInertia.from_ellipsoid(mass, (length_x, length_y, length_z)))

    @classmethod
    def FromDynamicParameters(cls, parameters: Any) -> Inertia:
        """From the ten numbers of `toDynamicParameters`."""
        return cls._from_core(CoreInertia.from_dynamic_parameters(numbers("parameters", parameters, (10,))))

    @property
    def value(self) -> CoreInertia:
        """The same body as an immutable `dyn_node.Inertia`."""
        return CoreInertia._trusted(self._x.copy())

    @property
    def mass(self) -> float:
        """Mass, kg."""
        return float(self._x[0])

    @mass.setter
    def mass(self, value: float) -> None:
        self._x[0] = value

    @property
    def lever(self) -> Array:
        """Centre of mass (3,): a view that can be written to."""
        return self._x[1:4]

    @lever.setter
    def lever(self, value: Any) -> None:
        self._x[1:4] = numbers("lever", value, (3,))

    @property
    def inertia(self) -> Array:
        """Rotational inertia (3, 3) about the centre of mass, a copy: assign to change it."""
        return unpacked_symmetric(self._x[4:])

    @inertia.setter
    def inertia(self, value: Any) -> None:
        given = value.matrix() if isinstance(value, Symmetric3) else numbers("inertia", value, (3, 3))
        self._x[4:] = packed_symmetric(given)

    def matrix(self) -> Array:
        """(6, 6), from motions to momenta."""
        return self.value.matrix

    @property
    def np(self) -> Array:
        """(6, 6), from motions to momenta."""
        return self.matrix()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.matrix(), dtype=dtype)

    def inverse(self) -> Array:
        """(6, 6), from momenta to motions."""
        return np.asarray(np.linalg.inv(self.matrix()), dtype=np.float64)

    def __add__(self, other: Inertia) -> Inertia:
        if not isinstance(other, Inertia):
            return NotImplemented
        return self._from_core(self.value + other.value)

    def __iadd__(self, other: Inertia) -> Inertia:
        self.assign(self + other)
        return self

    def __mul__(self, motion: Motion) -> Force:
        if not isinstance(motion, Motion):
            return NotImplemented
        return Force._over((self.value * motion.value)._v)

    def vtiv(self, motion: Motion) -> float:
        """Twice the kinetic energy of the body that moves so."""
        return 2.0 * self.value.kinetic_energy(CoreMotion._trusted(motion._x))

    def vxiv(self, motion: Motion) -> Force:
        """motion x (I motion)."""
        return motion.cross(self * motion)

    def vxi(self, motion: Motion) -> Array:
        """(6, 6): motion x I."""
        return motion.dualAction @ self.matrix()

    def ivx(self, motion: Motion) -> Array:
        """(6, 6): I motion x."""
        return self.matrix() @ motion.action

    def variation(self, motion: Motion) -> Array:
        """(6, 6): rate of the inertia of a body that moves so, seen from the world."""
        return self.vxi(motion) - self.ivx(motion)

    def se3Action(self, placement: SE3) -> Inertia:
        """The body seen from the parent frame of a placement."""
        return placement.act(self)

    def se3ActionInverse(self, placement: SE3) -> Inertia:
        """The body seen from the child frame of a placement."""
        return placement.actInv(self)

    def setZero(self) -> None:
        """Make it no body."""
        self._x[:] = 0.0

    def setIdentity(self) -> None:
        """Make it one kilogram with unit rotational inertia."""
        self.assign(self.Identity())

    def setRandom(self) -> None:
        """Make it random."""
        self.assign(self.Random())

    def toDynamicParameters(self) -> Array:
        """m, m cx, m cy, m cz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the frame's origin."""
        return self.value.dynamic_parameters

    def __str__(self) -> str:
        rows = "\n".join(" ".join(f"{x:g}" for x in row) for row in self.inertia)
        return f"  m = {self.mass:g}\n  c = {' '.join(f'{x:g}' for x in self.lever)}\n  I = \n{rows}"

    __repr__ = __str__
