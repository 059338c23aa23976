"""What the launch tests share: one of our launch files, started as it is installed."""

from __future__ import annotations

from launch import LaunchDescription
from launch.actions import GroupAction, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare
from launch_testing.actions import ReadyToTest


def launch_file(name: str, **arguments: str) -> GroupAction:
    """`ros2 launch dyn_node <name>.launch.py <arguments>`, whose arguments no other inclusion sees."""
    path = PathJoinSubstitution([FindPackageShare("dyn_node"), "launch", f"{name}.launch.py"])
    include = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(path), launch_arguments=arguments.items()
    )
    return GroupAction([include], scoped=True, forwarding=False)


def description(*files: GroupAction) -> LaunchDescription:
    """Everything at once; the tests begin when the processes are started."""
    return LaunchDescription([*files, ReadyToTest()])
