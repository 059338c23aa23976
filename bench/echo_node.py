"""The floor: a bare rclpy node that sends every JointState back. `python -m bench.echo_node`."""

from __future__ import annotations

import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState

#: As dynamics_node takes joint_states.
_BEST_EFFORT = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)


def main() -> None:
    """Run until interrupted."""
    rclpy.init()
    try:
        node = rclpy.create_node("echo")
        publisher = node.create_publisher(JointState, "~/answer", QoSProfile(depth=10))
        node.create_subscription(JointState, "joint_states", publisher.publish, _BEST_EFFORT)
        rclpy.spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        rclpy.try_shutdown()


if __name__ == "__main__":
    main()
