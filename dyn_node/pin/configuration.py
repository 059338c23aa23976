"""Configurations: moving along tangent vectors, and the derivatives of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import algorithms as _core
from . import random
from .enums import ARG0, ARG1, ArgumentPosition
from .model_parts import LARGEST
from .values import Array, numbers

if TYPE_CHECKING:
    from .model import Model


def neutral(model: Model) -> Array:
    """The configuration of no displacement."""
    return _core.neutral(model.core)


def integrate(model: Model, q: Any, v: Any) -> Array:
    """q moved along v for one second."""
    return _core.integrate(model.core, q, v)


def difference(model: Model, q1: Any, q2: Any) -> Array:
    """The tangent vector that leads from q1 to q2."""
    return _core.difference(model.core, q1, q2)


def interpolate(model: Model, q1: Any, q2: Any, alpha: float) -> Array:
    """Between q1 (alpha = 0) and q2 (alpha = 1)."""
    return _core.interpolate(model.core, q1, q2, alpha)


def normalize(model: Model, q: Any) -> Array:
    """q with quaternions and (cos, sin) of unit length."""
    return _core.normalize(model.core, q)


def isNormalized(model: Model, q: Any, prec: float = 1e-12) -> bool:
    """Whether q's quaternions and (cos, sin) have unit length."""
    return _core.is_normalized(model.core, q, prec)


def isSameConfiguration(model: Model, q1: Any, q2: Any, prec: float = 1e-12) -> bool:
    """Whether two configurations place the robot alike."""
    return _core.is_same_configuration(model.core, q1, q2, prec)


def squaredDistance(model: Model, q1: Any, q2: Any) -> Array:
    """Squared length of each joint's part of the difference, (njoints - 1,)."""
    return _core.squared_distance(model.core, q1, q2)


def distance(model: Model, q1: Any, q2: Any) -> float:
    """Length of the difference."""
    return _core.distance(model.core, q1, q2)


def randomConfiguration(model: Model, lower_bound: Any = None, upper_bound: Any = None) -> Array:
    """Uniform within the model's limits or the given ones; rotations over their whole group.

    Raises:
        ValueError: an entry, other than of a rotation, has no limits.
    """
    low = numbers(
        "lower_bound", model.lowerPositionLimit if lower_bound is None else lower_bound, (model.nq,)
    )
    high = numbers(
        "upper_bound", model.upperPositionLimit if upper_bound is None else upper_bound, (model.nq,)
    )
    limited = np.array(model.hasConfigurationLimit(), dtype=bool)
    open_ended = limited & ((np.abs(low) >= LARGEST) | (np.abs(high) >= LARGEST))
    if open_ended.any():
        names = [
            j for j, m in zip(model.names, model.joints, strict=True) if open_ended[m.idx_q :][: m.nq].any()
        ]
        raise ValueError(f"joint {', '.join(names)} has no position limits: give lower and upper bounds")
    q = random.generator.standard_normal(model.nq)
    q[limited] = random.generator.uniform(low[limited], high[limited])
    return _core.normalize(model.core, q)


def _two_or_one(derivative: Any, names: tuple[str, str], argument: ArgumentPosition | None) -> Any:
    if argument is None:
        return derivative(names[0]), derivative(names[1])
    if argument not in (ARG0, ARG1):
        raise ValueError(f"argument_position: expected ARG0 or ARG1, given {argument!r}")
    return derivative(names[argument == ARG1])


def dIntegrate(model: Model, q: Any, v: Any, argument_position: ArgumentPosition | None = None) -> Any:
    """Derivative of `integrate` with respect to q (ARG0) or v (ARG1); both as a tuple without."""
    core = model.core
    return _two_or_one(lambda of: _core.d_integrate(core, q, v, of), ("q", "dv"), argument_position)


def dDifference(model: Model, q1: Any, q2: Any, argument_position: ArgumentPosition | None = None) -> Any:
    """Derivative of `difference` with respect to q1 (ARG0) or q2 (ARG1); both as a tuple without."""
    core = model.core
    return _two_or_one(lambda of: _core.d_difference(core, q1, q2, of), ("q0", "q1"), argument_position)


def dIntegrateTransport(model: Model, q: Any, v: Any, Jin: Any, argument_position: ArgumentPosition) -> Array:
    """A matrix of tangent columns times the derivative of `integrate`."""
    core = model.core
    return _two_or_one(lambda of: _core.transport(core, q, v, Jin, of), ("q", "dv"), argument_position)


def tangentMap(model: Model, q: Any) -> Array:
    """(nq, nv): makes velocities into rates of the entries of q."""
    return _core.integrate_coefficient_jacobian(model.core, q)


__all__ = [
    "dDifference",
    "dIntegrate",
    "dIntegrateTransport",
    "difference",
    "distance",
    "integrate",
    "interpolate",
    "isNormalized",
    "isSameConfiguration",
    "neutral",
    "normalize",
    "randomConfiguration",
    "squaredDistance",
    "tangentMap",
]
