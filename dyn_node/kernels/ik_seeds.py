"""Where descents of inverse kinematics start: the seed inside the limits, then a low-discrepancy sequence.

The sequence is additive (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences"):
point n is frac(offset + n alpha). It is the same for the same request, and it needs no table.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .configuration import put_quaternion, unit
from .engine import inline
from .kinds import CONTINUOUS, FREE_FLYER, PLANAR, REVOLUTE, SPHERICAL

_TURN = 2.0 * np.pi


@inline
def bring_inside(joints: Any, columns: Any, m: int, limits: Any, q: Any) -> int:
    """Unit quaternions and (cos, sin) pairs, and joints that may move inside their limits.

    Returns how many coordinates had to be brought inside.
    """
    for i in range(1, joints.shape[0]):
        kind, k, good = joints[i].kind, joints[i].idx_q, True
        for r in range(joints[i].nq):
            # Infinity less itself, like NaN, is no number.
            good = good and q[k + r] - q[k + r] == 0.0
        if kind == FREE_FLYER:
            good = good and unit(q, k + 3, 4)
        elif kind == SPHERICAL:
            good = good and unit(q, k, 4)
        elif kind == PLANAR:
            good = good and unit(q, k + 2, 2)
        elif kind == CONTINUOUS:
            good = good and unit(q, k, 2)
        if not good:
            raise ValueError("a configuration that is none")
    moved = 0
    for c in range(m):
        k = columns[c, 1]
        if k >= 0 and not (limits[0, k] <= q[k] <= limits[1, k]):
            q[k] = min(max(q[k], limits[0, k]), limits[1, k])
            moved += 1
    return moved


@inline
def uniform_quaternion(a: float, b: float, c: float) -> Any:
    """A unit quaternion (x, y, z, w) from three numbers in [0, 1) (Shoemake 1992)."""
    u, v = np.sqrt(1.0 - a), np.sqrt(a)
    s, t = _TURN * b, _TURN * c
    return (u * np.sin(s), u * np.cos(s), v * np.sin(t), v * np.cos(t))


@inline
def put_angle(q: Any, k: int, part: float) -> None:
    """(cos, sin) of a part of a turn."""
    q[k], q[k + 1] = np.cos(_TURN * part), np.sin(_TURN * part)


@inline
def first_point(steps: Any, number: int, point: Any) -> None:
    """Where the sequence of a number begins: every number has its own stretch of the one sequence."""
    skipped = 10_007.0 * (number % 1_000_003)
    for v in range(steps.shape[0]):
        point[v] = (0.5 + skipped * steps[v]) % 1.0


@inline
def next_seed(
    joints: Any, movers: Any, s: int, columns: Any, m: int, limits: Any, steps: Any, u: Any, q: Any
) -> None:
    """The point u of the sequence moves on and becomes a configuration; what has no limits stays around q."""
    for c in range(m):
        v = columns[c, 0]
        u[v] = (u[v] + steps[v]) % 1.0
        k = columns[c, 1]
        if k >= 0:
            low = limits[0, k] if limits[0, k] > -np.inf else q[k] - np.pi
            high = limits[1, k] if limits[1, k] < np.inf else low + _TURN
            q[k] = low + u[v] * (high - low)
    for k in range(s):
        joint = joints[movers[k]]
        if joint.nq > joint.nv:
            scatter(joint, u, joint.idx_q, joint.idx_v, q)


@inline
def scatter(joint: Any, u: Any, k: int, v: int, q: Any) -> None:
    """A joint that lives on a circle or a sphere, from its numbers in [0, 1)."""
    if joint.kind == CONTINUOUS:
        put_angle(q, k, u[v])
    elif joint.kind == SPHERICAL:
        put_quaternion(q, k, uniform_quaternion(u[v], u[v + 1], u[v + 2]))
    elif joint.kind == PLANAR:
        q[k] += 2.0 * u[v] - 1.0
        q[k + 1] += 2.0 * u[v + 1] - 1.0
        put_angle(q, k + 2, u[v + 2])
    elif joint.kind == FREE_FLYER:
        for r in range(3):
            q[k + r] += 2.0 * u[v + r] - 1.0
        put_quaternion(q, k + 3, uniform_quaternion(u[v + 3], u[v + 4], u[v + 5]))


@inline
def unwind(joints: Any, movers: Any, s: int, limits: Any, seed: Any, q: Any) -> None:
    """Whole turns of joints that can make several: those that bring them nearest to the seed."""
    if joints[0].followers == 0:  # a follower does not turn whole turns with its leader
        for entry in range(s):
            joint, k = joints[movers[entry]], joints[movers[entry]].idx_q
            if joint.kind == REVOLUTE:
                turned = q[k] - _TURN * np.floor((q[k] - seed[k]) / _TURN + 0.5)
                if limits[0, k] <= turned <= limits[1, k]:
                    q[k] = turned
