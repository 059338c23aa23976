"""Jacobians of a point of a frame, their time derivatives, and derivatives of its motion.

Only the joints between the universe and the frame are visited, and all is worked in the frame's own
axes about the point, so that nothing loses digits far from the world's origin. Partial derivatives
follow Carpentier and Mansard 2018, in the notation of kernels.rate.
"""

from __future__ import annotations

from typing import Any

from .engine import inline, kernel
from .frames import LOCAL, WORLD, check_frame, check_reference
from .joints import place_joint
from .motion import cross_motion, motion_to_child, motion_to_parent
from .sizes import check_q, check_scratch, check_shape, check_v
from .vector import add, angular, copy_matrix, cross, linear, multiply, put, put6, rotate, scale, sub

_ZERO = (0.0, 0.0, 0.0)


@inline
def check_moving_frame(
    joints: Any, work: Any, frames: Any, frame: int, reference: int, q: Any, v: Any
) -> None:
    """Sizes of the arguments that these kernels share."""
    check_scratch(joints, work)
    check_frame(frames, frame)
    check_reference(reference)
    check_q(joints, q)
    check_v(joints, v)


@inline
def place_columns(joints: Any, work: Any, frame: Any, point: Any, q: Any) -> None:
    """Per joint that carries the frame: the frame's placement in it (R, p), and J in the frame's axes.

    Record 0 receives the placement in the world. The frame's origin is moved to the point.
    """
    if point.shape[0] != 3:
        raise ValueError("size of a point")
    i = frame.joint
    copy_matrix(work[i].R, frame.R)
    put(work[i].p, add(frame.p, rotate(frame.R, point)))
    while i > 0:
        joint, x = joints[i], work[i]
        place_joint(joint, q, x)
        for d in range(joint.nv):
            lin, ang = motion_to_child(x.R, x.p, linear(x.S[d]), angular(x.S[d]))
            put6(x.J[d], lin, ang)
        up = work[joint.parent]
        multiply(up.R, x.li_R, x.R)
        put(up.p, add(x.li_p, rotate(x.li_R, x.p)))
        i = joint.parent


@inline
def own_part(joint: Any, x: Any, v: Any) -> Any:
    """J v of one joint."""
    lin, ang = _ZERO, _ZERO
    for d in range(joint.nv):
        rate = v[joint.idx_v + d]
        lin = add(lin, scale(rate, linear(x.J[d])))
        ang = add(ang, scale(rate, angular(x.J[d])))
    return lin, ang


@inline
def move_support(joints: Any, work: Any, leaf: int, v: Any) -> Any:
    """Velocities of the joints that carry the frame, in its axes; returns the last one's."""
    put(work[0].v_lin, _ZERO)
    put(work[0].v_ang, _ZERO)
    for i in range(1, leaf + 1):
        joint, x = joints[i], work[i]
        if leaf <= joint.last:
            up = work[joint.parent]
            lin, ang = own_part(joint, x, v)
            put(x.v_lin, add(up.v_lin, lin))
            put(x.v_ang, add(up.v_ang, ang))
    last = work[leaf]
    return (last.v_lin[0], last.v_lin[1], last.v_lin[2]), (last.v_ang[0], last.v_ang[1], last.v_ang[2])


@inline
def accelerate_support(joints: Any, work: Any, leaf: int, v: Any, a: Any) -> Any:
    """Spatial accelerations of the joints that carry the frame; `move_support` has run."""
    put(work[0].a_lin, _ZERO)
    put(work[0].a_ang, _ZERO)
    for i in range(1, leaf + 1):
        joint, x = joints[i], work[i]
        if leaf <= joint.last:
            up = work[joint.parent]
            v_lin, v_ang = own_part(joint, x, v)
            lin, ang = own_part(joint, x, a)
            c_lin, c_ang = cross_motion(up.v_lin, up.v_ang, v_lin, v_ang)
            put(x.a_lin, add(add(up.a_lin, lin), c_lin))
            put(x.a_ang, add(add(up.a_ang, ang), c_ang))
    last = work[leaf]
    return (last.a_lin[0], last.a_lin[1], last.a_lin[2]), (last.a_ang[0], last.a_ang[1], last.a_ang[2])


@inline
def to_reference(world: Any, lin: Any, ang: Any, reference: int) -> Any:
    """A motion in the frame's axes, in a reference frame."""
    if reference == WORLD:
        lin, ang = motion_to_parent(world.R, world.p, lin, ang)
    elif reference != LOCAL:
        lin, ang = rotate(world.R, lin), rotate(world.R, ang)
    return lin, ang


