"""Forward dynamics by the articulated-body algorithm (Featherstone 2008, chapter 7).

A joint of several degrees of freedom is eliminated one velocity coordinate after the other: its
columns of S share a frame, so that this equals the block elimination and needs no small solver.
Where a joint follows another this elimination does not hold; `algorithms.dynamics` solves M a = b.
"""

from __future__ import annotations

from typing import Any

from .engine import inline, kernel
from .joints import place_joint, row_dot
from .kinematics import move_joint
from .motion import cross_force, cross_motion, force_to_parent, inertia_times, motion_to_child
from .rnea import start_from_gravity
from .sizes import check_independent, check_q, check_scratch, check_shape, check_v
from .vector import add, cross, put, put_sum, rotate, scale, sub, unrotate


@inline
def start_body(joint: Any, x: Any) -> None:
    """The articulated inertia starts as the body's own, in blocks [[A, B], [B^T, D]]."""
    h, m = joint.h, joint.mass
    for r in range(3):
        for c in range(3):
            x.A[r, c] = m if r == c else 0.0
            x.D[r, c] = joint.I[r, c]
        x.B[r, r] = 0.0
    x.B[0, 1], x.B[0, 2] = h[2], -h[1]
    x.B[1, 0], x.B[1, 2] = -h[2], h[0]
    x.B[2, 0], x.B[2, 1] = h[1], -h[0]


@inline
def aba_forward(joints: Any, work: Any, q: Any, v: Any) -> None:
    """Placements, velocities, the velocity's share of the accelerations and forces."""
    start_from_gravity(joints, work)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_joint(joint, q, x)
        own_lin, own_ang = move_joint(joint, work[joint.parent], x, v)
        c_lin, c_ang = cross_motion(x.v_lin, x.v_ang, own_lin, own_ang)
        put(x.a_lin, c_lin)
        put(x.a_ang, c_ang)
        start_body(joint, x)
        m_lin, m_ang = inertia_times(joint.mass, joint.h, joint.I, x.v_lin, x.v_ang)
        f_lin, f_ang = cross_force(x.v_lin, x.v_ang, m_lin, m_ang)
        put(x.f_lin, f_lin)
        put(x.f_ang, f_ang)


@inline
def times_articulated(x: Any, lin: Any, ang: Any) -> Any:
    """Articulated inertia times a motion."""
    return add(rotate(x.A, lin), rotate(x.B, ang)), add(unrotate(x.B, lin), rotate(x.D, ang))


@inline
def eliminate(joint: Any, x: Any, tau: Any) -> None:
    """Take the joint's own freedom out of its articulated inertia and bias force."""
    for back in range(joint.nv):
        d = joint.nv - 1 - back
        S, U = x.S[d], x.U[d]
        lin, ang = times_articulated(x, (S[0], S[1], S[2]), (S[3], S[4], S[5]))
        for r in range(3):
            U[r] = lin[r]
            U[3 + r] = ang[r]
        inverse = 1.0 / (row_dot(x.S, d, lin, ang) + joint.armature[d])
        x.d[d] = inverse
        x.u[d] = tau[joint.idx_v + d] - row_dot(x.S, d, x.f_lin, x.f_ang)
        for r in range(3):
            top, bottom = U[r] * inverse, U[3 + r] * inverse
            for c in range(3):
                x.A[r, c] -= top * U[c]
                x.B[r, c] -= top * U[3 + c]
                x.D[r, c] -= bottom * U[3 + c]
            x.f_lin[r] += top * x.u[d]
            x.f_ang[r] += bottom * x.u[d]


@inline
def conjugate(R: Any, A: Any) -> Any:
    """R A R^T as nine entries, row by row."""
    a = rotate(R, (A[0, 0], A[1, 0], A[2, 0]))
    b = rotate(R, (A[0, 1], A[1, 1], A[2, 1]))
    c = rotate(R, (A[0, 2], A[1, 2], A[2, 2]))
    x = rotate(R, (a[0], b[0], c[0]))
    y = rotate(R, (a[1], b[1], c[1]))
    z = rotate(R, (a[2], b[2], c[2]))
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]


