"""What belongs to the joint-space inertia matrix M: its inverse, its factors, the Coriolis matrix.

Arrays may have one axis more in front, a batch; what comes back then has it too (see `algorithms.batch`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ShapeError
from ..kernels import cholesky as _cholesky
from ..kernels import coriolis as _coriolis
from ..kernels import minverse as _minverse
from .arguments import REFUSED, array, check_data, configurations, tangents
from .batch import evaluate
from .dynamics import crba

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model

#: Above so many coordinates the O(n^2) sweeps are quicker than factors of M.
FEW = 24


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
    compiled = _minverse.minverse if model.nv <= FEW else _minverse.minverse_deep
    try:
        return compiled(model.records, data.work, q, out)
    except REFUSED:
        check_data(model, data)
        if model.records[0]["followers"]:  # which the sweeps refuse
            compiled = _minverse.minverse
        head = model.records, data.work, configurations(model, q)
        return evaluate(compiled, head, [(model.nv, model.nv)], out)[0]


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
    try:
        return _coriolis.coriolis_matrix(model.records, data.work, q, v, out)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), tangents(model, v)
        return evaluate(_coriolis.coriolis_matrix, head, [(model.nv, model.nv)], out)[0]


class CholeskyFactor:
    """Factors of an inertia matrix: M = L^T diag(D) L, with L unit lower triangular and as sparse as M.

    Attributes:
        model: the robot that M belongs to.
        packed: (nv, nv): D on the diagonal, L below it, zeros above; of a batch, (N, nv, nv), and so
            everything that is made from it.
    """

    __slots__ = ("model", "packed")

    def __init__(self, model: Model, packed: NDArray[np.float64]) -> None:
        self.model = model
        self.packed = packed

    @property
    def L(self) -> NDArray[np.float64]:
        """The unit lower triangular factor, (nv, nv)."""
        return np.tril(self.packed, -1) + np.eye(self.model.nv)

    @property
    def D(self) -> NDArray[np.float64]:
        """The diagonal factor, (nv,); positive."""
        return np.diagonal(self.packed, axis1=-2, axis2=-1).copy()

    def solve(self, b: ArrayLike) -> NDArray[np.float64]:
        """M^-1 b, for one vector (nv,) or for the columns of a matrix (nv, k).

        Factors of a batch take one vector for all, (nv,), one each, (N, nv), or matrices, (N, nv, k).

        Raises:
            ShapeError: b has another number of rows, or is not made of real numbers.
        """
        rows = self.packed.shape[:-1]
        shape = np.shape(b)
        vector = shape in (rows, rows[-1:])
        if not vector and shape[:-1] != rows:
            sizes = ", ".join(map(str, rows))
            raise ShapeError("b", f"shape {shape}", f"shape ({rows[-1]},), ({sizes}) or ({sizes}, k)")
        X = array("b", b, shape, "right-hand side")
        X = np.broadcast_to(X[..., None] if vector else X, (*rows, 1 if vector else shape[-1])).copy()
        try:
            _cholesky.cholesky_solve(self.model.records, self.packed, X)
        except REFUSED:
            evaluate(_cholesky.cholesky_solve, (self.model.records, self.packed, X))
        return X[..., 0] if vector else X

    def inverse(self) -> NDArray[np.float64]:
        """M^-1, (nv, nv)."""
        return self.solve(np.broadcast_to(np.eye(self.model.nv), self.packed.shape))

    def log_determinant(self) -> float:
        """The natural logarithm of det M."""
        logarithms: Any = np.log(self.D).sum(axis=-1)
        return logarithms if logarithms.ndim else float(logarithms)


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
        evaluate(_cholesky.cholesky_factor, (model.records, M))
    return CholeskyFactor(model, M)
