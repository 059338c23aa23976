"""What the files in `launch/` share: their arguments, the robot's description, the nodes to start.

Only those files import this module: it needs the packages launch and launch_ros, which every ROS 2
installation has and which nothing else in dyn_node uses.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml
from ament_index_python.packages import PackageNotFoundError, get_package_prefix, get_package_share_directory
from launch import LaunchContext
from launch.actions import DeclareLaunchArgument, LogInfo
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.utilities import make_namespace_absolute, prefix_namespace

from dyn_node.errors import InvalidValueError, MissingDependencyError

from .settings import DEFAULT_OUTPUTS

PACKAGE = "dyn_node"

#: A launch argument: name, default (text or substitutions), description, choices (any value where empty).
Argument = tuple[str, Any, str, tuple[str, ...]]

#: Arguments of every launch file.
COMMON: tuple[Argument, ...] = (
    (
        "namespace",
        "",
        "Namespace of everything that is started here. Two robots: launch twice, with two "
        "namespaces. Topics such as joint_states are then looked for inside the namespace.",
        (),
    ),
    (
        "log_level",
        "info",
        "Least severe message that the nodes print.",
        ("debug", "info", "warn", "error", "fatal"),
    ),
    ("rviz", "false", "true: start rviz2 as well (needs the package rviz2).", ()),
    (
        "rviz_config",
        "dyn_node.rviz",
        "What rviz2 shows: path of a file, or the name of one that ships with dyn_node.",
        (),
    ),
)

#: Arguments of the files that are started beside a real robot.
ROBOT: tuple[Argument, ...] = (
    (
        "robot_file",
        "",
        "The robot's URDF, or a xacro file that makes it (its name ends in .xacro; needs the "
        "package xacro). Empty: the nodes wait for the latched topic robot_description, which "
        "robot_state_publisher publishes on most robots.",
        (),
    ),
    (
        "xacro_args",
        "",
        "Arguments for a xacro robot_file, as on xacro's command line, for example "
        '"ur_type:=ur5e name:=ur".',
        (),
    ),
    (
        "params_file",
        "",
        "YAML file of parameters for the nodes dynamics and solver: path of a file, or the "
        "name of one that ships with dyn_node (panda.yaml, ur5e.yaml, go2.yaml). Empty: the nodes' defaults, "
        "and no effort_command. Arguments of this launch file that are given win over the file.",
        (),
    ),
    (
        "frames",
        "",
        "Frames whose twist is published, separated by commas, for example tool0. Empty: those "
        "in params_file.",
        (),
    ),
    ("joint_states", "joint_states", "Topic of the joints' state (sensor_msgs/JointState).", ()),
    (
        "use_sim_time",
        "false",
        "true: take the time from /clock, as beside a simulator. false: leave what params_file says.",
        (),
    ),
    (
        "robot_state_publisher",
        "false",
        "true: start robot_state_publisher on robot_file as well; for a "
        "robot whose own launch file does not.",
        (),
    ),
)


def declare(*tables: Sequence[Argument]) -> list[DeclareLaunchArgument]:
    """The arguments in `tables` as launch actions."""
    return [
        DeclareLaunchArgument(name, default_value=default, description=meaning, choices=list(choices) or None)
        for table in tables
        for name, default, meaning, choices in table
    ]


def given(context: LaunchContext, name: str) -> str:
    """Value of the launch argument `name`, without surrounding blanks."""
    return LaunchConfiguration(name).perform(context).strip()


def switch(context: LaunchContext, name: str) -> bool:
    """Value of a true or false argument. Raises InvalidValueError for anything else."""
    value = given(context, name)
    meaning = {"true": True, "1": True, "false": False, "0": False}
    if value.lower() not in meaning:
        raise InvalidValueError(f"{name}:={value}: it must be true or false", value, ("true", "false"))
    return meaning[value.lower()]


def number(context: LaunchContext, name: str) -> float:
    """Value of an argument that is a number. Raises InvalidValueError for anything else."""
    value = given(context, name)
    try:
        return float(value)
    except ValueError:
        raise InvalidValueError(f"{name}:={value}: it must be a number", value, "a number") from None


def own_file(context: LaunchContext, argument: str, folder: str) -> str:
    """Path of the file that an argument names: as given, or in a folder of the package; '' where empty.

    Raises InvalidValueError when there is no such file, with those that ship with the package.
    """
    value = given(context, argument)
    if not value:
        return ""
    shipped = Path(get_package_share_directory(PACKAGE)) / folder
    for path in (Path(value).expanduser(), shipped / value):
        if path.is_file():
            return str(path.resolve())
    names = tuple(sorted(path.name for path in shipped.iterdir()))
    raise InvalidValueError(
        f"{argument}:={value}: no such file, neither at that path nor in {PACKAGE}'s {folder} folder, "
        f"which has {', '.join(names)}",
        value,
        names,
    )


def robot_description(context: LaunchContext) -> str:
    """The URDF text that robot_file stands for; '' where the argument is empty.

    Raises InvalidValueError for a file that cannot be read or expanded, MissingDependencyError
    without xacro.
    """
    value = given(context, "robot_file")
    if not value:
        return ""
    path = Path(value).expanduser()
    if not path.is_file():
        raise InvalidValueError(f"robot_file:={value}: no such file", value, "path of a URDF or xacro file")
    if path.suffix == ".xacro":
        return _expand_xacro(path, given(context, "xacro_args"))
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidValueError(f"robot_file:={value} cannot be read: {error}", value, "URDF text") from error


def _expand_xacro(path: Path, arguments: str) -> str:
    try:
        import xacro
    except ImportError:
        raise MissingDependencyError(
            f"robot_file:={path} needs xacro, which is not installed: {_how_to_install('xacro')}"
        ) from None
    mappings = {}
    for argument in shlex.split(arguments):
        name, separator, value = argument.partition(":=")
        if not separator or not name:
            raise InvalidValueError(
                f"xacro_args: {argument!r} is not of the form name:=value",
                argument,
                "name:=value, separated by blanks",
            )
        mappings[name] = value
    try:
        return str(xacro.process_file(str(path), mappings=mappings).toxml())
    except Exception as error:  # xacro raises many kinds, each of which says what is wrong in the file
        raise InvalidValueError(
            f"robot_file:={path}: xacro refuses it: {error}", str(path), "a file that xacro expands"
        ) from error


def require(package: str, argument: str) -> None:
    """Raise MissingDependencyError, with the way out, when an argument needs a package that is not there."""
    try:
        get_package_prefix(package)
    except PackageNotFoundError:
        raise MissingDependencyError(
            f"{argument}:=true needs the ROS package {package}, which is not installed: "
            f"{_how_to_install(package)}, or leave {argument} at false",
            package,
        ) from None


def _how_to_install(package: str) -> str:
    distribution = os.environ.get("ROS_DISTRO", "jazzy")
    return f"sudo apt install ros-{distribution}-{package.replace('_', '-')}"


def namespace(context: LaunchContext) -> str:
    """Absolute namespace of what is started, '/' for none; inside an including file's own namespace."""
    outer = context.launch_configurations.get("ros_namespace")
    return make_namespace_absolute(prefix_namespace(outer, given(context, "namespace") or None)) or "/"


