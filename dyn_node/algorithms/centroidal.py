"""Momentum of the whole robot about its centre of mass, in world axes; linear half first.

    hg = Ag(q) v        dhg/dt = Ag a + (dAg/dt) v = wrench of gravity and of all contacts

The momentum and its matrix: Orin and Goswami 2008, "Centroidal momentum matrix of a humanoid
robot"; the matrix's rate: Wensing and Orin 2016, "Improved computation of the humanoid centroidal
dynamics". Rotors (armature) do not count, nor does what is fixed to the world. Where nothing moves that has
mass, there is no centre: momenta are zero.

Of a batch, arguments with one axis more in front, wrenches and momenta are arrays, (N, 6).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..kernels import centroidal as _centroidal
from ..kernels import centroidal_derivatives as _derivatives
from ..spatial import Force, Inertia
from .arguments import REFUSED, check_data, configurations, tangents
from .batch import evaluate, split

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


# Made as a plain tuple is: the class's own way costs as much as a small robot's kernel.
_tuple = tuple.__new__


class CentroidalMap:
    """The centroidal momentum matrix and what comes with it.

    Attributes:
        Ag: (6, nv): Ag v is the momentum about the centre of mass, world axes.
        hg: that momentum: linear (kg m/s), angular (kg m^2/s).
        Ig: the robot, locked, as one body: about its centre of mass, world axes.

    Of a batch they are arrays: (N, 6, nv), (N, 6), (N, 6, 6).
    """

    __slots__ = ("Ag", "_rest")

    Ag: NDArray[np.float64]
    _rest: NDArray[np.float64]  # what kernels fill: momentum (6), inertia (10)

    @property
    def hg(self) -> Force | Any:
        """Momentum about the centre of mass, world axes."""
        if self._rest.ndim > 1:
            return self._rest[..., :6]
        return Force._trusted(self._rest[:6])

    @property
    def Ig(self) -> Inertia | Any:
        """The locked robot's inertia about its centre of mass, world axes."""
        if self._rest.ndim > 1:
            matrices = [Inertia._trusted(body).matrix for body in self._rest[:, 6:]]
            return np.array(matrices).reshape(-1, 6, 6)
        return Inertia._trusted(self._rest[6:])

    def __iter__(self) -> Iterator[Any]:
        """The attributes in turn, for `Ag, hg, Ig = ccrba(...)`."""
        return iter((self.Ag, self.hg, self.Ig))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(nv={self.Ag.shape[-1]}, hg={self.hg!r}, Ig={self.Ig!r})"


class CentroidalMapVariation(CentroidalMap):
    """The rate of the centroidal momentum matrix, and the matrix (see `CentroidalMap`).

    Unpacks as `dAg, Ag, hg, Ig`.

    Attributes:
        dAg: (6, nv): d/dt Ag, so that the momentum's rate is Ag a + dAg v.
    """

    __slots__ = ("dAg",)

    dAg: NDArray[np.float64]  # noqa: N815 - the literature's name

    def __iter__(self) -> Iterator[Any]:
        return iter((self.dAg, self.Ag, self.hg, self.Ig))


class CentroidalDynamicsDerivatives(NamedTuple):
    """Derivatives of the momentum hg and of its rate dhg, (6, nv) each, with respect to tangents.

    Attributes:
        dh_dq, dhdot_dq: along tangent vectors of q; the centre of mass that moments are about moves too.
        dhdot_dv, dhdot_da: with respect to v and a; dhdot_da equals Ag, as does dh/dv.
    """

    dh_dq: NDArray[np.float64]
    dhdot_dq: NDArray[np.float64]
    dhdot_dv: NDArray[np.float64]
    dhdot_da: NDArray[np.float64]


def centroidal_momentum(model: Model, data: Data, q: ArrayLike, v: ArrayLike) -> Force:
    """Momentum about the centre of mass, in one pass over the bodies.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).

    Returns:
        hg: linear momentum (kg m/s), angular momentum (kg m^2/s), world axes.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _centroidal.centroidal_momentum(model.records, data.work, q, v, Force)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), tangents(model, v)
        return _as_force(evaluate(_centroidal.centroidal_momentum, head, [(6,)])[0])


def centroidal_momentum_time_variation(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike, a: ArrayLike
) -> Force:
    """Rate of the momentum about the centre of mass: the sum of all external wrenches on the robot.

    Gravity is one of these: a robot that falls freely with the acceleration that `aba` gives has
    the rate (m g, 0).

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        a: acceleration, (nv,).

    Returns:
        dhg/dt: force (N), moment (N m), world axes.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _centroidal.centroidal_momentum_rate(model.records, data.work, q, v, a, Force)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), tangents(model, v), tangents(model, a, "a")
        return _as_force(evaluate(_centroidal.centroidal_momentum_rate, head, [(6,)])[0])


def _as_force(result: NDArray[np.float64]) -> Force | Any:
    """Of one state a Force; of a batch the array (N, 6)."""
    return result if result.ndim > 1 else Force._trusted(result)


def centroidal_map(
    model: Model, data: Data, q: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The centroidal momentum matrix Ag (Orin and Goswami 2008).

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        out: array for the result, (6, nv).

    Returns:
        Ag, (6, nv): Ag v is `centroidal_momentum`.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _centroidal.centroidal_map(model.records, data.work, q, out)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q)
        return evaluate(_centroidal.centroidal_map, head, [(6, model.nv)], out)[0]


def ccrba(model: Model, data: Data, q: ArrayLike, v: ArrayLike) -> CentroidalMap:
    """The centroidal composite-rigid-body algorithm: matrix, momentum and locked inertia at once.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _centroidal.ccrba(model.records, data.work, q, v, CentroidalMap)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), tangents(model, v)
        result = CentroidalMap()
        result.Ag, result._rest = evaluate(_centroidal.ccrba, head, [(6, model.nv), (16,)])
        return result


def dccrba(model: Model, data: Data, q: ArrayLike, v: ArrayLike) -> CentroidalMapVariation:
    """The rate of the centroidal momentum matrix, with the matrix (Wensing and Orin 2016).

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _centroidal.dccrba(model.records, data.work, q, v, CentroidalMapVariation)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), tangents(model, v)
        shapes = [(6, model.nv), (16,), (6, model.nv)]
        result = CentroidalMapVariation()
        result.Ag, result._rest, result.dAg = evaluate(_centroidal.dccrba, head, shapes)
        return result


def centroidal_map_time_variation(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike
) -> NDArray[np.float64]:
    """The rate dAg of the centroidal momentum matrix, (6, nv); see `dccrba`."""
    return dccrba(model, data, q, v).dAg


def centroidal_dynamics_derivatives(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike, a: ArrayLike
) -> CentroidalDynamicsDerivatives:
    """Analytical derivatives of the centroidal momentum and of its rate.

    Carpentier and Mansard 2018, "Analytical derivatives of rigid body dynamics algorithms",
    applied to the sum of all bodies' momenta and forces.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        a: acceleration, (nv,).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    kernel = _derivatives.centroidal_dynamics_derivatives
    try:
        out = kernel(model.records, data.work, q, v, a, None)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), tangents(model, v), tangents(model, a, "a")
        out = split(evaluate(kernel, head, [(4, 6, model.nv)])[0], 4)
    return _tuple(CentroidalDynamicsDerivatives, (out[0], out[1], out[2], out[3]))
