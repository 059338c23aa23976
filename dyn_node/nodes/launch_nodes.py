"""What the launch files start: the two nodes in their namespace, and what shows the robot in rviz.

Like `launch_arguments`, for the files in `launch/` only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from launch import LaunchContext
from launch.actions import LogInfo
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import Parameter, ParameterValue
from launch_ros.utilities import make_namespace_absolute, prefix_namespace

from dyn_node.errors import InvalidValueError

from .dynamics_settings import DEFAULT_OUTPUTS
from .launch_arguments import PACKAGE, given, listed, own_file, require, robot_description, switch


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
    contact_frames: Sequence[str] = (),
    command_joints: Sequence[str] = (),
    remappings: Sequence[tuple[str, str]] = (),
) -> list[Node]:
    """The two nodes. Later parameters win: this file's defaults, the params file, the given arguments.

    `command_joints` is a default too, for robots that are simulated, whose command is then armed without
    asking and without a ramp: beside hardware it is the user who names and arms them.
    """
    # Two robots in one TF tree: the namespace keeps the frames that dynamics shows apart.
    prefix = f"{namespace(context).strip('/')}/{PACKAGE}/".lstrip("/")
    first: dict[str, Any] = {"root_joint": root_joint}
    last = dict(override or {})
    if description:
        last["robot_description"] = text(description)
    dynamics_first, dynamics_last = {**first, "tf_prefix": prefix}, dict(last)
    if switch(context, "rviz"):
        dynamics_first["outputs"] = [*DEFAULT_OUTPUTS, "markers"]
    if command_joints:
        simulated = {"command_joints": list(command_joints), "arm_automatically": True, "start_ramp": 0.0}
        dynamics_first.update(simulated)
    for name, value in (("frames", frames), ("contact_frames", contact_frames)):
        if value:
            dynamics_last[name] = texts(value)
    shared = {"context": context, "remappings": list(remappings)}
    return [
        node(
            executable="dynamics_node",
            name="dynamics",
            parameters=[*defaults(dynamics_first), *filled(params_file, dynamics_last)],
            **shared,
        ),
        node(
            executable="solver_node",
            name="solver",
            parameters=[*defaults(first), *filled(params_file, last)],
            **shared,
        ),
    ]


def defaults(values: dict[str, Any]) -> list[Parameter]:
    """Parameters that anything in a params file wins over.

    ROS lets the node name that comes up last win, whatever file it is in: a dictionary goes under the
    node's full name, which would then come before the names in the params file, and the given arguments
    with it. A single parameter goes under a name that matches every node.
    """
    return [Parameter(name, value) for name, value in values.items()]


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


def beside_robot(context: LaunchContext, root_joint: str, topics: Mapping[str, str]) -> list[LogInfo | Node]:
    """What arm.launch.py and quadruped.launch.py start.

    `topics` are the inputs whose names are launch arguments, by the argument; `root_joint` is used where
    the params file has none.
    """
    description, params_file = robot_description(context), own_file(context, "params_file", "config")
    lists = {"frames": listed(context, "frames")}
    if root_joint != "fixed":
        lists["contact_frames"] = listed(context, "contact_frames")
    clock = {"use_sim_time": True} if switch(context, "use_sim_time") else {}
    renamed = {topic: given(context, argument) for argument, topic in topics.items()}
    names = [(topic, name) for topic, name in renamed.items() if name not in ("", topic)]
    return [
        LogInfo(msg=_where_from(context, description)),
        *dynamics_and_solver(
            context, description, root_joint, params_file, override=clock, remappings=names, **lists
        ),
        *robot_state_publisher(context, description, override=clock, remappings=names),
        *rviz(context, params_file, override=clock),
    ]


def _where_from(context: LaunchContext, description: str) -> str:
    if description:
        return f"{PACKAGE}: robot_description from {given(context, 'robot_file')}"
    topic = f"{namespace(context).rstrip('/')}/robot_description"
    return f"{PACKAGE}: robot_file is empty: waiting for the robot's URDF on the topic {topic}"
