"""Forces inside friction pyramids, by a small quadratic program.

The solver is ProxQP (package `proxsuite`) behind `qpsolvers`: it copes with equality rows that depend
on each other, as those of two point feet do, comes as a ROS package and as a wheel, and is under a BSD
licence, where quadprog is under the GPL and OSQP stops at a few digits. Both packages are optional.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import MissingDependencyError

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: A force counts as inside its pyramid that is out by less than this part of it.
_INSIDE = 1e-9
#: What the solver is asked for, in forces scaled to about one, and what counts as met.
_ACCURACY, _MET = 1e-10, 1e-7
#: Weight of the forces' size where the demand cannot be met.
_SMALL = 1e-8


@dataclass(frozen=True, eq=False)
class Pyramid:
    """Forces that a contact can exert: rows @ force <= 0, with unlimited ones where rows is empty.

    Of a point: |f_t| <= friction f_n along two tangents, and f_n >= 0. Of a flat rectangle besides: the
    centre of pressure stays inside, and the moment about the normal below friction times the smaller half
    side times f_n, which a rectangle can always transmit.
    """

    rows: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        normal: NDArray[np.float64],
        friction: float | None,
        size: tuple[float, float] | None,
        axes: NDArray[np.float64],
    ) -> Pyramid:
        """The pyramid of a contact whose frame has these axes in the world."""
        width = 3 if size is None else 6
        if friction is None:
            return cls(np.zeros((0, width)))
        push = np.zeros(width)
        push[:3] = normal
        limited = []
        for tangent in tangents(normal, axes[:, 0]):
            limited.append((np.pad(tangent, (0, width - 3)), friction))
        if size is not None:
            moments = ((axes[:, 0], size[1]), (axes[:, 1], size[0]), (normal, friction * min(size)))
            limited += [(np.pad(axis, (3, 0)), most) for axis, most in moments]
        rows = [-push]
        for row, most in limited:
            rows += [row - most * push, -row - most * push]
        return cls(np.array(rows))

    def holds(self, force: NDArray[np.float64]) -> bool:
        """Whether the contact can exert this force."""
        return bool((self.rows @ force <= _INSIDE * np.abs(force).max(initial=0.0)).all())


def tangents(
    normal: NDArray[np.float64], forward: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two unit vectors across the normal, the first along `forward` unless that is the normal itself."""
    along = forward - (forward @ normal) * normal
    if np.linalg.norm(along) < 1e-3:
        axis = np.eye(3)[np.argmin(np.abs(normal))]
        along = axis - (axis @ normal) * normal
    along = along / np.linalg.norm(along)
    return along, np.cross(normal, along)


def solver() -> Any:
    """qpsolvers, with ProxQP behind it. MissingDependencyError where they are not installed."""
    try:
        import qpsolvers

        found = qpsolvers.available_solvers
    except ImportError:
        found = []
    if "proxqp" not in found:
        raise MissingDependencyError(
            "contacts with friction need qpsolvers and proxsuite: pip install qpsolvers proxsuite",
            found,
            ("qpsolvers", "proxsuite"),
        )
    return qpsolvers


def smallest_inside(
    A: NDArray[np.float64], b: NDArray[np.float64], pyramids: Sequence[Pyramid]
) -> NDArray[np.float64]:
    """The smallest forces inside their pyramids with A x = b; where none are, those that miss b by least.

    Raises:
        MissingDependencyError: without qpsolvers and proxsuite.
    """
    qpsolvers = solver()
    n, scale = A.shape[1], max(float(np.abs(b).max(initial=0.0)), np.finfo(float).tiny)
    C = np.zeros((sum(len(p.rows) for p in pyramids), n))
    row = column = 0
    for p in pyramids:
        rows, columns = p.rows.shape
        C[row : row + rows, column : column + columns] = p.rows
        row, column = row + rows, column + columns
    bounds, target = np.zeros(len(C)), b / scale

    def solved(P: Any, c: Any, *equality: Any) -> Any:
        problem = qpsolvers.Problem(P, c, C, bounds, *equality)
        return qpsolvers.solve_problem(problem, solver="proxqp", eps_abs=_ACCURACY, eps_rel=0.0).x

    x = solved(np.eye(n), np.zeros(n), A, target)
    if x is None or not np.abs(A @ x - target).max(initial=0.0) <= _MET:
        x = solved(A.T @ A + _SMALL * np.eye(n), -A.T @ target)
    return scale * np.asarray(x)
