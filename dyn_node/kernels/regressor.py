"""Regressors: what is linear in the inertial parameters, as a matrix times the parameters.

Ten numbers a body: m, m cx, m cy, m cz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz, about the joint's origin, in
its axes (Atkeson, An and Hollerbach 1986; Wensing, Kim and Slotine 2018). Bodies one after the
other from joint 1.
"""

from __future__ import annotations

from typing import Any

from .center_of_mass import clear
from .engine import inline, kernel
from .joints import place_joint, subspace_times
from .kinematics import accelerate_joint, move_joint, place_in_world
from .motion import motion_to_child
from .rnea import start_from_gravity
from .sizes import check_q, check_scratch, check_shape, check_v
from .vector import add, angular, cross, dot, linear, put, unrotate
from .world import place_about, place_columns, start_at_rest

_ZERO = (0.0, 0.0, 0.0)


@inline
def add_quadratic(out: Any, k: int, a: Any, b: Any) -> None:
    """out[k:k+6] += coefficients of xx, xy, yy, xz, yz, zz in a . I b."""
    out[k] += a[0] * b[0]
    out[k + 1] += a[0] * b[1] + a[1] * b[0]
    out[k + 2] += a[1] * b[1]
    out[k + 3] += a[0] * b[2] + a[2] * b[0]
    out[k + 4] += a[1] * b[2] + a[2] * b[1]
    out[k + 5] += a[2] * b[2]


@inline
def add_power(out: Any, k: int, lin: Any, ang: Any, point: Any, alpha: Any, w: Any) -> None:
    """out[k:k+10] += coefficients of the power of a body's force on the motion (lin, ang).

    point: classical acceleration of the origin, less gravity; alpha, w: angular acceleration and
    velocity. The force is m point + alpha x h + w x (w x h), the moment h x point + I alpha + w x I w.
    """
    out[k] += dot(lin, point)
    first = add(cross(lin, alpha), add(cross(w, cross(w, lin)), cross(point, ang)))
    out[k + 1] += first[0]
    out[k + 2] += first[1]
    out[k + 3] += first[2]
    add_quadratic(out, k + 4, ang, alpha)
    add_quadratic(out, k + 4, cross(ang, w), w)


@inline
def point_acceleration(x: Any) -> Any:
    """Classical acceleration of a joint's origin, in its own axes."""
    return add(x.a_lin, cross(x.v_ang, x.v_lin))


@inline
def check_bodies(joints: Any, columns: int, each: int) -> None:
    """So many columns for each body."""
    if columns != each * (joints.shape[0] - 1):
        raise ValueError("size of a regressor")


@kernel("joints", "work", "vector", "vector", "vector", "matrix", result=("nv", "10 * len(0) - 10"))
def joint_torque_regressor(joints: Any, work: Any, q: Any, v: Any, a: Any, Y: Any) -> None:
    """Y (nv, 10 bodies): Y parameters = rnea(q, v, a) without armature."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_v(joints, a)
    check_shape(Y, v.shape[0], 10 * (joints.shape[0] - 1))
    clear(Y)
    start_at_rest(work)
    start_from_gravity(joints, work)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        place_about(joints, work, i, q)
        place_columns(joint, x)
        own_lin, own_ang = move_joint(joint, up, x, v)
        a_lin, a_ang = subspace_times(joint, x, a)
        accelerate_joint(joint, up, x, own_lin, own_ang, a_lin, a_ang)
        point = point_acceleration(x)
        k = i
        while k > 0:
            for d in range(joints[k].nv):
                J = work[k].J[d]
                lin, ang = motion_to_child(x.R, x.p, linear(J), angular(J))
                row = Y[joints[k].idx_v + d]
                add_power(row, 10 * (i - 1), lin, ang, point, x.a_ang, x.v_ang)
            k = joints[k].parent


@kernel("vector", "vector", "matrix", result=(6, 10))
def body_regressor(v: Any, a: Any, Y: Any) -> None:
    """Y (6, 10) of one body: Y parameters = I a + v x* I v."""
    check_shape(Y, 6, 10)
    if v.shape[0] != 6 or a.shape[0] != 6:
        raise ValueError("size of a motion")
    clear(Y)
    w, alpha = angular(v), angular(a)
    point = add(linear(a), cross(w, linear(v)))
    for r in range(3):
        axis = (1.0 if r == 0 else 0.0, 1.0 if r == 1 else 0.0, 1.0 if r == 2 else 0.0)
        add_power(Y[r], 0, axis, _ZERO, point, alpha, w)
        add_power(Y[3 + r], 0, _ZERO, axis, point, alpha, w)


@kernel("joints", "work", "vector", "matrix", result=(3, "4 * len(0) - 4"))
def static_regressor(joints: Any, work: Any, q: Any, Y: Any) -> None:
    """Y (3, 4 bodies): Y (m, m c) = centre of mass, in the world."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_shape(Y, 3, 4 * (joints.shape[0] - 1))
    mass = 0.0
    for i in range(1, joints.shape[0]):
        mass += joints[i].mass
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_joint(joint, q, x)
        place_in_world(joint, work[joint.parent], x)
        for r in range(3):
            Y[r, 4 * i - 4] = x.p[r] / mass
            for c in range(3):
                Y[r, 4 * i - 3 + c] = x.R[r, c] / mass


@kernel("joints", "work", "vector", "vector", "vector", result=("10 * len(0) - 10",))
def kinetic_energy_regressor(joints: Any, work: Any, q: Any, v: Any, y: Any) -> None:
    """y (10 bodies,): y . parameters = kinetic energy without armature."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_bodies(joints, y.shape[0], 10)
    put(work[0].v_lin, _ZERO)
    put(work[0].v_ang, _ZERO)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_joint(joint, q, x)
        move_joint(joint, work[joint.parent], x, v)
        k = 10 * (i - 1)
        lin, ang = x.v_lin, x.v_ang
        y[k] = 0.5 * dot(lin, lin)
        put(y[k + 1 : k + 4], cross(lin, ang))
        y[k + 4], y[k + 6], y[k + 9] = (
            0.5 * ang[0] * ang[0],
            0.5 * ang[1] * ang[1],
            0.5 * ang[2] * ang[2],
        )
        y[k + 5], y[k + 7], y[k + 8] = ang[0] * ang[1], ang[0] * ang[2], ang[1] * ang[2]


@kernel("joints", "work", "vector", "vector", result=("10 * len(0) - 10",))
def potential_energy_regressor(joints: Any, work: Any, q: Any, y: Any) -> None:
    """y (10 bodies,): y . parameters = potential energy."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_bodies(joints, y.shape[0], 10)
    gravity = joints[0].gravity
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_joint(joint, q, x)
        place_in_world(joint, work[joint.parent], x)
        k = 10 * (i - 1)
        y[k] = -dot(gravity, x.p)
        own = unrotate(x.R, gravity)
        for r in range(3):
            y[k + 1 + r] = -own[r]
        for r in range(4, 10):
            y[k + r] = 0.0
