"""The nodes dynamics and solver for a robot arm whose driver publishes joint_states.

    ros2 launch dyn_node arm.launch.py                # the URDF from the topic robot_description
    ros2 launch dyn_node arm.launch.py robot_file:=my_arm.urdf.xacro params_file:=my_arm.yaml
    ros2 launch dyn_node arm.launch.py namespace:=left frames:=tool0
    ros2 launch dyn_node arm.launch.py --show-args    # every argument
"""

from launch import LaunchDescription
from launch.actions import OpaqueFunction

from dyn_node.nodes import launch_support


def generate_launch_description() -> LaunchDescription:
    return LaunchDescription([
        *launch_support.declare(launch_support.ROBOT, launch_support.COMMON),
        OpaqueFunction(function=launch_support.beside_robot, args=["fixed", ["joint_states"]]),
    ])
