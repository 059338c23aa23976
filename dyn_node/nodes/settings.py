"""What the nodes can be told: one description of every parameter, checked as a whole, free of rclpy.

A settings class is a frozen dataclass; each field carries its `Spec`. `parameters.py` turns the
specs into declared ROS parameters and the declared values back into a settings object, so that a
value is refused in one place, with one sentence, whether it comes from a file or at run time.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from dyn_node.errors import InvalidValueError

from .spec import Spec, check, parameter, spec_of

S = TypeVar("S", bound="Settings")


@dataclasses.dataclass(frozen=True)
class Settings:
    """The parameters that both nodes have."""

    lifecycle: bool = parameter(
        "bool",
        False,
        """
        Whether a lifecycle manager configures and activates the node (rclpy.lifecycle). false: it starts by
        itself.""",
    )
    robot_description: str = parameter(
        "string",
        "",
        """
        The robot's URDF as XML text. Empty: it is taken from the latched topic robot_description.""",
    )
    root_joint: str = parameter(
        "string",
        "fixed",
        """
        How the root link is held: fixed to the world, free_flyer (floating base) or planar (mobile base).""",
        choices=("fixed", "free_flyer", "planar"),
    )
    mimic: bool = parameter(
        "bool",
        True,
        """
        Whether a joint with a mimic tag follows its leader. false: it is a joint of its own, which
        joint_states must then name.""",
    )
    world_frame: str = parameter(
        "string",
        "world",
        """
        Name of the frame whose axes gravity and the published twists are in (header.frame_id).""",
    )
    base_frame: str = parameter(
        "string",
        "",
        """
        Frame of the robot whose pose odom or base_pose gives when the message does not name it.
        Empty: the root link. It must be fixed to the root link.""",
    )
    gravity: tuple[float, ...] = parameter(
        "doubles",
        (0.0, 0.0, -9.81),
        """
        Gravity in m/s^2, in the axes of world_frame. Tilted bases: give the vector as seen from the base.""",
        lengths=(3,),
        minimum=-100.0,
        maximum=100.0,
        live=True,
    )
    gravity_source: str = parameter(
        "string",
        "parameter",
        """
        parameter: gravity is as that parameter says. imu: a fixed base is tilted as the orientation in the
        topic imu (sensor_msgs/Imu, world axes with z up) says; gravity is then in the axes of that world.
        The sensor's frame_id has to be fixed to the root link. A stale orientation stops the outputs.""",
        choices=("parameter", "imu"),
    )
    base_source: str = parameter(
        "string",
        "odom",
        """
        Where the floating base's state comes from: odom (nav_msgs/Odometry), base_pose
        (geometry_msgs/PoseStamped) or tf (world_frame to base_frame; needs tf2_ros); with the latter two
        the twist comes from differences. Not used with root_joint fixed.""",
        choices=("odom", "base_pose", "tf"),
    )
    base_twist_frame: str = parameter(
        "string",
        "child",
        """
        Axes of Odometry.twist: child (child_frame_id, what ROS prescribes) or header (header.frame_id,
        what some publishers send).""",
        choices=("child", "header"),
    )
    base_pose_filter: float = parameter(
        "double",
        0.02,
        """
        Time constant in seconds of the first-order filter on the base's twist, with base_source base_pose
        or tf. 0 turns it off.""",
        minimum=0.0,
        maximum=10.0,
    )
    state_timeout: float = parameter(
        "double",
        0.5,
        """
        Age in seconds, since receipt, at which the state of a joint or of the base no longer counts.""",
        minimum=0.001,
        maximum=3600.0,
        live=True,
    )
    max_skew: float = parameter(
        "double",
        0.1,
        """
        Seconds between the stamps of joints and base that are used together, above which a warning says so.
        0: never.""",
        minimum=0.0,
        maximum=3600.0,
        live=True,
    )
    max_jump: float = parameter(
        "double",
        0.5,
        """
        Movement of a joint from one message to the next, in rad or m, above which a warning says so; the
        position is used. 0: never.""",
        minimum=0.0,
        maximum=1e6,
        live=True,
    )
    nan_velocity: str = parameter(
        "string",
        "zero",
        """
        What to do with a velocity that is not finite: zero, hold (the last finite one) or reject (the joint
        counts as unknown). A position that is not finite always makes the joint unknown.""",
        choices=("zero", "hold", "reject"),
    )
    payload_frame: str = parameter(
        "string",
        "",
        """
        Link that carries a payload (a tool, a grasped thing) that the URDF does not have. Empty: none.""",
        name="payload.frame",
        live=True,
    )
    payload_mass: float = parameter(
        "double", 0.0, "Mass of the payload in kg.", name="payload.mass", minimum=0.0, maximum=1e5, live=True
    )
    payload_com: tuple[float, ...] = parameter(
        "doubles",
        (0.0, 0.0, 0.0),
        """
        Centre of mass of the payload in m, in payload.frame.""",
        name="payload.com",
        lengths=(3,),
        minimum=-100.0,
        maximum=100.0,
        live=True,
    )
    payload_inertia: tuple[float, ...] = parameter(
        "doubles",
        (0.0,) * 6,
        """
        Rotational inertia of the payload about its centre of mass, in the axes of payload.frame, in kg m^2:
        ixx, ixy, ixz, iyy, iyz, izz.""",
        name="payload.inertia",
        lengths=(6,),
        minimum=-1e5,
        maximum=1e5,
        live=True,
    )

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            spec = spec_of(field)
            object.__setattr__(self, field.name, check(spec, getattr(self, field.name)))
        self._check_whole()

    def _check_whole(self) -> None:
        """What only several parameters together can show to be wrong."""
        if self.gravity_source == "imu" and self.root_joint != "fixed":
            raise InvalidValueError(
                f"parameter gravity_source is imu but root_joint is {self.root_joint}, whose orientation the "
                "base's state gives",
                self.gravity_source,
                "gravity_source parameter, or root_joint fixed",
            )
        if self.payload_mass > 0.0 and not self.payload_frame:
            raise InvalidValueError(
                "parameter payload.mass is set but payload.frame is empty; name the link that carries it",
                self.payload_mass,
                "payload.frame set, or payload.mass 0",
            )
        if self.payload_mass == 0.0 and any(self.payload_inertia):
            raise InvalidValueError(
                "parameter payload.inertia is set but payload.mass is 0",
                self.payload_inertia,
                "payload.mass above 0",
            )

    @classmethod
    def from_values(cls: type[S], values: Mapping[str, Any]) -> S:
        """Settings from ROS parameter values by name; a missing or None value takes its default."""
        fields = {spec_of(field).name: field.name for field in dataclasses.fields(cls)}
        given = {
            fields[name]: value for name, value in values.items() if name in fields and value is not None
        }
        return cls(**given)


def specs(kind: type[Any]) -> tuple[Spec, ...]:
    """Every parameter of a settings class."""
    return tuple(spec_of(field) for field in dataclasses.fields(kind))
