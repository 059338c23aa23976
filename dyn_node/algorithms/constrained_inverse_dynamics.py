"""Inverse dynamics of robots with fewer actuators than coordinates, held by constraints.

    M a + C v + g = tau + J^T lambda + sum J_ext^T f_ext,     tau = 0 where nothing is actuated

The rows without an actuator (a floating base's six, a passive joint's one) have to be met by lambda alone;
the actuators do the rest. Where lambda can do it in many ways, the smallest is taken (Righetti, Buchli,
Mistry and Schaal, ICRA 2011); what it cannot do at all is the residual.

Arrays may have one axis more in front, a batch; what comes back then has it too, ranks included.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .arguments import tangents
from .constraint_motion import constraint_jacobian
from .dynamics import rnea
from .state_by_state import each_state

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model

#: Singular values below this part of the largest count as zero.
RANK = 1e-9


class ConstrainedEfforts(NamedTuple):
    """What `constrained_inverse_dynamics` returns."""

    #: What the actuators have to apply, (nv,); zero where there is none.
    tau: NDArray[np.float64]
    #: lambda, (rows,): force on end 1 in the constraint's axes.
    multipliers: NDArray[np.float64]
    #: How many of the rows without an actuator the constraints can act on.
    rank: int
    #: What is left to be held, (nv,): zero where there is an actuator, N and N m elsewhere.
    residual: NDArray[np.float64]


def unactuated(model: Model, actuated: Iterable[int | str] | None = None) -> NDArray[np.intp]:
    """Coordinates without an actuator: the floating base's, or all but those of the joints named.

    Raises:
        UnknownJointError: a name that the model does not have.
    """
    if actuated is None:
        root = model.root_joint
        return np.arange(root.idx_v, root.idx_v + root.nv) if root else np.arange(0)
    free = np.ones(model.nv, bool)
    for name in actuated:
        joint = model.joints[model.joint_id(name)]
        free[joint.idx_v : joint.idx_v + max(joint.nv, 1)] = False
    return np.flatnonzero(free)


def smallest(A: NDArray[np.float64], b: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """The smallest x of least |A x - b|, and the rank of A. Not finite where A or b is not."""
    if 0 in A.shape:
        return np.zeros(A.shape[1]), 0
    if not (np.isfinite(A).all() and np.isfinite(b).all()):
        return np.full(A.shape[1], np.nan), 0
    x, _, rank, _ = np.linalg.lstsq(A, b, rcond=RANK)
    return np.asarray(x, dtype=np.float64), int(rank)


def efforts(
    needed: NDArray[np.float64],
    J: NDArray[np.float64],
    multipliers: NDArray[np.float64],
    free: NDArray[np.intp],
    rank: int,
) -> ConstrainedEfforts:
    """The efforts that are needed, shared between actuators and constraints."""
    tau = needed - J.T @ multipliers
    residual = np.zeros(len(tau))
    residual[free] = tau[free]
    tau[free] = 0.0
    return ConstrainedEfforts(tau, multipliers, rank, residual)


def constrained_inverse_dynamics(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    constraints: Any,
    f_ext: ArrayLike | None = None,
    *,
    actuated: Iterable[int | str] | None = None,
) -> ConstrainedEfforts:
    """Efforts and constraint forces under which the robot accelerates by a.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        a: acceleration, (nv,); that the constraints allow it is not checked.
        constraints: a ConstraintSet, or constraints of which one is made.
        f_ext: external forces, (njoints, 6), as in `rnea`.
        actuated: joints with an actuator, by name or number; all but the floating base where left out.

    Raises:
        ShapeError: an array of the wrong size or type.
        UnknownFrameError, UnknownJointError: a name that the model does not have.
        InvalidValueError: data or constraints of another model.
    """
    needed = rnea(model, data, q, v, tangents(model, a, "a"), f_ext)
    J = constraint_jacobian(model, data, q, constraints)
    free = unactuated(model, actuated)

    def shared(J: NDArray[np.float64], needed: NDArray[np.float64]) -> ConstrainedEfforts:
        multipliers, rank = smallest(J[:, free].T, needed[free])
        return efforts(needed, J, multipliers, free, rank)

    shapes = (model.nv,), (J.shape[-2],), (), (model.nv,)
    return ConstrainedEfforts(*each_state(shared, ((J, 2), (needed, 1)), shapes))
