"""Centres of mass, whole and of subtrees: position, velocity, acceleration, Jacobian, derivatives.

Work in world axes about the origin of joint 1 (see `kernels.world`). Subtrees are numbered by the
record that they start with; the whole is that of record 0.
"""

from __future__ import annotations

from typing import Any

from .engine import inline, kernel
from .frames import triple
from .joints import place_joint, subspace_times
from .kinematics import accelerate_joint, move_joint
from .sizes import check_q, check_scratch, check_shape, check_v
from .vector import add, angular, cross, linear, put, put_sum, rotate, scale, sub
from .world import (
    add_mass,
    centre,
    move_about,
    place_about,
    place_columns,
    place_mass,
    start_at_rest,
)


@inline
def check_three(out: Any) -> None:
    """out has three entries."""
    if out.shape[0] != 3:
        raise ValueError("size of the result")


@inline
def check_rows(joints: Any, out: Any, orders: int) -> None:
    """out is (orders, records, 3)."""
    if out.shape[0] != orders:
        raise ValueError("size of the result")
    check_shape(out[0], joints.shape[0], 3)


@inline
def body_momentum(joint: Any, x: Any) -> Any:
    """Linear momentum of the joint's body, in its own axes."""
    return sub(scale(joint.mass, x.v_lin), cross(joint.h, x.v_ang))


@inline
def body_force_linear(joint: Any, x: Any, momentum: Any) -> Any:
    """Rate of the linear momentum of the joint's body, in its own axes."""
    steady = sub(scale(joint.mass, x.a_lin), cross(joint.h, x.a_ang))
    return add(steady, cross(x.v_ang, momentum))


@inline
def sum_up(joints: Any, work: Any, order: int) -> None:
    """Sums over subtrees of mass, h, f_lin (momentum) and, of order 2, f_ang (its rate)."""
    for i in range(joints.shape[0] - 1, 0, -1):
        up, x = work[joints[i].parent], work[i]
        add_mass(up, x)
        put_sum(up.f_lin, x.f_lin)
        if order > 1:
            put_sum(up.f_ang, x.f_ang)


@inline
def put_position(work: Any, i: int, out: Any) -> None:
    """The centre of mass of a subtree, from the world's origin."""
    put(out, add(centre(work[i]), work[0].p))


@inline
def put_mean(x: Any, total: Any, out: Any) -> None:
    """A sum over a subtree, per mass."""
    put(out, (total[0] / x.mass, total[1] / x.mass, total[2] / x.mass))


@inline
def gather_mass(joints: Any, work: Any, q: Any) -> None:
    """Mass and first moment of the whole into record 0, about the origin of joint 1, kept in its `p`.

    From the leaves to the root, each subtree's in its joint's own frame: nothing is placed in the world.
    """
    start_at_rest(work)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_joint(joint, q, x)
        x.mass = joint.mass
        put(x.h, joint.h)
    if joints.shape[0] > 1:
        put(work[0].p, work[1].li_p)
    for i in range(joints.shape[0] - 1, 0, -1):
        x, up = work[i], work[joints[i].parent]
        way = sub(x.li_p, up.p) if joints[i].parent == 0 else triple(x.li_p)
        put_sum(up.h, add(rotate(x.li_R, x.h), scale(x.mass, way)))
        up.mass += x.mass


@inline
def sweep_1(joints: Any, work: Any, q: Any, v: Any) -> None:
    """First moments and momenta of all subtrees."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    start_at_rest(work)
    put(work[0].f_lin, work[0].v_lin)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_about(joints, work, i, q)
        place_mass(joint, x)
        move_joint(joint, work[joint.parent], x, v)
        put(x.f_lin, rotate(x.R, body_momentum(joint, x)))
    sum_up(joints, work, 1)


@inline
def sweep_2(joints: Any, work: Any, q: Any, v: Any, a: Any) -> None:
    """First moments, momenta and their rates of all subtrees."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_v(joints, a)
    start_at_rest(work)
    put(work[0].f_lin, work[0].v_lin)
    put(work[0].f_ang, work[0].v_lin)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        place_about(joints, work, i, q)
        place_mass(joint, x)
        own_lin, own_ang = move_joint(joint, up, x, v)
        a_lin, a_ang = subspace_times(joint, x, a)
        accelerate_joint(joint, up, x, own_lin, own_ang, a_lin, a_ang)
        momentum = body_momentum(joint, x)
        put(x.f_lin, rotate(x.R, momentum))
        put(x.f_ang, rotate(x.R, body_force_linear(joint, x, momentum)))
    sum_up(joints, work, 2)


@kernel("joints", "work", "vector", "vector", result=(3,))
def center_of_mass_0(joints: Any, work: Any, q: Any, position: Any) -> None:
    """Position (3,) of the whole."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_three(position)
    gather_mass(joints, work, q)
    put_position(work, 0, position)


@kernel("joints", "work", "vector", "vector", "vector", "vector")
def center_of_mass_1(joints: Any, work: Any, q: Any, v: Any, position: Any, velocity: Any) -> None:
    """Position and velocity (3,) of the whole."""
    check_three(position)
    check_three(velocity)
    sweep_1(joints, work, q, v)
    put_position(work, 0, position)
    put_mean(work[0], work[0].f_lin, velocity)


@kernel("joints", "work", "vector", "vector", "vector", "vector", "vector", "vector")
def center_of_mass_2(
    joints: Any, work: Any, q: Any, v: Any, a: Any, position: Any, velocity: Any, acceleration: Any
) -> None:
    """Position, velocity and acceleration (3,) of the whole."""
    check_three(position)
    check_three(velocity)
    check_three(acceleration)
    sweep_2(joints, work, q, v, a)
    put_position(work, 0, position)
    put_mean(work[0], work[0].f_lin, velocity)
    put_mean(work[0], work[0].f_ang, acceleration)


@kernel("joints", "work", "vector", "stack", result=(1, "len(0)", 3))
def subtree_centers_of_mass_0(joints: Any, work: Any, q: Any, out: Any) -> None:
    """Positions of all subtrees, out (1, records, 3)."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_rows(joints, out, 1)
    start_at_rest(work)
    for i in range(1, joints.shape[0]):
        place_about(joints, work, i, q)
        place_mass(joints[i], work[i])
    for i in range(joints.shape[0] - 1, 0, -1):
        put_position(work, i, out[0, i])
        add_mass(work[joints[i].parent], work[i])
    put_position(work, 0, out[0, 0])


