"""Errors and Jacobians of the tasks of inverse kinematics.

A task is a row of numbers, `TASK` entries long; `stack` turns all of them into one error vector and one
Jacobian over the free velocity coordinates. Errors say where to go: a step dq lessens e by J dq.

Everything is placed in world axes about the common point of `kernels.world`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .configuration import difference_joint
from .engine import inline
from .ik_free import match_free
from .ik_manipulability import manipulability_rows
from .lie import log3_quaternion, log6, matrix_to_quaternion
from .motion import motion_to_child
from .vector import add, angular, copy_matrix, cross, dot, linear, multiply, put, rotate, scale, sub, unrotate
from .world import add_mass, centre, place_about, place_columns, place_mass, start_at_rest

#: Kinds of task.
POSE, POSITION, ORIENTATION, AXIS, LOOK_AT, CENTRE, POSTURE, RELATIVE, MANIPULABILITY = range(9)

#: Entries of a task: kind, frame, other frame or row of the postures, tolerances (m, rad), level,
#: six weights, rotation (nine), position (or how much manipulability counts), the frame's axis, the world's
#: direction.
KIND, FRAME, OTHER, METRES, RADIANS, LEVEL, WEIGHTS, ROTATION, PLACE, AXIS_AT, DIRECTION = (
    0, 1, 2, 3, 4, 5, 6, 12, 21, 24, 27,
)  # fmt: skip
TASK = 30


@inline
def entries(task: Any, first: int) -> Any:
    """Three entries of a task."""
    return (task[first], task[first + 1], task[first + 2])


@inline
def rows_of(kind: int, m: int) -> int:
    """How many rows a task of this kind has, with m columns."""
    if kind == POSE or kind == RELATIVE:
        return 6
    if kind == MANIPULABILITY:
        return 1 + m
    return m if kind == POSTURE else 3


@inline
def place_tree(joints: Any, work: Any, q: Any) -> None:
    """Placements, columns and masses of the whole tree."""
    start_at_rest(work)
    for i in range(1, joints.shape[0]):
        place_about(joints, work, i, q)
        place_columns(joints[i], work[i])
        place_mass(joints[i], work[i])
    for i in range(joints.shape[0] - 1, 0, -1):
        add_mass(work[joints[i].parent], work[i])


@inline
def place_frame(work: Any, frame: Any, pose: Any) -> None:
    """Pose (4, 3) of a frame: world axes, about the common point."""
    x = work[frame.joint]
    if frame.joint == 0:
        copy_matrix(pose, frame.R)
        put(pose[3], sub(frame.p, x.p))
    else:
        multiply(pose, x.R, frame.R)
        put(pose[3], add(x.p, rotate(x.R, frame.p)))


@inline
def frame_columns(joints: Any, work: Any, frame: Any, pose: Any, column: Any, J: Any) -> None:
    """Jacobian (6, m) of a frame in its own axes; column[v] is -1 where a coordinate stays."""
    for r in range(6):
        for c in range(J.shape[1]):
            J[r, c] = 0.0
    i = frame.joint
    while i > 0:
        for d in range(joints[i].nv):
            c = column[joints[i].idx_v + d]
            if c >= 0:
                lin, ang = motion_to_child(pose, pose[3], linear(work[i].J[d]), angular(work[i].J[d]))
                for r in range(3):
                    J[r, c] += lin[r]
                    J[3 + r, c] += ang[r]
        i = joints[i].parent


@inline
def relative_rotation(pose: Any, task: Any, out: Any) -> None:
    """out = R^T R_target."""
    for r in range(3):
        for c in range(3):
            total = 0.0
            for k in range(3):
                total += pose[k, r] * task[ROTATION + 3 * k + c]
            out[r, c] = total


@inline
def turn_between(a: Any, b: Any) -> Any:
    """The shortest rotation vector that takes the unit vector a to b."""
    n = cross(a, b)
    s, c = np.sqrt(dot(n, n)), dot(a, b)
    if s < 1e-9 and c < 0.0:  # opposite: about anything across a
        n = cross(a, (1.0, 0.0, 0.0)) if abs(a[0]) < 0.9 else cross(a, (0.0, 1.0, 0.0))
        s = np.sqrt(dot(n, n))
        return scale(np.pi / s, n)
    return scale(np.arctan2(s, c) / s if s > 0.0 else 1.0, n)


@inline
def put_rows(e: Any, first: int, value: Any) -> None:
    """Three entries of e."""
    for r in range(3):
        e[first + r] = value[r]


@inline
def pose_rows(pose: Any, task: Any, origin: Any, small: Any, e: Any, first: int) -> Any:
    """Error of a pose in the frame's axes; (metres, radians) of what has weight, and the way there."""
    relative_rotation(pose, task, small)
    way = unrotate(pose, sub(sub(entries(task, PLACE), origin), pose[3]))
    lin, ang = log6(matrix_to_quaternion(small), way)
    put_rows(e, first, lin)
    put_rows(e, first + 3, ang)
    return weighted_length(task, 0, way), weighted_length(task, 3, ang), way