def text(value: str) -> ParameterValue:
    """A parameter that stays text, even where it looks like a number or like YAML."""
    return ParameterValue(value, value_type=str)


def texts(values: Sequence[str]) -> ParameterValue:
    """A parameter that is a list of texts."""
    return ParameterValue(list(values), value_type=list[str])


def node(context: LaunchContext, executable: str, name: str, **rest: Any) -> Node:
    """One of dyn_node's nodes, in the asked namespace, at the asked log level."""
    logger = ".".join([*namespace(context).strip("/").split("/"), name]).lstrip(".")
    return Node(
        package=PACKAGE,
        executable=executable,
        name=name,
        namespace=given(context, "namespace"),
        output="screen",
        ros_arguments=["--log-level", f"{logger}:={given(context, 'log_level')}"],
        **rest,
    )


def dynamics_and_solver(
    context: LaunchContext,
    description: str,
    root_joint: str,
    params_file: str,
    *,
    override: dict[str, Any] | None = None,
    frames: Sequence[str] = (),
    remappings: Sequence[tuple[str, str]] = (),
) -> list[Node]:
    """The two nodes. Later parameters win: this file's defaults, the params file, the given arguments."""
    # Two robots in one TF tree: the namespace keeps the frames that dynamics shows apart.
    prefix = f"{namespace(context).strip('/')}/{PACKAGE}/".lstrip("/")
    first: dict[str, Any] = {"root_joint": text(root_joint)}
    last = dict(override or {})
    if description:
        last["robot_description"] = text(description)
    dynamics_first, dynamics_last = {**first, "tf_prefix": text(prefix)}, dict(last)
    if switch(context, "rviz"):
        dynamics_first["outputs"] = texts([*DEFAULT_OUTPUTS, "markers"])
    if frames:
        dynamics_last["frames"] = texts(frames)
    names = list(remappings)
    return [
        node(
            context,
            "dynamics_node",
            "dynamics",
            remappings=names,
            parameters=filled(dynamics_first, params_file, dynamics_last),
        ),
        node(context, "solver_node", "solver", remappings=names, parameters=filled(first, params_file, last)),
    ]


