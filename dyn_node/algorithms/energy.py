"""Kinetic, potential and mechanical energy of the robot, in joules.

Of a batch, arguments with one axis more in front, they are arrays, (N,).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernels import energy as _energy
from .arguments import REFUSED, check_data, configurations, tangents
from .batch import evaluate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..model import Data, Model


def kinetic_energy(model: Model, data: Data, q: ArrayLike, v: ArrayLike) -> float:
    """Kinetic energy v^T M(q) v / 2 (J), rotors included (Featherstone 2008, section 2.13).

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _energy.kinetic_energy(model.records, data.work, q, v)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), tangents(model, v)
        return evaluate(_energy.kinetic_energy, head)[-1]


def potential_energy(model: Model, data: Data, q: ArrayLike) -> float:
    """Potential energy -m g . c (J) of the moving bodies in the model's gravity.

    Zero where their common centre of mass c is at the world's origin. What is fixed to the world
    does not count.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _energy.potential_energy(model.records, data.work, q)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q)
        return evaluate(_energy.potential_energy, head)[-1]


def mechanical_energy(model: Model, data: Data, q: ArrayLike, v: ArrayLike) -> float:
    """Kinetic plus potential energy (J): constant while nothing but gravity acts.

    Args, Raises: as `kinetic_energy`.
    """
    try:
        return _energy.mechanical_energy(model.records, data.work, q, v)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), tangents(model, v)
        return evaluate(_energy.mechanical_energy, head)[-1]
