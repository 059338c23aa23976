"""Velocities and their effect on inertias, in the axes and about the origin of each tree's first joint.

A joint's motion subspace J moves with its body; psi = v_parent x J and psi_rate = a_parent x J +
v_parent x psi are its rates as a displacement, in the notation of S. Singh, R. Russell and P. Wensing,
"Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra", RA-L 2022.
"""

from __future__ import annotations

from typing import Any

from .crba import add_inertia
from .engine import inline
from .motion import cross_force, cross_motion, inertia_times
from .vector import add, angular, cross, dot, linear, put, put6, put_sum, rotate, scale, sub, unrotate

_ZERO = (0.0, 0.0, 0.0)


@inline
def start_tree(joints: Any, work: Any, x: Any) -> None:
    """The universe as the parent of a tree: at rest, accelerated by -g, in the axes of the tree."""
    put(work[0].v_lin, _ZERO)
    put(work[0].v_ang, _ZERO)
    put(work[0].a_lin, scale(-1.0, unrotate(x.li_R, joints[0].gravity)))
    put(work[0].a_ang, _ZERO)


@inline
def columns_times(joint: Any, x: Any, v: Any) -> Any:
    """J v of one joint."""
    lin, ang = _ZERO, _ZERO
    for d in range(joint.nv):
        rate = v[joint.idx_v + d]
        lin = add(lin, scale(rate, linear(x.J[d])))
        ang = add(ang, scale(rate, angular(x.J[d])))
    return lin, ang


@inline
def move_in_tree(joint: Any, up: Any, x: Any, v: Any) -> Any:
    """Velocity of a joint; returns its own part."""
    own_lin, own_ang = columns_times(joint, x, v)
    put(x.v_lin, add(up.v_lin, own_lin))
    put(x.v_ang, add(up.v_ang, own_ang))
    return own_lin, own_ang


@inline
def accelerate_in_tree(joint: Any, up: Any, x: Any, own_lin: Any, own_ang: Any, a: Any) -> None:
    """Acceleration of a joint whose velocity is set."""
    lin, ang = columns_times(joint, x, a)
    c_lin, c_ang = cross_motion(up.v_lin, up.v_ang, own_lin, own_ang)
    put(x.a_lin, add(add(up.a_lin, lin), c_lin))
    put(x.a_ang, add(add(up.a_ang, ang), c_ang))


@inline
def outer_sum(E: Any, s: Any, a: Any, b: Any) -> None:
    """E += s (a b^T + b a^T)."""
    for r in range(3):
        for c in range(3):
            E[r, c] += s * (a[r] * b[c] + b[r] * a[c])


@inline
def start_momentum(x: Any) -> None:
    """Momentum of a body, and the symmetric part E of its Coriolis block.

    Twice the B of Echeandia and Wensing 2021 is [[0, -2 m_lin x], [0, E - m_ang x]] with
    E = w x I + (w x I)^T - (v x h x + h x v x).
    """
    m_lin, m_ang = inertia_times(x.mass, x.h, x.I, x.v_lin, x.v_ang)
    put(x.m_lin, m_lin)
    put(x.m_ang, m_ang)
    E, w = x.E, x.v_ang
    for c in range(3):
        turned = cross(w, (x.I[0, c], x.I[1, c], x.I[2, c]))
        for r in range(3):
            E[r, c] = turned[r]
    for r in range(3):
        for c in range(r):
            E[r, c] = E[r, c] + E[c, r]
            E[c, r] = E[r, c]
        E[r, r] = 2.0 * E[r, r]
    trace = 2.0 * dot(x.v_lin, x.h)
    for r in range(3):
        E[r, r] += trace
    outer_sum(E, -1.0, x.v_lin, x.h)


@inline
def start_force(x: Any) -> None:
    """The force that a body needs: I a + v x* momentum."""
    f_lin, f_ang = inertia_times(x.mass, x.h, x.I, x.a_lin, x.a_ang)
    g_lin, g_ang = cross_force(x.v_lin, x.v_ang, x.m_lin, x.m_ang)
    put(x.f_lin, add(f_lin, g_lin))
    put(x.f_ang, add(f_ang, g_ang))


@inline
def subtract_external(x: Any, f_ext: Any, i: int) -> None:
    """Take row i of the external forces, in the joint's own frame, off the force that a body needs."""
    lin = rotate(x.R, (f_ext[i, 0], f_ext[i, 1], f_ext[i, 2]))
    ang = add(rotate(x.R, (f_ext[i, 3], f_ext[i, 4], f_ext[i, 5])), cross(x.p, lin))
    put(x.f_lin, sub(x.f_lin, lin))
    put(x.f_ang, sub(x.f_ang, ang))


@inline
def coriolis_times(x: Any, lin: Any, ang: Any) -> Any:
    """2 B times a motion: (force, moment)."""
    return scale(2.0, cross(ang, x.m_lin)), add(rotate(x.E, ang), cross(ang, x.m_ang))


@inline
def coriolis_transposed(x: Any, lin: Any, ang: Any) -> Any:
    """The moment of (2 B)^T times a motion; its force is zero."""
    return add(add(scale(2.0, cross(x.m_lin, lin)), rotate(x.E, ang)), cross(x.m_ang, ang))


@inline
def add_momentum(up: Any, x: Any) -> None:
    """Inertia, momentum and Coriolis block of a subtree join its parent's."""
    add_inertia(up, x)
    put_sum(up.m_lin, x.m_lin)
    put_sum(up.m_ang, x.m_ang)
    for r in range(3):
        for c in range(3):
            up.E[r, c] += x.E[r, c]


@inline
def put_rates(joint: Any, up: Any, x: Any) -> None:
    """psi, psi_rate and drift = (v_parent + v) x J of a joint."""
    both_lin, both_ang = add(up.v_lin, x.v_lin), add(up.v_ang, x.v_ang)
    for d in range(joint.nv):
        lin, ang = linear(x.J[d]), angular(x.J[d])
        p_lin, p_ang = cross_motion(up.v_lin, up.v_ang, lin, ang)
        put6(x.psi[d], p_lin, p_ang)
        a_lin, a_ang = cross_motion(up.a_lin, up.a_ang, lin, ang)
        c_lin, c_ang = cross_motion(up.v_lin, up.v_ang, p_lin, p_ang)
        put6(x.psi_rate[d], add(a_lin, c_lin), add(a_ang, c_ang))
        d_lin, d_ang = cross_motion(both_lin, both_ang, lin, ang)
        put6(x.drift[d], d_lin, d_ang)
