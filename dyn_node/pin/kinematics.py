"""Placements, velocities, accelerations and Jacobians of joints and frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import algorithms as _core
from .enums import LOCAL, LOCAL_WORLD_ALIGNED, WORLD, ReferenceFrame
from .placement import SE3
from .sixvectors import Motion
from .state import at
from .values import Array

if TYPE_CHECKING:
    from .data import Data
    from .model import Model


def forwardKinematics(model: Model, data: Data, q: Any, v: Any = None, a: Any = None) -> None:
    """Placements of the joints (data.oMi, liMi), with v data.v, with a data.a."""
    at(model, data, q, v, a)


def framesForwardKinematics(model: Model, data: Data, q: Any) -> None:
    """Placements of the joints and of the frames (data.oMf)."""
    at(model, data, q)
    updateFramePlacements(model, data)


def updateFramePlacements(model: Model, data: Data) -> None:
    """data.oMf from data.oMi."""
    _core.update_frame_placements(*data.for_model(model))


def updateFramePlacement(model: Model, data: Data, frame_id: int) -> SE3:
    """One entry of data.oMf from data.oMi; returns it."""
    core, core_data = data.for_model(model)
    data.oMf[frame_id].assign(SE3._from_core(_core.frame_placement(core, core_data, int(frame_id))))
    return data.oMf[frame_id].copy()


def updateGlobalPlacements(model: Model, data: Data) -> None:
    """data.oMi: every algorithm here fills it, so there is nothing left to do."""
    data.for_model(model)


def _in(reference: ReferenceFrame, place: SE3, local: Motion) -> Motion:
    """A motion given in a frame, in a reference frame."""
    if reference == LOCAL:
        return local
    if reference == LOCAL_WORLD_ALIGNED:
        place = SE3(place.rotation, np.zeros(3))
    return place.act(local)


def _of_point(data: Data, joint: int, placement: SE3, motion: Motion, reference: ReferenceFrame) -> Motion:
    place = data.oMi[joint].act(placement)
    return _in(reference, place, placement.actInv(motion))


def getVelocity(model: Model, data: Data, joint_id: int, reference_frame: ReferenceFrame = LOCAL) -> Motion:
    """Spatial velocity of a joint, from data.v."""
    return Motion._over(_core.joint_velocity(*data.for_model(model), int(joint_id), reference_frame)._v)


def getAcceleration(
    model: Model, data: Data, joint_id: int, reference_frame: ReferenceFrame = LOCAL
) -> Motion:
    """Spatial acceleration of a joint, from data.a."""
    return Motion._over(_core.joint_acceleration(*data.for_model(model), int(joint_id), reference_frame)._v)


def getClassicalAcceleration(
    model: Model, data: Data, joint_id: int, reference_frame: ReferenceFrame = LOCAL
) -> Motion:
    """Classical acceleration of a joint, from data.v and data.a."""
    moved = _core.joint_classical_acceleration(*data.for_model(model), int(joint_id), reference_frame)
    return Motion._over(moved._v)


def _point_or_frame(
    arguments: tuple[Any, ...], reference_frame: ReferenceFrame
) -> tuple[SE3 | None, ReferenceFrame]:
    """What follows an index: (reference), or (placement, reference)."""
    placement = arguments[0] if arguments and isinstance(arguments[0], SE3) else None
    rest = arguments[1:] if placement is not None else arguments
    return placement, rest[0] if rest else reference_frame


def getFrameVelocity(
    model: Model, data: Data, frame_id: int, *where: Any, reference_frame: ReferenceFrame = LOCAL
) -> Motion:
    """Spatial velocity of a frame, (frame, reference), or of a point, (joint, placement, reference)."""
    placement, reference = _point_or_frame(where, reference_frame)
    if placement is not None:
        return _of_point(data, frame_id, placement, data.v[frame_id], reference)
    return Motion._over(_core.frame_velocity(*data.for_model(model), int(frame_id), reference)._v)


def getFrameAcceleration(
    model: Model, data: Data, frame_id: int, *where: Any, reference_frame: ReferenceFrame = LOCAL
) -> Motion:
    """Spatial acceleration of a frame, (frame, reference), or of a point, (joint, placement, reference)."""
    placement, reference = _point_or_frame(where, reference_frame)
    if placement is not None:
        return _of_point(data, frame_id, placement, data.a[frame_id], reference)
    return Motion._over(_core.frame_acceleration(*data.for_model(model), int(frame_id), reference)._v)


def getFrameClassicalAcceleration(
    model: Model, data: Data, frame_id: int, *where: Any, reference_frame: ReferenceFrame = LOCAL
) -> Motion:
    """Classical acceleration of a frame, (frame, reference), or of a point, (joint, placement, reference)."""
    placement, reference = _point_or_frame(where, reference_frame)
    if placement is None:
        moved = _core.frame_classical_acceleration(*data.for_model(model), int(frame_id), reference)
        return Motion._over(moved._v)
    velocity = _of_point(data, frame_id, placement, data.v[frame_id], reference)
    acceleration = _of_point(data, frame_id, placement, data.a[frame_id], reference)
    acceleration.linear += np.cross(velocity.angular, velocity.linear)
    return acceleration


def classicAcceleration(
    spatial_velocity: Any, spatial_acceleration: Any, placement: SE3 | None = None
) -> Array:
    """Acceleration (3,) of the point at a frame's origin; with a placement, of the point there."""
    v, a = (x if isinstance(x, Motion) else Motion(x) for x in (spatial_velocity, spatial_acceleration))
    if placement is not None:
        v, a = placement.actInv(v), placement.actInv(a)
    return a.linear + np.cross(v.angular, v.linear)


