"""Sparse factors M = L^T D L of the joint-space inertia matrix (Featherstone 2008, section 6.5).

A factor is kept in one matrix: D on the diagonal, L (unit diagonal not kept) below it. Only entries
between a coordinate and its ancestors are read or written.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .coordinates import coordinate_parents
from .engine import inline, kernel
from .sizes import check_square


@inline
def factorise(parents: Any, H: Any) -> None:
    """Replace the lower half of M by L and its diagonal by D."""
    for back in range(H.shape[0]):
        k = H.shape[0] - 1 - back
        row = H[k]
        inverse = 1.0 / row[k]
        i = parents[k]
        while i >= 0:
            ratio, other, j = row[i] * inverse, H[i], i
            while j >= 0:
                other[j] -= ratio * row[j]
                j = parents[j]
            row[i] = ratio
            i = parents[i]


@inline
def subtract_row(to: Any, factor: Any, row: Any) -> None:
    """to -= factor row."""
    for c in range(to.shape[0]):
        to[c] -= factor * row[c]


@inline
def subtract_three(to: Any, f1: Any, row1: Any, f2: Any, row2: Any, f3: Any, row3: Any) -> None:
    """to -= f1 row1 + f2 row2 + f3 row3: a third of the writing that one row at a time takes."""
    for c in range(to.shape[0]):
        to[c] -= f1 * row1[c] + f2 * row2[c] + f3 * row3[c]


@inline
def subtract_product(row: Any, factors: Any, F: Any) -> None:
    """row -= factors F. Zeros come together: those of a foot's rows, those of a limb's coordinates."""
    r = 0
    while r + 2 < F.shape[0]:
        if factors[r] != 0.0 or factors[r + 1] != 0.0 or factors[r + 2] != 0.0:
            subtract_three(row, factors[r], F[r], factors[r + 1], F[r + 1], factors[r + 2], F[r + 2])
        r += 3
    while r < F.shape[0]:
        subtract_row(row, factors[r], F[r])
        r += 1


@inline
def subtree_ends(parents: Any) -> Any:
    """One past the last coordinate of each coordinate's subtree."""
    n = parents.shape[0]
    ends = np.arange(1, n + 1)
    for back in range(n):
        k = n - 1 - back
        if parents[k] >= 0:
            ends[parents[k]] = max(ends[parents[k]], ends[k])
    return ends


@inline
def half_solve(parents: Any, H: Any, X: Any) -> None:
    """X = L^-T X, every column at once, from the factor H of M."""
    ends = subtree_ends(parents)
    for back in range(X.shape[0]):
        j = X.shape[0] - 1 - back
        k = j + 1
        while k + 2 < ends[j]:
            subtract_three(X[j], H[k, j], X[k], H[k + 1, j], X[k + 1], H[k + 2, j], X[k + 2])
            k += 3
        while k < ends[j]:
            subtract_row(X[j], H[k, j], X[k])
            k += 1


@inline
def finish_rows(parents: Any, H: Any, X: Any) -> None:
    """X = L^-1 D^-1 X, every column at once, from the factor H of M."""
    for k in range(X.shape[0]):
        row, factors, inverse = X[k], H[k], 1.0 / H[k, k]
        for c in range(row.shape[0]):
            row[c] *= inverse
        i = parents[k]
        while i >= 0:
            j = parents[i]
            h = parents[j] if j >= 0 else -1
            if h >= 0:
                subtract_three(row, factors[i], X[i], factors[j], X[j], factors[h], X[h])
                i = parents[h]
            else:
                subtract_row(row, factors[i], X[i])
                i = j


@inline
def solve_rows(parents: Any, H: Any, X: Any) -> None:
    """X = M^-1 X, every column at once, from the factor H of M."""
    half_solve(parents, H, X)
    finish_rows(parents, H, X)


@inline
def invert_rows(parents: Any, H: Any, X: Any) -> None:
    """X = M^-1, full and symmetric, from the factor H of M: `solve_rows` of 1, without the zeros."""
    n, ends = X.shape[0], subtree_ends(parents)
    for r in range(n):
        for c in range(n):
            X[r, c] = 1.0 if r == c else 0.0
    for back in range(n):
        k = n - 1 - back
        row, j = X[k][k : ends[k]], parents[k]
        while j >= 0:
            subtract_row(X[j][k : ends[k]], H[k, j], row)
            j = parents[j]
    for k in range(n):
        row, inverse, j = X[k][k:n], 1.0 / H[k, k], parents[k]
        for c in range(row.shape[0]):
            row[c] *= inverse
        while j >= 0:
            subtract_row(row, H[k, j], X[j][k:n])
            j = parents[j]
    for r in range(n):
        for c in range(r + 1, n):
            X[c, r] = X[r, c]


@kernel("joints", "matrix")
def cholesky_factor(joints: Any, H: Any) -> None:
    """Factorise in place: M on entry, L below D on return; what is above the diagonal becomes zero."""
    check_square(joints, H)
    factorise(coordinate_parents(joints), H)
    for r in range(H.shape[0]):
        for c in range(r + 1, H.shape[0]):
            H[r, c] = 0.0


@kernel("joints", "matrix", "matrix")
def cholesky_solve(joints: Any, H: Any, X: Any) -> None:
    """X = M^-1 X from the factor of M."""
    check_square(joints, H)
    if X.shape[0] != H.shape[0]:
        raise ValueError("size of a matrix")
    solve_rows(coordinate_parents(joints), H, X)
