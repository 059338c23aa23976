"""The launch files' arguments: declared with their meaning, read back, refused by name.

Only the files in `launch/` and `launch_nodes` import this module: it needs the packages launch and
launch_ros, which every ROS 2 installation has and which nothing else in dyn_node uses.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ament_index_python.packages import PackageNotFoundError, get_package_prefix, get_package_share_directory
from launch import LaunchContext
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration

from dyn_node.errors import InvalidValueError, MissingDependencyError

PACKAGE = "dyn_node"
LEVELS = ("debug", "info", "warn", "error", "fatal")


def argument(name: str, default: Any, meaning: str, choices: Sequence[str] = ()) -> DeclareLaunchArgument:
    """One launch argument; `default` is text or substitutions, without `choices` it may be anything."""
    return DeclareLaunchArgument(
        name,
        default_value=default,
        description=" ".join(meaning.split()),
        choices=list(choices) or None,
    )


def robot_arguments() -> list[DeclareLaunchArgument]:
    """What is asked beside a real robot."""
    return [
        argument("robot_file", "", """
            The robot's URDF, or a xacro file that makes it (its name ends in .xacro; needs the package
            xacro). Empty: the nodes wait for the latched topic robot_description, which
            robot_state_publisher publishes on most robots."""),
        argument("xacro_args", "", """
            Arguments for a xacro robot_file, as on xacro's command line, for example
            "ur_type:=ur5e name:=ur"."""),
        argument("params_file", "", """
            YAML file of parameters for the nodes dynamics and solver: path of a file, or the name of one
            that ships with dyn_node (panda.yaml, ur5e.yaml, go2.yaml). Empty: the nodes' defaults, and no
            effort_command. Arguments of this launch file that are given win over the file."""),
        argument("frames", "", """
            Frames whose twist is published, separated by commas, for example tool0. Empty: those in
            params_file."""),
        argument("joint_states", "joint_states", "Topic of the joints' state (sensor_msgs/JointState)."),
        argument("use_sim_time", "false", """
            true: take the time from /clock, as beside a simulator. false: leave what params_file says."""),
        argument("robot_state_publisher", "false", """
            true: start robot_state_publisher on robot_file as well; for a robot whose own launch file
            does not."""),
    ]  # fmt: skip


def common_arguments() -> list[DeclareLaunchArgument]:
    """What every launch file asks."""
    return [
        argument("namespace", "", """
            Namespace of everything that is started here. Two robots: launch twice, with two namespaces.
            Topics such as joint_states are then looked for inside the namespace."""),
        argument("log_level", "info", "Least severe message that the nodes print.", LEVELS),
        argument("rviz", "false", "true: start rviz2 as well (needs the package rviz2)."),
        argument("rviz_config", "dyn_node.rviz", """
            What rviz2 shows: path of a file, or the name of one that ships with dyn_node."""),
    ]  # fmt: skip


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


def listed(context: LaunchContext, name: str) -> list[str]:
    """Value of an argument that names things, separated by commas."""
    return [part.strip() for part in given(context, name).split(",") if part.strip()]


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
