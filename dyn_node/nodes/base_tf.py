"""The pose of a floating base from tf. Needs tf2_ros, which only ROS installations have."""

from __future__ import annotations

from typing import Any

from rclpy.node import Node
from rclpy.time import Time

from dyn_node.errors import MissingDependencyError

from .base_intake import BaseIntake
from .conversions import nanoseconds, xyz, xyzw
from .tf_lookup import tf2_package

#: Seconds between two looks.
PERIOD = 0.01


def require_tf2() -> Any:
    """The package tf2_ros. Raises MissingDependencyError, with the way out, where it is not installed."""
    tf2 = tf2_package()
    if tf2 is None:
        raise MissingDependencyError(
            "parameter base_source is tf, which needs the ROS package tf2_ros: install it, or set "
            "base_source to odom or base_pose",
            "tf2_ros",
        )
    return tf2


class TfBase:
    """Follows a frame in the frame `world`; `look` hands what is new to the intake."""

    def __init__(self, node: Node, world: str) -> None:
        tf2 = require_tf2()
        self._world = world
        self._buffer = tf2.Buffer()
        self._listener = tf2.TransformListener(self._buffer, node, spin_thread=False)
        self._failure = tf2.TransformException

    def clear(self) -> None:
        """Forget transforms of another time: the newest of them would count as the newest for ever."""
        self._buffer.clear()

    def look(self, base: str, intake: BaseIntake, now: int) -> bool:
        """Take the newest transform of `base` at the time `now`, ns; False when there is none that is new."""
        try:
            found = self._buffer.lookup_transform(self._world, base, Time())
        except self._failure as error:
            intake.refusal = f"tf: {error}"
            return False
        transform = found.transform
        stamp = nanoseconds(found.header.stamp)
        return intake.pose(xyz(transform.translation), xyzw(transform.rotation), stamp, now)
