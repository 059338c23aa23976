"""Reading a topic when it suits the reader, without waking the executor for every message.

An executor wakes up, rebuilds its wait set and dispatches for each message: at 1 kHz that costs
more than the message. A loop that has a beat of its own reads what has arrived instead, as
`rclpy.wait_for_message` does.
"""

from __future__ import annotations

from typing import Any

from rclpy.callback_groups import CallbackGroup
from rclpy.node import Node
from rclpy.qos import QoSProfile


class _NeverExecuted(CallbackGroup):
    """Keeps its members out of every executor."""

    def can_execute(self, entity: Any) -> bool:
        return False

    def beginning_execution(self, entity: Any) -> bool:
        return False

    def ending_execution(self, entity: Any) -> None:
        pass


class Tap:
    """A subscription that is read by `take`; keeps the newest `qos.depth` messages meanwhile."""

    def __init__(self, node: Node, kind: type, topic: str, qos: QoSProfile, **options: Any) -> None:
        self._subscription = node.create_subscription(
            kind, topic, _unused, qos, callback_group=_NeverExecuted(), **options
        )
        self._kind = kind

    def take(self) -> tuple[Any, dict[str, int]] | None:
        """The oldest unread message and its info (`received_timestamp` in ns), or None."""
        handle = self._subscription.handle
        with handle:  # not destroyed meanwhile
            return handle.take_message(self._kind, False)


def _unused(message: Any) -> None:
    """Never called; rclpy wants a callback."""
