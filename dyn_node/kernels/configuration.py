"""Configurations as points of Lie groups: moving along a tangent vector, and the way back.

Each joint type's group stands in one branch: the line, the circle (cos, sin), SO(3) as unit
quaternions, SE(2) and SE(3). Increments multiply on the right, so they are in the joint's own frame.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .engine import inline, kernel
from .kinds import CONTINUOUS, FREE_FLYER, PLANAR, SPHERICAL
from .lie import (
    exp3_quaternion,
    exp6,
    log3_quaternion,
    log6,
    quaternion_conjugate,
    quaternion_multiply,
    quaternion_normalize,
    quaternion_rotate,
    quaternion_unrotate,
)
from .sizes import check_q, check_v
from .vector import add, put, sub

#: The largest number.
LARGEST = 1.7976931348623157e308


@inline
def quaternion_at(q: Any, k: int) -> Any:
    """The quaternion (x, y, z, w) that starts at entry k."""
    return (q[k], q[k + 1], q[k + 2], q[k + 3])


@inline
def put_quaternion(out: Any, k: int, quat: Any) -> None:
    """A quaternion into the four entries from k."""
    for r in range(4):
        out[k + r] = quat[r]


@inline
def turn_quaternion(before: Any, step: Any) -> Any:
    """before * step, of unit length and with the sign that is nearer to before."""
    after = quaternion_normalize(quaternion_multiply(before, step))
    along = before[0] * after[0] + before[1] * after[1] + before[2] * after[2] + before[3] * after[3]
    if along < 0.0:
        after = (-after[0], -after[1], -after[2], -after[3])
    return after


@inline
def put_circle(out: Any, k: int, q: Any, angle: Any) -> None:
    """(cos, sin) at entry k, turned by an angle and of unit length."""
    c, s = np.cos(angle), np.sin(angle)
    x, y = q[k] * c - q[k + 1] * s, q[k] * s + q[k + 1] * c
    length = np.sqrt(x * x + y * y)
    out[k] = x / length
    out[k + 1] = y / length


@inline
def circle_angle(q0: Any, q1: Any, k: int) -> Any:
    """Angle from one (cos, sin) to another, within pi."""
    c = q0[k] * q1[k] + q0[k + 1] * q1[k + 1]
    s = q0[k] * q1[k + 1] - q0[k + 1] * q1[k]
    return np.arctan2(s, c)


@inline
def is_curved(kind: int) -> bool:
    """Whether a joint of this kind has more entries in q than in v: its group is no line."""
    return kind in (CONTINUOUS, FREE_FLYER, PLANAR, SPHERICAL)


@inline
def integrate_joint(joint: Any, q: Any, v: Any, out: Any) -> None:
    """One joint's configuration moved along v, for a unit time."""
    kind, k, d = joint.kind, joint.idx_q, joint.idx_v
    if kind == FREE_FLYER:
        step, shift = exp6((v[d], v[d + 1], v[d + 2]), (v[d + 3], v[d + 4], v[d + 5]))
        before = quaternion_at(q, k + 3)
        put(out[k : k + 3], add((q[k], q[k + 1], q[k + 2]), quaternion_rotate(before, shift)))
        put_quaternion(out, k + 3, turn_quaternion(before, step))
    elif kind == PLANAR:
        _, shift = exp6((v[d], v[d + 1], 0.0), (0.0, 0.0, v[d + 2]))
        c, s = q[k + 2], q[k + 3]
        out[k], out[k + 1] = q[k] + c * shift[0] - s * shift[1], q[k + 1] + s * shift[0] + c * shift[1]
        put_circle(out, k + 2, q, v[d + 2])
    elif kind == SPHERICAL:
        step = exp3_quaternion((v[d], v[d + 1], v[d + 2]))
        put_quaternion(out, k, turn_quaternion(quaternion_at(q, k), step))
    elif kind == CONTINUOUS:
        put_circle(out, k, q, v[d])
    else:
        for r in range(joint.nq):  # none of a follower's
            out[k + r] = q[k + r] + v[d + r]