@inline
def hand_down(up: Any, x: Any) -> None:
    """Add a joint's articulated inertia and bias force to its parent's.

    With P = [p]x: A' = A, B' = B - A P, D' = D - B^T P + P B', all turned into the parent's axes.
    """
    p = x.li_p
    A = conjugate(x.li_R, x.A)
    B = conjugate(x.li_R, x.B)
    D = conjugate(x.li_R, x.D)
    # A row times P is the row crossed with p.
    b0 = sub((B[0], B[1], B[2]), cross((A[0], A[1], A[2]), p))
    b1 = sub((B[3], B[4], B[5]), cross((A[3], A[4], A[5]), p))
    b2 = sub((B[6], B[7], B[8]), cross((A[6], A[7], A[8]), p))
    d0 = sub((D[0], D[1], D[2]), cross((B[0], B[3], B[6]), p))
    d1 = sub((D[3], D[4], D[5]), cross((B[1], B[4], B[7]), p))
    d2 = sub((D[6], D[7], D[8]), cross((B[2], B[5], B[8]), p))
    add_row(up, 0, (A[0], A[1], A[2]), b0, add(d0, sub(scale(p[1], b2), scale(p[2], b1))))
    add_row(up, 1, (A[3], A[4], A[5]), b1, add(d1, sub(scale(p[2], b0), scale(p[0], b2))))
    add_row(up, 2, (A[6], A[7], A[8]), b2, add(d2, sub(scale(p[0], b1), scale(p[1], b0))))
    f_lin, f_ang = times_articulated(x, x.a_lin, x.a_ang)
    f_lin, f_ang = force_to_parent(x.li_R, p, add(f_lin, x.f_lin), add(f_ang, x.f_ang))
    put_sum(up.f_lin, f_lin)
    put_sum(up.f_ang, f_ang)


@inline
def add_row(up: Any, r: int, a: Any, b: Any, d: Any) -> None:
    """Add one row to each block of the parent's articulated inertia."""
    for c in range(3):
        up.A[r, c] += a[c]
        up.B[r, c] += b[c]
        up.D[r, c] += d[c]


@inline
def aba_backward(joints: Any, work: Any, tau: Any) -> None:
    """Articulated inertias and bias forces, from the leaves to the root."""
    for i in range(joints.shape[0] - 1, 0, -1):
        joint, x = joints[i], work[i]
        eliminate(joint, x, tau)
        if joint.parent > 0:
            hand_down(work[joint.parent], x)


@inline
def aba_accelerations(joints: Any, work: Any, ddq: Any) -> None:
    """Accelerations, from the root to the leaves."""
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        lin, ang = motion_to_child(x.li_R, x.li_p, up.a_lin, up.a_ang)
        put_sum(x.a_lin, lin)
        put_sum(x.a_ang, ang)
        for d in range(joint.nv):
            rate = x.d[d] * (x.u[d] - row_dot(x.U, d, x.a_lin, x.a_ang))
            ddq[joint.idx_v + d] = rate
            for r in range(3):
                x.a_lin[r] += x.S[d, r] * rate
                x.a_ang[r] += x.S[d, 3 + r] * rate


@kernel("joints", "work", "vector", "vector", "vector", "vector", result=("nv",))
def aba(joints: Any, work: Any, q: Any, v: Any, tau: Any, ddq: Any) -> None:
    """ddq = M(q)^-1 (tau - C(q, v) v - g(q))."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_v(joints, tau)
    check_v(joints, ddq)
    check_independent(joints)
    aba_forward(joints, work, q, v)
    aba_backward(joints, work, tau)
    aba_accelerations(joints, work, ddq)


@kernel("joints", "work", "vector", "vector", "vector", "matrix", "vector", result=("nv",))
def aba_external(joints: Any, work: Any, q: Any, v: Any, tau: Any, f_ext: Any, ddq: Any) -> None:
    """ddq = M(q)^-1 (tau + sum J^T f_ext - C(q, v) v - g(q)); row i in joint i's own frame."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_v(joints, tau)
    check_v(joints, ddq)
    check_independent(joints)
    check_shape(f_ext, joints.shape[0], 6)
    aba_forward(joints, work, q, v)
    for i in range(1, joints.shape[0]):
        x = work[i]
        put(x.f_lin, sub(x.f_lin, (f_ext[i, 0], f_ext[i, 1], f_ext[i, 2])))
        put(x.f_ang, sub(x.f_ang, (f_ext[i, 3], f_ext[i, 4], f_ext[i, 5])))
    aba_backward(joints, work, tau)
    aba_accelerations(joints, work, ddq)
