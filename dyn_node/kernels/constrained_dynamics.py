"""Forward dynamics under constraints, by the Delassus matrix and the tree's sparse factors.

    M ddq = tau - C v - g + J^T lambda        J ddq + gamma = -kd J v - kp error

With M = L^T D L and Z = L^-T J^T the Delassus matrix is J M^-1 J^T = Z^T D^-1 Z (Carpentier, Budhiraja
and Mansard, RSS 2021, with dense Z). Its own Cholesky factor gives lambda; where that meets a row that
the rows before it imply, the kernel hands the matrix and the right-hand side back unsolved.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .cholesky import factorise, half_solve, subtract_product
from .constraint_rows import check_rows, fill_extra, fill_rows, lay_out
from .coordinates import coordinate_parents
from .crba import add_inertia, fill_columns, place_inertia
from .engine import inline, kernel
from .joints import row_dot
from .motion import cross_force, inertia_times
from .sizes import check_q, check_scratch, check_shape, check_v
from .vector import add, put, put_sum

#: A row counts as implied by those before it when so small a part of it, squared, is left.
DEPENDENT = 1e-10


@inline
def weigh_bodies(joints: Any, work: Any) -> None:
    """Each body's inertia and the force that it needs, about the common point; `lay_out` has run."""
    for i in range(1, joints.shape[0]):
        x = work[i]
        place_inertia(joints[i], x)
        f, n = inertia_times(x.mass, x.h, x.I, x.a_lin, x.a_ang)
        m_lin, m_ang = inertia_times(x.mass, x.h, x.I, x.v_lin, x.v_ang)
        g, k = cross_force(x.v_lin, x.v_ang, m_lin, m_ang)
        put(x.f_lin, add(f, g))
        put(x.f_ang, add(n, k))


@inline
def gather(joints: Any, work: Any, M: Any, effort: Any) -> None:
    """Add M, and take C v + g from the efforts; `weigh_bodies` has run and is used up."""
    for i in range(joints.shape[0] - 1, 0, -1):
        joint, x = joints[i], work[i]
        fill_columns(joints, work, i, M)
        for d in range(joint.nv):
            M[joint.idx_v + d, joint.idx_v + d] += joint.armature[d]
            effort[joint.idx_v + d] -= row_dot(x.J, d, x.f_lin, x.f_ang)
        if joint.parent > 0:
            up = work[joint.parent]
            add_inertia(up, x)
            put_sum(up.f_lin, x.f_lin)
            put_sum(up.f_ang, x.f_ang)


@inline
def finish_solve(parents: Any, H: Any, y: Any) -> None:
    """y = L^-1 D^-1 y from the factor H of M."""
    for k in range(y.shape[0]):
        total = y[k] / H[k, k]
        j = parents[k]
        while j >= 0:
            total -= H[k, j] * y[j]
            j = parents[j]
        y[k] = total


@inline
def fill_delassus(H: Any, Z: Any, G: Any) -> None:
    """G = Z^T D^-1 Z, the last column of Z included: (m, m + 1), the square part symmetric."""
    nv, m = Z.shape[0], G.shape[0]
    row, inverse = np.empty(nv), np.empty(nv)
    for k in range(nv):
        inverse[k] = -1.0 / H[k, k]
    for r in range(m):
        for k in range(nv):
            row[k] = Z[k, r] * inverse[k]
        for c in range(m + 1):
            G[r, c] = 0.0
        subtract_product(G[r], row, Z)
        for c in range(r):
            G[r, c] = G[c, r]


@inline
def factor_delassus(G: Any, L: Any) -> bool:
    """Cholesky factor L of the square part of G; False where a row depends on those before it."""
    for r in range(L.shape[0]):
        for c in range(r + 1):
            total = G[r, c]
            for k in range(c):
                total -= L[r, k] * L[c, k]
            if c < r:
                L[r, c] = total / L[c, c]
            elif not total > DEPENDENT * G[r, r]:
                return False
            else:
                L[r, r] = np.sqrt(total)
    return True


@inline
def solve_factored(L: Any, b: Any) -> None:
    """b = (L L^T)^-1 b."""
    m = L.shape[0]
    for r in range(m):
        for k in range(r):
            b[r] -= L[r, k] * b[k]
        b[r] /= L[r, r]
    for back in range(m):
        r = m - 1 - back
        for k in range(r + 1, m):
            b[r] -= L[k, r] * b[k]
        b[r] /= L[r, r]