@inline
def difference_joint(joint: Any, q0: Any, q1: Any, out: Any) -> None:
    """The tangent vector that takes one configuration of a joint to another in a unit time."""
    kind, k, d = joint.kind, joint.idx_q, joint.idx_v
    if kind == FREE_FLYER:
        before = quaternion_at(q0, k + 3)
        turned = quaternion_multiply(quaternion_conjugate(before), quaternion_at(q1, k + 3))
        way = sub((q1[k], q1[k + 1], q1[k + 2]), (q0[k], q0[k + 1], q0[k + 2]))
        lin, ang = log6(turned, quaternion_unrotate(before, way))
        put(out[d : d + 3], lin)
        put(out[d + 3 : d + 6], ang)
    elif kind == PLANAR:
        angle = circle_angle(q0, q1, k + 2)
        x, y = q1[k] - q0[k], q1[k + 1] - q0[k + 1]
        c, s = q0[k + 2], q0[k + 3]
        turned = (0.0, 0.0, np.sin(0.5 * angle), np.cos(0.5 * angle))
        lin, _ = log6(turned, (c * x + s * y, c * y - s * x, 0.0))
        out[d], out[d + 1], out[d + 2] = lin[0], lin[1], angle
    elif kind == SPHERICAL:
        before = quaternion_conjugate(quaternion_at(q0, k))
        put(out[d : d + 3], log3_quaternion(quaternion_multiply(before, quaternion_at(q1, k))))
    elif kind == CONTINUOUS:
        out[d] = circle_angle(q0, q1, k)
    else:
        for r in range(joint.nq):
            out[d + r] = q1[k + r] - q0[k + r]


@inline
def check_turn(joint: Any, v: Any) -> None:
    """The square of the angle that a joint turns by is a number, if the angle is one."""
    first = joint.idx_v + (joint.nv - 3 if joint.kind != PLANAR else 0)
    a, b, c = v[first], v[first + 1], v[first + 2]
    if joint.kind == PLANAR:
        a, b = 0.0, 0.0
    if a * a + b * b + c * c > LARGEST and abs(a) <= LARGEST and abs(b) <= LARGEST and abs(c) <= LARGEST:
        raise ValueError("angle of an increment")


@kernel("joints", "vector", "vector", "vector", result=("nq",))
def integrate(joints: Any, q: Any, v: Any, out: Any) -> None:
    """out = q moved along the tangent vector v for a unit time."""
    check_q(joints, q)
    check_v(joints, v)
    check_q(joints, out)
    for i in range(1, joints.shape[0]):
        joint = joints[i]
        if is_curved(joint.kind):
            if joint.kind != CONTINUOUS:
                check_turn(joint, v)
            integrate_joint(joint, q, v, out)
        else:  # without a call, which costs more
            for r in range(joint.nq):
                out[joint.idx_q + r] = q[joint.idx_q + r] + v[joint.idx_v + r]


@kernel("joints", "vector", "vector", "vector", result=("nv",))
def difference(joints: Any, q0: Any, q1: Any, out: Any) -> None:
    """out = log(q0^-1 q1), joint by joint."""
    check_q(joints, q0)
    check_q(joints, q1)
    check_v(joints, out)
    for i in range(1, joints.shape[0]):
        joint = joints[i]
        if is_curved(joint.kind):
            difference_joint(joint, q0, q1, out)
        else:
            for r in range(joint.nq):
                out[joint.idx_v + r] = q1[joint.idx_q + r] - q0[joint.idx_q + r]


@inline
def unit(out: Any, k: int, size: int) -> bool:
    """Scale `size` entries from k to unit length; False where they have no direction."""
    largest = 0.0
    for r in range(size):
        largest = max(largest, abs(out[k + r]))
    # Also refuses NaN and infinity: they fail both comparisons.
    if not (0.0 < largest < np.inf):
        return False
    total = 0.0
    for r in range(size):
        # Scaled first: the square of a tiny or huge entry would not survive.
        out[k + r] = out[k + r] / largest
        total += out[k + r] * out[k + r]
    length = np.sqrt(total)
    for r in range(size):
        out[k + r] = out[k + r] / length
    return total == total


@kernel("joints", "vector", "vector")
def normalize(joints: Any, q: Any, out: Any) -> int:
    """out = q with unit quaternions and (cos, sin) pairs.

    Returns 0, or the number of the first record whose entries are not finite or have no direction.
    """
    check_q(joints, q)
    check_q(joints, out)
    for k in range(q.shape[0]):
        out[k] = q[k]
    for i in range(1, joints.shape[0]):
        kind, k = joints[i].kind, joints[i].idx_q
        good = True
        for r in range(joints[i].nq):
            # Infinity less itself, like NaN, is no number.
            good = good and q[k + r] - q[k + r] == 0.0
        if not good:
            return i
        if kind == FREE_FLYER:
            good = unit(out, k + 3, 4)
        elif kind == PLANAR:
            good = unit(out, k + 2, 2)
        elif kind == SPHERICAL:
            good = unit(out, k, 4)
        elif kind == CONTINUOUS:
            good = unit(out, k, 2)
        if not good:
            return i
    return 0
