"""Momentum about the centre of mass: value, matrix, rates, derivatives.

Orin and Goswami 2008 (the matrix), Wensing and Orin 2016 (its rate), Carpentier and Mansard 2018
(the pattern of the derivatives). Sums run in world axes about the origin of joint 1 (see
`kernels.world`) and are carried to the centre of mass at the end. In `work`, momenta of subtrees
are in U[0], forces in f_lin, f_ang, rates of rotational inertia in D.
"""

from __future__ import annotations

from typing import Any

from .center_of_mass import clear
from .crba import add_inertia, place_inertia
from .engine import inline, kernel
from .joints import subspace_times
from .kinematics import accelerate_joint, move_joint
from .motion import body_force, cross_motion, force_to_parent, inertia_times
from .sizes import check_q, check_scratch, check_shape, check_v
from .vector import add, angular, cross, dot, linear, put, put6, rotate, scale, sub
from .world import (
    move_about,
    place_about,
    place_columns,
    start_at_rest,
)

_ZERO = (0.0, 0.0, 0.0)


@inline
def check_six(joints: Any, A: Any) -> None:
    """A is (6, nv)."""
    check_shape(A, 6, joints[0].nv)


@inline
def check_body(out: Any, size: int) -> None:
    """out has this many entries."""
    if out.shape[0] != size:
        raise ValueError("size of the result")


@inline
def start_sums(work: Any) -> None:
    """The universe at rest, and nothing in its sums."""
    start_at_rest(work)
    x = work[0]
    put6(x.U[0], _ZERO, _ZERO)
    put(x.f_lin, _ZERO)
    put(x.f_ang, _ZERO)
    clear(x.I)
    clear(x.D)


@inline
def add_force_column(A: Any, column: int, lin: Any, ang: Any) -> None:
    """Six entries of a column; mimicking joints share theirs, hence the sum."""
    for r in range(3):
        A[r, column] += lin[r]
        A[3 + r, column] += ang[r]


@inline
def carry_columns(A: Any, c: Any) -> None:
    """Moments about the common point become moments about the point c."""
    for k in range(A.shape[1]):
        f0, f1, f2 = A[0, k], A[1, k], A[2, k]
        A[3, k] -= c[1] * f2 - c[2] * f1
        A[4, k] -= c[2] * f0 - c[0] * f2
        A[5, k] -= c[0] * f1 - c[1] * f0


@inline
def put_central_inertia(out: Any, x: Any, c: Any) -> None:
    """The whole robot as one body about its centre of mass: the ten numbers of `spatial.Inertia`."""
    out[0] = x.mass
    put(out[1:4], _ZERO)
    square = dot(c, c)
    out[4] = x.I[0, 0] - x.mass * (square - c[0] * c[0])
    out[5] = x.I[0, 1] + x.mass * c[0] * c[1]
    out[6] = x.I[1, 1] - x.mass * (square - c[1] * c[1])
    out[7] = x.I[0, 2] + x.mass * c[0] * c[2]
    out[8] = x.I[1, 2] + x.mass * c[1] * c[2]
    out[9] = x.I[2, 2] - x.mass * (square - c[2] * c[2])


@inline
def times_composite(x: Any, lin: Any, ang: Any) -> Any:
    """Composite inertia of a subtree times a motion."""
    return inertia_times(x.mass, x.h, x.I, lin, ang)


@inline
def per_mass(mass: Any, a: Any) -> Any:
    """a / mass; zero of a robot without mass, whose momentum is taken about the common point."""
    if mass == 0.0:
        return _ZERO
    return (a[0] / mass, a[1] / mass, a[2] / mass)


@inline
def fill_map(joints: Any, work: Any, q: Any, A: Any) -> None:
    """A = the centroidal momentum matrix; composite inertias are left in `work`, record 0's is all."""
    clear(A)
    start_sums(work)
    for i in range(1, joints.shape[0]):
        place_about(joints, work, i, q)
        place_columns(joints[i], work[i])
        place_inertia(joints[i], work[i])
    for i in range(joints.shape[0] - 1, 0, -1):
        joint, x = joints[i], work[i]
        for d in range(joint.nv):
            lin, ang = times_composite(x, linear(x.J[d]), angular(x.J[d]))
            add_force_column(A, joint.idx_v + d, lin, ang)
        add_inertia(work[joint.parent], x)
    carry_columns(A, per_mass(work[0].mass, work[0].h))