@inline
def weighted_length(task: Any, first: int, a: Any) -> float:
    """Length of the part of a three-vector that has weight."""
    total = 0.0
    for r in range(3):
        if task[WEIGHTS + first + r] > 0.0:
            total += a[r] * a[r]
    return np.sqrt(total)


@inline
def frame_rows(task: Any, pose: Any, origin: Any, own: Any, small: Any, J: Any, e: Any, first: int) -> Any:
    """Rows of the tasks of one frame but the pose; `own` is its Jacobian in its own axes."""
    kind, metres, radians = int(task[KIND]), 0.0, 0.0
    if kind == POSITION:
        way = sub(sub(entries(task, PLACE), origin), pose[3])
        put_rows(e, first, way)
        metres = weighted_length(task, 0, way)
        for c in range(J.shape[1]):
            lin = rotate(pose, (own[0, c], own[1, c], own[2, c]))
            for r in range(3):
                J[first + r, c] = lin[r]
    elif kind == ORIENTATION:
        relative_rotation(pose, task, small)
        ang = log3_quaternion(matrix_to_quaternion(small))
        put_rows(e, first, ang)
        radians = weighted_length(task, 3, ang)
        for r in range(3):
            for c in range(J.shape[1]):
                J[first + r, c] = own[3 + r, c]
    else:
        axis, wanted, inverse = rotate(pose, entries(task, AXIS_AT)), entries(task, DIRECTION), 0.0
        if kind == LOOK_AT:
            way = sub(sub(entries(task, PLACE), origin), pose[3])
            inverse = 1.0 / max(np.sqrt(dot(way, way)), 1e-9)
            wanted = scale(inverse, way)
        turn = turn_between(axis, wanted)
        put_rows(e, first, turn)
        radians = np.sqrt(dot(turn, turn))
        for c in range(J.shape[1]):
            ang = rotate(pose, (own[3, c], own[4, c], own[5, c]))
            lin = rotate(pose, (own[0, c], own[1, c], own[2, c]))
            # The part about the axis itself does not count; moving sideways turns the line of sight.
            row = add(sub(ang, scale(dot(ang, axis), axis)), scale(inverse, cross(wanted, lin)))
            for r in range(3):
                J[first + r, c] = row[r]
    return metres, radians


@inline
def centre_rows(joints: Any, work: Any, task: Any, column: Any, J: Any, e: Any, first: int) -> float:
    """Rows of the centre of mass; metres."""
    way = sub(sub(entries(task, PLACE), work[0].p), centre(work[0]))
    put_rows(e, first, way)
    for r in range(3):
        for c in range(J.shape[1]):
            J[first + r, c] = 0.0
    for i in range(1, joints.shape[0]):
        for d in range(joints[i].nv):
            c = column[joints[i].idx_v + d]
            if c >= 0:
                x = work[i]
                lin = add(scale(x.mass, linear(x.J[d])), cross(angular(x.J[d]), x.h))
                for r in range(3):
                    J[first + r, c] += lin[r] / work[0].mass
    return weighted_length(task, 0, way)


@inline
def posture_rows(
    joints: Any, posture: Any, q: Any, columns: Any, m: int, way: Any, J: Any, e: Any, first: int
) -> float:
    """Rows of a posture, (nq,) and then a weight for each of the nv; the weighted length of the way."""
    nq, total = q.shape[0], 0.0
    for i in range(1, joints.shape[0]):
        if joints[i].nq > 0:
            difference_joint(joints[i], q, posture, way)
    for k in range(m):
        v = columns[k, 0]
        for c in range(m):
            J[first + k, c] = 0.0
        J[first + k, k] = posture[nq + v]
        e[first + k] = posture[nq + v] * way[v]
        total += e[first + k] * e[first + k]
    return np.sqrt(total)


