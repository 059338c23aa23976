"""Inverse kinematics of several tasks at once: Levenberg-Marquardt over the stack, restarted.

Level 0 has to be met. Level 1 is an objective: its step is projected into the null space of level 0
(Siciliano and Slotine 1991), so that it never competes. Damping follows the error of level 0 (Sugihara
2011); limits are handled as in `kernels.ik`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .copies import copy_entries, copy_rows
from .engine import inline, kernel
from .ik import DESCENTS, DONE, ITERATIONS, MOVED, SCORE, SOLVED, STATE, SUCCESS, UNSOLVED
from .ik_columns import move
from .ik_seeds import bring_inside, first_point, next_seed, unwind
from .ik_step import back_solve, factor, shorten
from .ik_tasks import KIND, LEVEL, METRES, RADIANS, TASK, rows_of, stack
from .sizes import check_q, check_scratch, check_shape, check_v

_LONGEST_DESCENT = 250
_STALLED, _PROGRESS = 8, 0.95
#: Keeps the projection defined where tasks contradict each other.
_FLOOR = 1e-10
#: Damping of the objectives, the part of their step that is taken, and how many steps in a row: the step is
#: right to first order only, so that level 0 has to be met again after some of them.
_SOFT, _PULL, _PULLS = 1e-3, 0.5, 12


@inline
def list_columns(joints: Any, free: Any, column: Any, columns: Any, movers: Any) -> Any:
    """Number the free velocity coordinates; how many there are, and how many records move them.

    column[v] is the column or -1; columns[c] (entry of v, entry of q or -1); movers: records.
    """
    m, s = 0, 0
    for v in range(free.shape[0]):
        column[v] = -1
        if free[v] > 0.0:
            column[v] = m
            columns[m, 0], columns[m, 1] = v, -1
            m += 1
    for i in range(1, joints.shape[0]):
        record = joints[i]
        if record.nq > 0 and record.nv > 0 and column[record.idx_v] >= 0:
            movers[s] = i
            s += 1
            if record.nq == record.nv:
                for d in range(record.nv):
                    columns[column[record.idx_v + d], 1] = record.idx_q + d
    return m, s


@inline
def normal_equations(J: Any, e: Any, first: int, last: int, m: int, damping: float, A: Any, g: Any) -> None:
    """A = J^T J + damping 1, factored, and g = J^T e, over some rows."""
    for c in range(m):
        g[c] = 0.0
        for k in range(c + 1):
            A[c, k] = damping if c == k else 0.0
    for r in range(first, last):
        for c in range(m):
            x = J[r, c]
            if x != 0.0:
                g[c] += x * e[r]
                for k in range(c + 1):
                    A[c, k] += x * J[r, k]
    factor(A, m)


@inline
def block(J: Any, e: Any, first: int, last: int, columns: Any, m: int, q: Any, limits: Any) -> None:
    """Zero the columns of joints that stand at a limit and are pushed outwards by some rows."""
    for c in range(m):
        k = columns[c, 1]
        if k >= 0 and (q[k] <= limits[0, k] or q[k] >= limits[1, k]):
            push = 0.0
            for r in range(first, last):
                push += J[r, c] * e[r]
            if (push < 0.0 and q[k] <= limits[0, k]) or (push > 0.0 and q[k] >= limits[1, k]):
                for r in range(J.shape[0]):
                    J[r, c] = 0.0


@inline
def objective(J: Any, e: Any, first: int, m: int, A: Any, B: Any, z: Any, u: Any) -> None:
    """z = the step of the rows from `first` on, less what it would change in those before."""
    normal_equations(J, e, first, J.shape[0], m, _SOFT, B, z)
    back_solve(B, m, z)
    for c in range(m):
        u[c] = 0.0
    for r in range(first):
        change = 0.0
        for c in range(m):
            change += J[r, c] * z[c]
        for c in range(m):
            u[c] += J[r, c] * change
    back_solve(A, m, u)
    for c in range(m):
        z[c] -= u[c]


@inline
def met(tasks: Any, errors: Any) -> bool:
    """Whether every task of level 0 is within its tolerances."""
    good = True
    for t in range(tasks.shape[0]):
        if tasks[t, LEVEL] == 0.0:
            good = good and errors[t, 0] <= tasks[t, METRES] and errors[t, 1] <= tasks[t, RADIANS]
    return good


@inline
def half_square(e: Any, first: int, last: int) -> float:
    """Half the squared length of some entries."""
    total = 0.0
    for r in range(first, last):
        total += e[r] * e[r]
    return 0.5 * total


@kernel(
    "joints", "work", "frames", "matrix", "matrix", "matrix", "vector", "vector", "int", "vector", "vector",
    "int", "int", "vector", "vector", "matrix",
)  # fmt: skip
def solve_tasks(
    joints: Any, work: Any, frames: Any, tasks: Any, postures: Any, limits: Any, free: Any, steps: Any,
    number: int, seed: Any, point: Any, iterations: int, descents: int, state: Any, kept: Any, errors: Any,
) -> int:  # fmt: skip
    """Descend from the seed and, where that fails, from elsewhere; SOLVED once level 0 is met.

    Args:
        tasks: (tasks, TASK), see `kernels.ik_tasks`, those of level 0 first; postures: (any, nq + nv).
        limits, free, steps, number, seed, point, iterations, descents, state: as `kernels.ik.search`.
        kept: (nq,), the best configuration; errors: (tasks, 2), its metres and radians.
    """
    check_scratch(joints, work)
    check_q(joints, seed)
    check_q(joints, kept)
    check_v(joints, free)
    check_v(joints, steps)
    check_v(joints, point)
    check_shape(limits, 2, seed.shape[0])
    check_shape(tasks, tasks.shape[0], TASK)
    check_shape(errors, tasks.shape[0], 2)
    nv, nq = free.shape[0], seed.shape[0]
    check_shape(postures, postures.shape[0], nq + nv)
    if state.shape[0] != STATE:
        raise ValueError("size of an argument")
    column, columns = np.empty(nv, np.int64), np.empty((nv, 2), np.int64)
    movers = np.empty(joints.shape[0], np.int64)
    m, s = list_columns(joints, free, column, columns, movers)
    rows, hard = 0, 0
    for t in range(tasks.shape[0]):
        rows += rows_of(int(tasks[t, KIND]), m)
        if tasks[t, LEVEL] == 0.0:
            hard = rows
    J, own, inverse, e = np.zeros((rows, m)), np.zeros((6, m)), np.zeros((6, m)), np.zeros(rows)
    A, B, g, z, u = np.zeros((m, m)), np.zeros((m, m)), np.zeros(m), np.zeros(m), np.zeros(m)
    pose, other, goal, small = np.zeros((4, 3)), np.zeros((4, 3)), np.zeros(TASK), np.zeros((3, 3))
    K, six = np.zeros((6, 6)), np.zeros(6)
    way, step, now = np.zeros(nv), np.zeros(nv), np.zeros((tasks.shape[0], 2))
    q, best, best_errors = np.empty(nq), np.empty(nq), np.zeros((tasks.shape[0], 2))
    if state[DESCENTS] == 0.0:
        state[:] = 0.0
        state[SCORE] = np.inf
        state[MOVED] = bring_inside(joints, columns, m, limits, seed)
        first_point(steps, number, point)
    while state[DESCENTS] < descents and state[ITERATIONS] < iterations and state[DONE] == 0.0:
        copy_entries(seed, q)
        if state[DESCENTS] > 0.0:
            next_seed(joints, movers, s, columns, m, limits, steps, point, q)
        state[DESCENTS] += 1.0
        scale, before, stalled, solved, value = 1.0, np.inf, 0, False, np.inf
        pulls, pulled = 0, False
        for _ in range(_LONGEST_DESCENT):
            stack(
                joints, work, frames, q, tasks, postures, columns, m, column, pose, other, goal, own, inverse,
                small, K, six, way, J, e, now,
            )  # fmt: skip
            state[ITERATIONS] += 1.0
            cost, good = half_square(e, 0, hard), met(tasks, now)
            # Once level 0 is met, what is left to improve is level 1.
            here = half_square(e, hard, rows) if good else cost
            better = (good and not solved) or (good == solved and here < value)
            worth = (good and not solved) or here < _PROGRESS * value
            if better:
                solved, value = good, here
                copy_entries(q, best)
                copy_rows(now, best_errors)
            if good:
                # Pull on as long as that pays.
                stalled, pulls = 0, 0 if better and worth else _PULLS
            elif better and worth:
                stalled = 0
            elif not pulled:
                stalled += 1
            done = good and (hard == rows or value < 1e-12 or pulls == _PULLS)
            if done or stalled > _STALLED:
                break
            if cost < before:
                scale = max(0.3 * scale, 1e-3)
            else:
                scale = 1.0 if pulled else min(8.0 * scale, 1e6)
            before = cost if pulled else min(before, cost)
            # An objective that led the first descent astray would lead them all.
            pulled = hard < rows and pulls < _PULLS and (solved or state[DESCENTS] == 1.0)
            block(J, e, 0, hard, columns, m, q, limits)
            normal_equations(J, e, 0, hard, m, scale * cost + _FLOOR, A, g)
            back_solve(A, m, g)
            if pulled:
                pulls += 1
                objective(J, e, hard, m, A, B, z, u)
                for c in range(m):
                    k = columns[c, 1]
                    if k >= 0 and (
                        (q[k] <= limits[0, k] and z[c] < 0.0) or (q[k] >= limits[1, k] and z[c] > 0.0)
                    ):
                        z[c] = 0.0
                    g[c] += _PULL * z[c]
            longest = 0.0
            for c in range(m):
                step[columns[c, 0]] = g[c]
                longest = max(longest, abs(g[c]))
            shorten(step, columns, m, longest, 1.0)
            move(joints, movers, s, columns, m, limits, q, step)
        if solved:
            unwind(joints, movers, s, limits, seed, best)
        if (solved and state[SUCCESS] == 0.0) or ((state[SUCCESS] > 0.0) == solved and value < state[SCORE]):
            copy_entries(best, kept)
            copy_rows(best_errors, errors)
            state[SCORE], state[SUCCESS] = value, 1.0 if solved else 0.0
        if m == 0 or solved or state[DESCENTS] >= descents:
            state[DONE] = 1.0
    return SOLVED if state[SUCCESS] > 0.0 else UNSOLVED
