"""The other side of a round trip: sends joint_states to a server and waits for its answers."""

from __future__ import annotations

import array
import time
from typing import Any

import numpy as np
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState

_NANOSECONDS = 1_000_000_000


class NoAnswerError(Exception):
    """A server did not answer in time."""


def joint_state(model: Any, q: np.ndarray, v: np.ndarray) -> JointState:
    """The state of an arm, whose joints have one coordinate each, as a message."""
    numbers = {"position": q, "velocity": v, "effort": np.zeros(model.nv)}
    arrays = {key: array.array("d", x.tobytes()) for key, x in numbers.items()}
    return JointState(name=[joint.name for joint in model.actuated_joints], **arrays)


class Asker:
    """Sends one server the state of an arm, and keeps count of what comes back.

    Attributes:
        answers: how many came; last: the last one.
    """

    def __init__(self, node: Node, executor: SingleThreadedExecutor, topics: tuple[str, str]) -> None:
        """`topics`: where the server listens, and where it answers."""
        question, answer = topics
        self._executor = executor
        self._publisher = node.create_publisher(JointState, question, QoSProfile(depth=10))
        node.create_subscription(JointState, answer, self._heard, QoSProfile(depth=10))
        self._message = JointState()
        self._topic = answer
        self.answers = 0
        self.last: Any = None

    def _heard(self, message: Any) -> None:
        self.answers += 1
        self.last = message

    def load(self, message: JointState) -> None:
        """Set what is sent from now on."""
        self._message = message

    def send(self) -> tuple[int, int]:
        """Send one message; its stamp."""
        stamp = self._message.header.stamp
        stamp.sec, stamp.nanosec = divmod(time.time_ns(), _NANOSECONDS)
        self._publisher.publish(self._message)
        return stamp.sec, stamp.nanosec

    def round_trip(self, patience: float = 1.0) -> float:
        """Seconds from sending a message to holding its answer; both carry the same stamp.

        Raises:
            NoAnswerError: none came in time.
        """
        began = time.perf_counter()
        stamp = self.send()
        while self.last is None or (self.last.header.stamp.sec, self.last.header.stamp.nanosec) != stamp:
            self._executor.spin_once(timeout_sec=patience)
            if time.perf_counter() - began > patience:
                raise NoAnswerError(f"no answer on {self._topic} within {patience:g} s")
        return time.perf_counter() - began

    def wait(self, patience: float, alive: Any) -> None:
        """Until the server answers for the first time; `alive` is called while waiting."""
        deadline = time.monotonic() + patience
        while True:
            try:
                self.round_trip(0.2)
                return
            except NoAnswerError:
                alive()
                if time.monotonic() > deadline:
                    raise NoAnswerError(f"no answer on {self._topic} within {patience:g} s") from None

    def sustain(self, seconds: float, rate: float) -> tuple[int, int]:
        """Send messages at a rate (Hz), taking answers between them; messages sent and answers heard."""
        before, sent, began = self.answers, 0, time.perf_counter()
        total = max(1, round(seconds * rate))
        while sent < total:
            pause = began + sent / rate - time.perf_counter()
            if pause > 0.0:
                self._executor.spin_once(timeout_sec=pause)
            else:
                self.send()
                sent += 1
        self._executor.spin_once(timeout_sec=0.1)
        return sent, self.answers - before
