"""Partial derivatives of forward dynamics from those of inverse dynamics (Carpentier and Mansard 2018).

J. Carpentier and N. Mansard, "Analytical derivatives of rigid body dynamics algorithms", RSS 2018:
at the acceleration ddq, d ddq = M^-1 (d tau - d rnea). M comes with the derivatives of `rnea`; its
sparse factors are applied to their rows.
"""

from __future__ import annotations

from typing import Any

from .cholesky import factorise, invert_rows, solve_rows
from .coordinates import coordinate_parents
from .engine import inline, kernel
from .sizes import check_square


@inline
def negate(A: Any) -> None:
    """A = -A."""
    for r in range(A.shape[0]):
        for c in range(A.shape[1]):
            A[r, c] = -A[r, c]


@kernel("joints", "stack")
def aba_derivatives(joints: Any, out: Any) -> None:
    """d tau / dq, dv, da on entry; d ddq / dq, dv, dtau on return."""
    if out.shape[0] != 3:
        raise ValueError("size of a stack")
    check_square(joints, out[0])
    factor = out[2].copy()
    parents = coordinate_parents(joints)
    factorise(parents, factor)
    for part in range(2):
        solve_rows(parents, factor, out[part])
        negate(out[part])
    invert_rows(parents, factor, out[2])
