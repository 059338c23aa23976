"""Constraints between frames: their Jacobians, bias accelerations, velocities and errors.

A constraint ties end 1 (a frame) to end 2 (another frame, or a place in the world). A point constraint
(three rows) holds the ends' origins together, a rigid one (six rows, linear first) also their axes:

    point    p1'' - p2'', the classical accelerations of the two origins
    rigid    dV/dt, where V = V1 - V2 is the twist of end 1 relative to end 2 at end 1, in its axes

in the axes of end 1 (LOCAL) or of the world (LOCAL_WORLD_ALIGNED). The axes choose the components only:
neither the motion nor the forces depend on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .engine import inline, kernel
from .frames import LOCAL
from .lie import log6, matrix_to_quaternion
from .motion import cross_motion
from .sizes import check_q, check_scratch, check_shape, check_v
from .vector import add, angular, copy_matrix, cross, linear, multiply, put, rotate, scale, sub, unrotate
from .world import move_about, place_about, place_columns, start_at_rest

POINT, RIGID = 0, 1


@inline
def lay_out(joints: Any, work: Any, q: Any, v: Any) -> None:
    """Placements, columns, velocities and the accelerations without ddq, about the common point.

    The universe accelerates by -g, and all bodies with it: differences do not notice.
    """
    start_at_rest(work)
    put(work[0].a_lin, scale(-1.0, joints[0].gravity))
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        place_about(joints, work, i, q)
        place_columns(joint, x)
        own_lin, own_ang = move_about(joint, up, x, v)
        c_lin, c_ang = cross_motion(x.v_lin, x.v_ang, own_lin, own_ang)
        put(x.a_lin, add(up.a_lin, c_lin))
        put(x.a_ang, add(up.a_ang, c_ang))


@inline
def place_end(work: Any, end: Any, pose: Any) -> None:
    """Pose (4, 3) of an end: rotation in the world, place relative to the common point."""
    x = work[end.joint]
    if end.joint == 0:  # record 0 keeps the common point itself
        copy_matrix(pose, end.R)
        put(pose[3], sub(end.p, x.p))
    else:
        multiply(pose, x.R, end.R)
        put(pose[3], add(x.p, rotate(x.R, end.p)))


@inline
def add_end(joints: Any, work: Any, joint: int, sign: float, p: Any, axes: Any, local: bool, J: Any) -> None:
    """Add the columns of the body of a joint at the point p to the rows J of one constraint."""
    while joint > 0:
        x = work[joint]
        for d in range(joints[joint].nv):
            ang = angular(x.J[d])
            lin = add(linear(x.J[d]), cross(ang, p))
            if local:
                lin, ang = unrotate(axes, lin), unrotate(axes, ang)
            column = joints[joint].idx_v + d
            for r in range(3):
                J[r, column] += sign * lin[r]
            if J.shape[0] == 6:
                for r in range(3):
                    J[3 + r, column] += sign * ang[r]
        joint = joints[joint].parent


@inline
def point_motion(x: Any, p: Any) -> Any:
    """Velocity and classical acceleration of the point p of a body."""
    v = add(x.v_lin, cross(x.v_ang, p))
    a = add(add(x.a_lin, cross(x.a_ang, p)), cross(x.v_ang, v))
    return v, a


@inline
def put_motion(motion: Any, first: int, column: int, axes: Any, local: bool, a: Any) -> None:
    """Three entries of one column, turned to the constraint's axes."""
    if local:
        a = unrotate(axes, a)
    for r in range(3):
        motion[first + r, column] = a[r]


@inline
def fill_point_motion(work: Any, ends: Any, k: int, poses: Any, local: bool, motion: Any) -> None:
    """Bias acceleration, velocity and error of a point constraint."""
    one, two = poses[0], poses[1]
    v1, a1 = point_motion(work[ends[2 * k].joint], one[3])
    v2, a2 = point_motion(work[ends[2 * k + 1].joint], two[3])
    put_motion(motion, 0, 0, one, local, sub(a1, a2))
    put_motion(motion, 0, 1, one, local, sub(v1, v2))
    put_motion(motion, 0, 2, one, local, sub(one[3], two[3]))


