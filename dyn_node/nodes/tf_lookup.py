"""Transforms that others publish, by tf2_ros, which only ROS installations have. Its import is here alone."""

from __future__ import annotations

from typing import Any

from dyn_node_msgs.msg import ResultCode
from rclpy.node import Node
from rclpy.time import Time

from dyn_node.errors import InvalidValueError
from dyn_node.spatial import SE3

from .answers import RefusedError
from .conversions import placement_of_transform


def tf2_package() -> Any | None:
    """The package tf2_ros, or None where it is not installed."""
    try:
        import tf2_ros
    except ImportError:
        return None
    return tf2_ros


class TransformLookup:
    """Listens to /tf and /tf_static for a node, and says where a frame is in another one."""

    def __init__(self, node: Node, tf2: Any) -> None:
        self._buffer = tf2.Buffer()
        # The node's own executor brings transforms in between two requests: nothing here may wait for one.
        self._listener = tf2.TransformListener(self._buffer, node, spin_thread=False)
        self._failure = tf2.TransformException

    def clear(self) -> None:
        """Forget transforms of another time, which would count as newer than those that come."""
        self._buffer.clear()

    def __call__(self, parent: str, child: str, stamp: int) -> SE3:
        """Where `child` is in `parent` at a time, ns; 0 for the latest.

        Raises:
            RefusedError: tf2 does not know, in its own words, or what it knows is no pose.
        """
        try:
            found = self._buffer.lookup_transform(parent, child, Time(nanoseconds=stamp))
            return placement_of_transform(found.transform, f"the transform of {child}")
        except (self._failure, InvalidValueError) as error:
            raise RefusedError(
                ResultCode.FRAME_TRANSFORM_FAILURE,
                f"tf: {error}",
                child,
                "a frame that tf knows at that time",
            ) from None
