"""Messages faster than a server can answer: the highest rate that it sustains, and when it first answers.

`Asker` goes through rclpy's executor and costs as much a message as a server does: it would be the first to
give up. Here messages go out as bytes, in which only the stamp changes, and answers are counted unread.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable

from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState

from .asker import NoAnswerError
from .server import Server

#: Where the stamp stands in a serialised message: after four bytes that tell the encoding.
_STAMP_AT, _STAMP = 4, "<iI"
_NANOSECONDS = 1_000_000_000
#: Of what was sent, what has to be answered: one message in a hundred may meet something else on the machine.
ENOUGH = 0.99
#: Goes that a rate has, for the same reason.
_GOES = 2
#: The search ends when the highest rate is known this well, relatively.
_CLOSE = 0.03
#: Rates that are tried (Hz).
_FIRST, _LAST = 50.0, 50_000.0
#: For the last answers (s).
_PATIENCE = 0.3
#: Between looks for answers (s): this process has threads of DDS to feed.
_PAUSE = 2e-5
#: Between messages to a server that may not be there yet (s).
_AGAIN = 0.01


class Flood:
    """Sends one server a state again and again, and counts its answers."""

    def __init__(self, node: Node, server: Server, message: JointState) -> None:
        self._publisher = node.create_publisher(JointState, server.topics[0], QoSProfile(depth=10))
        self._subscription = node.create_subscription(
            JointState, server.topics[1], lambda answer: None, QoSProfile(depth=1000), raw=True
        )
        self._bytes = bytearray(serialize_message(message))

    def answered(self, rate: float, seconds: float) -> float:
        """The share of messages sent at a rate (Hz) that is answered."""
        self._take()
        sent, answers, began = 0, 0, time.perf_counter()
        total = max(1, round(seconds * rate))
        while sent < total:
            if time.perf_counter() < began + sent / rate:
                answers += self._take()
                time.sleep(_PAUSE)
            else:
                self._send()
                sent += 1
        deadline = time.perf_counter() + _PATIENCE
        while answers < sent and time.perf_counter() < deadline:
            answers += self._take()
            time.sleep(_PAUSE)
        return answers / sent

    def until_answered(self, patience: float, alive: Callable[[], None]) -> None:
        """Send messages until the first answer comes; `alive` is called meanwhile.

        Raises:
            NoAnswerError: none came in time.
        """
        self._take()
        began = time.perf_counter()
        while time.perf_counter() - began < patience:
            self._send()
            asked = time.perf_counter()
            while time.perf_counter() - asked < _AGAIN:
                if self._take():
                    return
                time.sleep(_PAUSE)
            alive()
        raise NoAnswerError(f"no answer on {self._subscription.topic_name} within {patience:g} s")

    def _send(self) -> None:
        struct.pack_into(_STAMP, self._bytes, _STAMP_AT, *divmod(time.time_ns(), _NANOSECONDS))
        self._publisher.publish(bytes(self._bytes))

    def _take(self) -> int:
        """How many answers have come since the last call."""
        handle, count = self._subscription.handle, 0
        with handle:
            while handle.take_message(JointState, True) is not None:
                count += 1
        return count


def highest_rate(answered: Callable[[float], float]) -> float:
    """The highest rate (Hz) at which enough is answered: doubled until it is not, then halved in between.

    Raises:
        NoAnswerError: not even the lowest rate is answered.
    """

    def holds(rate: float) -> bool:
        return any(answered(rate) >= ENOUGH for _ in range(_GOES))

    good, bad = 0.0, _FIRST
    while bad <= _LAST and holds(bad):
        good, bad = bad, 2.0 * bad
    if not good:
        raise NoAnswerError(f"less than {ENOUGH:.0%} of {_FIRST:g} messages a second is answered")
    while bad - good > _CLOSE * good:
        middle = (good + bad) / 2.0
        good, bad = (middle, bad) if holds(middle) else (good, middle)
    return good
