"""Inverse kinematics of one frame: Levenberg-Marquardt on SE(3), restarted, inside the joints' limits.

The error is log(T^-1 T_target) in the frame's own axes, the Jacobian is that of the same frame, so
they match at any angle up to pi. Damping follows the error (Sugihara 2011, "Solvability-unconcerned
inverse kinematics by the Levenberg-Marquardt method"): quadratic near a solution, and no blow-up at
a singularity or out of reach. A joint that stands at its limit and is pushed outwards is left out of
the step, and the step is projected back inside (a projected active set).

Everything between two looks at the clock is one call of `search`: descents from the seed and then from a
low-discrepancy sequence. Only the joints that carry the frame and may move are touched: `columns` numbers
their velocity coordinates, and J, the step and the limits are those of these columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .configuration import difference_joint, integrate_joint
from .engine import inline, kernel
from .frames import check_frame, place_support
from .ik_seeds import bring_inside, first_point, next_seed, unwind
from .ik_step import damped_step, gram_determinant, shorten
from .lie import log6, matrix_to_quaternion
from .motion import motion_to_child
from .sizes import check_q, check_scratch, check_shape, check_v
from .vector import angular, cross, dot, linear, sub, unrotate

#: What `search` returns.
SOLVED, UNSOLVED = 1, 0

#: How the best of several solutions is chosen.
SPEED, DISTANCE, MANIPULABILITY = 0, 1, 2

#: Entries of `state`, which a search carries from call to call.
DESCENTS, ITERATIONS, METRES, RADIANS, SCORE, SUCCESS, MOVED, DONE = range(8)
STATE = 8

_LONGEST_DESCENT = 100
#: A descent ends after so many steps in a row that did not bring the cost below this part of what it was.
_STALLED, _PROGRESS = 5, 0.95
#: Steps towards the seed from each solution, where the nearest one is wanted.
_NEARER = 12


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
def frame_error(world: Any, target: Any, relative: Any, e: Any) -> None:
    """e = log(T^-1 T_target) for a target pose (4, 3); `relative` is a (3, 3) scratch matrix."""
    for r in range(3):
        for c in range(3):
            relative[r, c] = (
                world.R[0, r] * target[0, c] + world.R[1, r] * target[1, c] + world.R[2, r] * target[2, c]
            )
    way = unrotate(world.R, sub((target[3, 0], target[3, 1], target[3, 2]), world.p))
    lin, ang = log6(matrix_to_quaternion(relative), way)
    for r in range(3):
        e[r] = lin[r]
        e[3 + r] = ang[r]


@inline
def distances(world: Any, target: Any, e: Any, weights: Any) -> Any:
    """(metres, radians) by which the weighted directions miss the target."""
    way = unrotate(world.R, sub((target[3, 0], target[3, 1], target[3, 2]), world.p))
    metres, radians = 0.0, 0.0
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
        integrate_joint(joints[movers[k]], q, step, q)
    for c in range(m):
        k = columns[c, 1]
        if k >= 0:
            q[k] = min(max(q[k], limits[0, k]), limits[1, k])


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
        cost = weigh(J, e, weights, m)
        done = iteration + 1
        if here_metres <= position and here_radians <= orientation:
            best[:] = q
            return True, done, here_metres, here_radians
        if cost < before:
            stalled = stalled + 1 if cost > _PROGRESS * before else 0
            before, metres, radians = cost, here_metres, here_radians
            best[:] = q
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
    joints: Any, movers: Any, s: int, columns: Any, m: int, J: Any, A: Any, weights: Any, mode: int,
    seed: Any, q: Any, way: Any,
) -> float:  # fmt: skip
    """How bad a solution is: its distance from the seed, or minus its manipulability."""
    total = 0.0
    if mode == DISTANCE:
        for k in range(s):
            difference_joint(joints[movers[k]], seed, q, way)
        for c in range(m):
            total += way[columns[c, 0]] * way[columns[c, 0]]
    elif mode == MANIPULABILITY:
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
        kept[:] = q
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


@kernel(
    "joints", "work", "frames", "int", "matrix", "vector", "float", "float", "matrix", "vector", "vector",
    "int", "vector", "vector", "int", "int", "int", "vector", "vector",
)  # fmt: skip
def search(
    joints: Any, work: Any, frames: Any, frame: int, target: Any, weights: Any, position: float,
    orientation: float, limits: Any, free: Any, steps: Any, number: int, seed: Any, point: Any, mode: int,
    iterations: int, descents: int, state: Any, kept: Any,
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
        q[:] = seed
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
            value = score(joints, movers, s, columns, m, J, A, weights, mode, seed, best, way)
        else:
            value = metres * metres + radians * radians
        keep(state, kept, best, good, metres, radians, value)
        if good and mode == DISTANCE:
            q[:] = best
            draw_near(
                joints, work, frames[frame], target, weights, limits, places, n, columns, m, movers, s, seed,
                q, J, A, relative, e, y, step, way,
            )  # fmt: skip
            nearer, done, metres, radians = descend(
                joints, work, frames[frame], target, weights, position, orientation, limits, places, n,
                columns, m, movers, s, q, best, J, A, relative, e, y, step,
            )  # fmt: skip
            state[ITERATIONS] += done + _NEARER
            if nearer:
                value = score(joints, movers, s, columns, m, J, A, weights, mode, seed, best, way)
                keep(state, kept, best, nearer, metres, radians, value)
        if m == 0 or (good and mode == SPEED):
            state[DONE] = 1.0
            break
    if state[DESCENTS] >= descents:
        state[DONE] = 1.0
    return SOLVED if state[SUCCESS] > 0.0 else UNSOLVED
