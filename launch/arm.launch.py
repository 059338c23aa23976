"""The nodes dynamics and solver for a robot arm.

Its driver publishes joint_states.

    ros2 launch dyn_node arm.launch.py                # the URDF from the topic robot_description
    ros2 launch dyn_node arm.launch.py robot_file:=my_arm.urdf.xacro params_file:=my_arm.yaml
    ros2 launch dyn_node arm.launch.py namespace:=left frames:=tool0
    ros2 launch dyn_node arm.launch.py --show-args    # every argument
"""

from launch import LaunchDescription
from launch.actions import OpaqueFunction

from dyn_node.nodes.launch_arguments import common_arguments, robot_arguments
from dyn_node.nodes.launch_nodes import beside_robot


def generate_launch_description() -> LaunchDescription:
    start = OpaqueFunction(function=beside_robot, args=["fixed", {"joint_states": "joint_states"}])
    return LaunchDescription([*robot_arguments(), *common_arguments(), start])
