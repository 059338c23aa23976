"""Between configurations: interpolation, distances, and whether two are the same.

Coordinates on a line need no more than a difference; only what lives on a curved group goes through
`difference_joint` and `integrate_joint`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .configuration import LARGEST, check_turn, difference_joint, integrate_joint, is_curved
from .engine import inline, kernel
from .kinds import CONTINUOUS, FREE_FLYER, PLANAR, SPHERICAL
from .sizes import check_q


@kernel("joints", "vector", "vector", "float", "vector", result=("nq",))
def interpolate(joints: Any, q0: Any, q1: Any, u: float, out: Any) -> None:
    """out = q0 moved a fraction u of the way to q1."""
    check_q(joints, q0)
    check_q(joints, q1)
    check_q(joints, out)
    if not abs(u) <= LARGEST:
        raise ValueError("fraction of the way")
    # All at once, as if everything were on a line: the loop over records has little left to do.
    for k in range(q0.shape[0]):
        out[k] = q0[k] + u * (q1[k] - q0[k])
    way = np.empty(joints[0].nv)
    for i in range(1, joints.shape[0]):
        joint = joints[i]
        if is_curved(joint.kind):
            difference_joint(joint, q0, q1, way)
            for d in range(joint.idx_v, joint.idx_v + joint.nv):
                way[d] = u * way[d]
            if joint.kind != CONTINUOUS:
                check_turn(joint, way)
            integrate_joint(joint, q0, way, out)


@inline
def squared_way(joint: Any, q0: Any, q1: Any, way: Any) -> Any:
    """Squared length of a curved joint's part of the difference; `way` is (nv,) scratch."""
    difference_joint(joint, q0, q1, way)
    total = 0.0
    for d in range(joint.idx_v, joint.idx_v + joint.nv):
        total += way[d] * way[d]
    return total


@inline
def squared_gap(q0: Any, q1: Any, start: int, stop: int) -> Any:
    """Squared length of the difference of entries on a line."""
    total = 0.0
    for k in range(start, stop):
        total += (q1[k] - q0[k]) * (q1[k] - q0[k])
    return total


@kernel("joints", "vector", "vector", "vector")
def squared_distance(joints: Any, q0: Any, q1: Any, out: Any) -> None:
    """out[i - 1] = squared length of record i's part of the difference; zero of a follower."""
    check_q(joints, q0)
    check_q(joints, q1)
    if out.shape[0] != joints.shape[0] - 1:
        raise ValueError("a number a record")
    way = np.empty(joints[0].nv)
    for i in range(1, joints.shape[0]):
        joint = joints[i]
        if is_curved(joint.kind):
            out[i - 1] = squared_way(joint, q0, q1, way)
        else:
            out[i - 1] = squared_gap(q0, q1, joint.idx_q, joint.idx_q + joint.nq)


@kernel("joints", "vector", "vector")
def distance(joints: Any, q0: Any, q1: Any) -> float:
    """Length of the difference."""
    check_q(joints, q0)
    check_q(joints, q1)
    total, done = 0.0, 0
    way = np.empty(joints[0].nv)
    for i in range(1, joints.shape[0]):
        joint = joints[i]
        if is_curved(joint.kind):
            # Whatever lies between two curved joints is on a line.
            total += squared_gap(q0, q1, done, joint.idx_q) + squared_way(joint, q0, q1, way)
            done = joint.idx_q + joint.nq
    return float(np.sqrt(total + squared_gap(q0, q1, done, q0.shape[0])))


@inline
def quaternion_entry(joint: Any) -> int:
    """Where a joint's quaternion starts in q; -1 without one."""
    if joint.kind == FREE_FLYER:
        return joint.idx_q + 3
    return joint.idx_q if joint.kind == SPHERICAL else -1


@inline
def is_close(a: Any, b: Any, precision: float) -> bool:
    """Whether two numbers are finite and differ by no more than that, relative to one or the larger."""
    gap = abs(a - b)
    return gap <= LARGEST and gap <= precision * max(1.0, max(abs(a), abs(b)))


@kernel("joints", "vector", "vector", "float")
def is_same_configuration(joints: Any, q0: Any, q1: Any, precision: float) -> bool:
    """Whether all entries are close, a quaternion's to the other's or to its negative's."""
    check_q(joints, q0)
    check_q(joints, q1)
    for i in range(1, joints.shape[0]):
        joint = joints[i]
        first, sign = quaternion_entry(joint), 1.0
        if first >= 0:
            along = 0.0
            for k in range(first, first + 4):
                along += q0[k] * q1[k]
            sign = -1.0 if along < 0.0 else 1.0
        for k in range(joint.idx_q, joint.idx_q + joint.nq):
            if not is_close(q0[k], sign * q1[k] if 0 <= first <= k else q1[k], precision):
                return False
    return True


@inline
def is_unit(q: Any, first: int, size: int, precision: float) -> bool:
    """Whether `size` entries from the first have unit length."""
    total = 0.0
    for k in range(first, first + size):
        total += q[k] * q[k]
    return abs(np.sqrt(total) - 1.0) <= precision


@kernel("joints", "vector", "float")
def is_normalized(joints: Any, q: Any, precision: float) -> bool:
    """Whether q is finite and every quaternion and (cos, sin) in it has unit length."""
    check_q(joints, q)
    for k in range(q.shape[0]):
        if not abs(q[k]) <= LARGEST:
            return False
    for i in range(1, joints.shape[0]):
        joint = joints[i]
        good = True
        if joint.kind == FREE_FLYER or joint.kind == SPHERICAL:
            good = is_unit(q, quaternion_entry(joint), 4, precision)
        elif joint.kind == PLANAR or joint.kind == CONTINUOUS:
            good = is_unit(q, joint.idx_q + joint.nq - 2, 2, precision)
        if not good:
            return False
    return True