@inline
def left_over(G: Any, x: Any, out: Any) -> float:
    """out = b - G x for b the last column of G; returns its largest entry."""
    m, largest = G.shape[0], 0.0
    for r in range(m):
        total = G[r, m]
        for c in range(m):
            total -= G[r, c] * x[c]
        out[r] = total
        largest = max(largest, abs(total))
    return largest


@inline
def solve_delassus(G: Any, x: Any) -> float:
    """x of G x = last column, refined once; returns the residual, or -1 where rows depend on each other."""
    m = G.shape[0]
    L, correction = np.empty((m, m)), np.empty(m)
    if not factor_delassus(G, L):
        return -1.0
    for r in range(m):
        x[r] = G[r, m]
    solve_factored(L, x)
    left_over(G, x, correction)
    solve_factored(L, correction)
    for r in range(m):
        x[r] += correction[r]
    return left_over(G, x, correction)


@inline
def fill_targets(settings: Any, extra: Any, motion: Any, G: Any) -> None:
    """Last column of G: the accelerations that the constraints ask for, less those that they have."""
    m, nv, row = G.shape[0], extra.shape[1] - 2, 0
    for k in range(settings.shape[0]):
        for _ in range(3 if settings[k, 0] == 0.0 else 6):
            drive = settings[k, 2] * motion[row, 2] + settings[k, 3] * motion[row, 1]
            G[row, m] = -(motion[row, 0] + drive) - G[row, m]
            row += 1
    for k in range(extra.shape[0]):
        G[row, m] = extra[k, nv] - extra[k, nv + 1] * motion[row, 1] - G[row, m]
        row += 1


@inline
def reduce_system(joints: Any, work: Any, J: Any, tau: Any, H: Any, Z: Any) -> Any:
    """Factor H of M and Z = L^-T [J^T, tau - C v - g]; after `lay_out`. Returns the coordinates' parents."""
    nv, m = Z.shape[0], J.shape[0]
    effort = tau.copy()
    for r in range(nv):
        for c in range(nv):
            H[r, c] = 0.0
    weigh_bodies(joints, work)
    gather(joints, work, H, effort)
    parents = coordinate_parents(joints)
    factorise(parents, H)
    for k in range(nv):
        for c in range(m):
            Z[k, c] = J[c, k]
        Z[k, m] = effort[k]
    half_solve(parents, H, Z)
    return parents


@kernel(
    "joints", "work", "frames", "matrix", "matrix", "vector", "vector", "vector", "matrix", "matrix", "vector"
)
def constrained_dynamics(
    joints: Any,
    work: Any,
    ends: Any,
    settings: Any,
    extra: Any,
    q: Any,
    v: Any,
    tau: Any,
    J: Any,
    G: Any,
    out: Any,
) -> float:
    """out = (ddq, lambda) where the constraints are independent; ddq is the free one where they are not.

    extra: (k, nv + 2), rows of constraints that are constant in the joints' coordinates, then the
    acceleration that they ask for and kd. G: (m, m + 1), the Delassus matrix and what it is solved for.
    Returns the residual, or -1 where the multipliers have to be found otherwise.
    """
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_v(joints, tau)
    check_rows(joints, ends, settings, extra, J)
    nv, m = joints[0].nv, J.shape[0]
    check_shape(G, m, m + 1)
    if out.shape[0] != nv + m:
        raise ValueError("size of a vector")
    motion, H, Z = np.empty((m, 3)), np.empty((nv, nv)), np.empty((nv, m + 1))
    lay_out(joints, work, q, v)
    fill_extra(extra, fill_rows(joints, work, ends, settings, J, motion), v, J, motion)
    parents = reduce_system(joints, work, J, tau, H, Z)
    fill_delassus(H, Z, G)
    fill_targets(settings, extra, motion, G)
    residual = solve_delassus(G, out[nv:])
    for k in range(nv):
        total = Z[k, m]
        if residual >= 0.0:
            for c in range(m):
                total += Z[k, c] * out[nv + c]
        out[k] = total
    finish_solve(parents, H, out[:nv])
    return residual
