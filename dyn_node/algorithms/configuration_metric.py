"""Between configurations: interpolation, distances, and whether two are the same.

All take batches, arguments with one axis more in front; results then have it too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import empty, ndarray

from ..errors import InvalidValueError, ShapeError
from ..kernels import configuration_metric as _kernels
from .arguments import REFUSED, configurations
from .batch import evaluate
from .configuration import check_turns, difference, integrate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Model

#: How far from unit length a quaternion or (cos, sin) counts as normalised, and how far apart two
#: configurations count as one.
PRECISION = 1e-12


def interpolate(
    model: Model, q0: ArrayLike, q1: ArrayLike, u: float | NDArray[np.float64]
) -> NDArray[np.float64]:
    """The configuration a fraction u of the way from q0 (u = 0) to q1 (u = 1).

    Free-flyers move along a screw. Values of u outside [0, 1] extrapolate.

    Args:
        model: the robot.
        q0, q1: configurations, (nq,).
        u: a number; an array of them, (N,), gives as many configurations.

    Returns:
        The configuration, (nq,).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: u is not a finite number.
    """
    # A kernel would take an array of one number for the number.
    if isinstance(u, ndarray):
        return _interpolate_many(model, q0, q1, np.array(u, np.float64))
    try:
        return _kernels.interpolate(model.records, q0, q1, u, None)
    except REFUSED:
        if isinstance(u, (list, tuple)):
            return _interpolate_many(model, q0, q1, np.array(u, np.float64))
        return _interpolate(model, configurations(model, q0, "q0"), configurations(model, q1, "q1"), u)


def _interpolate(
    model: Model, q0: NDArray[np.float64], q1: NDArray[np.float64], u: float
) -> NDArray[np.float64]:
    """One configuration, or one for each of a batch."""
    fraction = float(u)
    if not np.isfinite(fraction):
        raise InvalidValueError(f"u: expected a finite number, given {u!r}", u, "finite")
    if abs(fraction) > 1.0:  # a part of the shorter way is a turn by less than pi
        check_turns(model, fraction * difference(model, q0, q1))
    return evaluate(_kernels.interpolate, (model.records, q0, q1, fraction), [(model.nq,)])[0]


def _interpolate_many(
    model: Model, q0: ArrayLike, q1: ArrayLike, u: NDArray[np.float64]
) -> NDArray[np.float64]:
    """As many configurations as there are fractions."""
    if u.ndim != 1:
        raise ShapeError("u", f"shape {u.shape}", "a number, or a batch of them, shape (N,)")
    if not np.isfinite(u).all():
        raise InvalidValueError(f"u: expected finite numbers, given {u}", u, "finite")
    way = difference(model, q0, q1)
    if way.ndim > 1 and len(way) != len(u):
        raise ShapeError("u", f"shape {u.shape}", f"a number, or a batch of them, shape ({len(way)},)")
    return integrate(model, q0, u[:, None] * way)


def squared_distance(model: Model, q0: ArrayLike, q1: ArrayLike) -> NDArray[np.float64]:
    """Squared length of each joint's part of `difference`, (njoints - 1,); metres and radians mix.

    A follower has no part of its own: its entry is zero.

    Raises:
        ShapeError: an array of the wrong size or type.
    """
    squares = empty(model.njoints - 1)
    try:
        _kernels.squared_distance(model.records, q0, q1, squares)
    except REFUSED:
        head = model.records, configurations(model, q0, "q0"), configurations(model, q1, "q1")
        squares = evaluate(_kernels.squared_distance, head, [(len(model.records) - 1,)])[0]
        if len(model.records) > model.njoints:  # a composite joint has several records
            return np.add.reduceat(squares, model.joint_records[:-1], axis=-1)
    return squares


def distance(model: Model, q0: ArrayLike, q1: ArrayLike) -> float:
    """Length of `difference(model, q0, q1)`; metres and radians mix.

    Raises:
        ShapeError: an array of the wrong size or type.
    """
    try:
        return _kernels.distance(model.records, q0, q1)
    except REFUSED:
        head = model.records, configurations(model, q0, "q0"), configurations(model, q1, "q1")
        return evaluate(_kernels.distance, head)[0]


def is_same_configuration(model: Model, q0: ArrayLike, q1: ArrayLike, precision: float = PRECISION) -> bool:
    """Whether two configurations place the robot alike: a quaternion and its negative do.

    One with an entry that is not finite is the same as none.

    Args:
        model: the robot.
        q0, q1: configurations, (nq,).
        precision: largest difference of an entry, relative to one or to the larger entry.

    Raises:
        ShapeError: an array of the wrong size or type.
    """
    try:
        return _kernels.is_same_configuration(model.records, q0, q1, precision)
    except REFUSED:
        head = model.records, configurations(model, q0, "q0"), configurations(model, q1, "q1"), precision
        return _truth(evaluate(_kernels.is_same_configuration, head)[0])


def _truth(answer: Any) -> Any:
    """True or False; an array of them, (N,), of a batch's answers, which come as integers."""
    return answer.astype(bool) if isinstance(answer, ndarray) else answer


def is_normalized(model: Model, q: ArrayLike, precision: float = PRECISION) -> bool:
    """Whether q is finite and every quaternion and (cos, sin) in it has unit length.

    Raises:
        ShapeError: an array of the wrong size or type.
    """
    try:
        return _kernels.is_normalized(model.records, q, precision)
    except REFUSED:
        head = model.records, configurations(model, q), precision
        return _truth(evaluate(_kernels.is_normalized, head)[0])
