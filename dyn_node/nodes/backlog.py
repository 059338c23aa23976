"""Reading what has piled up on a subscription.

The executor hands over one message a turn. A node that falls behind for a moment would from then on
answer states that are a whole queue old; reading the rest of the queue first lets it answer the newest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def backlog(subscription: Any, most: int) -> Iterator[Any]:
    """The messages that wait on a subscription, oldest first, at most `most` of them."""
    for _ in range(most):
        with subscription.handle:
            taken = subscription.handle.take_message(subscription.msg_type, subscription.raw)
        if taken is None:
            return
        yield taken[0]
