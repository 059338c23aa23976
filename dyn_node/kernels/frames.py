"""Placements, velocities, accelerations and Jacobians of frames, in the three reference frames.

A frame stands still in the body of a joint. Codes of the reference frames: WORLD 0, LOCAL 1,
LOCAL_WORLD_ALIGNED 2.
"""

from __future__ import annotations

from typing import Any

from .engine import inline, kernel
from .joints import place_joint
from .motion import motion_to_child, motion_to_parent
from .sizes import check_q, check_scratch, check_shape
from .vector import add, angular, copy_matrix, cross, dot, linear, multiply, put, put6, rotate

WORLD, LOCAL, LOCAL_WORLD_ALIGNED = 0, 1, 2


@inline
def check_frame(frames: Any, frame: int) -> None:
    """The frame's number exists."""
    if frame < 0 or frame >= frames.shape[0]:
        raise ValueError("number of a frame")


@inline
def check_reference(reference: int) -> None:
    """The code is that of a reference frame."""
    if reference < WORLD or reference > LOCAL_WORLD_ALIGNED:
        raise ValueError("code of a reference frame")


@inline
def check_order(kinematics: Any, order: int) -> None:
    """Forward kinematics of this order has run."""
    if kinematics[0].order < order:
        raise ValueError("forward kinematics of this order has not run")


@inline
def triple(a: Any) -> Any:
    """A three-array as a tuple."""
    return (a[0], a[1], a[2])


@inline
def put_composed(R: Any, p: Any, R1: Any, p1: Any, R2: Any, p2: Any) -> None:
    """(R, p) = (R1, p1) (R2, p2). All is read before anything is written: the compiler cannot know that
    results and factors lie apart, and would read factors again after each number written."""
    x, y, z = add(p1, rotate(R1, p2))
    row0, row1, row2 = triple(R1[0]), triple(R1[1]), triple(R1[2])
    column0, column1 = (R2[0, 0], R2[1, 0], R2[2, 0]), (R2[0, 1], R2[1, 1], R2[2, 1])
    column2 = (R2[0, 2], R2[1, 2], R2[2, 2])
    R[0, 0], R[0, 1], R[0, 2] = dot(row0, column0), dot(row0, column1), dot(row0, column2)
    R[1, 0], R[1, 1], R[1, 2] = dot(row1, column0), dot(row1, column1), dot(row1, column2)
    R[2, 0], R[2, 1], R[2, 2] = dot(row2, column0), dot(row2, column1), dot(row2, column2)
    p[0], p[1], p[2] = x, y, z


@inline
def put_shifted(R: Any, p: Any, R1: Any, p1: Any, p2: Any) -> None:
    """(R, p) = (R1, p1) (1, p2), all read before anything is written."""
    x, y, z = add(p1, rotate(R1, p2))
    row0, row1, row2 = triple(R1[0]), triple(R1[1]), triple(R1[2])
    put(R[0], row0)
    put(R[1], row1)
    put(R[2], row2)
    p[0], p[1], p[2] = x, y, z


@inline
def is_turned(R: Any) -> bool:
    """Whether a rotation turns at all. A turn too small to be seen on the diagonal is beside it."""
    turned = R[0, 1] != 0.0 or R[0, 2] != 0.0 or R[1, 2] != 0.0
    return turned or R[0, 0] != 1.0 or R[1, 1] != 1.0


@kernel("joints", "kinematics", "frames", "frames")
def update_frame_placements(joints: Any, kinematics: Any, frames: Any, placed: Any) -> None:
    """World placements of all frames, from those of the joints."""
    check_scratch(joints, kinematics)
    check_order(kinematics, 0)
    if placed.shape[0] != frames.shape[0]:
        raise ValueError("number of frames")
    for k in range(frames.shape[0]):
        frame, out = frames[k], placed[k]
        x = kinematics[frame.joint]
        # Most frames of a robot are joints and bodies, which are not turned in their joint's frame.
        if is_turned(frame.R):
            put_composed(out.R, out.p, x.R, x.p, frame.R, frame.p)
        else:
            put_shifted(out.R, out.p, x.R, x.p, frame.p)


@inline
def put_pose(out: Any, R: Any, p: Any) -> None:
    """A pose as (4, 3): the rotation's rows, then the translation."""
    copy_matrix(out, R)
    put(out[3], p)


@kernel("joints", "kinematics", "int", "matrix", result=(4, 3), value=True)
def joint_placement(joints: Any, kinematics: Any, joint: int, out: Any) -> None:
    """World placement of a joint's record, as a pose (4, 3)."""
    check_scratch(joints, kinematics)
    check_order(kinematics, 0)
    check_frame(joints, joint)
    check_shape(out, 4, 3)
    put_pose(out, kinematics[joint].R, kinematics[joint].p)