def filled(*parameters: Any) -> list[Any]:
    """Those that are not empty: launch_ros makes a file of each, and an empty one cannot be read."""
    return [entry for entry in parameters if entry]


def robot_state_publisher(
    context: LaunchContext,
    description: str,
    *,
    remappings: Sequence[tuple[str, str]] = (),
    override: dict[str, Any] | None = None,
) -> list[Node]:
    """robot_state_publisher on the same description, where it is asked for."""
    if not switch(context, "robot_state_publisher"):
        return []
    require("robot_state_publisher", "robot_state_publisher")
    if not description:
        raise InvalidValueError(
            "robot_state_publisher:=true needs robot_file, which is empty",
            "",
            "robot_file:=<path of a URDF or xacro file>",
        )
    return [
        Node(
            package="robot_state_publisher",
            executable="robot_state_publisher",
            namespace=given(context, "namespace"),
            output="screen",
            remappings=list(remappings),
            parameters=[{"robot_description": text(description), **(override or {})}],
        )
    ]


def rviz(
    context: LaunchContext,
    params_file: str,
    *,
    remappings: Sequence[tuple[str, str]] = (),
    override: dict[str, Any] | None = None,
) -> list[Node]:
    """rviz2, where it is asked for, looking from the nodes' world frame."""
    if not switch(context, "rviz"):
        return []
    require("rviz2", "rviz")
    config = own_file(context, "rviz_config", "rviz")
    return [
        Node(
            package="rviz2",
            executable="rviz2",
            namespace=given(context, "namespace"),
            output="screen",
            arguments=["-d", config, "-f", world_frame(params_file)],
            remappings=list(remappings),
            parameters=filled(override),
        )
    ]


def world_frame(params_file: str) -> str:
    """The world_frame that a parameter file sets, or the nodes' default."""
    content = yaml.safe_load(Path(params_file).read_text(encoding="utf-8")) if params_file else {}
    return next(_values_of("world_frame", content), "world")


def _values_of(key: str, tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        for name, value in tree.items():
            if name == key:
                yield str(value)
            else:
                yield from _values_of(key, value)


def beside_robot(context: LaunchContext, root_joint: str, topics: Sequence[str]) -> list[LogInfo | Node]:
    """What arm.launch.py and quadruped.launch.py start.

    `topics` are the inputs whose names are launch arguments; `root_joint` is used where the params
    file has none.
    """
    description, params_file = robot_description(context), own_file(context, "params_file", "config")
    frames = [name.strip() for name in given(context, "frames").split(",") if name.strip()]
    clock = {"use_sim_time": True} if switch(context, "use_sim_time") else {}
    names = [(topic, given(context, topic)) for topic in topics if given(context, topic) not in ("", topic)]
    return [
        LogInfo(msg=_where_from(context, description)),
        *dynamics_and_solver(
            context, description, root_joint, params_file, override=clock, frames=frames, remappings=names
        ),
        *robot_state_publisher(context, description, override=clock, remappings=names),
        *rviz(context, params_file, override=clock),
    ]


def _where_from(context: LaunchContext, description: str) -> str:
    if description:
        return f"{PACKAGE}: robot_description from {given(context, 'robot_file')}"
    topic = f"{namespace(context).rstrip('/')}/robot_description"
    return f"{PACKAGE}: robot_file is empty: waiting for the robot's URDF on the topic {topic}"
