"""The nodes dynamics and solver for a robot with a floating base: a quadruped, a humanoid.

Its driver publishes joint_states, and the base's state as nav_msgs/Odometry. With feet named, by the
argument contact_frames or in params_file, torques are those of a robot that the ground carries; where
params_file sets contact_source to topic, somebody says on the topic contacts which feet stand.

    ros2 launch dyn_node quadruped.launch.py                # the URDF from the topic robot_description
    ros2 launch dyn_node quadruped.launch.py robot_file:=go2.urdf params_file:=go2.yaml
    ros2 launch dyn_node quadruped.launch.py odom:=/state_estimator/odom
    ros2 launch dyn_node quadruped.launch.py contact_frames:=LF_FOOT,RF_FOOT,LH_FOOT,RH_FOOT
    ros2 launch dyn_node quadruped.launch.py --show-args    # every argument
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction

from dyn_node.nodes.launch_arguments import argument, common_arguments, robot_arguments
from dyn_node.nodes.launch_nodes import beside_robot

TOPICS = {
    "joint_states": "joint_states",
    "odom": "odom",
    "base_pose": "base_pose",
    "contacts": "~/contacts",
}


def base_arguments() -> list[DeclareLaunchArgument]:
    return [
        argument("odom", "odom", "Topic of the base's pose and twist (nav_msgs/Odometry)."),
        argument("base_pose", "base_pose", """
            Topic of the base's pose (geometry_msgs/PoseStamped), as motion capture gives it; used instead
            of odom where params_file sets base_source to base_pose."""),
        argument("contact_frames", "", """
            Feet that can stand, separated by commas. Empty: those in params_file; without any, torques are
            those of the free body."""),
        argument("contacts", "~/contacts", """
            Topic that says which feet stand (dyn_node_msgs/NamedValues: frames, with foot forces or 1 and
            0), used where params_file sets contact_source to topic."""),
    ]  # fmt: skip


def generate_launch_description() -> LaunchDescription:
    start = OpaqueFunction(function=beside_robot, args=["free_flyer", TOPICS])
    return LaunchDescription([*robot_arguments(), *base_arguments(), *common_arguments(), start])
