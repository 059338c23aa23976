"""What the demo robot can be told."""

from __future__ import annotations

import dataclasses

from dyn_node import robots
from dyn_node.errors import InvalidValueError

from .spec import check, parameter, spec_of

ON_TIMEOUT = ("brake", "fall")


@dataclasses.dataclass(frozen=True)
class DemoSettings:
    """The parameters of `demo_robot`."""

    robot: str = parameter(
        "string",
        "panda",
        """
        Shipped robot to simulate. Not used where robot_description is set.""",
        choices=robots.names(),
    )
    robot_description: str = parameter(
        "string",
        "",
        """
        URDF as XML text of another robot to simulate. Its joints must have one degree of freedom each.""",
    )
    root_joint: str = parameter(
        "string",
        "",
        """
        fixed: the base is bolted down. free_flyer or planar: odom is published; the base is held still in
        the air all the same. Empty: what the shipped robot has; fixed with robot_description.""",
        choices=("", "fixed", "free_flyer", "planar"),
    )
    feet: tuple[str, ...] = parameter(
        "strings",
        (),
        """
        Frames on which the robot stands on flat ground, with its base free; the lowest at the start gives
        the height of the ground. What the ground pushes at each is published on contacts. Needs root_joint
        free_flyer. Not set: the base is held still in the air, and its joints move as a fixed robot's do.""",
    )
    base_pose: tuple[float, ...] = parameter(
        "doubles",
        (),
        """
        Where the base is held in world_frame: x y z (m) qx qy qz qw. Not set: the world's origin, for a
        shipped legged robot as high as it stands.""",
        lengths=(0, 7),
        minimum=-1e6,
        maximum=1e6,
    )
    world_frame: str = parameter("string", "world", "header.frame_id of odom.")
    base_frame: str = parameter("string", "", "child_frame_id of odom. Empty: the root link.")
    gravity: tuple[float, ...] = parameter(
        "doubles",
        (0.0, 0.0, -9.81),
        """
        Gravity in m/s^2, in the axes of world_frame.""",
        lengths=(3,),
        minimum=-100.0,
        maximum=100.0,
    )
    rate: float = parameter(
        "double",
        1000.0,
        """
        Rate in Hz at which efforts take effect and joint_states is published.""",
        minimum=1.0,
        maximum=5000.0,
    )
    substeps: int = parameter(
        "integer",
        2,
        """
        Integration steps between two messages (semi-implicit Euler).""",
        minimum=1,
        maximum=100,
    )
    odom_rate: float = parameter(
        "double",
        200.0,
        """
        Rate in Hz at which odom and, with feet, contacts are published; never above rate.""",
        minimum=0.1,
        maximum=5000.0,
    )
    publish_tf: bool = parameter(
        "bool",
        False,
        """
        Broadcast base_frame in world_frame on /tf, as often as odom; needs the package tf2_msgs. Not with a
        base that is bolted down.""",
    )
    command_joints: tuple[str, ...] = parameter(
        "strings",
        (),
        """
        Joints in the order of the numbers on effort_command. Not set: all, in model order. A joint that is
        left out gets no effort.""",
    )
    initial_positions: tuple[float, ...] = parameter(
        "doubles",
        (),
        """
        Position of each joint at the start, in model order (rad; m). Not set: the shipped robot's home; with
        robot_description zero, brought inside the limits.""",
        minimum=-1e4,
        maximum=1e4,
    )
    friction_rate: float = parameter(
        "double",
        1.0,
        """
        Viscous friction on top of what the URDF states, as the rate in 1/s at which a joint that moves
        alone in the start posture loses its speed. Real joints have some; without any, an arm that floats
        in its own gravity torques drifts away after a minute, since the torques come late by a message.
        It is not in forward_dynamics' answer. 0: none.""",
        minimum=0.0,
        maximum=1e3,
    )
    effort_timeout: float = parameter(
        "double",
        0.1,
        """
        Seconds without a valid message on effort_command after which on_timeout happens.""",
        minimum=0.001,
        maximum=3600.0,
    )
    on_timeout: str = parameter(
        "string",
        "brake",
        """
        What happens when efforts stop coming: brake (the brakes lock every joint until the next effort) or
        fall (every motor gives zero torque).""",
        choices=ON_TIMEOUT,
    )
    servo_frequency: float = parameter(
        "double",
        15.0,
        """
        Natural frequency in rad/s of the position servo that ~/reference switches on. Its gains are those
        of a critically damped mass of the inertia that each motor feels: that of what it moves, and in a leg
        that stands its share of the trunk. It has no gravity term.""",
        minimum=0.1,
        maximum=200.0,
    )

    hold_posture: bool = parameter(
        "bool",
        False,
        """
        Switch the servo on by itself when the brakes open, at the posture in which they do. A robot that
        stands under gravity torques alone falls over in the long run, for they come late by a message and
        its balance is unstable; the servo stands in for the stiffness that a real robot's joints have.""",
    )

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, check(spec_of(field), getattr(self, field.name)))
        if len(set(self.command_joints)) != len(self.command_joints):
            raise InvalidValueError(
                f"parameter command_joints names a joint twice: {', '.join(self.command_joints)}",
                self.command_joints,
                "each joint once",
            )
        if self.feet and self.root_joint not in ("", "free_flyer"):
            raise InvalidValueError(
                f"parameter feet is set but root_joint is {self.root_joint}: such a base cannot stand",
                self.root_joint,
                "root_joint free_flyer",
            )
        if self.base_pose and not any(self.base_pose[3:]):
            raise InvalidValueError(
                "parameter base_pose: its quaternion has length zero",
                self.base_pose,
                "a quaternion qx qy qz qw that is not zero",
            )
