"""Regressors: equations of motion as a matrix times inertial parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import algorithms as _core
from .enums import LOCAL, LOCAL_WORLD_ALIGNED, ReferenceFrame
from .placement import SE3
from .sixvectors import Motion
from .state import at
from .values import Array

if TYPE_CHECKING:
    from .data import Data
    from .model import Model


def computeJointTorqueRegressor(model: Model, data: Data, q: Any, v: Any, a: Any) -> Array:
    """data.jointTorqueRegressor, (nv, 10 (njoints - 1))."""
    core, core_data = at(model, data, q)
    data.jointTorqueRegressor = _core.joint_torque_regressor(core, core_data, q, v, a)
    return data.jointTorqueRegressor.copy()


def computeStaticRegressor(model: Model, data: Data, q: Any) -> Array:
    """data.staticRegressor, (3, 4 (njoints - 1))."""
    core, core_data = at(model, data, q)
    data.staticRegressor = _core.static_regressor(core, core_data, q)
    return data.staticRegressor.copy()


def computeKineticEnergyRegressor(model: Model, data: Data, q: Any, v: Any) -> Array:
    """data.kineticEnergyRegressor, (10 (njoints - 1),)."""
    core, core_data = at(model, data, q, v)
    data.kineticEnergyRegressor = _core.kinetic_energy_regressor(core, core_data, q, v)
    return data.kineticEnergyRegressor.copy()


def computePotentialEnergyRegressor(model: Model, data: Data, q: Any) -> Array:
    """data.potentialEnergyRegressor, (10 (njoints - 1),)."""
    core, core_data = at(model, data, q)
    data.potentialEnergyRegressor = _core.potential_energy_regressor(core, core_data, q)
    return data.potentialEnergyRegressor.copy()


def bodyRegressor(velocity: Motion, acceleration: Motion) -> Array:
    """(6, 10): the force that moves a body so, per inertial parameter."""
    return _core.body_regressor(velocity._x, acceleration._x)


def jointBodyRegressor(model: Model, data: Data, joint_id: int) -> Array:
    """(6, 10) of a joint's body, from data.v and data.a_gf that rnea fills."""
    return bodyRegressor(data.v[joint_id], data.a_gf[joint_id])


def frameBodyRegressor(model: Model, data: Data, frame_id: int) -> Array:
    """(6, 10) of a body given in a frame, from data.v and data.a_gf that rnea fills."""
    frame = model.frames[frame_id]
    place, joint = frame.placement, frame.parentJoint
    return bodyRegressor(place.actInv(data.v[joint]), place.actInv(data.a_gf[joint]))


def computeJointKinematicRegressor(
    model: Model, data: Data, joint_id: int, reference_frame: ReferenceFrame, placement: SE3 | None = None
) -> Array:
    """(6, 6 (njoints - 1)): how a frame at a placement in a joint moves by small motions of jointPlacements.

    At the last placements; column block i - 1 takes a motion in the axes of joint i's placement.
    """
    place = data.oMi[joint_id] if placement is None else data.oMi[joint_id].act(placement)
    found = np.zeros((6, 6 * (model.njoints - 1)))
    while joint_id > 0:
        parent = model.parents[joint_id]
        before = data.oMi[parent].act(model.jointPlacements[joint_id])
        if reference_frame == LOCAL:
            before = place.actInv(before)
        elif reference_frame == LOCAL_WORLD_ALIGNED:
            before = SE3(before.rotation, before.translation - place.translation)
        found[:, 6 * (joint_id - 1) : 6 * joint_id] = before.action
        joint_id = parent
    return found


def computeFrameKinematicRegressor(
    model: Model, data: Data, frame_id: int, reference_frame: ReferenceFrame
) -> Array:
    """(6, 6 (njoints - 1)): the same for a frame."""
    frame = model.frames[frame_id]
    joint, place = frame.parentJoint, frame.placement
    return computeJointKinematicRegressor(model, data, joint, reference_frame, place)


__all__ = [
    "bodyRegressor",
    "computeFrameKinematicRegressor",
    "computeJointKinematicRegressor",
    "computeJointTorqueRegressor",
    "computeKineticEnergyRegressor",
    "computePotentialEnergyRegressor",
    "computeStaticRegressor",
    "frameBodyRegressor",
    "jointBodyRegressor",
]