@inline
def rigid_error(poses: Any) -> Any:
    """(linear, angular): the twist that takes end 2 to end 1 in a unit of time, in the axes of end 1."""
    one, two = poses[0], poses[1]
    between = np.empty((3, 3))
    for r in range(3):
        for c in range(3):
            between[r, c] = two[0, r] * one[0, c] + two[1, r] * one[1, c] + two[2, r] * one[2, c]
    return log6(matrix_to_quaternion(between), unrotate(two, sub(one[3], two[3])))


@inline
def fill_rigid_motion(work: Any, ends: Any, k: int, poses: Any, local: bool, motion: Any) -> None:
    """Bias acceleration, velocity and error of a rigid constraint."""
    x, y, one = work[ends[2 * k].joint], work[ends[2 * k + 1].joint], poses[0]
    p = one[3]
    lin, ang = cross_motion(x.v_lin, x.v_ang, y.v_lin, y.v_ang)
    lin, ang = add(lin, sub(x.a_lin, y.a_lin)), add(ang, sub(x.a_ang, y.a_ang))
    put_motion(motion, 0, 0, one, local, add(lin, cross(ang, p)))
    put_motion(motion, 3, 0, one, local, ang)
    lin, ang = sub(x.v_lin, y.v_lin), sub(x.v_ang, y.v_ang)
    put_motion(motion, 0, 1, one, local, add(lin, cross(ang, p)))
    put_motion(motion, 3, 1, one, local, ang)
    lin, ang = rigid_error(poses)
    put_motion(motion, 0, 2, one, False, lin if local else rotate(one, lin))
    put_motion(motion, 3, 2, one, False, ang if local else rotate(one, ang))


@inline
def fill_rows(joints: Any, work: Any, ends: Any, settings: Any, J: Any, motion: Any) -> int:
    """Rows of all constraints between frames; `lay_out` has run. Returns how many they are.

    settings: per constraint its kind, its reference frame, kp, kd. motion: per row the bias acceleration,
    the velocity and the error.
    """
    poses = np.empty((2, 4, 3))
    row = 0
    for k in range(settings.shape[0]):
        kind, local = int(settings[k, 0]), int(settings[k, 1]) == LOCAL
        end = row + (3 if kind == POINT else 6)
        place_end(work, ends[2 * k], poses[0])
        place_end(work, ends[2 * k + 1], poses[1])
        own = J[row:end]
        for r in range(own.shape[0]):
            for c in range(own.shape[1]):
                own[r, c] = 0.0
        add_end(joints, work, ends[2 * k].joint, 1.0, poses[0, 3], poses[0], local, own)
        second = poses[1, 3] if kind == POINT else poses[0, 3]
        add_end(joints, work, ends[2 * k + 1].joint, -1.0, second, poses[0], local, own)
        if kind == POINT:
            fill_point_motion(work, ends, k, poses, local, motion[row:end])
        else:
            fill_rigid_motion(work, ends, k, poses, local, motion[row:end])
        row = end
    return row


@inline
def check_rows(joints: Any, ends: Any, settings: Any, extra: Any, J: Any) -> None:
    """The rows of the Jacobian are as many as the constraints need."""
    rows = extra.shape[0]
    for k in range(settings.shape[0]):
        rows += 3 if int(settings[k, 0]) == POINT else 6
    if ends.shape[0] != 2 * settings.shape[0]:
        raise ValueError("number of ends")
    check_shape(J, rows, joints[0].nv)
    check_shape(extra, extra.shape[0], joints[0].nv + 2)


@inline
def fill_extra(extra: Any, row: int, v: Any, J: Any, motion: Any) -> None:
    """Rows that are constant in the joints' coordinates, from `row` on; their errors are not known here."""
    nv = v.shape[0]
    for k in range(extra.shape[0]):
        rate = 0.0
        for c in range(nv):
            J[row + k, c] = extra[k, c]
            rate += extra[k, c] * v[c]
        motion[row + k, 0] = 0.0
        motion[row + k, 1] = rate
        motion[row + k, 2] = 0.0


@kernel("joints", "work", "frames", "matrix", "matrix", "vector", "vector", "matrix", "matrix")
def constraint_rows(
    joints: Any, work: Any, ends: Any, settings: Any, extra: Any, q: Any, v: Any, J: Any, motion: Any
) -> None:
    """J, and per row the bias acceleration, the velocity and the error."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_rows(joints, ends, settings, extra, J)
    check_shape(motion, J.shape[0], 3)
    lay_out(joints, work, q, v)
    row = fill_rows(joints, work, ends, settings, J, motion)
    fill_extra(extra, row, v, J, motion)
