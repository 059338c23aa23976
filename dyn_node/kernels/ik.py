"""Inverse kinematics of one frame: Levenberg-Marquardt on SE(3), restarted, inside the joints' limits.

The error is log(T^-1 T_target) in the frame's own axes, the Jacobian is that of the same frame, so
they match at any angle up to pi. Damping follows the error (Sugihara 2011, "Solvability-unconcerned
inverse kinematics by the Levenberg-Marquardt method"): quadratic near a solution, and no blow-up at
a singularity or out of reach. A joint that stands at its limit and is pushed outwards is left out of
the step, and the step is projected back inside (a projected active set).

Everything between two looks at the clock is one call of `search`: descents from the seed and then from a
low-discrepancy sequence. Solutions that are wanted nearer to the seed or further from a singularity are moved
along what the target leaves free.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .configuration import difference_joint
from .copies import copy_entries
from .engine import inline, kernel
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
from .ik_dexterity import climb
from .ik_free import match_free
from .ik_seeds import bring_inside, first_point, next_seed, unwind
from .ik_step import damped_step, gram_determinant, shorten
from .sizes import check_q, check_scratch, check_shape, check_v
from .vector import cross, dot

#: What `search` returns.
SOLVED, UNSOLVED = 1, 0

#: How the best of several solutions is chosen.
SPEED, DISTANCE, MANIPULABILITY = 0, 1, 2

#: Entries of `state`, which a search carries from call to call.
DESCENTS, ITERATIONS, METRES, RADIANS, SCORE, SUCCESS, MOVED, DONE = range(8)
STATE = 8

_LONGEST_DESCENT = 100
#: A descent ends after so many steps in a row that did not bring the cost below this part of what it was.
_STALLED, _PROGRESS = 3, 0.95
#: Steps towards the seed from each solution, where the nearest one is wanted.
_NEARER = 12


@inline
def descend(
    joints: Any, work: Any, frame: Any, target: Any, weights: Any, position: float, orientation: float,
    limits: Any, places: Any, n: int, columns: Any, m: int, movers: Any, s: int, q: Any, best: Any, J: Any,
    A: Any, relative: Any, e: Any, y: Any, step: Any,
) -> Any:  # fmt: skip
    """One descent from q; its best configuration in `best`. (solved, iterations, metres, radians)."""
    scale, before, stalled, done = 1.0, np.inf, 0, 0
    metres, radians = np.inf, np.inf
    for iteration in range(_LONGEST_DESCENT):
        fill_columns(joints, work, frame, q, places, n, m, J)
        frame_error(work[0], target, relative, e)
        here_metres, here_radians = distances(work[0], target, e, weights)
        match_free(way_to(work[0], target), weights, J, e, m, A, y)
        cost = weigh(J, e, weights, m)
        done = iteration + 1
        if here_metres <= position and here_radians <= orientation:
            copy_entries(q, best)
            return True, done, here_metres, here_radians
        if cost < before:
            stalled = stalled + 1 if cost > _PROGRESS * before else 0
            before, metres, radians = cost, here_metres, here_radians
            copy_entries(q, best)
            scale = max(0.3 * scale, 1e-3)
        else:
            stalled += 1
            scale = min(8.0 * scale, 1e6)
        if stalled > _STALLED:
            break
        leave_out_blocked(columns, m, q, limits, J, e)
        damped_step(J, e, m, scale * cost + 1e-14, A, y)
        longest = 0.0
        for c in range(m):
            along = 0.0
            for r in range(6):
                along += J[r, c] * y[r]
            step[columns[c, 0]] = along
            longest = max(longest, abs(along))
        shorten(step, columns, m, longest, 1.0)
        move(joints, movers, s, columns, m, limits, q, step)
    return False, done, metres, radians


@inline
def score(
    joints: Any, work: Any, frame: Any, places: Any, n: int, movers: Any, s: int, columns: Any, m: int,
    J: Any, A: Any, weights: Any, mode: int, seed: Any, q: Any, way: Any, climbs: Any,
) -> float:  # fmt: skip
    """How bad a solution is: its distance from the seed, or minus its manipulability."""
    total = 0.0
    if mode == DISTANCE:
        for k in range(s):
            difference_joint(joints[movers[k]], seed, q, way)
        for c in range(m):
            total += way[columns[c, 0]] * way[columns[c, 0]]
    elif climbs is not None:
        fill_columns(joints, work, frame, q, places, n, m, J)
        total = -gram_determinant(J, m, weights, A)
    return total


@inline
def draw_near(
    joints: Any, work: Any, frame: Any, target: Any, weights: Any, limits: Any, places: Any, n: int,
    columns: Any, m: int, movers: Any, s: int, seed: Any, q: Any, J: Any, A: Any, relative: Any,
    e: Any, y: Any, step: Any, way: Any,
) -> None:  # fmt: skip
    """Move q, which is a solution, towards the seed within what leaves the error as it is to first order.

    Each step is half the way to the point nearest to the seed that the linearised error allows.
    """
    for _ in range(_NEARER):
        fill_columns(joints, work, frame, q, places, n, m, J)
        frame_error(work[0], target, relative, e)
        match_free(way_to(work[0], target), weights, J, e, m, A, y)
        weigh(J, e, weights, m)
        for k in range(s):
            difference_joint(joints[movers[k]], q, seed, way)
        for r in range(6):
            for c in range(m):
                e[r] -= J[r, c] * way[columns[c, 0]]
        damped_step(J, e, m, 1e-9, A, y)
        longest = 0.0
        for c in range(m):
            along = way[columns[c, 0]]
            for r in range(6):
                along += J[r, c] * y[r]
            step[columns[c, 0]] = 0.5 * along
            longest = max(longest, abs(0.5 * along))
        shorten(step, columns, m, longest, 0.3)
        move(joints, movers, s, columns, m, limits, q, step)


@inline
def keep(state: Any, kept: Any, q: Any, success: bool, metres: float, radians: float, score: float) -> None:
    """Keep a descent's result where it is better than what is kept."""
    worse = state[SUCCESS] > 0.0 and not success
    if not worse and ((success and state[SUCCESS] == 0.0) or score < state[SCORE]):
        copy_entries(q, kept)
        state[METRES], state[RADIANS], state[SCORE] = metres, radians, score
        state[SUCCESS] = 1.0 if success else 0.0


