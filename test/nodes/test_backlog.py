"""Reading what has piled up on a subscription."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from dyn_node.nodes.backlog import PROMPT, backlog, with_backlog


class Handle(contextlib.AbstractContextManager):
    """A subscription's handle with messages waiting."""

    def __init__(self, waiting: list[str]) -> None:
        self.waiting = waiting
        self.held = False

    def __enter__(self) -> Handle:
        self.held = True
        return self

    def __exit__(self, *error: Any) -> None:
        self.held = False

    def take_message(self, kind: str, raw: bool) -> tuple[str, None] | None:
        assert self.held
        assert (kind, raw) == ("kind", False)
        return (self.waiting.pop(0), None) if self.waiting else None


def read(waiting: list[str], most: int) -> Iterator[str]:
    return backlog(SimpleNamespace(handle=Handle(waiting), msg_type="kind", raw=False), most)


def test_everything_that_waits_is_read_in_order() -> None:
    assert list(read(["a", "b", "c"], 100)) == ["a", "b", "c"]
    assert list(read([], 100)) == []


def test_a_flood_does_not_keep_the_node_from_its_other_work() -> None:
    waiting = [str(k) for k in range(9)]
    assert list(read(waiting, 4)) == ["0", "1", "2", "3"]
    assert len(waiting) == 5


def test_only_a_message_that_had_to_wait_has_others_looked_for() -> None:
    def read_after(age: int | None) -> list[str]:
        waiting = ["b", "c"]
        subscription = SimpleNamespace(handle=Handle(waiting), msg_type="kind", raw=False)
        info = {} if age is None else {"received_timestamp": time.time_ns() - age}
        return list(with_backlog("a", info, subscription, 100))

    assert read_after(0) == ["a"]
    assert read_after(10 * PROMPT) == ["a", "b", "c"]
    assert read_after(None) == ["a", "b", "c"], "a middleware that does not say when it came"
