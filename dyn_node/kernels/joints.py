"""What distinguishes the joint types: each one's placement, in one place.

Every joint moves its child frame by `placement * joint(q)`; its velocity is the sum of the rows
`S[d] * v[d]` in the child's own frame, where S is constant for every type (Featherstone 2008,
section 3.5 and table 4.1). Joints whose S would change with q are chains of several records.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .engine import inline
from .kinds import (
    CONTINUOUS,
    FOLLOWER_OF_CIRCLE,
    FOLLOWER_OF_LINE,
    FREE_FLYER,
    HELICAL,
    PLANAR,
    PRISMATIC,
    REVOLUTE,
    SPHERICAL,
    TRANSLATION,
)
from .vector import add, copy_matrix, put, rotate, scale


@inline
def turn(joint: Any, c: Any, s: Any, x: Any) -> None:
    """Placement of a joint that turned by an angle of this cosine and sine about its axis.

    The rotation R Rot(axis) is affine in (cos, sin): no axis needs a case of its own.
    """
    for r in range(3):
        for k in range(3):
            x.li_R[r, k] = joint.R[r, k] + (c - 1.0) * joint.R_cos[r, k] + s * joint.R_sin[r, k]


@inline
def set_rotation(joint: Any, E: Any, x: Any) -> None:
    """li_R = R E for a rotation E given as nine entries, row by row."""
    for r in range(3):
        for k in range(3):
            x.li_R[r, k] = joint.R[r, 0] * E[k] + joint.R[r, 1] * E[3 + k] + joint.R[r, 2] * E[6 + k]


@inline
def quaternion_entries(x: Any, y: Any, z: Any, w: Any) -> Any:
    """The rotation matrix of a unit quaternion as nine entries, row by row."""
    return (
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - z * w),
        2.0 * (x * z + y * w),
        2.0 * (x * y + z * w),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - x * w),
        2.0 * (x * z - y * w),
        2.0 * (y * z + x * w),
        1.0 - 2.0 * (x * x + y * y),
    )


@inline
def screw(joint: Any, angle: Any, x: Any) -> None:
    """Placement of a joint that turned by an angle about its axis and slid along with it."""
    turn(joint, np.cos(angle), np.sin(angle), x)
    put(x.li_p, add(joint.p, rotate(joint.R, scale(joint.pitch * angle, joint.axis))))


@inline
def place_joint(joint: Any, q: Any, x: Any) -> None:
    """Set the placement li_R, li_p in the parent joint's frame."""
    kind, k = joint.kind, joint.idx_q
    if kind == REVOLUTE:
        turn(joint, np.cos(q[k]), np.sin(q[k]), x)
        put(x.li_p, joint.p)
    elif kind == CONTINUOUS:
        turn(joint, q[k], q[k + 1], x)
        put(x.li_p, joint.p)
    elif kind == PRISMATIC:
        copy_matrix(x.li_R, joint.R)
        put(x.li_p, add(joint.p, rotate(joint.R, scale(q[k], joint.axis))))
    elif kind == FREE_FLYER:
        set_rotation(joint, quaternion_entries(q[k + 3], q[k + 4], q[k + 5], q[k + 6]), x)
        put(x.li_p, add(joint.p, rotate(joint.R, (q[k], q[k + 1], q[k + 2]))))
    elif kind == PLANAR:
        c, s = q[k + 2], q[k + 3]
        set_rotation(joint, (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0), x)
        put(x.li_p, add(joint.p, rotate(joint.R, (q[k], q[k + 1], 0.0))))
    elif kind == SPHERICAL:
        set_rotation(joint, quaternion_entries(q[k], q[k + 1], q[k + 2], q[k + 3]), x)
        put(x.li_p, joint.p)
    elif kind == TRANSLATION:
        copy_matrix(x.li_R, joint.R)
        put(x.li_p, add(joint.p, rotate(joint.R, (q[k], q[k + 1], q[k + 2]))))
    elif kind == HELICAL:
        screw(joint, q[k], x)
    elif kind == FOLLOWER_OF_LINE:
        screw(joint, joint.ratio * q[k] + joint.offset, x)
    elif kind == FOLLOWER_OF_CIRCLE:
        # The leader's angle is known within one turn: that is all that (cos, sin) tells.
        screw(joint, joint.ratio * np.arctan2(q[k + 1], q[k]) + joint.offset, x)


@inline
def subspace_times(joint: Any, x: Any, v: Any) -> Any:
    """S v of one joint: linear and angular part, in the joint's own frame."""
    k, S = joint.idx_v, x.S
    rate = v[k]
    lin = (S[0, 0] * rate, S[0, 1] * rate, S[0, 2] * rate)
    ang = (S[0, 3] * rate, S[0, 4] * rate, S[0, 5] * rate)
    for d in range(1, joint.nv):
        rate = v[k + d]
        lin = (lin[0] + S[d, 0] * rate, lin[1] + S[d, 1] * rate, lin[2] + S[d, 2] * rate)
        ang = (ang[0] + S[d, 3] * rate, ang[1] + S[d, 4] * rate, ang[2] + S[d, 5] * rate)
    return lin, ang


@inline
def row_dot(S: Any, d: int, lin: Any, ang: Any) -> Any:
    """S[d] . (lin, ang)."""
    return (
        S[d, 0] * lin[0]
        + S[d, 1] * lin[1]
        + S[d, 2] * lin[2]
        + S[d, 3] * ang[0]
        + S[d, 4] * ang[1]
        + S[d, 5] * ang[2]
    )