@inline
def relative_rows(
    joints: Any, work: Any, base: Any, pose: Any, task: Any, column: Any, other: Any, goal: Any, own: Any,
    small: Any, J: Any, e: Any, first: int,
) -> Any:  # fmt: skip
    """Rows of the pose of one frame in another: the goal moves with the other; as `pose_rows`."""
    place_frame(work, base, other)
    frame_columns(joints, work, base, other, column, J[first : first + 6])
    for r in range(3):
        for c in range(3):
            total = 0.0
            for k in range(3):
                total += other[r, k] * task[ROTATION + 3 * k + c]
            goal[ROTATION + 3 * r + c] = total
        goal[WEIGHTS + r], goal[WEIGHTS + 3 + r] = task[WEIGHTS + r], task[WEIGHTS + 3 + r]
    put(goal[PLACE : PLACE + 3], add(other[3], rotate(other, entries(task, PLACE))))
    metres, radians, way = pose_rows(pose, goal, (0.0, 0.0, 0.0), small, e, first)
    for c in range(J.shape[1]):
        lin = (J[first, c], J[first + 1, c], J[first + 2, c])
        ang = (J[first + 3, c], J[first + 4, c], J[first + 5, c])
        turned = rotate(other, ang)
        moved = add(rotate(other, lin), cross(other[3], turned))
        lin, ang = motion_to_child(pose, pose[3], moved, turned)
        for r in range(3):
            J[first + r, c] = own[r, c] - lin[r]
            J[first + 3 + r, c] = own[3 + r, c] - ang[r]
    return metres, radians, way


@inline
def stack(
    joints: Any, work: Any, frames: Any, q: Any, tasks: Any, postures: Any, columns: Any, m: int, column: Any,
    pose: Any, other: Any, goal: Any, own: Any, inverse: Any, small: Any, K: Any, six: Any, way: Any, J: Any,
    e: Any, errors: Any,
) -> None:  # fmt: skip
    """Fill J and e with the weighted rows of all tasks, and errors (tasks, 2) with metres and radians."""
    place_tree(joints, work, q)
    first = 0
    for t in range(tasks.shape[0]):
        task, kind = tasks[t], int(tasks[t, KIND])
        metres, radians, shift, ahead = 0.0, 0.0, 0, (0.0, 0.0, 0.0)
        if kind == CENTRE:
            metres = centre_rows(joints, work, task, column, J, e, first)
        elif kind == POSTURE:
            radians = posture_rows(joints, postures[int(task[OTHER])], q, columns, m, way, J, e, first)
        else:
            frame = frames[int(task[FRAME])]
            place_frame(work, frame, pose)
            frame_columns(joints, work, frame, pose, column, own)
            if kind == POSE:
                metres, radians, ahead = pose_rows(pose, task, work[0].p, small, e, first)
                for r in range(6):
                    for c in range(m):
                        J[first + r, c] = own[r, c]
            elif kind == MANIPULABILITY:
                manipulability_rows(
                    joints, work, frame, task[WEIGHTS : WEIGHTS + 6], task[PLACE], column, pose, own, K,
                    inverse, J, e, first,
                )  # fmt: skip
            elif kind == RELATIVE:
                metres, radians, ahead = relative_rows(
                    joints, work, frames[int(task[OTHER])], pose, task, column, other, goal, own, small, J, e,
                    first,
                )  # fmt: skip
            else:
                metres, radians = frame_rows(task, pose, work[0].p, own, small, J, e, first)
                shift = 0 if kind == POSITION else 3
        errors[t, 0], errors[t, 1] = metres, radians
        rows = rows_of(kind, m)
        if kind == POSE or kind == RELATIVE:
            weighted = task[WEIGHTS : WEIGHTS + 6]
            match_free(ahead, weighted, J[first : first + 6], e[first : first + 6], m, K, six)
        if kind != POSTURE and kind != MANIPULABILITY:
            for r in range(rows):
                w = task[WEIGHTS + shift + r]
                e[first + r] *= w
                for c in range(m):
                    J[first + r, c] *= w
        first += rows
