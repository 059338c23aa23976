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

#: Topics that `dynamics_node` can publish; `effort_command` is switched by `command_joints`.
OUTPUTS = ("gravity_torques", "base_wrench", "twist", "mass_matrix", "markers", "tf")
DEFAULT_OUTPUTS = ("gravity_torques", "base_wrench", "twist", "mass_matrix")


@dataclasses.dataclass(frozen=True)
class Settings:
    """The parameters that both nodes have."""

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
    base_source: str = parameter(
        "string",
        "odom",
        """
        Where the floating base's state comes from: odom (nav_msgs/Odometry) or base_pose
        (geometry_msgs/PoseStamped, twist from differences). Not used with root_joint fixed.""",
        choices=("odom", "base_pose"),
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
        Time constant in seconds of the first-order filter on the base's twist, with base_source base_pose.
        0 turns it off.""",
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


@dataclasses.dataclass(frozen=True)
class DynamicsSettings(Settings):
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
        Joints, in the controller's order, whose gravity torques are published on ~/effort_command.
        Not set: no command is published. Many arms already compensate gravity: adding it again
        makes them rise.""",
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
    tf_prefix: str = parameter(
        "string",
        "dyn_node/",
        """
        Put before the frame names of the output tf, so that it can be laid over robot_state_publisher's.""",
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
        given, joints = len(self.max_effort), len(self.command_joints)
        if given > 1 and given != joints:
            raise InvalidValueError(
                f"parameter max_effort has {given} entries; it must have one, or one for each of the "
                f"{joints} command_joints",
                self.max_effort,
                (0, 1, joints),
            )
        if len(set(self.command_joints)) != joints:
            raise InvalidValueError(
                f"parameter command_joints names a joint twice: {', '.join(self.command_joints)}",
                self.command_joints,
                "each joint once",
            )


@dataclasses.dataclass(frozen=True)
class SolverSettings(Settings):
    """The parameters of `solver_node`."""

    ik_timeout: float = parameter(
        "double",
        0.005,
        """
        Time in seconds that solve_ik may take when the request gives none (timeout 0).""",
        name="ik.timeout",
        minimum=1e-5,
        maximum=60.0,
        live=True,
    )
    ik_max_timeout: float = parameter(
        "double",
        1.0,
        """
        Longest timeout in seconds that a request may ask for; a longer one is cut to it, with a note.""",
        name="ik.max_timeout",
        minimum=1e-5,
        maximum=60.0,
        live=True,
    )
    ik_position_tolerance: float = parameter(
        "double",
        1e-6,
        """
        Position error in m at which a solution counts when the request gives no tolerance.""",
        name="ik.position_tolerance",
        minimum=1e-12,
        maximum=1.0,
        live=True,
    )
    ik_orientation_tolerance: float = parameter(
        "double",
        1e-6,
        """
        Orientation error in rad at which a solution counts when the request gives no tolerance.""",
        name="ik.orientation_tolerance",
        minimum=1e-12,
        maximum=3.0,
        live=True,
    )

    ik_mode: str = parameter(
        "string",
        "speed",
        """
        What solve_ik returns when the request does not say: speed (the first solution), distance (the
        nearest to the seed within the time), manipulability (the furthest from a singularity).""",
        name="ik.mode",
        choices=("speed", "distance", "manipulability"),
        live=True,
    )

    def _check_whole(self) -> None:
        super()._check_whole()
        if self.ik_timeout > self.ik_max_timeout:
            raise InvalidValueError(
                f"parameter ik.timeout ({self.ik_timeout:g} s) is above ik.max_timeout "
                f"({self.ik_max_timeout:g} s)",
                self.ik_timeout,
                self.ik_max_timeout,
            )


def specs(kind: type[Any]) -> tuple[Spec, ...]:
    """Every parameter of a settings class."""
    return tuple(spec_of(field) for field in dataclasses.fields(kind))