@kernel("joints", "work", "vector", "matrix", result=(6, "nv"))
def centroidal_map(joints: Any, work: Any, q: Any, A: Any) -> None:
    """A v is the momentum about the centre of mass."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_six(joints, A)
    fill_map(joints, work, q, A)


@kernel("joints", "work", "vector", "vector", "matrix", "vector", result=((6, "nv"), (16,)), value=True)
def ccrba(joints: Any, work: Any, q: Any, v: Any, A: Any, rest: Any) -> None:
    """As `centroidal_map`, with rest[:6] = A v and rest[6:] = the locked robot's inertia there."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_six(joints, A)
    check_body(rest, 16)
    fill_map(joints, work, q, A)
    put_central_inertia(rest[6:], work[0], per_mass(work[0].mass, work[0].h))
    for r in range(6):
        rest[r] = 0.0
        for k in range(v.shape[0]):
            rest[r] += A[r, k] * v[k]


@inline
def put_inertia_rate(x: Any) -> None:
    """D = rate of the body's rotational inertia about the common point, under its own velocity.

    Turning: w^ I + (w^ I)^T. Moving: what m (c.c 1 - c c^T) gains, 2 (h.v) 1 - h v^T - v h^T.
    """
    w, v, h, A = x.v_ang, x.v_lin, x.h, x.I
    m0 = cross(w, (A[0, 0], A[1, 0], A[2, 0]))
    m1 = cross(w, (A[0, 1], A[1, 1], A[2, 1]))
    m2 = cross(w, (A[0, 2], A[1, 2], A[2, 2]))
    twice = 2.0 * dot(h, v)
    x.D[0, 0] = 2.0 * (m0[0] - h[0] * v[0]) + twice
    x.D[1, 1] = 2.0 * (m1[1] - h[1] * v[1]) + twice
    x.D[2, 2] = 2.0 * (m2[2] - h[2] * v[2]) + twice
    x.D[0, 1] = x.D[1, 0] = m0[1] + m1[0] - h[0] * v[1] - h[1] * v[0]
    x.D[0, 2] = x.D[2, 0] = m0[2] + m2[0] - h[0] * v[2] - h[2] * v[0]
    x.D[1, 2] = x.D[2, 1] = m1[2] + m2[1] - h[1] * v[2] - h[2] * v[1]


@inline
def start_moving_body(joints: Any, work: Any, i: int, q: Any, v: Any) -> Any:
    """Placement, columns, inertia and its rate, velocity and momentum; returns J v."""
    joint, x = joints[i], work[i]
    place_about(joints, work, i, q)
    place_columns(joint, x)
    place_inertia(joint, x)
    own_lin, own_ang = move_about(joint, work[joint.parent], x, v)
    put_inertia_rate(x)
    lin, ang = times_composite(x, x.v_lin, x.v_ang)
    put6(x.U[0], lin, ang)
    return own_lin, own_ang


@inline
def add_moving(up: Any, x: Any) -> None:
    """Inertia, its rate and momentum of a subtree join its parent's."""
    add_inertia(up, x)
    for r in range(6):
        up.U[0, r] += x.U[0, r]
    for r in range(3):
        for c in range(3):
            up.D[r, c] += x.D[r, c]


@inline
def times_rate(x: Any, lin: Any, ang: Any) -> Any:
    """Rate of a subtree's composite inertia times a motion: its first moment's rate is momentum."""
    return inertia_times(0.0, linear(x.U[0]), x.D, lin, ang)


