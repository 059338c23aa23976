"""How the rows of constraints change with q: the derivative of their Jacobian.

With H = dJ/dq, (rows, nv, nv), H[:, j, k] of column j along coordinate k, every product of the Jacobian
has its derivative in a sum: of J v along q `einsum("rjk,j->rk", H, v)`, of J^T lambda `einsum("rjk,r->jk",
H, lambda)`, and the rate of J is `H @ v`.

Arrays may have one axis more in front, a batch; what comes back then has it too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels import frame_hessian as _hessian
from ..kernels import frame_states as _states
from ..kernels import frames as _frames
from .arguments import check_data, configurations, tangents
from .batch import evaluate
from .constraint_set import ConstraintSet, prepared
from .constraints import FrameConstraint, PointConstraint
from .reference import LOCAL, LOCAL_WORLD_ALIGNED, reference_code
from .state_by_state import batch_length

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model

    Array = NDArray[np.float64]


def constraint_hessian(model: Model, data: Data, q: ArrayLike, constraints: Any) -> NDArray[np.float64]:
    """The derivative of `constraint_jacobian` along the tangent of q.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        constraints: a ConstraintSet, or constraints of which one is made.

    Returns:
        H, (rows, nv, nv): H[:, j, k] is the derivative of the Jacobian's column j along coordinate k. Zero in
        the rows of locks and couplings.

    Raises:
        ShapeError: an array of the wrong size or type.
        UnknownFrameError, UnknownJointError: a name that the model does not have.
        InvalidValueError: data or constraints of another model.
    """
    ties = prepared(model, constraints)
    check_data(model, data)
    state = configurations(model, q)
    H = np.zeros((*state.shape[:-1], ties.rows, model.nv, model.nv))
    if not len(ties.ends):
        return H
    poses = evaluate(
        _states.frame_placements, (model.records, data.work, ties.ends, state), [(len(ties.ends), 4, 4)]
    )[0]
    for index, (item, rows) in enumerate(zip(ties.constraints, ties.slices, strict=True)):
        if isinstance(item, FrameConstraint):
            one, two = (_End(model, data, ties, state, 2 * index + side, item, poses) for side in (0, 1))
            local = reference_code(item.reference) == LOCAL
            fill = _point if isinstance(item, PointConstraint) else _rigid
            H[..., rows, :, :] = fill(one, two, local)
    return H


def constraint_jacobian_time_variation(
    model: Model, data: Data, q: ArrayLike, v: ArrayLike, constraints: Any
) -> NDArray[np.float64]:
    """The rate of `constraint_jacobian` at the velocity v.

    dJ v is `constraint_motion(...).gamma` for points in LOCAL_WORLD_ALIGNED and rigid constraints in LOCAL;
    in the other axes gamma leaves out that the axes themselves turn.

    Args:
        model, data, q, constraints: as in `constraint_hessian`.
        v: velocity, (nv,).

    Returns:
        dJ/dt, (rows, nv).

    Raises: as `constraint_hessian`.
    """
    velocity = tangents(model, v)
    batch_length(((configurations(model, q), 1), (velocity, 1)))
    H = constraint_hessian(model, data, q, constraints)
    rate: Array = (H @ velocity[..., None, :, None])[..., 0]
    return rate


class _End:
    """One end of a constraint: its pose, and the Jacobian and Hessian of its frame.

    Attributes:
        R, p: pose in the world, (..., 3, 3) and (..., 3).
        J, H: (..., 6, nv) and (..., 6, nv, nv): of a point in the world's axes, of a rigid one in its own.
    """

    def __init__(
        self,
        model: Model,
        data: Data,
        ties: ConstraintSet,
        q: Array,
        number: int,
        item: FrameConstraint,
        poses: Array,
    ) -> None:
        reference = LOCAL_WORLD_ALIGNED if isinstance(item, PointConstraint) else LOCAL
        head = model.records, data.work, ties.ends, q, number, int(reference)
        nv = model.nv
        self.R, self.p = poses[..., number, :3, :3], poses[..., number, :3, 3]
        self.J = evaluate(_frames.frame_jacobian, head, [(6, nv)])[0]
        self.H = evaluate(_hessian.frame_hessian, head, [(6, nv, nv)])[0]


def _turning(axes: Array, columns: Array) -> Array:
    """(..., 3, nv, nv): [:, j, k] is axes_k x columns_j, for two (..., 3, nv)."""
    crossed: Array = np.cross(axes[..., :, None, :], columns[..., :, :, None], axis=-3)
    return crossed


def _turned(R: Array, H: Array) -> Array:
    """R acting on the first axis of (..., 3, nv, nv)."""
    turned: Array = np.einsum("...rs,...sjk->...rjk", R, H)
    return turned


def _point(one: _End, two: _End, local: bool) -> Array:
    """Of p1' - p2' in the world's axes, or in those of end 1, which turn with it."""
    H = one.H[..., :3, :, :] - two.H[..., :3, :, :]
    if not local:
        return H
    J = one.J[..., :3, :] - two.J[..., :3, :]
    return _turned(np.swapaxes(one.R, -1, -2), H - _turning(one.J[..., 3:, :], J))


def _rigid(one: _End, two: _End, local: bool) -> Array:
    """Of V1 - T V2: T takes end 2's axes to end 1's, as seen from which end 2 moves by -(J1 - T J2)."""
    back = np.swapaxes(one.R, -1, -2)
    R = back @ two.R
    p = (back @ (two.p - one.p)[..., None])[..., 0]
    J2, H2 = _carried(R, p, two.J[..., None])[..., 0], _carried(R, p, two.H)
    J = one.J - J2
    H: Array = one.H - H2
    H[..., :3, :, :] += _turning(J[..., 3:, :], J2[..., :3, :]) + _turning(J[..., :3, :], J2[..., 3:, :])
    H[..., 3:, :, :] += _turning(J[..., 3:, :], J2[..., 3:, :])
    if local:
        return H
    for half in (slice(0, 3), slice(3, 6)):
        H[..., half, :, :] = _turned(one.R, H[..., half, :, :] + _turning(one.J[..., 3:, :], J[..., half, :]))
    return H


def _carried(R: Array, p: Array, motions: Array) -> Array:
    """Motions along the first of the last three axes, (..., 6, m, n), in the frame that R, p are given in."""
    lin, ang = _turned(R, motions[..., :3, :, :]), _turned(R, motions[..., 3:, :, :])
    carried: Array = np.concatenate([lin + np.cross(p[..., :, None, None], ang, axis=-3), ang], axis=-3)
    return carried
