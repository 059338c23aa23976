"""Where descents start: the seed first, then a low-discrepancy sequence inside the limits.

The sequence is additive (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences"):
point n is frac(offset + n alpha), alpha_d = phi^-d with phi^(D+1) = phi + 1. It is the same for the
same request, and it needs no table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..model.joint_kinds import KINDS

if TYPE_CHECKING:
    from ..model import Joint, Model

Vector = NDArray[np.float64]


def additive_steps(dimension: int) -> Vector:
    """The irrational steps alpha of the sequence, (dimension,)."""
    phi = 2.0
    for _ in range(60):
        phi = (1.0 + phi) ** (1.0 / (dimension + 1))
    return np.power(1.0 / phi, np.arange(1.0, dimension + 1.0))


def uniform_quaternion(u: Vector) -> Vector:
    """A unit quaternion (x, y, z, w) from three numbers in [0, 1) (Shoemake 1992)."""
    a, b = np.sqrt(1.0 - u[0]), np.sqrt(u[0])
    s, t = 2.0 * np.pi * u[1], 2.0 * np.pi * u[2]
    return np.array([a * np.sin(s), a * np.cos(s), b * np.sin(t), b * np.cos(t)])


def _entries(kind: str, q: Vector, u: Vector, lower: Vector, upper: Vector) -> Vector:
    """An elementary joint's configuration from nv numbers in [0, 1); what has no limits stays around q."""
    if kind == "continuous":
        angle = 2.0 * np.pi * u[0]
        return np.array([np.cos(angle), np.sin(angle)])
    if kind == "spherical":
        return uniform_quaternion(u)
    if kind == "planar":
        angle = 2.0 * np.pi * u[2]
        return np.array([*(q[:2] + 2.0 * u[:2] - 1.0), np.cos(angle), np.sin(angle)])
    if kind == "free_flyer":
        return np.concatenate([q[:3] + 2.0 * u[:3] - 1.0, uniform_quaternion(u[3:])])
    low = np.where(np.isfinite(lower), lower, q - np.pi)
    high = np.where(np.isfinite(upper), upper, low + 2.0 * np.pi)
    return low + u * (high - low)


def _parts(joint: Joint) -> Iterator[tuple[str, slice, int]]:
    """Kind, entries of q and number of velocity coordinates of each elementary joint of a joint."""
    first = joint.idx_q
    for element in joint.elements:
        kind = KINDS[element.kind]
        yield kind.name, slice(first, first + kind.nq), kind.nv
        first += kind.nq


def restart_seeds(
    model: Model, seed: Vector, moving: NDArray[np.bool_], lower: Vector, upper: Vector, number: int
) -> Iterator[Vector]:
    """Configurations to start from after the seed itself; joints that cannot help keep the seed's.

    Args:
        model: the robot.
        seed: configuration, (nq,).
        moving: per velocity coordinate whether it may move and carries the frame, (nv,).
        lower, upper: position limits, (nq,), infinite where there are none.
        number: which sequence; the same number gives the same seeds.
    """
    joints = [j for j in model.joints[1:] if j.nv and moving[j.moved_by].all()]
    parts = [part for joint in joints for part in _parts(joint)]
    dimension = sum(nv for *_, nv in parts)
    if dimension == 0:
        return
    steps = additive_steps(dimension)
    point = np.random.default_rng(number).random(dimension)
    while True:
        point = (point + steps) % 1.0
        q, first = seed.copy(), 0
        for kind, part, nv in parts:
            u = point[first : first + nv]
            first += nv
            q[part] = _entries(kind, seed[part], u, lower[part], upper[part])
        yield q