@kernel(
    "joints", "work", "vector", "vector", "matrix", "vector", "matrix",
    result=((6, "nv"), (16,), (6, "nv")), value=True,
)  # fmt: skip
def dccrba(joints: Any, work: Any, q: Any, v: Any, A: Any, rest: Any, rate: Any) -> None:
    """As `ccrba`, and rate = dA/dt."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_six(joints, A)
    check_six(joints, rate)
    check_body(rest, 16)
    clear(A)
    clear(rate)
    start_sums(work)
    for i in range(1, joints.shape[0]):
        start_moving_body(joints, work, i, q, v)
    for i in range(joints.shape[0] - 1, 0, -1):
        joint, x = joints[i], work[i]
        for d in range(joint.nv):
            j_lin, j_ang = linear(x.J[d]), angular(x.J[d])
            lin, ang = times_composite(x, j_lin, j_ang)
            add_force_column(A, joint.idx_v + d, lin, ang)
            lin, ang = times_rate(x, j_lin, j_ang)
            add_force_column(rate, joint.idx_v + d, lin, ang)
            j_lin, j_ang = cross_motion(x.v_lin, x.v_ang, j_lin, j_ang)
            lin, ang = times_composite(x, j_lin, j_ang)
            add_force_column(rate, joint.idx_v + d, lin, ang)
        add_moving(work[joint.parent], x)
    whole = work[0]
    c = per_mass(whole.mass, whole.h)
    h = whole.U[0]
    velocity = per_mass(whole.mass, h)
    for k in range(v.shape[0]):
        slip = cross(velocity, (A[0, k], A[1, k], A[2, k]))
        for r in range(3):
            rate[3 + r, k] -= slip[r]
    carry_columns(A, c)
    carry_columns(rate, c)
    put6(rest, linear(h), sub(angular(h), cross(c, linear(h))))
    put_central_inertia(rest[6:], whole, c)


@inline
def put_about_centre(work: Any, lin: Any, ang: Any, h: Any, mass: Any, out: Any) -> None:
    """A force about the common point, moved to the centre of mass h / mass."""
    put6(out, lin, sub(ang, cross(per_mass(mass, h), lin)))


@inline
def first_moment(joint: Any, x: Any) -> Any:
    """Mass times centre of the joint's body, about the common point."""
    return add(rotate(x.R, joint.h), scale(joint.mass, x.p))


@kernel("joints", "work", "vector", "vector", "vector", result=(6,), value=True)
def centroidal_momentum(joints: Any, work: Any, q: Any, v: Any, out: Any) -> None:
    """Momentum (6,) about the centre of mass, world axes."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_body(out, 6)
    start_at_rest(work)
    mass, h, lin, ang = 0.0, _ZERO, _ZERO, _ZERO
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_about(joints, work, i, q)
        move_joint(joint, work[joint.parent], x, v)
        p, n = inertia_times(joint.mass, joint.h, joint.I, x.v_lin, x.v_ang)
        p, n = force_to_parent(x.R, x.p, p, n)
        lin, ang = add(lin, p), add(ang, n)
        mass, h = mass + joint.mass, add(h, first_moment(joint, x))
    put_about_centre(work, lin, ang, h, mass, out)


@kernel("joints", "work", "vector", "vector", "vector", "vector", result=(6,), value=True)
def centroidal_momentum_rate(joints: Any, work: Any, q: Any, v: Any, a: Any, out: Any) -> None:
    """Rate (6,) of the momentum about the centre of mass: the wrench that acts on the robot."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_v(joints, a)
    check_body(out, 6)
    start_at_rest(work)
    mass, h, lin, ang = 0.0, _ZERO, _ZERO, _ZERO
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        place_about(joints, work, i, q)
        own_lin, own_ang = move_joint(joint, up, x, v)
        a_lin, a_ang = subspace_times(joint, x, a)
        accelerate_joint(joint, up, x, own_lin, own_ang, a_lin, a_ang)
        f, n = body_force(joint, x.v_lin, x.v_ang, x.a_lin, x.a_ang)
        f, n = force_to_parent(x.R, x.p, f, n)
        lin, ang = add(lin, f), add(ang, n)
        mass, h = mass + joint.mass, add(h, first_moment(joint, x))
    put_about_centre(work, lin, ang, h, mass, out)
