"""How many threads a batch may use."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence

from ..errors import InvalidValueError

_count: list[int] = []


def get_threads() -> int:
    """How many threads a large batch uses; by default as many as the process may use cores."""
    if _count:
        return _count[0]
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def set_threads(count: int | None) -> None:
    """Let large batches use so many threads: 1 keeps them on the caller's, None is the default.

    Raises:
        InvalidValueError: not a positive integer.
    """
    if count is None:
        _count.clear()
        return
    check_count(count, "count")
    _count[:] = [count]


def check_count(count: int, name: str) -> None:
    """Refuse what is no number of threads.

    Raises:
        InvalidValueError: not a positive integer.
    """
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise InvalidValueError(
            f"{name}: expected an integer of at least 1, or None, given {count!r}", count, ">= 1"
        )


def run_together(tasks: Sequence[Callable[[], None]]) -> None:
    """Run all tasks at once, the first on the caller's thread; returns when all are through.

    Threads start anew each time: some 50 microseconds, against pools that do not survive a fork.
    """
    others = [threading.Thread(target=task, daemon=True) for task in tasks[1:]]
    for thread in others:
        thread.start()
    try:
        tasks[0]()
    finally:
        for thread in others:
            thread.join()
