"""The output ~/markers for rviz: what the parameter `markers` names, computed only for a subscriber."""

from __future__ import annotations

from typing import Any

from visualization_msgs.msg import MarkerArray

from dyn_node.model.model import Model

from .dynamics_settings import DynamicsSettings
from .marker_parts import CenterOfMass, ContactForces, Part, Torques, Twists, VelocityEllipsoids
from .outputs import Moment, Output


class Markers(Output):
    """All markers of one robot in one message."""

    needs_kinematics = True

    def __init__(
        self,
        publisher: Any,
        model: Model,
        frames: dict[str, int],
        settings: DynamicsSettings,
        stands: bool = False,
    ) -> None:
        super().__init__(publisher)
        self._parts = _parts(model, frames, settings, stands)
        self.needs_gravity = any(part.needs_gravity for part in self._parts)
        self._message = MarkerArray(markers=[marker for part in self._parts for marker in part.markers])

    def publish(self, moment: Moment) -> None:
        """Publish all markers."""
        for part in self._parts:
            part.update(moment)
        for marker in self._message.markers:
            marker.header.stamp.sec, marker.header.stamp.nanosec = moment.stamp
        self.publisher.publish(self._message)


def _parts(model: Model, frames: dict[str, int], settings: DynamicsSettings, stands: bool) -> list[Part]:
    """What is asked for and can be shown; `stands`: whether forces at the feet are computed."""
    parts: list[Part] = []
    if "twist" in settings.markers:
        parts.append(Twists(settings, frames))
    if "center_of_mass" in settings.markers:
        parts.append(CenterOfMass(settings))
    if "torques" in settings.markers:
        parts.append(Torques(settings, model))
    if "velocity_ellipsoid" in settings.markers:
        parts.append(VelocityEllipsoids(settings, model, frames))
    if "contact_forces" in settings.markers and stands:
        parts.append(ContactForces(settings, model))
    return parts
