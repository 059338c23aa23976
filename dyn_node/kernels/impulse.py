"""Impacts under constraints: M (v_after - v) = J^T impulses, J v_after = -restitution J v.

By the Delassus matrix and the tree's sparse factors, as in `kernels.constrained_dynamics`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .cholesky import factorise, half_solve
from .constrained_dynamics import fill_delassus, finish_solve, solve_delassus
from .constraint_rows import check_rows, fill_extra, fill_rows, lay_out
from .coordinates import coordinate_parents
from .crba import fill_mass_matrix, place_inertia
from .engine import kernel
from .sizes import check_q, check_scratch, check_shape, check_v


@kernel("joints", "work", "frames", "matrix", "matrix", "vector", "vector", "float", "matrix", "vector")
def impulse(
    joints: Any,
    work: Any,
    ends: Any,
    settings: Any,
    extra: Any,
    q: Any,
    v: Any,
    restitution: float,
    G: Any,
    out: Any,
) -> float:
    """out = (v_after, impulses) where the constraints are independent; v itself first where they are not.

    G: (m, m + 1), the Delassus matrix and what it is solved for. Returns the residual, or -1 where the
    impulses have to be found otherwise.
    """
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    nv, m = joints[0].nv, G.shape[0]
    check_shape(G, m, m + 1)
    if out.shape[0] != nv + m:
        raise ValueError("size of a vector")
    J, motion, M, Z = np.empty((m, nv)), np.empty((m, 3)), np.empty((nv, nv)), np.zeros((nv, m + 1))
    check_rows(joints, ends, settings, extra, J)
    lay_out(joints, work, q, v)
    fill_extra(extra, fill_rows(joints, work, ends, settings, J, motion), v, J, motion)
    for i in range(1, joints.shape[0]):
        place_inertia(joints[i], work[i])
    fill_mass_matrix(joints, work, M)
    for k in range(nv):
        for r in range(m):
            Z[k, r] = J[r, k]
    parents = coordinate_parents(joints)
    factorise(parents, M)
    half_solve(parents, M, Z)
    fill_delassus(M, Z, G)
    for r in range(m):
        G[r, m] = -(1.0 + restitution) * motion[r, 1]
    residual = solve_delassus(G, out[nv:])
    for k in range(nv):
        out[k] = 0.0
        if residual >= 0.0:
            for r in range(m):
                out[k] += Z[k, r] * out[nv + r]
    finish_solve(parents, M, out[:nv])
    for k in range(nv):
        out[k] += v[k]
    return residual
