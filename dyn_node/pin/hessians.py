"""Derivatives of Jacobians along the tangent of q: (6, nv, nv), H[:, j, k] of column j along coordinate k."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import algorithms as _core
from .derivatives import _place
from .enums import LOCAL, ReferenceFrame
from .state import at
from .values import Array

if TYPE_CHECKING:
    from .data import Data
    from .model import Model


def computeJointKinematicHessians(model: Model, data: Data, q: Any = None) -> None:
    """Take the configuration that the getters below answer for; without q, the last one."""
    at(model, data, data.state[0] if q is None else q)


def getJointKinematicHessian(
    model: Model, data: Data, joint_id: int, reference_frame: ReferenceFrame = LOCAL
) -> Array:
    """Of a joint's Jacobian at the last placements."""
    return _core.joint_hessian(*data.for_model(model), data.state[0], int(joint_id), reference_frame)


def getFrameKinematicHessian(
    model: Model, data: Data, frame_id: int, *where: Any, reference_frame: ReferenceFrame = LOCAL
) -> Array:
    """Of the Jacobian of (frame, reference) or (joint, placement, reference) at the last placements."""
    core, core_data, frame, reference = _place(model, data, frame_id, where, reference_frame)
    return _core.frame_hessian(core, core_data, data.state[0], frame, reference)


__all__ = ["computeJointKinematicHessians", "getFrameKinematicHessian", "getJointKinematicHessian"]
