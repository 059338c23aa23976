"""A simulated robot and both nodes: its own gravity torques hold it up. Needs no hardware.

    ros2 launch dyn_node demo.launch.py
    ros2 launch dyn_node demo.launch.py robot:=go2
    ros2 launch dyn_node demo.launch.py robot:=ur5e rviz:=true
    ros2 launch dyn_node demo.launch.py namespace:=left                 # and a second one, namespace:=right
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import OpaqueFunction, Shutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from dyn_node import robots
from dyn_node.nodes import launch_support

DEMO = (
    ("robot", "panda", "The robot to simulate.", robots.names()),
    ("params_file", [LaunchConfiguration("robot"), ".yaml"], "YAML file of parameters for the nodes "
     "dynamics, solver and demo_robot: path of a file, or the name of one that ships with dyn_node.", ()),
    ("rate", "1000.0", "Rate in Hz at which the simulated robot publishes joint_states.", ()),
)
VIEW = (
    ("robot_state_publisher", LaunchConfiguration("rviz"), "true: start robot_state_publisher, without "
     "which rviz2 cannot show the robot.", ()),
)

# Two simulated robots have the same link names: each namespace gets a TF tree of its own.
OWN_TF = (("/tf", "tf"), ("/tf_static", "tf_static"))


def start(context: LaunchContext) -> list[Node]:
    robot = robots.describe(launch_support.given(context, "robot"))
    params_file = launch_support.own_file(context, "params_file", "config")
    description = robots.path(robot.name).read_text(encoding="utf-8")
    viewer = launch_support.rviz(context, params_file, remappings=OWN_TF)
    publisher = launch_support.robot_state_publisher(context, description, remappings=OWN_TF)
    return [
        *launch_support.dynamics_and_solver(context, description, robot.root, params_file, remappings=OWN_TF),
        demo_robot(context, robot.name, params_file),
        *publisher,
        *(base_transform(context, robot, params_file) if publisher else []),
        *viewer,
    ]


def demo_robot(context: LaunchContext, name: str, params_file: str) -> Node:
    """The simulated hardware, fed with the torques that `dynamics` commands."""
    rate = launch_support.number(context, "rate")
    return launch_support.node(
        context, "demo_robot", "demo_robot",
        parameters=launch_support.filled(params_file, {"robot": launch_support.text(name), "rate": rate}),
        remappings=[("effort_command", "dynamics/effort_command")],
        on_exit=Shutdown(reason="demo_robot has ended"))


def base_transform(context: LaunchContext, robot: robots.Robot, params_file: str) -> list[Node]:
    """Where the held base stands, for TF: what a legged robot's own odometry would publish."""
    if robot.root == "fixed":
        return []
    return [Node(
        package="tf2_ros", executable="static_transform_publisher",
        namespace=launch_support.given(context, "namespace"),
        arguments=["--z", str(robot.base_height), "--frame-id", launch_support.world_frame(params_file),
                   "--child-frame-id", robot.base_frame],
        remappings=list(OWN_TF))]


def generate_launch_description() -> LaunchDescription:
    return LaunchDescription([
        *launch_support.declare(DEMO, launch_support.COMMON, VIEW),
        OpaqueFunction(function=start),
    ])
