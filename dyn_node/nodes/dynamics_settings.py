"""What `dynamics_node` can be told, besides what both nodes can. Free of rclpy."""

from __future__ import annotations

import dataclasses

from dyn_node.errors import InvalidValueError

from .marker_settings import MarkerSettings
from .spec import parameter

#: Topics that `dynamics_node` can publish; `effort_command` is switched by `command_joints`.
OUTPUTS = ("gravity_torques", "base_wrench", "twist", "mass_matrix", "markers", "tf")
DEFAULT_OUTPUTS = ("gravity_torques", "base_wrench", "twist", "mass_matrix")


@dataclasses.dataclass(frozen=True)
class DynamicsSettings(MarkerSettings):
    """The parameters of `dynamics_node`."""

    outputs: tuple[str, ...] = parameter(
        "strings",
        DEFAULT_OUTPUTS,
        """
        What is published. base_wrench needs a floating base, twist and markers need frames, tf needs
        tf2_msgs. effort_command is switched on by command_joints.""",
        choices=OUTPUTS,
    )
    frames: tuple[str, ...] = parameter(
        "strings",
        (),
        """
        Frames (links or joints) whose twist is published on ~/twist/<frame>, and that tf and markers show.
        Characters that a topic name may not have are replaced by an underscore.""",
    )
    rate: float = parameter(
        "double",
        0.0,
        """
        Rate in Hz at which outputs are published. 0: once for every joint_states message; when messages
        have piled up, once for all of them.""",
        minimum=0.0,
        maximum=10000.0,
    )
    command_joints: tuple[str, ...] = parameter(
        "strings",
        (),
        """
        Joints, in the controller's order, whose gravity torques are published on ~/effort_command, once
        the service ~/enable has armed it. Not set: no command is published. Many arms already compensate
        gravity: adding it again makes them rise.""",
    )
    arm_automatically: bool = parameter(
        "bool",
        False,
        """
        Arm ~/effort_command without being asked, as soon as model and state are there, and again after
        everything that stops it. WARNING: torques then start by themselves; for simulated robots only.""",
    )
    start_ramp: float = parameter(
        "double",
        1.0,
        """
        Seconds in which ~/effort_command goes from zero to its full size once it is armed, and from the
        last command to the new one when gravity, payload, gravity_scale or max_effort are changed. Let
        brakes hold the robot meanwhile. 0: at once.""",
        minimum=0.0,
        maximum=60.0,
        live=True,
    )
    gravity_scale: float = parameter(
        "double",
        1.0,
        """
        Factor on ~/effort_command only; ~/gravity_torques always is the whole torque.""",
        minimum=0.0,
        maximum=1.0,
        live=True,
    )
    max_effort: tuple[float, ...] = parameter(
        "doubles",
        (),
        """
        Bound on the size of ~/effort_command in N m (N for prismatic joints): one number for all joints or
        one for each of command_joints. Not set: the URDF's effort limits. Saturation is reported.""",
        minimum=0.0,
        maximum=1e6,
        live=True,
    )
    max_effort_rate: tuple[float, ...] = parameter(
        "doubles",
        (),
        """
        Bound on how fast ~/effort_command may change, in N m/s (N/s): one number for all joints or one for
        each of command_joints. Not set: none. How often it was reached is in the diagnostics.""",
        minimum=1e-3,
        maximum=1e9,
        live=True,
    )
    contact_frames: tuple[str, ...] = parameter(
        "strings",
        (),
        """
        Feet of a floating base that can stand, as points. Set: ~/gravity_torques is what the joints apply
        with the ground's help, ~/base_wrench what the ground cannot carry, and the ground's forces are
        published on ~/contact_forces/<frame>. Not set: torques of the free body.""",
    )
    contact_source: str = parameter(
        "string",
        "all",
        """
        Which of contact_frames stand: all, or those that the topic ~/contacts (dyn_node_msgs/NamedValues:
        frame names; foot forces, or 1 and 0) names with a value above contact_threshold. Without fresh word
        of every foot (state_timeout) nothing is published.""",
        choices=("all", "topic"),
    )
    contact_threshold: float = parameter(
        "double",
        0.5,
        """
        Value on ~/contacts above which a foot stands: N for foot forces, 0.5 for 1 and 0.""",
        minimum=0.0,
        maximum=1e5,
    )
    contact_friction: tuple[float, ...] = parameter(
        "doubles",
        (),
        """
        Coefficient of friction between feet and ground: one number for all of contact_frames or one for each.
        Set: forces at the feet push and stay inside a friction pyramid, and ~/base_wrench says what such
        forces cannot carry; needs the packages qpsolvers and proxsuite. Not set: forces are the smallest
        that carry the robot, and feet that would have to pull are reported.""",
        minimum=0.0,
        maximum=10.0,
    )

    def _check_whole(self) -> None:
        super()._check_whole()
        if self.contact_frames and self.root_joint == "fixed":
            raise InvalidValueError(
                "parameter contact_frames is set but root_joint is fixed, so that no foot carries anything; "
                "set root_joint to free_flyer or leave contact_frames empty",
                self.contact_frames,
                "root_joint free_flyer or planar",
            )
        if len(set(self.contact_frames)) != len(self.contact_frames):
            raise InvalidValueError(
                f"parameter contact_frames names a frame twice: {', '.join(self.contact_frames)}",
                self.contact_frames,
                "each frame once",
            )
        frictions, feet = len(self.contact_friction), len(self.contact_frames)
        if frictions > 1 and frictions != feet:
            raise InvalidValueError(
                f"parameter contact_friction has {frictions} entries; it must have one, or one for each of "
                f"the {feet} contact_frames",
                self.contact_friction,
                (0, 1, feet),
            )
        joints = len(self.command_joints)
        for name, bounds in (("max_effort", self.max_effort), ("max_effort_rate", self.max_effort_rate)):
            if len(bounds) > 1 and len(bounds) != joints:
                raise InvalidValueError(
                    f"parameter {name} has {len(bounds)} entries; it must have one, or one for each of the "
                    f"{joints} command_joints",
                    bounds,
                    (0, 1, joints),
                )
        if len(set(self.command_joints)) != joints:
            raise InvalidValueError(
                f"parameter command_joints names a joint twice: {', '.join(self.command_joints)}",
                self.command_joints,
                "each joint once",
            )
