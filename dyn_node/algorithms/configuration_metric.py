"""Between configurations: interpolation, distances, and whether two are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidValueError
from .arguments import configuration
from .configuration import difference, integrate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Model

#: How far from unit length a quaternion or (cos, sin) counts as normalised, and how far apart two
#: configurations count as one.
PRECISION = 1e-12


def interpolate(model: Model, q0: ArrayLike, q1: ArrayLike, u: float) -> NDArray[np.float64]:
    """The configuration a fraction u of the way from q0 (u = 0) to q1 (u = 1).

    Free-flyers move along a screw. Values of u outside [0, 1] extrapolate.

    Returns:
        The configuration, (nq,).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: u is not a finite number.
    """
    fraction = float(u)
    if not np.isfinite(fraction):
        raise InvalidValueError(f"u: expected a finite number, given {u!r}", u, "finite")
    return integrate(model, q0, fraction * difference(model, q0, q1))


def squared_distance(model: Model, q0: ArrayLike, q1: ArrayLike) -> NDArray[np.float64]:
    """Squared length of each joint's part of `difference`, (njoints - 1,); metres and radians mix.

    A follower has no part of its own: its entry is zero.

    Raises:
        ShapeError: an array of the wrong size or type.
    """
    way = difference(model, q0, q1)
    parts = (way[joint.idx_v : joint.idx_v + joint.nv] for joint in model.joints[1:])
    return np.array([part @ part for part in parts], dtype=np.float64)


def distance(model: Model, q0: ArrayLike, q1: ArrayLike) -> float:
    """Length of `difference(model, q0, q1)`; metres and radians mix.

    Raises:
        ShapeError: an array of the wrong size or type.
    """
    return float(np.linalg.norm(difference(model, q0, q1)))


def is_same_configuration(model: Model, q0: ArrayLike, q1: ArrayLike, precision: float = PRECISION) -> bool:
    """Whether two configurations place the robot alike: a quaternion and its negative do.

    Args:
        model: the robot.
        q0, q1: configurations, (nq,).
        precision: largest difference of an entry, relative to one or to the larger entry.

    Raises:
        ShapeError: an array of the wrong size or type.
    """
    first, second = configuration(model, q0, "q0"), configuration(model, q1, "q1").copy()
    for entries in model.directions:
        if len(first[entries]) == 4 and first[entries] @ second[entries] < 0.0:
            second[entries] = -second[entries]
    scale = np.maximum(1.0, np.maximum(np.abs(first), np.abs(second)))
    return bool((np.abs(first - second) <= precision * scale).all())


def is_normalized(model: Model, q: ArrayLike, precision: float = PRECISION) -> bool:
    """Whether q is finite and every quaternion and (cos, sin) in it has unit length.

    Raises:
        ShapeError: an array of the wrong size or type.
    """
    entries = configuration(model, q)
    if not np.isfinite(entries).all():
        return False
    return all(abs(np.linalg.norm(entries[part]) - 1.0) <= precision for part in model.directions)