def computeJointJacobians(model: Model, data: Data, q: Any = None) -> Array:
    """data.J, (6, nv): columns of all joints in WORLD. Without q, at the last placements."""
    q = data.state[0] if q is None else q
    at(model, data, q)
    return data.J


def computeJointJacobiansTimeVariation(model: Model, data: Data, q: Any, v: Any) -> Array:
    """data.dJ, (6, nv): rate of data.J, which it fills too."""
    at(model, data, q, v)
    return data.dJ


def getJointJacobianTimeVariation(
    model: Model, data: Data, joint_id: int, reference_frame: ReferenceFrame = LOCAL
) -> Array:
    """Rate (6, nv) of a joint's Jacobian at the last state."""
    q, v, _ = data.state
    return _core.joint_jacobian_time_variation(*data.for_model(model), q, v, int(joint_id), reference_frame)


def getFrameJacobianTimeVariation(
    model: Model, data: Data, frame_id: int, reference_frame: ReferenceFrame = LOCAL
) -> Array:
    """Rate (6, nv) of a frame's Jacobian at the last state."""
    q, v, _ = data.state
    return _core.frame_jacobian_time_variation(*data.for_model(model), q, v, int(frame_id), reference_frame)


def frameJacobianTimeVariation(
    model: Model, data: Data, q: Any, v: Any, frame_id: int, reference_frame: ReferenceFrame = LOCAL
) -> Array:
    """Rate (6, nv) of a frame's Jacobian."""
    at(model, data, q, v)
    return getFrameJacobianTimeVariation(model, data, frame_id, reference_frame)


def getJointJacobian(
    model: Model, data: Data, joint_id: int, reference_frame: ReferenceFrame = LOCAL
) -> Array:
    """Jacobian (6, nv) of a joint at the last placements."""
    return _core.joint_jacobian(*data.for_model(model), data.state[0], int(joint_id), reference_frame)


def computeJointJacobian(model: Model, data: Data, q: Any, joint_id: int) -> Array:
    """Jacobian (6, nv) of a joint, LOCAL."""
    return _core.joint_jacobian(*data.for_model(model), q, int(joint_id), LOCAL)


def computeFrameJacobian(
    model: Model, data: Data, q: Any, frame_id: int, reference_frame: ReferenceFrame = LOCAL
) -> Array:
    """Jacobian (6, nv) of a frame."""
    return _core.frame_jacobian(*data.for_model(model), q, int(frame_id), reference_frame)


def getFrameJacobian(
    model: Model, data: Data, frame_id: int, *where: Any, reference_frame: ReferenceFrame = LOCAL
) -> Array:
    """Jacobian (6, nv) at the last placements: of (frame, reference) or (joint, placement, reference)."""
    placement, reference = _point_or_frame(where, reference_frame)
    if placement is None:
        return _core.frame_jacobian(*data.for_model(model), data.state[0], int(frame_id), reference)
    J = getJointJacobian(model, data, frame_id, LOCAL)
    place = data.oMi[frame_id].act(placement)
    return _action(reference, place) @ placement.actionInverse @ J


def _action(reference: ReferenceFrame, place: SE3) -> Array:
    """(6, 6): from LOCAL to a reference frame."""
    if reference == LOCAL:
        return np.eye(6)
    return (place if reference == WORLD else SE3(place.rotation, np.zeros(3))).action


def findCommonAncestor(model: Model, joint1_id: int, joint2_id: int) -> tuple[int, int, int]:
    """The last joint that carries both, and its positions in the two supports."""
    first, second = model.supports[joint1_id], model.supports[joint2_id]
    shared = sum(1 for a, b in zip(first, second, strict=False) if a == b)
    return first[shared - 1], shared - 1, shared - 1


__all__ = [
    "classicAcceleration",
    "computeFrameJacobian",
    "computeJointJacobian",
    "computeJointJacobians",
    "computeJointJacobiansTimeVariation",
    "findCommonAncestor",
    "forwardKinematics",
    "frameJacobianTimeVariation",
    "framesForwardKinematics",
    "getAcceleration",
    "getClassicalAcceleration",
    "getFrameAcceleration",
    "getFrameClassicalAcceleration",
    "getFrameJacobian",
    "getFrameJacobianTimeVariation",
    "getFrameVelocity",
    "getJointJacobian",
    "getJointJacobianTimeVariation",
    "getVelocity",
    "updateFramePlacement",
    "updateFramePlacements",
    "updateGlobalPlacements",
]
