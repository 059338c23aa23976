"""Partial derivatives of the acceleration of a frame or of a point of it (see kernels.frame_rates)."""

from __future__ import annotations

from typing import Any

from .engine import inline, kernel
from .frame_rates import (
    accelerate_support,
    add_column,
    check_moving_frame,
    move_support,
    place_columns,
    seen_from,
    to_reference,
    zero_rows,
)
from .motion import cross_motion
from .sizes import check_shape, check_v
from .vector import add, angular, cross, linear, put6, sub

_ZERO = (0.0, 0.0, 0.0)


@inline
def local_columns(joint: Any, up: Any, x: Any, v_lin: Any, v_ang: Any) -> None:
    """Rows of `psi`, `psi_rate`, `drift`: d velocity / dq, d acceleration / dq, dv in the frame's axes."""
    for d in range(joint.nv):
        lin, ang = linear(x.J[d]), angular(x.J[d])
        p_lin, p_ang = cross_motion(up.v_lin, up.v_ang, lin, ang)
        put6(x.psi[d], p_lin, p_ang)
        a_lin, a_ang = cross_motion(up.a_lin, up.a_ang, lin, ang)
        c_lin, c_ang = cross_motion(p_lin, p_ang, sub(v_lin, up.v_lin), sub(v_ang, up.v_ang))
        put6(x.psi_rate[d], add(a_lin, c_lin), add(a_ang, c_ang))
        # (v_joint - v_frame) x J + v_parent x J
        r_lin, r_ang = sub(add(up.v_lin, x.v_lin), v_lin), sub(add(up.v_ang, x.v_ang), v_ang)
        d_lin, d_ang = cross_motion(r_lin, r_ang, lin, ang)
        put6(x.drift[d], d_lin, d_ang)


@inline
def put_column(out: Any, part: int, column: int, world: Any, reference: int, lin: Any, ang: Any) -> Any:
    """Add a column in the frame's axes to one matrix; returns it as the reference frame has it."""
    lin, ang = to_reference(world, lin, ang, reference)
    add_column(out[part], column, lin, ang)
    return lin, ang


@inline
def add_classical(out: Any, part: int, column: int, v_lin: Any, v_ang: Any, lin: Any, ang: Any) -> None:
    """Add the derivative of omega x v to a column of accelerations; (lin, ang) is that of the velocity."""
    add_column(out[part], column, add(cross(ang, v_lin), cross(v_ang, lin)), _ZERO)


@inline
def put_derivatives(
    joint: Any, x: Any, world: Any, ref: int, classical: int, velocity: Any, acceleration: Any, out: Any
) -> None:
    """Columns of one joint, from the frame's axes to the reference frame."""
    v_lin, v_ang = velocity
    w_lin, w_ang = to_reference(world, v_lin, v_ang, ref)
    for d in range(joint.nv):
        column, lin, ang = joint.idx_v + d, linear(x.J[d]), angular(x.J[d])
        s_lin, s_ang = seen_from(ref, lin, ang, acceleration[0], acceleration[1])
        s_lin, s_ang = add(s_lin, linear(x.psi_rate[d])), add(s_ang, angular(x.psi_rate[d]))
        put_column(out, 2, column, world, ref, s_lin, s_ang)
        put_column(out, 3, column, world, ref, linear(x.drift[d]), angular(x.drift[d]))
        s_lin, s_ang = seen_from(ref, lin, ang, v_lin, v_ang)
        s_lin, s_ang = add(s_lin, linear(x.psi[d])), add(s_ang, angular(x.psi[d]))
        s_lin, s_ang = put_column(out, 0, column, world, ref, s_lin, s_ang)
        lin, ang = put_column(out, 1, column, world, ref, lin, ang)
        add_column(out[4], column, lin, ang)
        if classical == 1:
            add_classical(out, 2, column, w_lin, w_ang, s_lin, s_ang)
            add_classical(out, 3, column, w_lin, w_ang, lin, ang)


@kernel(
    "joints",
    "work",
    "frames",
    "vector",
    "vector",
    "vector",
    "int",
    "vector",
    "int",
    "int",
    "stack",
    result=(5, 6, "nv"),
)
def acceleration_derivatives(
    joints: Any,
    work: Any,
    frames: Any,
    q: Any,
    v: Any,
    a: Any,
    frame: int,
    point: Any,
    reference: int,
    classical: int,
    out: Any,
) -> None:
    """out = d velocity / dq, dv, d acceleration / dq, dv, da."""
    check_moving_frame(joints, work, frames, frame, reference, q, v)
    check_v(joints, a)
    check_shape(out[4], out.shape[1], v.shape[0])
    for part in range(5):
        zero_rows(out[part])
    leaf = frames[frame].joint
    place_columns(joints, work, frames[frame], point, q)
    v_lin, v_ang = move_support(joints, work, leaf, v)
    a_lin, a_ang = accelerate_support(joints, work, leaf, v, a)
    i = leaf
    while i > 0:
        joint, x = joints[i], work[i]
        local_columns(joint, work[joint.parent], x, v_lin, v_ang)
        put_derivatives(joint, x, work[0], reference, classical, (v_lin, v_ang), (a_lin, a_ang), out)
        i = joint.parent
