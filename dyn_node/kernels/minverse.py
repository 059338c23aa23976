"""The inverse of the joint-space inertia matrix.

Two ways. From the sparse factors of M: the quicker one for robots of up to some 24 coordinates. And in
O(n^2), without M, by the sweeps of the articulated-body algorithm for all unit efforts at once
(J. Carpentier, "Analytical inverse of the joint space inertia matrix", LAAS 2018). Both are worked in
the axes and about the origin of each tree's first joint, where forces and motions add up as they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .cholesky import factorise, invert_rows
from .coordinates import coordinate_parents
from .crba import fill_mass_matrix, place_in_tree, place_inertia
from .engine import inline, kernel
from .joints import place_joint, row_dot
from .sizes import check_independent, check_q, check_scratch, check_square
from .vector import add, rotate, unrotate


@inline
def place_tree(joints: Any, work: Any, q: Any) -> None:
    """Placements, motion subspaces and bodies' inertias about each tree's origin."""
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_joint(joint, q, x)
        place_in_tree(joint, work[joint.parent], x)
        place_inertia(joint, x)


@inline
def start_blocks(x: Any) -> None:
    """Articulated inertia [[A, B], [B^T, D]] of a body from its mass, h, I about the tree's origin."""
    h = x.h
    for r in range(3):
        for c in range(3):
            x.A[r, c] = x.mass if r == c else 0.0
            x.D[r, c] = x.I[r, c]
        x.B[r, r] = 0.0
    x.B[0, 1], x.B[0, 2] = h[2], -h[1]
    x.B[1, 0], x.B[1, 2] = -h[2], h[0]
    x.B[2, 0], x.B[2, 1] = h[1], -h[0]


@inline
def join_blocks(up: Any, x: Any) -> None:
    """Articulated inertia of a child joins its parent's."""
    for r in range(3):
        for c in range(3):
            up.A[r, c] += x.A[r, c]
            up.B[r, c] += x.B[r, c]
            up.D[r, c] += x.D[r, c]


@inline
def eliminate_coordinate(joint: Any, x: Any, d: int) -> None:
    """Take one coordinate's freedom out of the articulated inertia."""
    S, U = x.J[d], x.U[d]
    lin, ang = (S[0], S[1], S[2]), (S[3], S[4], S[5])
    top, low = add(rotate(x.A, lin), rotate(x.B, ang)), add(unrotate(x.B, lin), rotate(x.D, ang))
    inverse = 1.0 / (row_dot(x.J, d, top, low) + joint.armature[d])
    x.d[d] = inverse
    for r in range(3):
        U[r] = top[r]
        U[3 + r] = low[r]
        a, b = top[r] * inverse, low[r] * inverse
        for c in range(3):
            x.A[r, c] -= a * top[c]
            x.B[r, c] -= a * low[c]
            x.D[r, c] -= b * low[c]


@inline
def add_force(x: Any, d: int, f: Any, row: Any) -> None:
    """One row of scaled efforts under unit efforts in the subtree, and the forces f handed to the parent."""
    inverse = x.d[d]
    s0, s1, s2, s3, s4, s5 = x.J[d, 0], x.J[d, 1], x.J[d, 2], x.J[d, 3], x.J[d, 4], x.J[d, 5]
    u0, u1, u2, u3, u4, u5 = x.U[d, 0], x.U[d, 1], x.U[d, 2], x.U[d, 3], x.U[d, 4], x.U[d, 5]
    for c in range(row.shape[0]):
        own = s0 * f[c, 0] + s1 * f[c, 1] + s2 * f[c, 2] + s3 * f[c, 3] + s4 * f[c, 4] + s5 * f[c, 5]
        rate = inverse * ((1.0 if c == 0 else 0.0) - own)
        row[c] = rate
        f[c, 0] += u0 * rate
        f[c, 1] += u1 * rate
        f[c, 2] += u2 * rate
        f[c, 3] += u3 * rate
        f[c, 4] += u4 * rate
        f[c, 5] += u5 * rate


@inline
def minverse_backward(joints: Any, work: Any, F: Any, Minv: Any) -> None:
    """Efforts left for each coordinate under unit efforts in its subtree; F (6, nv): what is handed down."""
    for i in range(joints.shape[0] - 1, 0, -1):
        joint, x = joints[i], work[i]
        last = joints[joint.last]
        end = last.idx_v + last.nv
        for back in range(joint.nv):
            d = joint.nv - 1 - back
            k = joint.idx_v + d
            eliminate_coordinate(joint, x, d)
            add_force(x, d, F[k:end], Minv[k][k:end])
        if joint.parent > 0:
            join_blocks(work[joint.parent], x)