@kernel("joints", "kinematics", "frames", "int", "matrix", result=(4, 3), value=True)
def frame_placement(joints: Any, kinematics: Any, frames: Any, frame: int, out: Any) -> None:
    """World placement of a frame, as a pose (4, 3)."""
    check_scratch(joints, kinematics)
    check_order(kinematics, 0)
    check_frame(frames, frame)
    check_shape(out, 4, 3)
    x, own = kinematics[frames[frame].joint], frames[frame]
    put_composed(out, out[3], x.R, x.p, own.R, own.p)


@inline
def express(x: Any, frame: Any, lin: Any, ang: Any, reference: int) -> Any:
    """A motion given in a joint's own frame, as the motion of a frame in a reference frame."""
    if reference == LOCAL:
        lin, ang = motion_to_child(frame.R, frame.p, lin, ang)
    elif reference == WORLD:
        lin, ang = motion_to_parent(x.R, x.p, lin, ang)
    else:
        lin, ang = rotate(x.R, add(lin, cross(ang, frame.p))), rotate(x.R, ang)
    return lin, ang


@kernel("joints", "kinematics", "frames", "int", "int", "vector", result=(6,), value=True)
def frame_velocity(joints: Any, kinematics: Any, frames: Any, frame: int, reference: int, out: Any) -> None:
    """Spatial velocity of a frame, linear first."""
    check_scratch(joints, kinematics)
    check_order(kinematics, 1)
    check_frame(frames, frame)
    check_reference(reference)
    x = kinematics[frames[frame].joint]
    lin, ang = express(x, frames[frame], triple(x.v_lin), triple(x.v_ang), reference)
    put6(out, lin, ang)


@kernel("joints", "kinematics", "frames", "int", "int", "int", "vector", result=(6,), value=True)
def frame_acceleration(
    joints: Any, kinematics: Any, frames: Any, frame: int, reference: int, classical: int, out: Any
) -> None:
    """Acceleration of a frame: spatial, or classical (what an accelerometer's point does)."""
    check_scratch(joints, kinematics)
    check_order(kinematics, 2)
    check_frame(frames, frame)
    check_reference(reference)
    x = kinematics[frames[frame].joint]
    lin, ang = express(x, frames[frame], triple(x.a_lin), triple(x.a_ang), reference)
    if classical == 1:
        v_lin, v_ang = express(x, frames[frame], triple(x.v_lin), triple(x.v_ang), reference)
        lin = add(lin, cross(v_ang, v_lin))
    put6(out, lin, ang)


@inline
def place_support(joints: Any, work: Any, frame: Any, q: Any) -> None:
    """Placements of the joints between the universe and a frame.

    Afterwards `R`, `p` of each of these joints' records hold the placement of the frame in that
    joint's own frame, and record 0 the placement in the world.
    """
    i = frame.joint
    copy_matrix(work[i].R, frame.R)
    put(work[i].p, frame.p)
    while i > 0:
        joint, x = joints[i], work[i]
        place_joint(joint, q, x)
        up = work[joint.parent]
        multiply(up.R, x.li_R, x.R)
        put(up.p, add(x.li_p, rotate(x.li_R, x.p)))
        i = joint.parent


@inline
def add_column(J: Any, column: int, lin: Any, ang: Any) -> None:
    """Add to one column of a Jacobian."""
    for r in range(3):
        J[r, column] += lin[r]
        J[3 + r, column] += ang[r]


@inline
def fill_jacobian(joints: Any, work: Any, frame: Any, q: Any, reference: int, J: Any) -> None:
    """Jacobian of a frame; `work` is scratch for the joints that carry it."""
    for r in range(6):
        for c in range(J.shape[1]):
            J[r, c] = 0.0
    place_support(joints, work, frame, q)
    world = work[0]
    i = frame.joint
    while i > 0:
        joint, x = joints[i], work[i]
        for d in range(joint.nv):
            S = x.S[d]
            lin, ang = motion_to_child(x.R, x.p, linear(S), angular(S))
            if reference == WORLD:
                lin, ang = motion_to_parent(world.R, world.p, lin, ang)
            elif reference == LOCAL_WORLD_ALIGNED:
                lin, ang = rotate(world.R, lin), rotate(world.R, ang)
            add_column(J, joint.idx_v + d, lin, ang)
        i = joint.parent


@kernel("joints", "work", "frames", "vector", "int", "int", "matrix", result=(6, "nv"))
def frame_jacobian(joints: Any, work: Any, frames: Any, q: Any, frame: int, reference: int, J: Any) -> None:
    """Jacobian of a frame: J v is its velocity in the reference frame."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_frame(frames, frame)
    check_reference(reference)
    check_shape(J, 6, joints[0].nv)
    fill_jacobian(joints, work, frames[frame], q, reference, J)
