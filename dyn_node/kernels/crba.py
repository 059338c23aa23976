"""The joint-space inertia matrix by the composite-rigid-body algorithm (Featherstone 2008, ch. 6).

Worked in the axes of each tree's first moving joint, as if that joint stood at the world's origin:
M does not depend on where the tree stands, and far from the origin the sums would lose digits.
"""

from __future__ import annotations

from typing import Any

from .engine import inline, kernel
from .joints import place_joint, row_dot
from .motion import inertia_times, motion_to_parent
from .sizes import check_q, check_scratch, check_square
from .vector import add, linear, multiply, put, put6, rotate, scale

_ZERO = (0.0, 0.0, 0.0)


@inline
def place_in_tree(joint: Any, up: Any, x: Any) -> None:
    """Placement relative to the tree's first joint, and the joint's motion subspace there."""
    if joint.parent == 0:
        for r in range(3):
            for c in range(3):
                x.R[r, c] = 1.0 if r == c else 0.0
        put(x.p, _ZERO)
    else:
        multiply(x.R, up.R, x.li_R)
        put(x.p, add(up.p, rotate(up.R, x.li_p)))
    for d in range(joint.nv):
        own = x.S[d]
        lin, ang = motion_to_parent(x.R, x.p, linear(own), (own[3], own[4], own[5]))
        put6(x.J[d], lin, ang)


@inline
def place_inertia(joint: Any, x: Any) -> None:
    """The body's inertia about the tree's origin: x.mass, x.h, x.I."""
    R, I, p = x.R, joint.I, x.p  # noqa: E741
    h, m = rotate(R, joint.h), joint.mass
    x.mass = m
    put(x.h, add(h, scale(m, p)))
    # R I R^T - P H - H P - m P P, where P = [p]x, H = [h]x.
    trace = 2.0 * (p[0] * h[0] + p[1] * h[1] + p[2] * h[2]) + m * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2])
    for r in range(3):
        row = (
            R[r, 0] * I[0, 0] + R[r, 1] * I[1, 0] + R[r, 2] * I[2, 0],
            R[r, 0] * I[0, 1] + R[r, 1] * I[1, 1] + R[r, 2] * I[2, 1],
            R[r, 0] * I[0, 2] + R[r, 1] * I[1, 2] + R[r, 2] * I[2, 2],
        )
        for c in range(r + 1):
            entry = row[0] * R[c, 0] + row[1] * R[c, 1] + row[2] * R[c, 2]
            entry = entry - p[r] * h[c] - h[r] * p[c] - m * p[r] * p[c]
            if r == c:
                entry = entry + trace
            x.I[r, c] = entry
            x.I[c, r] = entry


@inline
def add_inertia(up: Any, x: Any) -> None:
    """Composite inertia of a child joins its parent's."""
    up.mass += x.mass
    for r in range(3):
        up.h[r] += x.h[r]
        for c in range(3):
            up.I[r, c] += x.I[r, c]


@inline
def fill_columns(joints: Any, work: Any, i: int, M: Any) -> None:
    """Add the rows and columns of joint i against itself and all its ancestors."""
    joint, x = joints[i], work[i]
    for d in range(joint.nv):
        column = joint.idx_v + d
        axis = x.J[d]
        f_lin, f_ang = inertia_times(x.mass, x.h, x.I, linear(axis), (axis[3], axis[4], axis[5]))
        for e in range(d + 1):
            entry = row_dot(x.J, e, f_lin, f_ang)
            M[column, joint.idx_v + e] += entry
            if e < d:
                M[joint.idx_v + e, column] += entry
        k = joint.parent
        while k > 0:
            for e in range(joints[k].nv):
                entry = row_dot(work[k].J, e, f_lin, f_ang)
                # A leader that carries its follower meets itself here, twice, as it must.
                M[column, joints[k].idx_v + e] += entry
                M[joints[k].idx_v + e, column] += entry
            k = joints[k].parent


@inline
def fill_mass_matrix(joints: Any, work: Any, M: Any) -> None:
    """M from the bodies' inertias, which `place_inertia` has placed; they become composite ones."""
    for r in range(M.shape[0]):
        for c in range(M.shape[0]):
            M[r, c] = 0.0
    for i in range(joints.shape[0] - 1, 0, -1):
        joint = joints[i]
        fill_columns(joints, work, i, M)
        for d in range(joint.nv):
            M[joint.idx_v + d, joint.idx_v + d] += joint.armature[d]
        if joint.parent > 0:
            add_inertia(work[joint.parent], work[i])


@kernel("joints", "work", "vector", "matrix", result=("nv", "nv"))
def crba(joints: Any, work: Any, q: Any, M: Any) -> None:
    """M(q), full and symmetric."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_square(joints, M)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_joint(joint, q, x)
        place_in_tree(joint, work[joint.parent], x)
        place_inertia(joint, x)
    fill_mass_matrix(joints, work, M)
