"""Somebody who subscribes to the outputs beside the gravity torques, so that the node makes them.

Its executor runs only when it is asked to, so that it takes nothing from whoever measures.
"""

from __future__ import annotations

import time
from typing import Any

from dyn_node_msgs.msg import MassMatrix
from geometry_msgs.msg import TwistStamped
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy


class Listener:
    """Subscribes to a dynamics node's mass matrix and one twist.

    Attributes:
        mass_matrix, twist: the last messages.
    """

    def __init__(self, prefix: str, frame: str) -> None:
        self._node = Node("bench_listener")
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        self.mass_matrix: Any = None
        self.twist: Any = None
        latest = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
        self._node.create_subscription(MassMatrix, f"{prefix}/mass_matrix", self._matrix, latest)
        self._node.create_subscription(TwistStamped, f"{prefix}/twist/{frame}", self._twist, latest)

    def _matrix(self, message: Any) -> None:
        self.mass_matrix = message

    def _twist(self, message: Any) -> None:
        self.twist = message

    def hear(self, patience: float) -> bool:
        """Take what has come; whether both have, since the last call."""
        self.mass_matrix = self.twist = None
        deadline = time.monotonic() + patience
        while (self.mass_matrix is None or self.twist is None) and time.monotonic() < deadline:
            self._executor.spin_once(timeout_sec=0.05)
        return self.mass_matrix is not None and self.twist is not None

    def close(self) -> None:
        """Leave the graph."""
        self._executor.shutdown()
        self._node.destroy_node()
