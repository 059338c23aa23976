"""One descent of inverse kinematics: Levenberg-Marquardt on SE(3), inside the joints' limits.

The error is log(T^-1 T_target) in the frame's own axes, the Jacobian is that of the same frame, so
they match at any angle up to pi. Damping follows the error (Sugihara 2011, "Solvability-unconcerned
inverse kinematics by the Levenberg-Marquardt method"): quadratic near a solution, and no blow-up at
a singularity or out of reach. A joint that stands at its limit and is pushed outwards is left out of
the step, and the step is projected back inside (a projected active set).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .configuration import integrate_joint
from .engine import inline, kernel
from .frames import check_frame, fill_jacobian
from .lie import log6, matrix_to_quaternion
from .sizes import check_q, check_scratch, check_shape, check_v
from .vector import sub, unrotate

#: Outcome of a descent, in entry 3 of `result`.
CONVERGED, STALLED, EXHAUSTED = 1, 2, 3


@inline
def frame_error(world: Any, target: Any, relative: Any, e: Any) -> None:
    """e = log(T^-1 T_target); `relative` is a (3, 3) scratch matrix."""
    for r in range(3):
        for c in range(3):
            relative[r, c] = (
                world.R[0, r] * target[0, c] + world.R[1, r] * target[1, c] + world.R[2, r] * target[2, c]
            )
    way = unrotate(world.R, sub((target[0, 3], target[1, 3], target[2, 3]), world.p))
    lin, ang = log6(matrix_to_quaternion(relative), way)
    for r in range(3):
        e[r] = lin[r]
        e[3 + r] = ang[r]


@inline
def distances(world: Any, target: Any, e: Any, weights: Any) -> Any:
    """(metres, radians) by which the weighted directions miss the target."""
    way = unrotate(world.R, sub((target[0, 3], target[1, 3], target[2, 3]), world.p))
    metres, radians = 0.0, 0.0
    for r in range(3):
        if weights[r] > 0.0:
            metres += way[r] * way[r]
        if weights[3 + r] > 0.0:
            radians += e[3 + r] * e[3 + r]
    return np.sqrt(metres), np.sqrt(radians)


@inline
def weigh(J: Any, e: Any, weights: Any) -> float:
    """Rows of J and e times their weights; half the squared weighted error."""
    total = 0.0
    for r in range(6):
        e[r] *= weights[r]
        total += e[r] * e[r]
        for c in range(J.shape[1]):
            J[r, c] *= weights[r]
    return 0.5 * total


@inline
def leave_out_blocked(joints: Any, q: Any, lower: Any, upper: Any, free: Any, J: Any, e: Any) -> None:
    """Zero the columns of locked coordinates and of those that a limit blocks."""
    for i in range(1, joints.shape[0]):
        joint = joints[i]
        for d in range(joint.nv):
            c, k = joint.idx_v + d, joint.idx_q + d
            blocked = free[c] == 0.0
            if not blocked and joint.nq == joint.nv:
                push = 0.0
                for r in range(6):
                    push += J[r, c] * e[r]
                blocked = (q[k] <= lower[k] and push < 0.0) or (q[k] >= upper[k] and push > 0.0)
            if blocked:
                for r in range(6):
                    J[r, c] = 0.0


@inline
def damped_step(J: Any, e: Any, damping: float, A: Any, y: Any, step: Any) -> None:
    """step = J^T (J J^T + damping 1)^-1 e, by a Cholesky factorisation of the 6x6 matrix."""
    n = J.shape[1]
    for r in range(6):
        for c in range(r + 1):
            total = damping if r == c else 0.0
            for k in range(n):
                total += J[r, k] * J[c, k]
            A[r, c] = total
    for r in range(6):
        for c in range(r + 1):
            total = A[r, c]
            for k in range(c):
                total -= A[r, k] * A[c, k]
            A[r, c] = np.sqrt(total) if r == c else total / A[c, c]
    for r in range(6):
        total = e[r]
        for k in range(r):
            total -= A[r, k] * y[k]
        y[r] = total / A[r, r]
    for back in range(6):
        r = 5 - back
        total = y[r]
        for k in range(r + 1, 6):
            total -= A[k, r] * y[k]
        y[r] = total / A[r, r]
    for k in range(n):
        total = 0.0
        for r in range(6):
            total += J[r, k] * y[r]
        step[k] = total


@inline
def project(joints: Any, q: Any, lower: Any, upper: Any) -> None:
    """Bring coordinates that have limits back inside them."""
    for i in range(1, joints.shape[0]):
        joint = joints[i]
        if joint.nq == joint.nv:
            for d in range(joint.nq):
                k = joint.idx_q + d
                q[k] = min(max(q[k], lower[k]), upper[k])


@inline
def shorten(step: Any, longest: float) -> None:
    """Scale a step so that no coordinate moves by more than `longest`."""
    largest = 0.0
    for k in range(step.shape[0]):
        largest = max(largest, abs(step[k]))
    if largest > longest:
        for k in range(step.shape[0]):
            step[k] *= longest / largest


@kernel(
    "joints", "work", "frames", "int", "matrix", "vector", "vector", "vector", "vector", "vector", "vector",
    "int", "vector",
)  # fmt: skip
def descend(
    joints: Any,
    work: Any,
    frames: Any,
    frame: int,
    target: Any,
    weights: Any,
    tolerances: Any,
    lower: Any,
    upper: Any,
    free: Any,
    q: Any,
    iterations: int,
    result: Any,
) -> None:
    """Move q towards the target; result = (metres, radians, iterations, outcome).

    q is changed in place and always inside the limits. `tolerances` holds metres and radians.
    """
    check_scratch(joints, work)
    check_q(joints, q)
    check_q(joints, lower)
    check_q(joints, upper)
    check_v(joints, free)
    check_frame(frames, frame)
    check_shape(target, 4, 4)
    nv = free.shape[0]
    J, A, relative = np.zeros((6, nv)), np.zeros((6, 6)), np.zeros((3, 3))
    e, y, step = np.zeros(6), np.zeros(6), np.zeros(nv)
    trial, best = q.copy(), q.copy()
    damping_scale, cost_before, stalled = 1.0, np.inf, 0
    result[0], result[1], result[3] = np.inf, np.inf, EXHAUSTED
    project(joints, trial, lower, upper)
    for iteration in range(iterations):
        fill_jacobian(joints, work, frames[frame], trial, 1, J)
        frame_error(work[0], target, relative, e)
        metres, radians = distances(work[0], target, e, weights)
        cost = weigh(J, e, weights)
        result[2] = iteration + 1
        if cost < cost_before:
            stalled = stalled + 1 if cost > 0.98 * cost_before else 0
            cost_before = cost
            result[0], result[1] = metres, radians
            best[:] = trial
            damping_scale = max(0.3 * damping_scale, 1e-3)
        else:
            stalled += 1
            damping_scale = min(8.0 * damping_scale, 1e6)
        if metres <= tolerances[0] and radians <= tolerances[1]:
            result[0], result[1], result[3] = metres, radians, CONVERGED
            best[:] = trial
            break
        if stalled > 8:
            result[3] = STALLED
            break
        leave_out_blocked(joints, trial, lower, upper, free, J, e)
        damped_step(J, e, damping_scale * cost + 1e-14, A, y, step)
        shorten(step, 1.0)
        base = trial.copy()
        for i in range(1, joints.shape[0]):
            integrate_joint(joints[i], base, step, trial)
        project(joints, trial, lower, upper)
    q[:] = best
