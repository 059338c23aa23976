"""How constraints move: their Jacobian, acceleration bias, velocity and error.

Arrays may have one axis more in front, a batch; what comes back then has it too (see `algorithms.batch`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy import empty

from ..kernels import constraint_rows as _rows
from .arguments import REFUSED, check_data, configuration, configurations, tangents
from .batch import evaluate
from .constraint_set import ConstraintSet, prepared

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


class ConstraintMotion(NamedTuple):
    """The rows of a set of constraints at a state: J ddq + gamma is their acceleration."""

    #: (rows, nv).
    jacobian: NDArray[np.float64]
    #: (rows,), the acceleration at ddq = 0.
    gamma: NDArray[np.float64]
    #: (rows,), J v.
    velocity: NDArray[np.float64]
    #: (rows,), metres and radians; of a point p1 - p2, of a rigid one the logarithm of end 1 seen from end 2.
    error: NDArray[np.float64]


def constraint_motion(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike, constraints: Any
) -> ConstraintMotion:
    """Jacobian, acceleration bias, velocity and error of constraints.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        constraints: a ConstraintSet, or constraints of which one is made.

    Returns:
        One row a scalar constraint; see `kernels.constraint_rows` for what each row measures. In the rows
        of a contact with the world that has no `other_placement`, the error is that to the world's origin.

    Raises:
        ShapeError: an array of the wrong size or type.
        UnknownFrameError, UnknownJointError: a name that the model does not have.
        InvalidValueError: data or constraints of another model.
    """
    ties = prepared(model, constraints)
    J, motion = empty((ties.rows, model.nv)), empty((ties.rows, 3))
    head = model.records, data.work, ties.ends, ties.settings, ties.extra
    try:
        _rows.constraint_rows(*head, q, v, J, motion)
    except REFUSED:
        check_data(model, data)
        state = configurations(model, q), tangents(model, v)
        J, motion = evaluate(_rows.constraint_rows, (*head, *state), [J.shape, motion.shape])
        if J.ndim > 2:
            return _of_batch(ties, state[0], J, motion)
    gamma, velocity, error = motion.T.copy()
    if len(ties.extra):
        error[ties.rows - len(ties.extra) :] = ties.errors_of_joints(configuration(model, q))
    return ConstraintMotion(J, gamma, velocity, error)


def _of_batch(
    ties: ConstraintSet, q: NDArray[np.float64], J: NDArray[np.float64], motion: NDArray[np.float64]
) -> ConstraintMotion:
    gamma, velocity, error = np.moveaxis(motion, -1, 0).copy()
    if len(ties.extra):
        for k in range(len(error)):
            one = q if q.ndim == 1 else q[k]
            error[k, ties.rows - len(ties.extra) :] = ties.errors_of_joints(one)
    return ConstraintMotion(J, gamma, velocity, error)


def constraint_jacobian(model: Model, data: Data, q: ArrayLike, constraints: Any) -> NDArray[np.float64]:
    """The Jacobian of constraints, (rows, nv); see `constraint_motion`."""
    return constraint_motion(model, data, q, np.zeros(model.nv), constraints).jacobian


def acceleration_target(ties: ConstraintSet, q: ArrayLike, motion: ConstraintMotion) -> NDArray[np.float64]:
    """What J ddq + gamma is asked to be, (rows,): -kd velocity - kp error."""
    kp, kd = np.zeros(ties.rows), np.zeros(ties.rows)
    for item, rows in zip(ties.constraints, ties.slices, strict=True):
        kp[rows], kd[rows] = item.kp, item.kd
    return -kd * motion.velocity - kp * motion.error
