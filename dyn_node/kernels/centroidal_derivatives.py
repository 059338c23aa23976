"""Derivatives of the centroidal momentum and of its rate (Carpentier and Mansard 2018).

When a joint turns by its column J, its subtree turns with it as one body, except that the parent's
velocity V and acceleration A do not: what the subtree's velocity lacks is psi = V x J, and its
acceleration xi = A x J + V x psi minus (own velocity) x psi. The rest is bookkeeping of forces.
"""

from __future__ import annotations

from typing import Any

from .center_of_mass import clear
from .centroidal import (
    add_force_column,
    add_moving,
    carry_columns,
    check_body,
    check_six,
    per_mass,
    start_moving_body,
    start_sums,
    times_composite,
    times_rate,
)
from .engine import inline, kernel
from .motion import cross_force, cross_motion
from .sizes import check_q, check_scratch, check_v
from .vector import add, angular, cross, linear, put, put_sum
from .world import accelerate_about


@inline
def plus(a: Any, b: Any) -> Any:
    """Sum of two pairs (linear, angular)."""
    return add(a[0], b[0]), add(a[1], b[1])


@inline
def times_bias(x: Any, lin: Any, ang: Any) -> Any:
    """B m of a subtree: how its force changes with a common change m of its velocities.

    Per body V x* I m - I (V x m) + m x* I V: the rate of the inertia, and the momentum carried.
    """
    carried = cross_force(lin, ang, linear(x.U[0]), angular(x.U[0]))
    return plus(times_rate(x, lin, ang), carried)


@inline
def fill_column(out: Any, up: Any, x: Any, d: int, column: int) -> None:
    """Column of coordinate d of a joint in the four derivatives."""
    lin, ang = linear(x.J[d]), angular(x.J[d])
    psi = cross_motion(up.v_lin, up.v_ang, lin, ang)
    xi = plus(
        cross_motion(up.a_lin, up.a_ang, lin, ang),
        cross_motion(up.v_lin, up.v_ang, psi[0], psi[1]),
    )
    momentum = plus(
        cross_force(lin, ang, linear(x.U[0]), angular(x.U[0])), times_composite(x, psi[0], psi[1])
    )
    add_force_column(out[0], column, momentum[0], momentum[1])
    force = plus(cross_force(lin, ang, x.f_lin, x.f_ang), times_composite(x, xi[0], xi[1]))
    force = plus(force, times_bias(x, psi[0], psi[1]))
    add_force_column(out[1], column, force[0], force[1])
    swept = plus(psi, cross_motion(x.v_lin, x.v_ang, lin, ang))
    force = plus(times_composite(x, swept[0], swept[1]), times_bias(x, lin, ang))
    add_force_column(out[2], column, force[0], force[1])
    force = times_composite(x, lin, ang)
    add_force_column(out[3], column, force[0], force[1])


@inline
def follow_centre(out: Any, A: Any, mass: Any, f: Any) -> None:
    """The centre of mass moves with q, by the linear rows of A / mass; moments of f change with it."""
    for k in range(A.shape[1]):
        slip = cross(per_mass(mass, (A[0, k], A[1, k], A[2, k])), f)
        for r in range(3):
            out[3 + r, k] -= slip[r]


@kernel("joints", "work", "vector", "vector", "vector", "stack", result=(4, 6, "nv"))
def centroidal_dynamics_derivatives(joints: Any, work: Any, q: Any, v: Any, a: Any, out: Any) -> None:
    """out (4, 6, nv): dh/dq, dh'/dq, dh'/dv, dh'/da, about the centre of mass."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_v(joints, a)
    check_body(out, 4)
    check_six(joints, out[0])
    start_sums(work)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        own_lin, own_ang = start_moving_body(joints, work, i, q, v)
        accelerate_about(joint, work[joint.parent], x, own_lin, own_ang, a)
        lin, ang = plus(
            times_composite(x, x.a_lin, x.a_ang),
            cross_force(x.v_lin, x.v_ang, linear(x.U[0]), angular(x.U[0])),
        )
        put(x.f_lin, lin)
        put(x.f_ang, ang)
    for k in range(4):
        clear(out[k])
    for i in range(joints.shape[0] - 1, 0, -1):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        for d in range(joint.nv):
            fill_column(out, up, x, d, joint.idx_v + d)
        add_moving(up, x)
        put_sum(up.f_lin, x.f_lin)
        put_sum(up.f_ang, x.f_ang)
    c = per_mass(work[0].mass, work[0].h)
    for k in range(4):
        carry_columns(out[k], c)
    follow_centre(out[0], out[3], work[0].mass, linear(work[0].U[0]))
    follow_centre(out[1], out[3], work[0].mass, linear(work[0].f_lin))
