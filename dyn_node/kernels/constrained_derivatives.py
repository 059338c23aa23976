"""Partial derivatives of forward dynamics under constraints.

At a state, an acceleration a and multipliers lambda that solve

    M a + h - J^T lambda = tau        r(q, v, a) = J a + gamma + kd J v + kp error = 0

both equations are differentiated where they hold. Their derivatives (a', lambda') solve the same linear
system as (a, lambda), with the derivatives of h and r on its right (Budhiraja, Carpentier, Mastalli and
Mansard, IROS 2018): by the sparse factors of M and the Delassus matrix, as in `kernels.constrained_dynamics`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .cholesky import factorise, finish_rows, half_solve, subtract_product, subtract_row
from .constrained_dynamics import factor_delassus, fill_delassus
from .constraint_rates import fill_rates
from .constraint_rows import POINT, check_rows, fill_extra, fill_rows, place_end
from .coordinates import coordinate_parents
from .copies import copy_rows
from .engine import inline, kernel
from .frames import LOCAL, triple
from .motion import cross_force
from .rnea_derivatives import derivatives_backward, derivatives_forward, subtract_forces
from .sizes import check_q, check_scratch, check_shape, check_v
from .vector import add, angular, cross, dot, linear, rotate, scale, sub, unrotate
from .world import accelerate_about, move_about, place_about, place_columns, start_at_rest


@inline
def lay_out_accelerated(joints: Any, work: Any, q: Any, v: Any, a: Any) -> None:
    """Placements, columns, velocities and accelerations about the common point, without gravity."""
    start_at_rest(work)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        place_about(joints, work, i, q)
        place_columns(joint, x)
        own_lin, own_ang = move_about(joint, up, x, v)
        accelerate_about(joint, up, x, own_lin, own_ang, a)


@inline
def push(x: Any, p: Any, force: Any, moment: Any, sign: float, out: Any) -> None:
    """Add a wrench at the point p of a body to its external forces, which are in its joint's frame."""
    moment = add(moment, cross(sub(p, x.p), force))
    lin, ang = unrotate(x.R, force), unrotate(x.R, moment)
    for r in range(3):
        out[r] += sign * lin[r]
        out[3 + r] += sign * ang[r]


@inline
def turn_rows(joints: Any, work: Any, body: int, three: Any, rows: Any) -> None:
    """Add what turns three multipliers that are in the world's axes: they turn with end 1."""
    i = body
    while i > 0:
        for d in range(joints[i].nv):
            change = cross(angular(work[i].J[d]), three)
            for r in range(3):
                rows[r, joints[i].idx_v + d] += change[r]
        i = joints[i].parent


@inline
def add_efforts(joints: Any, work: Any, body: int, column: int, force: Any, moment: Any, K: Any) -> None:
    """Add the efforts J^T of a wrench about the common point on a body to one column of K."""
    i = body
    while i > 0:
        for d in range(joints[i].nv):
            J = work[i].J[d]
            K[joints[i].idx_v + d, column] += dot(linear(J), force) + dot(angular(J), moment)
        i = joints[i].parent


@inline
def turn_efforts(
    joints: Any, work: Any, one: int, two: int, point: bool, p: Any, force: Any, moment: Any, K: Any
) -> None:
    """Efforts of the force on end 2 as end 1, with which that turns, moves relative to end 2.

    p is where the force on end 2 acts: of a point constraint end 2 itself, and the force turns about it.
    """
    moment = add(moment, cross(p, force))
    for side in range(2):
        i = one if side == 0 else two
        while i > 0:
            for d in range(joints[i].nv):
                J = work[i].J[d]
                lin, ang = scale(1.0 - 2.0 * side, linear(J)), scale(1.0 - 2.0 * side, angular(J))
                f, n = cross_force(lin, ang, force, moment)
                if point:
                    n = cross(p, f)
                add_efforts(joints, work, two, joints[i].idx_v + d, f, n, K)
            i = joints[i].parent


@inline
def carry_forces(
    joints: Any, work: Any, ends: Any, settings: Any, multipliers: Any, forces: Any, K: Any, turned: Any
) -> None:
    """Add the constraints' forces to the external ones, which stay the same in the joints' frames.

    K receives the efforts of what does not stay the same of those on the second ends; `turned` what turns
    the multipliers of rows in the world's axes.
    """
    poses, row = np.empty((2, 4, 3)), 0
    for k in range(settings.shape[0]):
        one, two = ends[2 * k].joint, ends[2 * k + 1].joint
        place_end(work, ends[2 * k], poses[0])
        place_end(work, ends[2 * k + 1], poses[1])
        point, local = int(settings[k, 0]) == POINT, int(settings[k, 1]) == LOCAL
        force, moment = triple(multipliers[row : row + 3]), (0.0, 0.0, 0.0)
        if not point:
            moment = triple(multipliers[row + 3 : row + 6])
        if local:
            force, moment = rotate(poses[0], force), rotate(poses[0], moment)
        else:
            turn_rows(joints, work, one, force, turned[row : row + 3])
            if not point:
                turn_rows(joints, work, one, moment, turned[row + 3 : row + 6])
        p = triple(poses[1, 3] if point else poses[0, 3])
        if one > 0:
            push(work[one], triple(poses[0, 3]), force, moment, 1.0, forces[one])
        if two > 0:
            push(work[two], p, force, moment, -1.0, forces[two])
            turn_efforts(joints, work, one, two, point, p, force, moment, K)
        row += 3 if point else 6


