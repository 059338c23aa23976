"""What is shown in rviz and how it looks. Free of rclpy."""

from __future__ import annotations

import dataclasses
from typing import Any

from .settings import Settings
from .spec import parameter

#: What ~/markers can show.
MARKERS = ("twist", "center_of_mass", "torques", "velocity_ellipsoid", "contact_forces")


def _color(name: str, value: tuple[float, float, float, float], what: str) -> Any:
    return parameter(
        "doubles",
        value,
        f"Colour of {what}: red, green, blue, opacity.",
        name=f"marker_color.{name}",
        lengths=(4,),
        minimum=0.0,
        maximum=1.0,
    )


def _scale(name: str, value: float, what: str) -> Any:
    return parameter("double", value, what, name=f"marker_scale.{name}", minimum=1e-6, maximum=1e6)


@dataclasses.dataclass(frozen=True)
class MarkerSettings(Settings):
    """The parameters of the outputs markers and tf."""

    tf_prefix: str = parameter(
        "string",
        "dyn_node/",
        """
        Put before the frame names of the output tf, so that it can be laid over robot_state_publisher's.""",
    )
    tf_lwa: bool = parameter(
        "bool",
        False,
        """
        Whether the output tf has besides each frame one named <frame>_lwa: at the frame's origin, along the
        axes of world_frame. There rviz shows ~/twist/<frame> as it is.""",
    )
    markers: tuple[str, ...] = parameter(
        "strings",
        MARKERS,
        """
        What the output markers shows: twist of frames, center_of_mass and the point below it, gravity
        torques, velocity_ellipsoid of frames, contact_forces with contact_frames.""",
        choices=MARKERS,
    )
    marker_thickness: float = parameter(
        "double",
        0.012,
        """
        Thickness of arrows in m; arcs and balls go with it.""",
        minimum=1e-4,
        maximum=10.0,
    )
    marker_twist_scale: float = _scale("twist", 0.25, "Metres of arrow for one m/s or one rad/s.")
    marker_torque_scale: float = _scale("torque", 0.05, "Radians of arc for one N m.")
    marker_force_scale: float = _scale("force", 0.002, "Metres of arrow for one N.")
    marker_ellipsoid_scale: float = _scale(
        "ellipsoid", 0.2, "Metres of half axis for one m/s, at joint velocities of length 1 rad/s."
    )
    marker_linear_color: tuple[float, ...] = _color("linear", (0.1, 0.7, 0.2, 1.0), "linear velocities")
    marker_angular_color: tuple[float, ...] = _color("angular", (0.9, 0.5, 0.1, 1.0), "angular velocities")
    marker_torque_color: tuple[float, ...] = _color("torque", (0.7, 0.2, 0.8, 1.0), "gravity torques")
    marker_com_color: tuple[float, ...] = _color("com", (0.1, 0.4, 0.9, 1.0), "the centre of mass")
    marker_ellipsoid_color: tuple[float, ...] = _color(
        "ellipsoid", (0.1, 0.7, 0.8, 0.3), "velocity ellipsoids"
    )
    marker_force_color: tuple[float, ...] = _color("force", (0.9, 0.1, 0.1, 1.0), "contact forces")
