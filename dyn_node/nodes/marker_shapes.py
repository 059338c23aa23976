"""Shapes for rviz. Each is made once, with its name and colour, and moved from then on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from geometry_msgs.msg import Point
from visualization_msgs.msg import Marker

from .conversions import fill_quaternion, fill_vector

Array = npt.NDArray[np.float64]
#: A head is this much thicker than its shaft.
_HEAD = 2.0


def shape(name: str, frame: str, kind: int, colour: Sequence[float], size: Sequence[float]) -> Marker:
    """A marker of a kind of visualization_msgs/Marker; colour: red, green, blue, opacity, 0 to 1."""
    marker = Marker(ns=name, type=kind, action=Marker.ADD)
    marker.header.frame_id = frame
    marker.color.r, marker.color.g, marker.color.b, marker.color.a = (float(part) for part in colour)
    marker.pose.orientation.w = 1.0
    fill_vector(marker.scale, size)
    return marker


def arrow(name: str, frame: str, colour: Sequence[float], thickness: float) -> Marker:
    """An arrow between two points."""
    marker = shape(name, frame, Marker.ARROW, colour, (thickness, _HEAD * thickness, 0.0))
    marker.points = [Point(), Point()]
    return marker


def ball(name: str, frame: str, colour: Sequence[float], diameter: float) -> Marker:
    """A ball, or an ellipsoid once `stretch` has been called."""
    return shape(name, frame, Marker.SPHERE, colour, (diameter,) * 3)


def line(name: str, frame: str, colour: Sequence[float], thickness: float, points: int) -> Marker:
    """A line through a number of points."""
    marker = shape(name, frame, Marker.LINE_STRIP, colour, (thickness, 0.0, 0.0))
    marker.points = [Point() for _ in range(points)]
    return marker


def point_from(marker: Marker, origin: Array, vector: Array) -> None:
    """Let an arrow go from a point (3,) along a vector (3,)."""
    fill_vector(marker.points[0], origin)
    fill_vector(marker.points[1], origin + vector)


def draw(marker: Marker, points: Array) -> None:
    """Let a line go through points (n, 3)."""
    for message, (x, y, z) in zip(marker.points, points.tolist(), strict=True):
        message.x, message.y, message.z = x, y, z


def stretch(marker: Marker, centre: Array, diameters: Array, quaternion: Array) -> None:
    """Make a ball an ellipsoid; diameters (3,) along its own axes, quaternion x y z w."""
    fill_vector(marker.pose.position, centre)
    fill_vector(marker.scale, diameters)
    fill_quaternion(marker.pose.orientation, quaternion)
