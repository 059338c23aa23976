"""The efforts that hold a robot still under gravity and external forces, and their derivatives.

Arrays may have one axis more in front, a batch; what comes back then has it too (see `algorithms.batch`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..kernels import static as _static
from .arguments import REFUSED, check_data, configurations, external_forces
from .batch import evaluate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


def static_torque(
    model: Model, data: Data, q: ArrayLike, f_ext: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The efforts that hold the robot still: g(q) - sum J^T f_ext.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        f_ext: external forces on the joints' bodies, (njoints, 6): row i is a wrench (force, moment)
            in the frame of joint i; row 0 is not used.
        out: array for the result, (nv,).

    Returns:
        The efforts, (nv,): N m, or N for joints that slide.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _static.static_torque(model.records, data.work, q, f_ext, out)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), external_forces(model, f_ext)
        return evaluate(_static.static_torque, head, [(model.nv,)], out)[0]


def gravity_derivatives(
    model: Model, data: Data, q: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The derivative of g(q) along the tangent (Carpentier and Mansard, RSS 2018).

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        out: array for the result, (nv, nv).

    Returns:
        dg/dq, (nv, nv).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _static.gravity_derivatives(model.records, data.work, q, out)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q)
        return evaluate(_static.gravity_derivatives, head, [(model.nv, model.nv)], out)[0]


def static_torque_derivatives(
    model: Model, data: Data, q: ArrayLike, f_ext: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The derivative of `static_torque` along the tangent of q (Carpentier and Mansard, RSS 2018).

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        f_ext: external forces, (njoints, 6), as in `static_torque`, that stay the same in their joints'
            frames.
        out: array for the result, (nv, nv).

    Returns:
        dtau/dq, (nv, nv).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    try:
        return _static.static_torque_derivatives(model.records, data.work, q, f_ext, out)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, configurations(model, q), external_forces(model, f_ext)
        return evaluate(_static.static_torque_derivatives, head, [(model.nv, model.nv)], out)[0]
