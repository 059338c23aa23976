"""Derivatives of dynamics and kinematics; getters read the last state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import algorithms as _core
from ..model import Data as CoreData
from ..model import Model as CoreModel
from ..model.editing import add_frame
from .centroidal import getCenterOfMassVelocityDerivatives
from .enums import LOCAL, LOCAL_WORLD_ALIGNED, ReferenceFrame
from .kinematics import (
    _point_or_frame,
    computeJointJacobiansTimeVariation,
    getAcceleration,
    getFrameAcceleration,
    getFrameVelocity,
    getVelocity,
)
from .placement import SE3
from .sixvectors import Motion
from .state import at, forces
from .values import Array

if TYPE_CHECKING:
    from .data import Data
    from .model import Model

#: A name that no robot's frame should have.
_POINT = "dyn_node.pin point"


def computeRNEADerivatives(
    model: Model, data: Data, q: Any, v: Any, a: Any, fext: Any = None
) -> tuple[Array, Array, Array]:
    """data.dtau_dq, dtau_dv and M, the derivatives of rnea; data.tau."""
    core, core_data = at(model, data, q, v, a)
    outside = None if fext is None else forces(model, fext)
    found = _core.rnea_derivatives(core, core_data, q, v, a, outside)
    data.dtau_dq, data.dtau_dv, data.M = found
    data.tau = _core.rnea(core, core_data, q, v, a, outside)
    return data.dtau_dq.copy(), data.dtau_dv.copy(), data.M.copy()


def computeABADerivatives(model: Model, data: Data, *arguments: Any) -> tuple[Array, Array, Array]:
    """data.ddq_dq, ddq_dv and Minv, the derivatives of aba; data.ddq.

    Arguments: q, v, tau, (fext); or after aba nothing, or fext alone.
    """
    if len(arguments) < 3:
        q, v, _ = data.state
        arguments = (q, v, data.applied, *arguments)
    q, v, tau, *outside = arguments
    wrenches = forces(model, outside[0]) if outside and outside[0] is not None else None
    core, core_data = data.for_model(model)
    data.ddq = _core.aba(core, core_data, q, v, tau, wrenches)
    at(model, data, q, v, data.ddq)
    found = _core.aba_derivatives(core, core_data, q, v, tau, wrenches)
    data.ddq_dq, data.ddq_dv, data.Minv = found
    data.ddq_dtau = data.Minv
    return data.ddq_dq.copy(), data.ddq_dv.copy(), data.Minv.copy()


def computeGeneralizedGravityDerivatives(model: Model, data: Data, q: Any) -> Array:
    """dg/dq, (nv, nv); data.g."""
    core, core_data = at(model, data, q)
    data.g = _core.generalized_gravity(core, core_data, q)
    return _core.gravity_derivatives(core, core_data, q)


def computeStaticTorqueDerivatives(model: Model, data: Data, q: Any, fext: Any) -> Array:
    """Derivative (nv, nv) of computeStaticTorque; data.tau."""
    core, core_data = at(model, data, q)
    outside = forces(model, fext)
    data.tau = _core.static_torque(core, core_data, q, outside)
    return _core.static_torque_derivatives(core, core_data, q, outside)


def computeForwardKinematicsDerivatives(model: Model, data: Data, q: Any, v: Any, a: Any = None) -> None:
    """Take the state that the getters below answer for; data.J and dJ."""
    computeJointJacobiansTimeVariation(model, data, q, v)
    at(model, data, q, v, a)


def _held_back(columns: Array, found: Any, motion: Motion) -> Array:
    """dv/dq or da/dq as Pinocchio has it in LOCAL_WORLD_ALIGNED: it does not let the frame's origin move."""
    columns = columns.copy()
    columns[:3] += np.cross(found.dv_dv[:3], motion.angular, axis=0)
    return columns


def _velocity(found: Any, reference: ReferenceFrame, velocity: Motion) -> tuple[Array, Array]:
    if reference != LOCAL_WORLD_ALIGNED:
        return found.dv_dq, found.dv_dv
    return _held_back(found.dv_dq, found, velocity), found.dv_dv


def _acceleration(
    found: Any, reference: ReferenceFrame, velocity: Motion, acceleration: Motion
) -> tuple[Array, Array, Array, Array]:
    """Pinocchio leaves out dv/dv, which equals da/da."""
    dv_dq, da_dq = found.dv_dq, found.da_dq
    if reference == LOCAL_WORLD_ALIGNED:
        dv_dq, da_dq = _held_back(dv_dq, found, velocity), _held_back(da_dq, found, acceleration)
    return dv_dq, da_dq, found.da_dv, found.da_da


