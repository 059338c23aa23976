"""The demo's child processes: started together, watched, and gone when the demo is gone."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from dyn_node.errors import DynNodeError

#: How long a child gets to end by itself after SIGINT, and after SIGTERM (s).
PATIENCE = (5.0, 2.0)
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


class ChildDiedError(DynNodeError, RuntimeError):
    """A child process ended while the demo still needed it; the message ends with its last output."""


class InterruptedDemoError(Exception):
    """A signal asked the demo to end."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextlib.contextmanager
def signals_as_exceptions() -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP raise `InterruptedDemoError`, so that every exit unwinds the same way."""

    def interrupt(number: int, _: object) -> None:
        raise InterruptedDemoError(number)

    before = {number: signal.signal(number, interrupt) for number in _ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Children:
    """Processes that end with this block. Each one's output goes to a file, to be shown if it fails.

    A child gets a session of its own, so that Ctrl-C reaches the demo alone and the demo ends its
    children in order. Should the demo itself be killed, Linux sends them SIGTERM.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="dyn_node_demo_")
        self.exit_codes: dict[str, int] = {}

    @property
    def folder(self) -> Path:
        """A folder for the children's files; removed with them."""
        return Path(self._folder.name)

    def __enter__(self) -> Children:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._folder.cleanup()

    def start(self, name: str, command: Sequence[str]) -> None:
        """Start `command` as the child `name`."""
        with (self.folder / f"{name}.log").open("wb") as log:
            self._running[name] = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self._environment,
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )

    def pids(self) -> dict[str, int]:
        """Process id of each running child."""
        return {name: child.pid for name, child in self._running.items()}

    def check(self) -> None:
        """Raise ChildDiedError if a child has ended."""
        for name, child in self._running.items():
            code = child.poll()
            if code is not None:
                raise ChildDiedError(
                    f"{name} ended with exit code {code}. Its last output:\n{self.tail(name)}",
                    name,
                    "a running process",
                )

    def tail(self, name: str, lines: int = 15) -> str:
        """The last lines that a child has written."""
        text = (self.folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")
        return "\n".join(text.splitlines()[-lines:])

    def stop(self) -> None:
        """End every child: SIGINT, then SIGTERM, then SIGKILL. Fills `exit_codes`."""
        with _signals_ignored():  # a second Ctrl-C must not leave half of them running
            for number, patience in zip((signal.SIGINT, signal.SIGTERM), PATIENCE, strict=True):
                self._signal(number)
                self._wait(patience)
            self._signal(signal.SIGKILL)
            self._wait(None)

    def _signal(self, number: signal.Signals) -> None:
        for child in self._running.values():
            if child.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.pid, number)

    def _wait(self, patience: float | None) -> None:
        deadline = None if patience is None else time.monotonic() + patience
        for name, child in list(self._running.items()):
            remaining = None if deadline is None else max(0.0, deadline - time.monotonic())
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.exit_codes[name] = child.wait(remaining)
                del self._running[name]


def _end_with_parent() -> None:
    """In the child, before it starts: hear SIGINT, and ask Linux for SIGTERM when the parent dies."""
    # A shell that starts the demo in the background has it ignore SIGINT, which children inherit.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


@contextlib.contextmanager
def _signals_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # Python delivers signals to the main thread alone
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in _ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
