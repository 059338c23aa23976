"""Between configurations: interpolation, distances, and whether two are the same.

All take batches, arguments with one axis more in front; results then have it too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidValueError, ShapeError
from .arguments import configurations
from .configuration import difference, integrate

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
    if isinstance(u, (np.ndarray, list, tuple)):
        return _interpolate_many(model, q0, q1, np.array(u, np.float64))
    fraction = float(u)
    if not np.isfinite(fraction):
        raise InvalidValueError(f"u: expected a finite number, given {u!r}", u, "finite")
    return integrate(model, q0, fraction * difference(model, q0, q1))


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
    way = difference(model, q0, q1)
    parts = [way[..., joint.idx_v : joint.idx_v + joint.nv] for joint in model.joints[1:]]
    if way.ndim > 1:
        squares = [(part * part).sum(axis=-1) for part in parts]
        return np.array(squares).reshape(len(parts), len(way)).T.copy()
    return np.array([part @ part for part in parts], dtype=np.float64)


def distance(model: Model, q0: ArrayLike, q1: ArrayLike) -> float:
    """Length of `difference(model, q0, q1)`; metres and radians mix.

    Raises:
        ShapeError: an array of the wrong size or type.
    """
    way = difference(model, q0, q1)
    if way.ndim > 1:
        lengths: Any = np.linalg.norm(way, axis=-1)
        return lengths
    return float(np.linalg.norm(way))


def is_same_configuration(model: Model, q0: ArrayLike, q1: ArrayLike, precision: float = PRECISION) -> bool:
    """Whether two configurations place the robot alike: a quaternion and its negative do.

    Args:
        model: the robot.
        q0, q1: configurations, (nq,).
        precision: largest difference of an entry, relative to one or to the larger entry.

    Raises:
        ShapeError: an array of the wrong size or type.
    """
    first, second = configurations(model, q0, "q0"), configurations(model, q1, "q1").copy()
    if first.ndim + second.ndim > 2:
        return _are_same(model, first, second, precision)
    for entries in model.directions:
        if len(first[entries]) == 4 and first[entries] @ second[entries] < 0.0:
            second[entries] = -second[entries]
    scale = np.maximum(1.0, np.maximum(np.abs(first), np.abs(second)))
    return bool((np.abs(first - second) <= precision * scale).all())


def _are_same(model: Model, first: NDArray[np.float64], second: NDArray[np.float64], precision: float) -> Any:
    """For each of a batch whether the two are the same, (N,)."""
    if first.ndim == second.ndim and len(first) != len(second):
        raise ShapeError("q1", f"a batch of {len(second)}", f"a batch of {len(first)}, as q0")
    first, second = np.broadcast_arrays(first, second)
    second = second.copy()
    for entries in model.directions:
        if entries.stop - entries.start == 4:
            opposite = (first[:, entries] * second[:, entries]).sum(axis=1) < 0.0
            second[opposite, entries] *= -1.0
    scale = np.maximum(1.0, np.maximum(np.abs(first), np.abs(second)))
    return (np.abs(first - second) <= precision * scale).all(axis=1)


def is_normalized(model: Model, q: ArrayLike, precision: float = PRECISION) -> bool:
    """Whether q is finite and every quaternion and (cos, sin) in it has unit length.

    Raises:
        ShapeError: an array of the wrong size or type.
    """
    entries = configurations(model, q)
    if entries.ndim > 1:
        lengths = [np.linalg.norm(entries[:, part], axis=1) for part in model.directions]
        unit = [np.abs(length - 1.0) <= precision for length in lengths]
        return np.logical_and.reduce([np.isfinite(entries).all(axis=1), *unit])
    if not np.isfinite(entries).all():
        return False
    return all(abs(np.linalg.norm(entries[part]) - 1.0) <= precision for part in model.directions)
