"""Reading what has piled up on a subscription.

The executor hands over one message a turn. A node that falls behind for a moment would from then on
answer states that are a whole queue old; reading the rest of the queue first lets it answer the newest.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

#: A message that was handed over within this time of its arrival (ns) has no others worth a look behind it.
PROMPT = 500_000


def with_backlog(message: Any, info: dict[str, Any], subscription: Any, most: int) -> Iterator[Any]:
    """A message and, where it had to wait, at most `most` more that wait behind it, oldest first.

    Args:
        info: what the middleware says of the message. Looking for others costs as much as taking one, so a
            node that keeps up does not look.
    """
    yield message
    # Without a time of arrival, which is zero then, it always looks.
    if time.time_ns() - info.get("received_timestamp", 0) > PROMPT:
        yield from backlog(subscription, most)


def backlog(subscription: Any, most: int) -> Iterator[Any]:
    """The messages that wait on a subscription, oldest first, at most `most` of them."""
    for _ in range(most):
        with subscription.handle:
            taken = subscription.handle.take_message(subscription.msg_type, subscription.raw)
        if taken is None:
            return
        yield taken[0]