@inline
def solve_held(joints: Any, H: Any, J: Any, of_a: Any, of_force: Any) -> bool:
    """Right-hand sides become solutions, efforts accelerations; H is M on entry and then its factor.

    M a' = effort + J^T lambda', J a' = -drift. False, and nothing done, where rows of J depend on each other.
    """
    m, nv = J.shape
    parents = coordinate_parents(joints)
    Z, G, L = np.zeros((nv, m + 1)), np.empty((m, m + 1)), np.empty((m, m))
    for k in range(nv):
        for r in range(m):
            Z[k, r] = J[r, k]
    factorise(parents, H)
    half_solve(parents, H, Z)
    fill_delassus(H, Z, G)
    if not factor_delassus(G, L):
        return False
    invert_delassus(L, G)
    W, drift = np.empty((m, nv)), np.empty((m, nv))
    for k in range(nv):
        for r in range(m):
            Z[k, r] = -Z[k, r]  # what is subtracted below is added
            W[r, k] = Z[k, r] / H[k, k]
    for part in range(of_a.shape[0]):
        Y, F = of_a[part], of_force[part]
        half_solve(parents, H, Y)
        for r in range(m):
            subtract_product(F[r], W[r], Y)
            for c in range(nv):
                drift[r, c], F[r, c] = F[r, c], 0.0
        for r in range(m):
            subtract_product(F[r], G[r, :m], drift)
        for k in range(nv):
            subtract_product(Y[k], Z[k], F)
        finish_rows(parents, H, Y)
    return True


@inline
def invert_delassus(L: Any, G: Any) -> None:
    """The square part of G becomes the inverse of L L^T, by that of L, which comes in its place."""
    m = L.shape[0]
    for c in range(m):
        L[c, c] = 1.0 / L[c, c]
        for r in range(c + 1, m):
            total = 0.0
            for k in range(c, r):
                total -= L[r, k] * L[k, c]
            L[r, c] = total / L[r, r]
    for r in range(m):
        for c in range(r + 1):
            total = 0.0
            for k in range(r, m):
                total += L[k, r] * L[k, c]
            G[r, c], G[c, r] = total, total


@inline
def start_rows(extra: Any, extra_q: Any, of_force: Any) -> None:
    """Zero, but for the derivatives of the rows that are constant in the joints' coordinates, the last."""
    nv, first = of_force.shape[2], of_force.shape[1] - extra.shape[0]
    for part in range(3):
        for r in range(of_force.shape[1]):
            for c in range(nv):
                of_force[part, r, c] = 0.0
    for r in range(extra.shape[0]):
        for c in range(nv):
            of_force[0, first + r, c] = extra_q[r, c]
            of_force[1, first + r, c] = extra[r, nv + 1] * extra[r, c]


@inline
def start_efforts(K: Any, of_a: Any) -> None:
    """Efforts in place of what is needed: less the derivatives of h, K among them, and one."""
    nv = K.shape[0]
    for r in range(nv):
        for c in range(nv):
            of_a[0, r, c] = -(of_a[0, r, c] + K[r, c])
            of_a[1, r, c] = -of_a[1, r, c]
            of_a[2, r, c] = 1.0 if r == c else 0.0


@kernel(
    "joints",
    "work",
    "frames",
    "matrix",
    "matrix",
    "matrix",
    "vector",
    "vector",
    "vector",
    "vector",
    "matrix",
    "stack",
    "stack",
)
def constrained_derivatives(
    joints: Any,
    work: Any,
    ends: Any,
    settings: Any,
    extra: Any,
    extra_q: Any,
    q: Any,
    v: Any,
    a: Any,
    multipliers: Any,
    f_ext: Any,
    of_a: Any,
    of_force: Any,
) -> bool:
    """of_a, of_force = d(a, lambda) / dq, dv, dtau, where (a, lambda) solve the constrained dynamics.

    extra_q: derivatives along q of the rows `extra`. False where rows depend on each other; then of_a[:2]
    has the efforts, of_force[:2] the rows' derivatives that the solution is still to be found for, and
    of_force[2] what turns with the axes of the multipliers.
    """
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_v(joints, a)
    nv, m = joints[0].nv, multipliers.shape[0]
    check_shape(of_a[2], nv, nv)
    check_shape(of_force[2], m, nv)
    J, motion, turned = np.empty((m, nv)), np.empty((m, 3)), np.zeros((m, nv))
    check_rows(joints, ends, settings, extra, J)
    check_shape(extra_q, extra.shape[0], nv)
    K, H, forces = np.zeros((nv, nv)), np.empty((nv, nv)), np.zeros((joints.shape[0], 6))
    if f_ext.shape[0] > 0:
        check_shape(f_ext, joints.shape[0], 6)
        copy_rows(f_ext, forces)
    lay_out_accelerated(joints, work, q, v, a)
    fill_extra(extra, fill_rows(joints, work, ends, settings, J, motion), v, J, motion)
    start_rows(extra, extra_q, of_force)
    fill_rates(joints, work, ends, settings, of_force[0], of_force[1])
    carry_forces(joints, work, ends, settings, multipliers, forces, K, turned)
    derivatives_forward(joints, work, q, v, a)
    subtract_forces(joints, work, forces)
    derivatives_backward(joints, work, of_a[0], of_a[1], H)
    start_efforts(K, of_a)
    solved = solve_held(joints, H, J, of_a, of_force)
    for r in range(m):
        subtract_row(of_force[0 if solved else 2, r], -1.0, turned[r])
    return solved