@kernel("matrix", "matrix")
def pose_of_matrix(matrix: Any, pose: Any) -> bool:
    """A homogeneous (4, 4) matrix as a pose (4, 3); False where it is none to the last digits."""
    check_shape(matrix, 4, 4)
    check_shape(pose, 4, 3)
    good = matrix[3, 0] == 0.0 and matrix[3, 1] == 0.0 and matrix[3, 2] == 0.0 and matrix[3, 3] == 1.0
    for r in range(3):
        pose[3, r] = matrix[r, 3]
        good = good and abs(matrix[r, 3]) < np.inf
        for c in range(3):
            pose[r, c] = matrix[r, c]
            product = 0.0
            for k in range(3):
                product += matrix[r, k] * matrix[c, k]
            good = good and abs(product - (1.0 if r == c else 0.0)) < 1e-12
    normal = cross(pose[0], pose[1])
    return good and dot(normal, pose[2]) > 0.0


@inline
def search_on(
    joints: Any, work: Any, frames: Any, frame: int, target: Any, weights: Any, position: float,
    orientation: float, limits: Any, free: Any, steps: Any, number: int, seed: Any, point: Any, mode: int,
    iterations: int, descents: int, state: Any, kept: Any, climbs: Any,
) -> int:  # fmt: skip
    """Descend from the seed and, where that fails, from elsewhere; SOLVED once one that counts is found.

    A search begins where `state[DESCENTS]` is zero, and goes on in the next call.

    Args:
        target: pose (4, 3), the rotation's rows and then the translation.
        position, orientation: what counts as solved, metres and radians.
        limits: (2, nq); free: (nv,), zero where a coordinate stays.
        steps: (nv,), of the restart sequence; number: which stretch of it; point: (nv,), its last point.
        seed: (nq,), brought inside the limits here.
        mode: SPEED stops at the first solution, the others go on.
        iterations: the call ends with the descent that reaches this number (together with state's).
        descents: the search ends after so many.
        kept: (nq,), the best configuration.
        climbs: None where the mode is not MANIPULABILITY: what that needs is then not compiled.
    """
    check_scratch(joints, work)
    check_q(joints, seed)
    check_q(joints, kept)
    check_v(joints, free)
    check_v(joints, steps)
    check_v(joints, point)
    check_frame(frames, frame)
    check_shape(target, 4, 3)
    check_shape(limits, 2, seed.shape[0])
    if weights.shape[0] != 6 or state.shape[0] != STATE:
        raise ValueError("size of an argument")
    nv = free.shape[0]
    places, columns = np.empty((6 * joints.shape[0], 3), np.int64), np.empty((nv, 2), np.int64)
    movers = np.empty(joints.shape[0], np.int64)
    n, m, s = number_columns(joints, frames[frame].joint, free, places, columns, movers)
    J, A, relative = np.empty((6, m + 1)), np.empty((6, 6)), np.empty((3, 3))
    e, y, step, way = np.empty(6), np.empty(6), np.zeros(nv), np.empty(nv)
    q, best = np.empty(seed.shape[0]), np.empty(seed.shape[0])
    if state[DESCENTS] == 0.0:
        state[:] = 0.0
        state[METRES], state[RADIANS], state[SCORE] = np.inf, np.inf, np.inf
        state[MOVED] = bring_inside(joints, columns, m, limits, seed)
        first_point(steps, number, point)
    while state[DESCENTS] < descents and state[ITERATIONS] < iterations:
        copy_entries(seed, q)
        if state[DESCENTS] > 0.0:
            next_seed(joints, movers, s, columns, m, limits, steps, point, q)
        state[DESCENTS] += 1.0
        good, done, metres, radians = descend(
            joints, work, frames[frame], target, weights, position, orientation, limits, places, n, columns,
            m, movers, s, q, best, J, A, relative, e, y, step,
        )  # fmt: skip
        state[ITERATIONS] += done
        if good:
            unwind(joints, movers, s, limits, seed, best)
            value = score(
                joints, work, frames[frame], places, n, movers, s, columns, m, J, A, weights, mode, seed,
                best, way, climbs,
            )  # fmt: skip
        else:
            value = metres * metres + radians * radians
        keep(state, kept, best, good, metres, radians, value)
        if good and mode != SPEED and m > 0:
            copy_entries(best, q)
            if mode == DISTANCE:
                draw_near(
                    joints, work, frames[frame], target, weights, limits, places, n, columns, m, movers, s,
                    seed, q, J, A, relative, e, y, step, way,
                )  # fmt: skip
                state[ITERATIONS] += _NEARER
            elif climbs is not None:
                state[ITERATIONS] += climb(
                    joints, work, frames[frame], target, weights, limits, places, n, columns, m, movers, s,
                    q, best, J, A, relative, e, y, step,
                )  # fmt: skip
            better, done, metres, radians = descend(
                joints, work, frames[frame], target, weights, position, orientation, limits, places, n,
                columns, m, movers, s, q, best, J, A, relative, e, y, step,
            )  # fmt: skip
            state[ITERATIONS] += done
            if better:
                value = score(
                    joints, work, frames[frame], places, n, movers, s, columns, m, J, A, weights, mode, seed,
                    best, way, climbs,
                )  # fmt: skip
                keep(state, kept, best, better, metres, radians, value)
        if m == 0 or (good and mode == SPEED):
            state[DONE] = 1.0
            break
    if state[DESCENTS] >= descents:
        state[DONE] = 1.0
    return SOLVED if state[SUCCESS] > 0.0 else UNSOLVED


