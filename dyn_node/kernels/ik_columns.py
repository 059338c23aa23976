"""What a frame's pose is off, and the columns of the Jacobian that can change it.

Only the joints that carry the frame and may move are touched: `columns` numbers their velocity coordinates,
and J, the step and the limits are those of these columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .configuration import integrate_joint
from .engine import inline
from .frames import place_support
from .lie import log6, matrix_to_quaternion
from .motion import motion_to_child
from .vector import angular, linear, sub, unrotate


@inline
def number_columns(joints: Any, joint: int, free: Any, places: Any, columns: Any, movers: Any) -> Any:
    """List the free velocity coordinates between the universe and a joint.

    Row k of `places` becomes (record, coordinate within it, column); row c of `columns` (entry of v,
    entry of q or -1 where there is no plain limit); `movers` the records that have the entries of q. These
    may stand elsewhere in the tree: joints that follow others share their columns.
    Returns how many of each there are.
    """
    n, m, s = 0, 0, 0
    i = joint
    while i > 0:
        record = joints[i]
        for d in range(record.nv):
            v = record.idx_v + d
            if free[v] > 0.0:
                c = 0
                while c < m and columns[c, 0] != v:
                    c += 1
                if c == m:
                    columns[c, 0], columns[c, 1] = v, -1
                    m += 1
                places[n, 0], places[n, 1], places[n, 2] = i, d, c
                n += 1
        i = record.parent
    for i in range(1, joints.shape[0]):
        record, moves = joints[i], False
        if record.nq > 0:
            for c in range(m):
                d = columns[c, 0] - record.idx_v
                if 0 <= d < record.nv:
                    moves = True
                    if record.nq == record.nv:
                        columns[c, 1] = record.idx_q + d
        if moves:
            movers[s] = i
            s += 1
    return n, m, s


@inline
def fill_columns(joints: Any, work: Any, frame: Any, q: Any, places: Any, n: int, m: int, J: Any) -> None:
    """Jacobian of a frame in its own axes, (6, m), after placing the joints that carry it."""
    place_support(joints, work, frame, q)
    for r in range(6):
        for c in range(m):
            J[r, c] = 0.0
    for k in range(n):
        x, c = work[places[k, 0]], places[k, 2]
        S = x.S[places[k, 1]]
        lin, ang = motion_to_child(x.R, x.p, linear(S), angular(S))
        for r in range(3):
            J[r, c] += lin[r]
            J[3 + r, c] += ang[r]


@inline
def way_to(world: Any, target: Any) -> Any:
    """From a frame to a target pose (4, 3), metres along the frame's axes."""
    return unrotate(world.R, sub((target[3, 0], target[3, 1], target[3, 2]), world.p))


@inline
def frame_error(world: Any, target: Any, relative: Any, e: Any) -> None:
    """e = log(T^-1 T_target) for a target pose (4, 3); `relative` is a (3, 3) scratch matrix."""
    for r in range(3):
        for c in range(3):
            relative[r, c] = (
                world.R[0, r] * target[0, c] + world.R[1, r] * target[1, c] + world.R[2, r] * target[2, c]
            )
    lin, ang = log6(matrix_to_quaternion(relative), way_to(world, target))
    for r in range(3):
        e[r] = lin[r]
        e[3 + r] = ang[r]


@inline
def distances(world: Any, target: Any, e: Any, weights: Any) -> Any:
    """(metres, radians) by which the weighted directions miss the target."""
    way, metres, radians = way_to(world, target), 0.0, 0.0
    for r in range(3):
        if weights[r] > 0.0:
            metres += way[r] * way[r]
        if weights[3 + r] > 0.0:
            radians += e[3 + r] * e[3 + r]
    return np.sqrt(metres), np.sqrt(radians)


@inline
def weigh(J: Any, e: Any, weights: Any, m: int) -> float:
    """Rows of J and e times their weights; half the squared weighted error."""
    total = 0.0
    for r in range(6):
        if weights[r] != 1.0:
            e[r] *= weights[r]
            for c in range(m):
                J[r, c] *= weights[r]
        total += e[r] * e[r]
    return 0.5 * total


@inline
def leave_out_blocked(columns: Any, m: int, q: Any, limits: Any, J: Any, e: Any) -> None:
    """Zero the columns of joints that stand at a limit and are pushed outwards."""
    for c in range(m):
        k = columns[c, 1]
        if k >= 0 and (q[k] <= limits[0, k] or q[k] >= limits[1, k]):
            push = 0.0
            for r in range(6):
                push += J[r, c] * e[r]
            if (push < 0.0 and q[k] <= limits[0, k]) or (push > 0.0 and q[k] >= limits[1, k]):
                for r in range(6):
                    J[r, c] = 0.0


@inline
def move(joints: Any, movers: Any, s: int, columns: Any, m: int, limits: Any, q: Any, step: Any) -> None:
    """q moved along a step, (nv,), and back inside the limits."""
    for k in range(s):
        if joints[movers[k]].nq > joints[movers[k]].nv:
            integrate_joint(joints[movers[k]], q, step, q)
    for c in range(m):
        k = columns[c, 1]
        if k >= 0:
            q[k] = min(max(q[k] + step[columns[c, 0]], limits[0, k]), limits[1, k])