@inline
def add_column(A: Any, column: int, lin: Any, ang: Any) -> None:
    """Add to one column of a (6, nv) or, without the angular half, (3, nv) matrix."""
    for r in range(3):
        A[r, column] += lin[r]
    if A.shape[0] == 6:
        for r in range(3):
            A[3 + r, column] += ang[r]


@inline
def zero_rows(A: Any) -> None:
    """A = 0."""
    for r in range(A.shape[0]):
        for c in range(A.shape[1]):
            A[r, c] = 0.0


@inline
def seen_from(reference: int, lin: Any, ang: Any, m_lin: Any, m_ang: Any) -> Any:
    """What a column (lin, ang) adds to the change of a motion of the frame as the reference sees it.

    In its own axes nothing; in the world's the column carries the motion with it: about the world's
    origin as a whole, about the frame's origin by its turning alone.
    """
    if reference == LOCAL:
        lin, ang = _ZERO, _ZERO
    elif reference == WORLD:
        lin, ang = cross_motion(lin, ang, m_lin, m_ang)
    else:
        lin, ang = cross(ang, m_lin), cross(ang, m_ang)
    return lin, ang


@kernel("joints", "work", "frames", "vector", "int", "vector", "int", "matrix", result=(6, "nv"))
def point_jacobian(
    joints: Any, work: Any, frames: Any, q: Any, frame: int, point: Any, reference: int, J: Any
) -> None:
    """Jacobian of a point of a frame: all six rows, or the three of its velocity."""
    check_scratch(joints, work)
    check_frame(frames, frame)
    check_q(joints, q)
    check_shape(J, J.shape[0], joints[0].nv)
    zero_rows(J)
    place_columns(joints, work, frames[frame], point, q)
    i = frames[frame].joint
    while i > 0:
        joint, x = joints[i], work[i]
        for d in range(joint.nv):
            lin, ang = to_reference(work[0], linear(x.J[d]), angular(x.J[d]), reference)
            add_column(J, joint.idx_v + d, lin, ang)
        i = joint.parent


@kernel("joints", "work", "frames", "vector", "vector", "int", "vector", "int", "matrix", result=(6, "nv"))
def jacobian_time_variation(
    joints: Any, work: Any, frames: Any, q: Any, v: Any, frame: int, point: Any, reference: int, dJ: Any
) -> None:
    """dJ/dt of a point of a frame: all six rows, or the three of its velocity."""
    check_moving_frame(joints, work, frames, frame, reference, q, v)
    check_shape(dJ, dJ.shape[0], v.shape[0])
    zero_rows(dJ)
    leaf = frames[frame].joint
    place_columns(joints, work, frames[frame], point, q)
    v_lin, v_ang = move_support(joints, work, leaf, v)
    i = leaf
    while i > 0:
        joint, x = joints[i], work[i]
        r_lin, r_ang = sub(x.v_lin, v_lin), sub(x.v_ang, v_ang)
        if reference == WORLD:
            r_lin, r_ang = add(r_lin, v_lin), add(r_ang, v_ang)
        elif reference != LOCAL:
            r_ang = add(r_ang, v_ang)
        for d in range(joint.nv):
            lin, ang = cross_motion(r_lin, r_ang, linear(x.J[d]), angular(x.J[d]))
            lin, ang = to_reference(work[0], lin, ang, reference)
            add_column(dJ, joint.idx_v + d, lin, ang)
        i = joint.parent


@kernel("joints", "work", "frames", "vector", "vector", "int", "vector", "int", "stack", result=(2, 6, "nv"))
def velocity_derivatives(
    joints: Any, work: Any, frames: Any, q: Any, v: Any, frame: int, point: Any, reference: int, out: Any
) -> None:
    """out = d velocity / dq, dv of a point of a frame: all six rows, or the three of its velocity."""
    check_moving_frame(joints, work, frames, frame, reference, q, v)
    check_shape(out[1], out.shape[1], v.shape[0])
    for part in range(2):
        zero_rows(out[part])
    leaf = frames[frame].joint
    place_columns(joints, work, frames[frame], point, q)
    v_lin, v_ang = move_support(joints, work, leaf, v)
    i = leaf
    while i > 0:
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        for d in range(joint.nv):
            column, lin, ang = joint.idx_v + d, linear(x.J[d]), angular(x.J[d])
            p_lin, p_ang = cross_motion(up.v_lin, up.v_ang, lin, ang)
            s_lin, s_ang = seen_from(reference, lin, ang, v_lin, v_ang)
            p_lin, p_ang = to_reference(work[0], add(p_lin, s_lin), add(p_ang, s_ang), reference)
            add_column(out[0], column, p_lin, p_ang)
            lin, ang = to_reference(work[0], lin, ang, reference)
            add_column(out[1], column, lin, ang)
        i = joint.parent
