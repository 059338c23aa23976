"""A simulated robot and both nodes: its own gravity torques hold it up. Needs no hardware.

An arm is bolted down; the quadruped stands on flat ground, unless its parameter file names no feet.

ros2 launch dyn_node demo.launch.py
ros2 launch dyn_node demo.launch.py robot:=go2
ros2 launch dyn_node demo.launch.py robot:=ur5e rviz:=true
ros2 launch dyn_node demo.launch.py namespace:=left    # and in another terminal namespace:=right
ros2 launch dyn_node demo.launch.py --show-args        # every argument
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction, Shutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from dyn_node import robots
from dyn_node.nodes.launch_arguments import argument, common_arguments, given, number, own_file
from dyn_node.nodes.launch_nodes import (
    defaults,
    dynamics_and_solver,
    filled,
    node,
    robot_state_publisher,
    rviz,
    text,
)

#: Hz; at most, for the simulated robot refuses more odometry than joint states.
ODOM_RATE = 200.0

# Two simulated robots have the same link names: each namespace gets a TF tree of its own.
OWN_TF = [("/tf", "tf"), ("/tf_static", "tf_static")]


def arguments() -> list[DeclareLaunchArgument]:
    return [
        argument("robot", "panda", "The robot to simulate.", robots.names()),
        argument("params_file", [LaunchConfiguration("robot"), ".yaml"], """
            YAML file of parameters for the nodes dynamics, solver and demo_robot: path of a file, or the
            name of one that ships with dyn_node."""),
        argument("rate", "1000.0", "Rate in Hz at which the simulated robot publishes joint_states."),
        *common_arguments(),
        argument("robot_state_publisher", LaunchConfiguration("rviz"), """
            true: start robot_state_publisher, without which rviz2 cannot show the robot."""),
    ]  # fmt: skip


def start(context: LaunchContext) -> list[Node]:
    robot = robots.describe(given(context, "robot"))
    params_file = own_file(context, "params_file", "config")
    description = robots.path(robot.name).read_text(encoding="utf-8")
    viewer = rviz(context, params_file, remappings=OWN_TF)
    publisher = robot_state_publisher(context, description, remappings=OWN_TF)
    # The simulated motors are held up by these torques: the shipped files leave the command off.
    return [
        *dynamics_and_solver(
            context,
            description,
            robot.root,
            params_file,
            command_joints=tuple(robot.home),
            remappings=OWN_TF,
        ),
        demo_robot(context, robot.name, params_file, publish_tf=bool(publisher)),
        *publisher,
        *viewer,
    ]


def demo_robot(context: LaunchContext, name: str, params_file: str, publish_tf: bool) -> Node:
    """The simulated hardware, fed with the torques that `dynamics` commands, which it tells of its feet."""
    rate = number(context, "rate")
    odometry = {"odom_rate": min(rate, ODOM_RATE), "publish_tf": publish_tf}
    return node(
        context,
        "demo_robot",
        "demo_robot",
        parameters=[*defaults(odometry), *filled(params_file, {"robot": text(name), "rate": rate})],
        remappings=[
            ("effort_command", "dynamics/effort_command"),
            ("contacts", "dynamics/contacts"),
            *OWN_TF,
        ],
        on_exit=Shutdown(reason="demo_robot has ended"),
    )


def generate_launch_description() -> LaunchDescription:
    return LaunchDescription([*arguments(), OpaqueFunction(function=start)])
