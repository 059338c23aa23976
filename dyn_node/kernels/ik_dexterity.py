"""Away from singularities along what a target leaves free: a climb along the gradient of manipulability.

Manipulability is sqrt(det J J^T) of the rows that count (Yoshikawa 1985). In the frame's own axes the column
of a joint changes with every joint between it and the frame by their motions' bracket, so that the gradient
of its logarithm is a sum of brackets against the columns of J^+ (Park and Brockett 1994 for the derivative).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .copies import copy_entries
from .engine import inline
from .ik_columns import fill_columns, frame_error, move, way_to, weigh
from .ik_free import match_free
from .ik_step import back_solve, damped_step, factor, gram_determinant, shorten
from .motion import cross_motion, motion_to_child
from .vector import angular, linear

#: Steps of a climb, and the longest of them (rad or m).
_STEPS, _LONGEST = 25, 0.3
#: A climb ends where its steps are shorter than this, or its gains smaller.
_SHORTEST, _GAIN = 1e-3, 1e-5


@inline
def weighted_inverse(J: Any, m: int, weights: Any, A: Any, Y: Any) -> int:
    """Y = (J J^T)^-1 J over the rows that have weight, the others left out; how many there are."""
    size = 0
    for r in range(6):
        if weights[r] > 0.0:
            other = 0
            for c in range(r + 1):
                if weights[c] > 0.0:
                    total = 1e-12 if r == c else 0.0
                    for k in range(m):
                        total += J[r, k] * J[c, k]
                    A[size, other] = total
                    other += 1
            for k in range(m):
                Y[size, k] = J[r, k]
            size += 1
    factor(A, size)
    for k in range(m):
        back_solve(A, size, Y[:, k])
    return size


@inline
def log_gradient(
    work: Any, places: Any, n: int, m: int, weights: Any, J: Any, A: Any, Y: Any, P: Any, gradient: Any
) -> None:
    """Derivative of the logarithm of manipulability by each column's coordinate, (m,).

    J are the columns of `fill_columns`, before weights; Y (6, m) and P (n, 6) are scratch.
    """
    weighted_inverse(J, m, weights, A, Y)
    for k in range(n):
        x = work[places[k, 0]]
        S = x.S[places[k, 1]]
        lin, ang = motion_to_child(x.R, x.p, linear(S), angular(S))
        for r in range(3):
            P[k, r], P[k, 3 + r] = lin[r], ang[r]
    for c in range(m):
        gradient[c] = 0.0
    # Places run from the frame to the root: the earlier one of a pair moves the later one's column.
    for near in range(n):
        lin, ang = (P[near, 0], P[near, 1], P[near, 2]), (P[near, 3], P[near, 4], P[near, 5])
        for far in range(near + 1, n):
            if places[far, 0] != places[near, 0]:
                up, turn = cross_motion(
                    (P[far, 0], P[far, 1], P[far, 2]), (P[far, 3], P[far, 4], P[far, 5]), lin, ang
                )
                row, c, total = 0, places[far, 2], 0.0
                for r in range(6):
                    if weights[r] > 0.0:
                        total += Y[row, c] * (up[r] if r < 3 else turn[r - 3])
                        row += 1
                gradient[places[near, 2]] += total


@inline
def ascent(
    joints: Any, work: Any, frame: Any, target: Any, weights: Any, limits: Any, places: Any, n: int,
    columns: Any, m: int, q: Any, J: Any, A: Any, relative: Any, e: Any, y: Any, Y: Any, P: Any,
    gradient: Any, step: Any,
) -> float:  # fmt: skip
    """step = the gradient less what would disturb the target, no longer than allowed; its largest entry."""
    fill_columns(joints, work, frame, q, places, n, m, J)
    log_gradient(work, places, n, m, weights, J, A, Y, P, gradient)
    frame_error(work[0], target, relative, e)
    match_free(way_to(work[0], target), weights, J, e, m, A, y)
    weigh(J, e, weights, m)
    for c in range(m):
        k = columns[c, 1]
        if k >= 0 and (
            (q[k] <= limits[0, k] and gradient[c] < 0.0) or (q[k] >= limits[1, k] and gradient[c] > 0.0)
        ):
            gradient[c] = 0.0
            for r in range(6):
                J[r, c] = 0.0
    for r in range(6):
        e[r] = 0.0
        for c in range(m):
            e[r] += J[r, c] * gradient[c]
    damped_step(J, e, m, 1e-9, A, y)
    longest = 0.0
    for c in range(m):
        along = gradient[c]
        for r in range(6):
            along -= J[r, c] * y[r]
        step[columns[c, 0]] = along
        longest = max(longest, abs(along))
    shorten(step, columns, m, longest, _LONGEST)
    return min(longest, _LONGEST)


@inline
def climb(
    joints: Any, work: Any, frame: Any, target: Any, weights: Any, limits: Any, places: Any, n: int,
    columns: Any, m: int, movers: Any, s: int, q: Any, tried: Any, J: Any, A: Any, relative: Any,
    e: Any, y: Any, step: Any,
) -> int:  # fmt: skip
    """Move q, which is a solution, to more manipulability; to first order the target stays met.

    A step that does not gain is halved; `tried` is a (nq,) scratch array. Returns the number of steps.
    """
    Y, P, gradient = np.empty((6, m)), np.empty((n, 6)), np.empty(m)
    fill_columns(joints, work, frame, q, places, n, m, J)
    here, done, longest, moved = gram_determinant(J, m, weights, A), 0, 0.0, True
    while done < _STEPS:
        if moved:
            longest = ascent(
                joints, work, frame, target, weights, limits, places, n, columns, m, q, J, A, relative, e, y,
                Y, P, gradient, step,
            )  # fmt: skip
        if longest <= _SHORTEST:
            break
        done += 1
        copy_entries(q, tried)
        move(joints, movers, s, columns, m, limits, tried, step)
        fill_columns(joints, work, frame, tried, places, n, m, J)
        there = gram_determinant(J, m, weights, A)
        moved = there > here * (1.0 + _GAIN)
        if moved:
            here = there
            copy_entries(tried, q)
        else:
            longest *= 0.5
            for c in range(m):
                step[columns[c, 0]] *= 0.5
    return done