def getJointVelocityDerivatives(
    model: Model, data: Data, joint_id: int, reference_frame: ReferenceFrame
) -> tuple[Array, Array]:
    """dv/dq, dv/dv of a joint, (6, nv) each."""
    q, v, _ = data.state
    found = _core.joint_velocity_derivatives(*data.for_model(model), q, v, int(joint_id), reference_frame)
    return _velocity(found, reference_frame, getVelocity(model, data, joint_id, reference_frame))


def getJointAccelerationDerivatives(
    model: Model, data: Data, joint_id: int, reference_frame: ReferenceFrame
) -> tuple[Array, Array, Array, Array]:
    """dv/dq, da/dq, da/dv, da/da of a joint, (6, nv) each."""
    core, core_data = data.for_model(model)
    found = _core.joint_acceleration_derivatives(core, core_data, *data.state, int(joint_id), reference_frame)
    motion = [get(model, data, joint_id, reference_frame) for get in (getVelocity, getAcceleration)]
    return _acceleration(found, reference_frame, *motion)


def _place(
    model: Model, data: Data, index: int, where: tuple[Any, ...], reference: ReferenceFrame
) -> tuple[CoreModel, CoreData, int | str, ReferenceFrame]:
    """The frame that is meant; for a point on a joint a model that has one there."""
    placement, reference = _point_or_frame(where, reference)
    core, core_data = data.for_model(model)
    if placement is None:
        return core, core_data, int(index), reference
    core = add_frame(core, _POINT, core.joint_frames[index], placement.value)
    return core, core.create_data(), _POINT, reference


def getFrameVelocityDerivatives(
    model: Model, data: Data, frame_id: int, *where: Any, reference_frame: ReferenceFrame = LOCAL
) -> tuple[Array, Array]:
    """dv/dq, dv/dv, (6, nv) each: of (frame, reference) or (joint, placement, reference)."""
    core, core_data, frame, reference = _place(model, data, frame_id, where, reference_frame)
    q, v, _ = data.state
    found = _core.frame_velocity_derivatives(core, core_data, q, v, frame, reference)
    velocity = getFrameVelocity(model, data, frame_id, *where, reference_frame=reference)
    return _velocity(found, reference, velocity)


def getFrameAccelerationDerivatives(
    model: Model, data: Data, frame_id: int, *where: Any, reference_frame: ReferenceFrame = LOCAL
) -> tuple[Array, Array, Array, Array]:
    """dv/dq, da/dq, da/dv, da/da, (6, nv) each: of (frame, reference) or (joint, placement, reference)."""
    core, core_data, frame, reference = _place(model, data, frame_id, where, reference_frame)
    found = _core.frame_acceleration_derivatives(core, core_data, *data.state, frame, reference)
    get = (getFrameVelocity, getFrameAcceleration)
    motion = [of(model, data, frame_id, *where, reference_frame=reference) for of in get]
    return _acceleration(found, reference, *motion)


def getPointVelocityDerivatives(
    model: Model, data: Data, joint_id: int, placement: SE3, reference_frame: ReferenceFrame
) -> tuple[Array, Array]:
    """dv/dq, dv/dv, (3, nv) each, of the point at a placement in a joint; LOCAL: in that placement's axes."""
    core, core_data, frame, _ = _place(model, data, joint_id, (placement,), reference_frame)
    q, v, _ = data.state
    origin = (0.0, 0.0, 0.0)
    found = _core.point_velocity_derivatives(core, core_data, q, v, frame, origin, reference_frame)
    return found.dv_dq, found.dv_dv


def getPointClassicAccelerationDerivatives(
    model: Model, data: Data, joint_id: int, placement: SE3, reference_frame: ReferenceFrame
) -> tuple[Array, Array, Array, Array]:
    """dv/dq, da/dq, da/dv, da/da, (3, nv) each, of the point at a placement in a joint."""
    core, core_data, frame, _ = _place(model, data, joint_id, (placement,), reference_frame)
    origin = (0.0, 0.0, 0.0)
    found = _core.point_acceleration_derivatives(core, core_data, *data.state, frame, origin, reference_frame)
    return found.dv_dq, found.da_dq, found.da_dv, found.da_da


__all__ = [
    "computeABADerivatives",
    "computeForwardKinematicsDerivatives",
    "computeGeneralizedGravityDerivatives",
    "computeRNEADerivatives",
    "computeStaticTorqueDerivatives",
    "getCenterOfMassVelocityDerivatives",
    "getFrameAccelerationDerivatives",
    "getFrameVelocityDerivatives",
    "getJointAccelerationDerivatives",
    "getJointVelocityDerivatives",
    "getPointClassicAccelerationDerivatives",
    "getPointVelocityDerivatives",
]
