"""The output ~/markers for rviz: twist arrows at the frames, the centre of mass and its ground projection."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from geometry_msgs.msg import Point
from visualization_msgs.msg import Marker, MarkerArray

from dyn_node.algorithms.kinematics import frame_velocity
from dyn_node.model.model import Model

from .conversions import fill_vector
from .outputs import Moment, Output

Array = npt.NDArray[np.float64]

#: Metres of arrow for one m/s or one rad/s.
ARROW_SCALE = 0.25
_GREEN, _ORANGE, _BLUE = (0.1, 0.7, 0.2), (0.9, 0.5, 0.1), (0.1, 0.4, 0.9)
_SHAFT, _HEAD, _BALL = 0.012, 0.025, 0.05


class Markers(Output):
    """Linear (green) and angular (orange) velocity of frames, centre of mass (blue) and its projection."""

    needs_kinematics = True

    def __init__(self, publisher: Any, model: Model, frames: dict[str, int], world_frame: str) -> None:
        super().__init__(publisher)
        self._frames = list(frames.values())
        self._arrows = []
        for name in frames:
            self._arrows.append(
                (
                    _arrow(f"{name} linear", world_frame, _GREEN),
                    _arrow(f"{name} angular", world_frame, _ORANGE),
                )
            )
        self._balls = (
            _ball("centre of mass", world_frame, _BLUE, _BALL),
            _ball("centre of mass on the ground", world_frame, _BLUE, _BALL / 2),
        )
        self._message = MarkerArray(
            markers=[arrow for pair in self._arrows for arrow in pair] + list(self._balls)
        )

    def publish(self, moment: Moment) -> None:
        """Publish all markers."""
        for index, arrows in zip(self._frames, self._arrows, strict=True):
            origin = moment.data.oMf[index].translation
            twist = frame_velocity(moment.model, moment.data, index, "LOCAL_WORLD_ALIGNED").vector
            for arrow, vector in zip(arrows, (twist[:3], twist[3:]), strict=True):
                fill_vector(arrow.points[0], origin)
                fill_vector(arrow.points[1], origin + ARROW_SCALE * vector)
        centre = centre_of_mass(moment)
        fill_vector(self._balls[0].pose.position, centre)
        fill_vector(self._balls[1].pose.position, (centre[0], centre[1], 0.0))
        for marker in self._message.markers:
            marker.header.stamp.sec, marker.header.stamp.nanosec = moment.stamp
        self.publisher.publish(self._message)


def centre_of_mass(moment: Moment) -> Array:
    """Centre of mass of all moving bodies in the world (3,); the origin for a robot without mass."""
    model, placements = moment.model, moment.data.oMi
    bodies = [
        (inertia.mass, placements[k].act(inertia.com))
        for k, inertia in enumerate(model.inertias)
        if k > 0 and inertia.mass > 0.0
    ]
    total = sum(mass for mass, _ in bodies)
    return sum((mass * point for mass, point in bodies), np.zeros(3)) / total if total else np.zeros(3)


def _marker(name: str, frame: str, kind: int, colour: tuple[float, float, float]) -> Marker:
    marker = Marker(ns=name, type=kind, action=Marker.ADD)
    marker.header.frame_id = frame
    marker.color.r, marker.color.g, marker.color.b = colour
    marker.color.a = 1.0
    marker.pose.orientation.w = 1.0
    return marker


def _arrow(name: str, frame: str, colour: tuple[float, float, float]) -> Marker:
    marker = _marker(name, frame, Marker.ARROW, colour)
    marker.points = [Point(), Point()]
    fill_vector(marker.scale, (_SHAFT, _HEAD, 0.0))
    return marker


def _ball(name: str, frame: str, colour: tuple[float, float, float], size: float) -> Marker:
    marker = _marker(name, frame, Marker.SPHERE, colour)
    fill_vector(marker.scale, (size, size, size))
    return marker
