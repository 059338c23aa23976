"""One step of a robot that follows a moving pose: damped least squares inside limits of position and speed.

The damping never goes below a floor, so that the way a joint moves for a given error is bounded also where
the Jacobian loses rank (Nakamura and Hanafusa 1986; Wampler 1986).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .configuration import difference_joint, integrate_joint
from .copies import copy_entries
from .engine import kernel
from .frames import check_frame
from .ik_columns import (
    distances,
    fill_columns,
    frame_error,
    leave_out_blocked,
    move,
    number_columns,
    way_to,
    weigh,
)
from .ik_free import match_free
from .ik_seeds import bring_inside
from .ik_step import damped_step
from .sizes import check_q, check_scratch, check_shape, check_v


@kernel(
    "joints", "work", "frames", "int", "matrix", "vector", "matrix", "vector", "vector", "float", "int",
    "vector", "vector", "vector",
)  # fmt: skip
def track(
    joints: Any, work: Any, frames: Any, frame: int, target: Any, weights: Any, limits: Any, free: Any,
    reach: Any, damping: float, iterations: int, start: Any, q: Any, errors: Any,
) -> None:  # fmt: skip
    """q, from start, moved towards a pose; errors = (metres, radians) that are left.

    Args:
        target: pose (4, 3); weights: (6,); limits: (2, nq); free: (nv,), zero where a coordinate stays.
        reach: (nv,), how far each coordinate may move in all.
        damping: floor of the damping; iterations: Gauss-Newton steps at most.
    """
    check_scratch(joints, work)
    check_q(joints, start)
    check_q(joints, q)
    check_v(joints, free)
    check_v(joints, reach)
    check_frame(frames, frame)
    check_shape(target, 4, 3)
    check_shape(limits, 2, q.shape[0])
    if weights.shape[0] != 6 or errors.shape[0] != 2:
        raise ValueError("size of an argument")
    nv = free.shape[0]
    places, columns = np.empty((6 * joints.shape[0], 3), np.int64), np.empty((nv, 2), np.int64)
    movers = np.empty(joints.shape[0], np.int64)
    n, m, s = number_columns(joints, frames[frame].joint, free, places, columns, movers)
    J, A, relative = np.empty((6, m + 1)), np.empty((6, 6)), np.empty((3, 3))
    e, y, step, way = np.empty(6), np.empty(6), np.zeros(nv), np.zeros(nv)
    bring_inside(joints, columns, m, limits, start)
    copy_entries(start, q)
    for iteration in range(iterations + 1):
        fill_columns(joints, work, frames[frame], q, places, n, m, J)
        frame_error(work[0], target, relative, e)
        errors[0], errors[1] = distances(work[0], target, e, weights)
        match_free(way_to(work[0], target), weights, J, e, m, A, y)
        cost = weigh(J, e, weights, m)
        if iteration == iterations or cost < 1e-20:
            break
        leave_out_blocked(columns, m, q, limits, J, e)
        damped_step(J, e, m, cost + damping, A, y)
        for c in range(m):
            along = 0.0
            for r in range(6):
                along += J[r, c] * y[r]
            step[columns[c, 0]] = along
        move(joints, movers, s, columns, m, limits, q, step)
        for k in range(s):
            difference_joint(joints[movers[k]], start, q, way)
        part = 1.0
        for c in range(m):
            v = columns[c, 0]
            if abs(way[v]) * part > reach[v]:
                part = reach[v] / abs(way[v])
        if part < 1.0:
            # As fast as allowed, in the direction of the whole way.
            for c in range(m):
                way[columns[c, 0]] *= part
            copy_entries(start, q)
            for k in range(s):
                integrate_joint(joints[movers[k]], start, way, q)
