"""What a frame carries: the bodies beyond it, and the force that moves them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .inertia import Inertia
from .kinematics import getFrameAcceleration, getFrameVelocity
from .sixvectors import Force

if TYPE_CHECKING:
    from .data import Data
    from .model import Model


def computeSupportedInertiaByFrame(model: Model, data: Data, frame_id: int, with_subtree: bool) -> Inertia:
    """Inertia, in the frame's axes, of the frame and those that hang on it on the same joint's body.

    Args:
        with_subtree: count the joints that its joint carries too, at the last placements.
    """
    frame = model.frames[frame_id]
    joint, hanging = frame.parentJoint, {frame_id}
    total = frame.placement.act(frame.inertia)
    for index in range(frame_id + 1, model.nframes):
        other = model.frames[index]
        if other.parentJoint == joint and other.parentFrame in hanging:
            hanging.add(index)
            total = total + other.placement.act(other.inertia)
    if with_subtree:
        for child in list(model.subtrees[joint])[1:]:
            total = total + data.oMi[joint].actInv(data.oMi[child].act(model.inertias[child]))
    return frame.placement.actInv(total)


def computeSupportedForceByFrame(model: Model, data: Data, frame_id: int) -> Force:
    """Force, in the frame's axes, that the frame transmits to what it carries; after rnea and kinematics."""
    frame = model.frames[frame_id]
    joint = frame.parentJoint
    body: Any = computeSupportedInertiaByFrame(model, data, frame_id, False)
    place = data.oMi[joint].act(frame.placement)
    acceleration = getFrameAcceleration(model, data, frame_id) - place.actInv(model.gravity)
    total = frame.placement.act(body.vxiv(getFrameVelocity(model, data, frame_id)) + body * acceleration)
    for child in model.children[joint]:
        total = total + data.liMi[child].act(data.f[child])
    return frame.placement.actInv(total)


__all__ = ["computeSupportedForceByFrame", "computeSupportedInertiaByFrame"]
