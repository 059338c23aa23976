"""How a node's process is told to end, and the last thing that it does."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import sys
import threading
import time
from typing import NoReturn

import rclpy

#: From a signal to the end of the process, whatever it is stuck in (s). `ros2 launch` waits for five.
GRACE = 4.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM)

_interruptible = True


def interrupt_start_only() -> None:
    """Let SIGINT and SIGTERM raise KeyboardInterrupt until `spin_on`. To be called before rclpy.init.

    rclpy shuts its context down by itself, and calls Python's handler too. The exception of the
    usual handler may come up in the middle of the conversion of a message, which rclpy then reports
    as an error of its own.
    """
    for number in _SIGNALS:
        signal.signal(number, _interrupt)
    _watch()


def spin_on() -> None:
    """From now on a signal only shuts rclpy's context down."""
    global _interruptible
    _interruptible = False


def _interrupt(number: int, frame: object) -> None:
    if _interruptible:
        raise KeyboardInterrupt


def _watch() -> None:
    """See to it that the process ends `GRACE` seconds after the first signal at the latest.

    An interrupt that comes up where exceptions are dropped, or an executor that was not woken, must not
    leave a node running that was told to stop. A signal's number is written to a pipe even while the
    main thread waits in C.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_end_in_time, args=(reader,), name="ending", daemon=True).start()


def _end_in_time(reader: int) -> None:
    while os.read(reader, 1)[0] not in _SIGNALS:
        pass
    end_surely()
    time.sleep(GRACE)
    print(f"not ended {GRACE:g} s after the signal: ended now", file=sys.stderr)
    leave(0)


def end_surely() -> None:
    """End within half a second more than `GRACE`, with exit code 1 and every thread's stack on stderr.

    For middleware that hangs while it holds Python's lock, so that no thread of Python can do anything.
    """
    with contextlib.suppress(OSError, ValueError, RuntimeError):  # stderr may be closed, or no file
        faulthandler.dump_traceback_later(GRACE + 0.5, exit=True)


def leave(code: int) -> NoReturn:
    """End the process without the interpreter's own way out, in which middleware may still hang or crash."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def end_ros() -> None:
    """Shut rclpy down and let no further signal disturb the way out.

    Ctrl-C in a terminal reaches every process there, and `ros2 launch` may send a second SIGINT: that
    one must not turn exit code 0 into a traceback.
    """
    _ignore_signals()
    with contextlib.suppress(RuntimeError):  # rclpy's own signal handler was faster
        rclpy.try_shutdown()
    _ignore_signals()  # rclpy has put Python's own handlers back


def _ignore_signals() -> None:
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