_ARGUMENTS = (
    "joints", "work", "frames", "int", "matrix", "vector", "float", "float", "matrix", "vector", "vector",
    "int", "vector", "vector", "int", "int", "int", "vector", "vector",
)  # fmt: skip


@kernel(*_ARGUMENTS)
def search(
    joints: Any, work: Any, frames: Any, frame: int, target: Any, weights: Any, position: float,
    orientation: float, limits: Any, free: Any, steps: Any, number: int, seed: Any, point: Any, mode: int,
    iterations: int, descents: int, state: Any, kept: Any,
) -> int:  # fmt: skip
    """`search_on` for the modes SPEED and DISTANCE."""
    return search_on(
        joints, work, frames, frame, target, weights, position, orientation, limits, free, steps, number,
        seed, point, mode, iterations, descents, state, kept, None,
    )  # fmt: skip


@kernel(*_ARGUMENTS)
def search_dexterous(
    joints: Any, work: Any, frames: Any, frame: int, target: Any, weights: Any, position: float,
    orientation: float, limits: Any, free: Any, steps: Any, number: int, seed: Any, point: Any, mode: int,
    iterations: int, descents: int, state: Any, kept: Any,
) -> int:  # fmt: skip
    """`search_on` for the mode MANIPULABILITY."""
    return search_on(
        joints, work, frames, frame, target, weights, position, orientation, limits, free, steps, number,
        seed, point, mode, iterations, descents, state, kept, 1,
    )  # fmt: skip


#: The search of each mode.
SEARCHES = search, search, search_dexterous
