"""The Coriolis matrix C with C v = the velocity's efforts and C + C^T = dM/dt.

S. Echeandia and P. Wensing, "Numerical methods to compute the Coriolis matrix and Christoffel symbols
for rigid-body systems", 2021: composite Coriolis blocks beside composite inertias.
"""

from __future__ import annotations

from typing import Any

from .crba import place_in_tree, place_inertia
from .engine import inline, kernel
from .joints import place_joint, row_dot
from .motion import cross_motion, inertia_times
from .rate import (
    add_momentum,
    coriolis_times,
    coriolis_transposed,
    move_in_tree,
    start_momentum,
    start_tree,
)
from .sizes import check_q, check_scratch, check_square, check_v
from .vector import add, angular, linear, put6, scale


@inline
def coriolis_columns(joints: Any, work: Any, i: int, C: Any) -> None:
    """Entries of joint i against itself and all its ancestors."""
    joint, x = joints[i], work[i]
    for d in range(joint.nv):
        n = joint.idx_v + d
        lin, ang = linear(x.J[d]), angular(x.J[d])
        m_lin, m_ang = inertia_times(x.mass, x.h, x.I, lin, ang)
        turn = scale(0.5, coriolis_transposed(x, lin, ang))
        b_lin, b_ang = coriolis_times(x, lin, ang)
        f_lin, f_ang = inertia_times(x.mass, x.h, x.I, linear(x.drift[d]), angular(x.drift[d]))
        f_lin, f_ang = add(f_lin, scale(0.5, b_lin)), add(f_ang, scale(0.5, b_ang))
        k = i
        while k > 0:
            first, y = joints[k].idx_v, work[k]
            for e in range(joints[k].nv):
                row = y.J[e]
                own = turn[0] * row[3] + turn[1] * row[4] + turn[2] * row[5]
                C[n, first + e] += own + row_dot(y.drift, e, m_lin, m_ang)
                if k < i:
                    C[first + e, n] += row_dot(y.J, e, f_lin, f_ang)
            k = joints[k].parent


@kernel("joints", "work", "vector", "vector", "matrix", result=("nv", "nv"))
def coriolis_matrix(joints: Any, work: Any, q: Any, v: Any, C: Any) -> None:
    """C(q, v)."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_square(joints, C)
    for r in range(C.shape[0]):
        for c in range(C.shape[0]):
            C[r, c] = 0.0
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        place_joint(joint, q, x)
        place_in_tree(joint, up, x)
        place_inertia(joint, x)
        if joint.parent == 0:
            start_tree(joints, work, x)
        move_in_tree(joint, up, x, v)
        start_momentum(x)
        for d in range(joint.nv):
            lin, ang = cross_motion(x.v_lin, x.v_ang, linear(x.J[d]), angular(x.J[d]))
            put6(x.drift[d], lin, ang)
    for i in range(joints.shape[0] - 1, 0, -1):
        coriolis_columns(joints, work, i, C)
        if joints[i].parent > 0:
            add_momentum(work[joints[i].parent], work[i])
