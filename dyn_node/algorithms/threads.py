"""How many threads a batch may use."""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from queue import SimpleQueue

from ..errors import InvalidValueError

_count: list[int] = []
#: Threads that help a caller, at most.
_MOST = 64


def get_threads() -> int:
    """How many threads a large batch uses; by default as many as the process may use cores."""
    return _count[0] if _count else cores()


def cores() -> int:
    """How many cores the process may use."""
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


def parts_for(threads: int) -> int:
    """Into how many tasks to cut work for so many threads: whoever is held up leaves some to the others."""
    return 1 if threads == 1 else 4 * threads


def run_together(tasks: Sequence[Callable[[], None]], threads: int, until: float = math.inf) -> bool:
    """Run all tasks, on the caller's thread and on others, so many in all.

    Returns when all are through, then raises what one of them raised. The other threads are kept for the
    next time; where they come late, the caller has done their tasks.

    Args:
        tasks: to be run; threads: how many, the caller's among them.
        until: a time of `time.perf_counter` after which the caller begins no task and waits for no other
            thread any more. Tasks may then go on when this has returned: what they write to must be theirs.

    Returns:
        Whether all tasks are through.
    """
    share = _Share(tasks)
    try:
        # Nobody helps where no thread can be started.
        with contextlib.suppress(RuntimeError):
            _helpers().ask(share.help, threads - 1)
        share.take(until)
    finally:
        through = share.wait(until)
    return through


class _Share:
    """The tasks of one call, taken by whoever is free."""

    def __init__(self, tasks: Sequence[Callable[[], None]]) -> None:
        self._left = deque(tasks)
        self._helping: list[_Helping] = []
        self._errors: list[BaseException] = []

    def take(self, until: float = math.inf) -> None:
        """Run what nobody has begun; with a time of `time.perf_counter`, begin nothing after it."""
        while time.perf_counter() < until:
            try:
                task = self._left.popleft()
            except IndexError:
                return
            try:
                task()
            except BaseException as error:
                self._errors.append(error)

    def help(self) -> None:
        """The same on another thread, which `wait` waits for once it has taken anything."""
        helping = _Helping()
        with helping.lock:
            self._helping.append(helping)
            try:
                self.take()
            finally:
                helping.over = True

    def wait(self, until: float) -> bool:
        """Until nobody writes to the caller's arrays any more, interrupts or not; raises the first error.

        Returns:
            Whether all are through: those that are not by the time `until` are not waited for.
        """
        left = len(self._left)
        self._left.clear()
        while True:
            try:
                through = all(helping.wait(until) for helping in self._helping) and not left
                break
            except BaseException as error:
                self._errors.append(error)
        if self._errors:
            raise self._errors[0]
        return through


class _Helping:
    """A thread's part in a call: `over` is set before the lock is let go."""

    def __init__(self) -> None:
        self.lock, self.over = threading.Lock(), False

    def wait(self, until: float) -> bool:
        """Wait for its end, no longer than until a time of `time.perf_counter`; whether it has come."""
        # The lock is never given back: an interrupt may come when it is ours already, and then it is over.
        while not self.over and (left := until - time.perf_counter()) > 0.0:
            self.lock.acquire(timeout=min(left, threading.TIMEOUT_MAX))
        return self.over


class _Helpers:
    """Threads that wait to be asked. They are daemons: whatever interrupts their start, a process can end."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []

    def ask(self, call: Callable[[], None], count: int) -> None:
        """Have a call made by so many threads."""
        while len(self._threads) < min(count, _MOST):
            thread = threading.Thread(target=self._serve, name="dyn_node helper", daemon=True)
            thread.start()
            self._threads.append(thread)
        for _ in range(count):
            self._calls.put(call)

    def _serve(self) -> None:
        while (call := self._calls.get()) is not None:
            call()

    def end(self) -> None:
        """Let all threads end."""
        for _ in self._threads:
            self._calls.put(None)
        for thread in self._threads:
            thread.join()


_shared: dict[str, _Helpers] = {}


def _helpers() -> _Helpers:
    """Those of this process, the same for every thread that asks."""
    return _shared.get("") or _shared.setdefault("", _Helpers())


def _let_go() -> None:
    """End the helping threads: a forked process has none, and Python warns whoever forks beside threads."""
    if _shared:
        _shared.pop("").end()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_let_go)
