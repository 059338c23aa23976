"""Where the simulated base is, for TF: what a legged robot's own state estimation broadcasts."""

from __future__ import annotations

from geometry_msgs.msg import TransformStamped
from rclpy.node import Node

from dyn_node.spatial import SE3

from .conversions import fill_time, fill_transform
from .tf import tf_message_type


class BaseTransform:
    """Broadcasts the base on /tf; silent, after an error in the log, where tf2_msgs is not installed."""

    def __init__(self, node: Node, world_frame: str, base_frame: str) -> None:
        self._transform = TransformStamped(child_frame_id=base_frame)
        self._transform.header.frame_id = world_frame
        kind = tf_message_type()
        self._publisher = None
        if kind is None:
            node.get_logger().error("publish_tf is set, but the package tf2_msgs is not installed: no /tf")
            return
        self._message = kind(transforms=[self._transform])
        self._publisher = node.create_publisher(kind, "/tf", 100)

    def publish(self, stamp: int, pose: SE3) -> None:
        """Say where the base was at `stamp` (ns)."""
        if self._publisher is not None:
            fill_time(self._transform.header.stamp, stamp)
            fill_transform(self._transform.transform, pose)
            self._publisher.publish(self._message)
