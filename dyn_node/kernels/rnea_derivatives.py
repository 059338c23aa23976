"""Partial derivatives of inverse dynamics (Singh, Russell and Wensing 2022; see kernels.rate).

Derivatives with respect to q are along the tangent. A joint acts on the efforts of its ancestors and
of itself, and through its motion on those of its descendants; every pair is visited once.
"""

from __future__ import annotations

from typing import Any

from .crba import place_in_tree, place_inertia
from .engine import inline, kernel
from .joints import place_joint, row_dot
from .motion import cross_force, inertia_times
from .rate import (
    accelerate_in_tree,
    add_momentum,
    coriolis_times,
    coriolis_transposed,
    move_in_tree,
    put_rates,
    start_force,
    start_momentum,
    start_tree,
    subtract_external,
)
from .sizes import check_q, check_scratch, check_shape, check_square, check_v
from .vector import add, angular, linear, put_sum


@inline
def zero(A: Any) -> None:
    """A = 0."""
    for r in range(A.shape[0]):
        for c in range(A.shape[1]):
            A[r, c] = 0.0


@inline
def derivatives_forward(joints: Any, work: Any, q: Any, v: Any, a: Any) -> None:
    """Motions, rates of the motion subspaces, forces that the bodies need."""
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        place_joint(joint, q, x)
        place_in_tree(joint, up, x)
        place_inertia(joint, x)
        if joint.parent == 0:
            start_tree(joints, work, x)
        own_lin, own_ang = move_in_tree(joint, up, x, v)
        accelerate_in_tree(joint, up, x, own_lin, own_ang, a)
        put_rates(joint, up, x)
        start_momentum(x)
        start_force(x)


@inline
def dot3(a: Any, row: Any) -> Any:
    """a . the angular half of a six-vector."""
    return a[0] * row[3] + a[1] * row[4] + a[2] * row[5]


@inline
def derivatives_columns(joints: Any, work: Any, i: int, dq: Any, dv: Any, M: Any) -> None:
    """Entries of joint i against itself and all its ancestors."""
    joint, x = joints[i], work[i]
    for d in range(joint.nv):
        n = joint.idx_v + d
        lin, ang = linear(x.J[d]), angular(x.J[d])
        # What the subtree does to the ancestors when this coordinate moves: forces by q and by v.
        m_lin, m_ang = inertia_times(x.mass, x.h, x.I, lin, ang)
        turn = coriolis_transposed(x, lin, ang)
        q_lin, q_ang = coriolis_times(x, linear(x.psi[d]), angular(x.psi[d]))
        a_lin, a_ang = inertia_times(x.mass, x.h, x.I, linear(x.psi_rate[d]), angular(x.psi_rate[d]))
        f_lin, f_ang = cross_force(lin, ang, x.f_lin, x.f_ang)
        q_lin, q_ang = add(add(q_lin, a_lin), f_lin), add(add(q_ang, a_ang), f_ang)
        v_lin, v_ang = coriolis_times(x, lin, ang)
        a_lin, a_ang = inertia_times(x.mass, x.h, x.I, linear(x.drift[d]), angular(x.drift[d]))
        v_lin, v_ang = add(v_lin, a_lin), add(v_ang, a_ang)
        k = i
        while k > 0:
            first, y = joints[k].idx_v, work[k]
            for e in range(joints[k].nv):
                c = first + e
                dq[n, c] += dot3(turn, y.psi[e]) + row_dot(y.psi_rate, e, m_lin, m_ang)
                dv[n, c] += dot3(turn, y.J[e]) + row_dot(y.drift, e, m_lin, m_ang)
                entry = row_dot(y.J, e, m_lin, m_ang)
                M[n, c] += entry
                if k < i:
                    M[c, n] += entry
                    dq[c, n] += row_dot(y.J, e, q_lin, q_ang)
                    dv[c, n] += row_dot(y.J, e, v_lin, v_ang)
            k = joints[k].parent


@inline
def derivatives_backward(joints: Any, work: Any, dq: Any, dv: Any, M: Any) -> None:
    """All entries, from the leaves to the root."""
    zero(dq)
    zero(dv)
    zero(M)
    for i in range(joints.shape[0] - 1, 0, -1):
        joint, x = joints[i], work[i]
        derivatives_columns(joints, work, i, dq, dv, M)
        for d in range(joint.nv):
            M[joint.idx_v + d, joint.idx_v + d] += joint.armature[d]
        if joint.parent > 0:
            up = work[joint.parent]
            add_momentum(up, x)
            put_sum(up.f_lin, x.f_lin)
            put_sum(up.f_ang, x.f_ang)


@inline
def subtract_forces(joints: Any, work: Any, f_ext: Any) -> None:
    """Take the external forces, if there are any, off those that the bodies need."""
    if f_ext.shape[0] > 0:
        for i in range(1, joints.shape[0]):
            subtract_external(work[i], f_ext, i)


@inline
def check_derivatives(joints: Any, work: Any, q: Any, v: Any, a: Any, f_ext: Any, out: Any) -> None:
    """Sizes of the arguments."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_v(joints, a)
    if f_ext.shape[0] > 0:
        check_shape(f_ext, joints.shape[0], 6)
    if out.shape[0] != 3:
        raise ValueError("size of a stack")
    check_square(joints, out[0])


@kernel("joints", "work", "vector", "vector", "vector", "matrix", "stack", result=(3, "nv", "nv"))
def rnea_derivatives(joints: Any, work: Any, q: Any, v: Any, a: Any, f_ext: Any, out: Any) -> None:
    """out = d tau / dq, dv, da under external forces, none or one a joint, constant in the joints' frames."""
    check_derivatives(joints, work, q, v, a, f_ext, out)
    derivatives_forward(joints, work, q, v, a)
    subtract_forces(joints, work, f_ext)
    derivatives_backward(joints, work, out[0], out[1], out[2])