@inline
def sweep_slots(joints: Any) -> Any:
    """Per joint the slot that holds its columns of accelerations; a last child takes its parent's."""
    slots = np.zeros(joints.shape[0], np.int64)
    for i in range(1, joints.shape[0]):
        up = joints[i].parent
        if up > 0:
            slots[i] = slots[up] if joints[i].last == joints[up].last else slots[up] + 1
    return slots


@inline
def copy_rows(to: Any, source: Any) -> None:
    """to = source, rows of six."""
    for c in range(to.shape[0]):
        for r in range(6):
            to[c, r] = source[c, r]


@inline
def add_acceleration(x: Any, d: int, p: Any, row: Any) -> None:
    """One row of M^-1 from the accelerations p of the body before, which becomes that of the body behind."""
    inverse = x.d[d]
    s0, s1, s2, s3, s4, s5 = x.J[d, 0], x.J[d, 1], x.J[d, 2], x.J[d, 3], x.J[d, 4], x.J[d, 5]
    u0, u1, u2, u3, u4, u5 = x.U[d, 0], x.U[d, 1], x.U[d, 2], x.U[d, 3], x.U[d, 4], x.U[d, 5]
    for c in range(row.shape[0]):
        p0, p1, p2, p3, p4, p5 = p[c, 0], p[c, 1], p[c, 2], p[c, 3], p[c, 4], p[c, 5]
        rate = row[c] - inverse * (u0 * p0 + u1 * p1 + u2 * p2 + u3 * p3 + u4 * p4 + u5 * p5)
        row[c] = rate
        p[c, 0] = p0 + s0 * rate
        p[c, 1] = p1 + s1 * rate
        p[c, 2] = p2 + s2 * rate
        p[c, 3] = p3 + s3 * rate
        p[c, 4] = p4 + s4 * rate
        p[c, 5] = p5 + s5 * rate


@inline
def minverse_forward(joints: Any, work: Any, slots: Any, P: Any, Minv: Any) -> None:
    """Accelerations under unit efforts; P (slots, nv, 6): of the bodies on the way to the joint."""
    end = 0
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        first = joint.idx_v
        if joint.parent == 0:
            last = joints[joint.last]
            end = last.idx_v + last.nv
            P[slots[i]][first:end] = 0.0
        elif slots[i] != slots[joint.parent]:
            copy_rows(P[slots[i]][first:end], P[slots[joint.parent]][first:end])
        for d in range(joint.nv):
            k = first + d
            add_acceleration(x, d, P[slots[i]][k:end], Minv[k][k:end])


@inline
def minverse_sweeps(joints: Any, work: Any, Minv: Any) -> None:
    """M^-1 by the sweeps; `place_tree` has run."""
    nv = Minv.shape[0]
    for r in range(nv):
        for c in range(nv):
            Minv[r, c] = 0.0
    for i in range(1, joints.shape[0]):
        start_blocks(work[i])
    minverse_backward(joints, work, np.zeros((nv, 6)), Minv)
    slots = sweep_slots(joints)
    minverse_forward(joints, work, slots, np.empty((slots.max() + 1, nv, 6)), Minv)
    for r in range(nv):
        for c in range(r + 1, nv):
            Minv[c, r] = Minv[r, c]


@kernel("joints", "work", "vector", "matrix", result=("nv", "nv"))
def minverse(joints: Any, work: Any, q: Any, Minv: Any) -> None:
    """M(q)^-1, full and symmetric, from the sparse factors of M."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_square(joints, Minv)
    place_tree(joints, work, q)
    M = Minv.copy()
    fill_mass_matrix(joints, work, M)
    parents = coordinate_parents(joints)
    factorise(parents, M)
    invert_rows(parents, M, Minv)


@kernel("joints", "work", "vector", "matrix", result=("nv", "nv"))
def minverse_deep(joints: Any, work: Any, q: Any, Minv: Any) -> None:
    """M(q)^-1, full and symmetric, by the sweeps; no joint may follow another."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_square(joints, Minv)
    check_independent(joints)
    place_tree(joints, work, q)
    minverse_sweeps(joints, work, Minv)
