"""Partial derivatives of forward dynamics from those of inverse dynamics (Carpentier and Mansard 2018).

J. Carpentier and N. Mansard, "Analytical derivatives of rigid body dynamics algorithms", RSS 2018:
at the acceleration ddq, d ddq = M^-1 (d tau - d rnea). M comes with the derivatives of `rnea`; its
sparse factors are applied to their rows.
"""

from __future__ import annotations

from typing import Any

from .aba import aba_accelerations, aba_backward, aba_forward
from .cholesky import factorise, invert_rows, solve_rows
from .coordinates import coordinate_parents
from .engine import inline, kernel
from .rnea_derivatives import (
    check_derivatives,
    derivatives_backward,
    derivatives_forward,
    subtract_forces,
)
from .sizes import check_independent, check_square
from .vector import put, sub


@inline
def negate(A: Any) -> None:
    """A = -A."""
    for r in range(A.shape[0]):
        for c in range(A.shape[1]):
            A[r, c] = -A[r, c]


@inline
def solve_derivatives(joints: Any, out: Any) -> None:
    """d tau / dq, dv, da become d ddq / dq, dv, dtau."""
    factor = out[2].copy()
    parents = coordinate_parents(joints)
    factorise(parents, factor)
    for part in range(2):
        solve_rows(parents, factor, out[part])
        negate(out[part])
    invert_rows(parents, factor, out[2])


@kernel("joints", "stack")
def derivatives_of_acceleration(joints: Any, out: Any) -> None:
    """d tau / dq, dv, da at the acceleration ddq become d ddq / dq, dv, dtau."""
    if out.shape[0] != 3:
        raise ValueError("size of a stack")
    check_square(joints, out[0])
    solve_derivatives(joints, out)


@kernel("joints", "work", "vector", "vector", "vector", "matrix", "stack", result=(3, "nv", "nv"))
def aba_derivatives(joints: Any, work: Any, q: Any, v: Any, tau: Any, f_ext: Any, out: Any) -> None:
    """out = d ddq / dq, dv, dtau under external forces, none or one a joint; no joint may follow another."""
    check_derivatives(joints, work, q, v, tau, f_ext, out)
    check_independent(joints)
    ddq = out[2][0]  # free until the derivatives are summed up
    aba_forward(joints, work, q, v)
    if f_ext.shape[0] > 0:
        for i in range(1, joints.shape[0]):
            x = work[i]
            put(x.f_lin, sub(x.f_lin, (f_ext[i, 0], f_ext[i, 1], f_ext[i, 2])))
            put(x.f_ang, sub(x.f_ang, (f_ext[i, 3], f_ext[i, 4], f_ext[i, 5])))
    aba_backward(joints, work, tau)
    aba_accelerations(joints, work, ddq)
    derivatives_forward(joints, work, q, v, ddq)
    subtract_forces(joints, work, f_ext)
    derivatives_backward(joints, work, out[0], out[1], out[2])
    solve_derivatives(joints, out)