@kernel("joints", "work", "vector", "vector", "stack", result=(2, "len(0)", 3))
def subtree_centers_of_mass_1(joints: Any, work: Any, q: Any, v: Any, out: Any) -> None:
    """Positions and velocities of all subtrees, out (2, records, 3)."""
    check_rows(joints, out, 2)
    sweep_1(joints, work, q, v)
    for i in range(joints.shape[0]):
        put_position(work, i, out[0, i])
        put_mean(work[i], work[i].f_lin, out[1, i])


@kernel("joints", "work", "vector", "vector", "vector", "stack", result=(3, "len(0)", 3))
def subtree_centers_of_mass_2(joints: Any, work: Any, q: Any, v: Any, a: Any, out: Any) -> None:
    """Positions, velocities and accelerations of all subtrees, out (3, records, 3)."""
    check_rows(joints, out, 3)
    sweep_2(joints, work, q, v, a)
    for i in range(joints.shape[0]):
        put_position(work, i, out[0, i])
        put_mean(work[i], work[i].f_lin, out[1, i])
        put_mean(work[i], work[i].f_ang, out[2, i])


@inline
def clear(J: Any) -> None:
    """J = 0."""
    for r in range(J.shape[0]):
        for c in range(J.shape[1]):
            J[r, c] = 0.0


@inline
def add_column(J: Any, column: int, lin: Any) -> None:
    """Three entries of a column; mimicking joints share theirs, hence the sum."""
    for r in range(3):
        J[r, column] += lin[r]


@kernel("joints", "work", "vector", "int", "matrix", result=(3, "nv"))
def jacobian_center_of_mass(joints: Any, work: Any, q: Any, subtree: int, J: Any) -> None:
    """Jacobian (3, nv) of the centre of mass of a joint's subtree; 0: of the whole.

    A joint inside the subtree moves what hangs on it; a joint that carries the subtree moves all.
    """
    check_scratch(joints, work)
    check_q(joints, q)
    if subtree < 0 or subtree >= joints.shape[0]:
        raise ValueError("number of a joint")
    check_shape(J, 3, joints[0].nv)
    end = joints.shape[0] - 1 if subtree == 0 else joints[subtree].last
    clear(J)
    start_at_rest(work)
    mass = 0.0
    for i in range(1, end + 1):
        place_about(joints, work, i, q)
        place_columns(joints[i], work[i])
        place_mass(joints[i], work[i])
        if i >= subtree:
            mass += joints[i].mass
    for i in range(end, subtree - 1, -1):
        joint, x = joints[i], work[i]
        if i > 0:
            for d in range(joint.nv):
                moved = add(scale(x.mass, linear(x.J[d])), cross(angular(x.J[d]), x.h))
                add_column(J, joint.idx_v + d, scale(1.0 / mass, moved))
        if i > subtree:
            add_mass(work[joint.parent], x)
    if subtree > 0:
        point = centre(work[subtree])
        i = joints[subtree].parent
        while i > 0:
            for d in range(joints[i].nv):
                column = work[i].J[d]
                moved = add(linear(column), cross(angular(column), point))
                add_column(J, joints[i].idx_v + d, moved)
            i = joints[i].parent


@kernel("joints", "work", "vector", "vector", "matrix", result=(3, "nv"))
def center_of_mass_velocity_derivatives(joints: Any, work: Any, q: Any, v: Any, J: Any) -> None:
    """Derivative (3, nv) of the velocity of the centre of mass with respect to q.

    A joint that turns by J turns the momentum that its subtree has relative to the parent's body,
    and moves the subtree in the velocity field of that body.
    """
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_shape(J, 3, v.shape[0])
    clear(J)
    start_at_rest(work)
    mass = 0.0
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_about(joints, work, i, q)
        place_columns(joint, x)
        place_mass(joint, x)
        move_about(joint, work[joint.parent], x, v)
        put(x.f_lin, add(scale(x.mass, x.v_lin), cross(x.v_ang, x.h)))
        mass += joint.mass
    for i in range(joints.shape[0] - 1, 0, -1):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        carried = add(scale(x.mass, up.v_lin), cross(up.v_ang, x.h))
        own = sub(x.f_lin, carried)
        for d in range(joint.nv):
            lin, ang = linear(x.J[d]), angular(x.J[d])
            moved = add(scale(x.mass, lin), cross(ang, x.h))
            rate = add(cross(ang, own), cross(up.v_ang, moved))
            add_column(J, joint.idx_v + d, scale(1.0 / mass, rate))
        if joint.parent > 0:
            add_mass(up, x)
            put_sum(up.f_lin, x.f_lin)
