"""What distinguishes the joint types: placement, motion subspace and its rate, each in one place.

Every joint moves its child frame by `placement * joint(q)`; its velocity is the sum of the rows
`S[d] * v[d]` in the child's own frame. S is constant but for the types listed in
`has_variable_subspace`; those rewrite their rows of S with the placement, and leave (dS/dt) v in
`c_ang` (its linear half is zero: they only turn) (Featherstone 2008, section 3.5 and table 4.1).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .engine import inline
from .kinds import (
    CONTINUOUS,
    FREE_FLYER,
    HELICAL,
    PLANAR,
    PRISMATIC,
    REVOLUTE,
    SPHERICAL,
    SPHERICAL_ZYX,
    TRANSLATION,
    UNIVERSAL,
)
from .vector import add, copy_matrix, cross, put, rotate, scale


@inline
def has_variable_subspace(kind: int) -> bool:
    """Whether the motion subspace of this joint type depends on q."""
    return kind == SPHERICAL_ZYX or kind == UNIVERSAL


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
def axis_entries(a: Any, c: Any, s: Any) -> Any:
    """The rotation about the unit axis a by an angle of this cosine and sine, row by row."""
    t = 1.0 - c
    return (
        c + t * a[0] * a[0],
        t * a[0] * a[1] - s * a[2],
        t * a[0] * a[2] + s * a[1],
        t * a[0] * a[1] + s * a[2],
        c + t * a[1] * a[1],
        t * a[1] * a[2] - s * a[0],
        t * a[0] * a[2] - s * a[1],
        t * a[1] * a[2] + s * a[0],
        c + t * a[2] * a[2],
    )


@inline
def spherical_zyx(joint: Any, q: Any, k: int, x: Any) -> None:
    """Placement and subspace of R = Rz(q0) Ry(q1) Rx(q2)."""
    c0, s0 = np.cos(q[k]), np.sin(q[k])
    c1, s1 = np.cos(q[k + 1]), np.sin(q[k + 1])
    c2, s2 = np.cos(q[k + 2]), np.sin(q[k + 2])
    E = (
        c0 * c1,
        c0 * s1 * s2 - s0 * c2,
        c0 * s1 * c2 + s0 * s2,
        s0 * c1,
        s0 * s1 * s2 + c0 * c2,
        s0 * s1 * c2 - c0 * s2,
        -s1,
        c1 * s2,
        c1 * c2,
    )
    set_rotation(joint, E, x)
    put(x.li_p, joint.p)
    x.S[0, 3], x.S[0, 4], x.S[0, 5] = -s1, c1 * s2, c1 * c2
    x.S[1, 3], x.S[1, 4], x.S[1, 5] = 0.0, c2, -s2
    x.S[2, 3], x.S[2, 4], x.S[2, 5] = 1.0, 0.0, 0.0


@inline
def universal(joint: Any, q: Any, k: int, x: Any) -> None:
    """Placement and subspace of R = Rot(axis, q0) Rot(axis2, q1)."""
    first = axis_entries(joint.axis, np.cos(q[k]), np.sin(q[k]))
    E = axis_entries(joint.axis2, np.cos(q[k + 1]), np.sin(q[k + 1]))
    a = joint.axis
    # The first axis, seen from the frame that the second one has turned: E^T axis.
    x.S[0, 3] = E[0] * a[0] + E[3] * a[1] + E[6] * a[2]
    x.S[0, 4] = E[1] * a[0] + E[4] * a[1] + E[7] * a[2]
    x.S[0, 5] = E[2] * a[0] + E[5] * a[1] + E[8] * a[2]
    turned = (
        first[0] * E[0] + first[1] * E[3] + first[2] * E[6],
        first[0] * E[1] + first[1] * E[4] + first[2] * E[7],
        first[0] * E[2] + first[1] * E[5] + first[2] * E[8],
        first[3] * E[0] + first[4] * E[3] + first[5] * E[6],
        first[3] * E[1] + first[4] * E[4] + first[5] * E[7],
        first[3] * E[2] + first[4] * E[5] + first[5] * E[8],
        first[6] * E[0] + first[7] * E[3] + first[8] * E[6],
        first[6] * E[1] + first[7] * E[4] + first[8] * E[7],
        first[6] * E[2] + first[7] * E[5] + first[8] * E[8],
    )
    set_rotation(joint, turned, x)
    put(x.li_p, joint.p)


@inline
def place_joint(joint: Any, q: Any, x: Any) -> None:
    """Set the placement li_R, li_p in the parent joint's frame, and S where it depends on q."""
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
        turn(joint, np.cos(q[k]), np.sin(q[k]), x)
        put(x.li_p, add(joint.p, rotate(joint.R, scale(joint.pitch * q[k], joint.axis))))
    elif kind == SPHERICAL_ZYX:
        spherical_zyx(joint, q, k, x)
    elif kind == UNIVERSAL:
        universal(joint, q, k, x)


@inline
def set_bias(joint: Any, v: Any, x: Any) -> None:
    """Set c = (dS/dt) v of a joint whose subspace depends on q; S must be up to date."""
    k = joint.idx_v
    if joint.kind == UNIVERSAL:
        turned = (x.S[0, 3], x.S[0, 4], x.S[0, 5])
        put(x.c_ang, scale(v[k] * v[k + 1], cross(turned, joint.axis2)))
    elif joint.kind == SPHERICAL_ZYX:
        # S[0] = (-s1, c1 s2, c1 c2) and S[1] = (0, c2, -s2) turn with q1 and q2.
        c2, s2 = x.S[1, 4], -x.S[1, 5]
        s1 = -x.S[0, 3]
        c1 = x.S[0, 4] * s2 + x.S[0, 5] * c2
        v01, v02, v12 = v[k] * v[k + 1], v[k] * v[k + 2], v[k + 1] * v[k + 2]
        x.c_ang[0] = -c1 * v01
        x.c_ang[1] = -s1 * s2 * v01 + c1 * c2 * v02 - s2 * v12
        x.c_ang[2] = -s1 * c2 * v01 - c1 * s2 * v02 - c2 * v12


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
