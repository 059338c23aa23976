"""What belongs to the joint-space inertia matrix M: its inverse, its factors, the Coriolis matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy import empty

from ..errors import ShapeError
from ..kernels import cholesky as _cholesky
from ..kernels import coriolis as _coriolis
from ..kernels import minverse as _minverse
from .arguments import REFUSED, again, array, check_data, configuration, output, tangent
from .dynamics import crba

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model

#: Above so many coordinates the O(n^2) sweeps are quicker than factors of M.
_FEW = 24


def minverse(
    model: Model, data: Data, q: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The inverse of the joint-space inertia matrix, M(q)^-1.

    From the sparse factors of M (Featherstone 2008, section 6.5); on robots of many joints by the sweeps
    of the articulated-body algorithm, in O(n^2) (Carpentier 2018).

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        out: array for the result, (nv, nv).

    Returns:
        M^-1, (nv, nv), full and symmetric. A joint that moves no mass gives entries that are not finite.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    Minv = empty((model.nv, model.nv)) if out is None else out
    compiled = _minverse.minverse if model.nv <= _FEW else _minverse.minverse_deep
    try:
        compiled(model.records, data.work, q, Minv)
    except REFUSED:
        check_data(model, data)
        output(Minv, (model.nv, model.nv))
        if model.records[0]["followers"]:  # which the sweeps refuse
            compiled = _minverse.minverse
        again(compiled, model.records, data.work, configuration(model, q), Minv)
    return Minv


def coriolis_matrix(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The Coriolis matrix C(q, v): C v are the velocity's efforts, and C + C^T = dM/dt.

    (Echeandia and Wensing 2021.)

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        out: array for the result, (nv, nv).

    Returns:
        C, (nv, nv): C v = nonlinear_effects - generalized_gravity.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    C = empty((model.nv, model.nv)) if out is None else out
    try:
        _coriolis.coriolis_matrix(model.records, data.work, q, v, C)
    except REFUSED:
        check_data(model, data)
        output(C, (model.nv, model.nv))
        state = configuration(model, q), tangent(model, v)
        again(_coriolis.coriolis_matrix, model.records, data.work, *state, C)
    return C


class CholeskyFactor:
    """Factors of an inertia matrix: M = L^T diag(D) L, with L unit lower triangular and as sparse as M.

    Attributes:
        model: the robot that M belongs to.
        packed: (nv, nv): D on the diagonal, L below it, zeros above.
    """

    __slots__ = ("model", "packed")

    def __init__(self, model: Model, packed: NDArray[np.float64]) -> None:
        self.model = model
        self.packed = packed

    @property
    def L(self) -> NDArray[np.float64]:
        """The unit lower triangular factor, (nv, nv)."""
        L = np.tril(self.packed, -1)
        np.fill_diagonal(L, 1.0)
        return L

    @property
    def D(self) -> NDArray[np.float64]:
        """The diagonal factor, (nv,); positive."""
        return np.diagonal(self.packed).copy()

    def solve(self, b: ArrayLike) -> NDArray[np.float64]:
        """M^-1 b, for one vector (nv,) or for the columns of a matrix (nv, k).

        Raises:
            ShapeError: b has another number of rows, or is not made of real numbers.
        """
        nv = self.model.nv
        shape = np.shape(b)
        if len(shape) not in (1, 2) or shape[0] != nv:
            raise ShapeError("b", f"shape {shape}", f"shape ({nv},) or ({nv}, k)")
        X = np.array(array("b", b, shape, "right-hand side")).reshape(nv, -1)
        try:
            _cholesky.cholesky_solve(self.model.records, self.packed, X)
        except REFUSED:
            again(_cholesky.cholesky_solve, self.model.records, self.packed, X)
        return X.reshape(shape)

    def inverse(self) -> NDArray[np.float64]:
        """M^-1, (nv, nv)."""
        return self.solve(np.eye(self.model.nv))

    def log_determinant(self) -> float:
        """The natural logarithm of det M."""
        return float(np.log(np.diagonal(self.packed)).sum())


def cholesky(model: Model, data: Data, q: ArrayLike) -> CholeskyFactor:
    """Factors of M(q) that keep the sparsity of the tree (L^T D L; Featherstone 2008, section 6.5).

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).

    Returns:
        The factors: `solve`, `inverse`, `log_determinant`, `L`, `D`.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    M = crba(model, data, q)
    try:
        _cholesky.cholesky_factor(model.records, M)
    except REFUSED:
        again(_cholesky.cholesky_factor, model.records, M)
    return CholeskyFactor(model, M)
