"""How a node's process is told to end, and the last thing that it does."""

from __future__ import annotations

import contextlib
import signal

import rclpy

_interruptible = True


def interrupt_start_only() -> None:
    """Let SIGINT raise KeyboardInterrupt until `spin_on`. To be called before rclpy.init.

    rclpy shuts its context down by itself, and calls Python's handler too. The exception of the
    usual handler may come up in the middle of the conversion of a message, which rclpy then reports
    as an error of its own.
    """
    signal.signal(signal.SIGINT, _interrupt)


def spin_on() -> None:
    """From now on SIGINT only shuts rclpy's context down."""
    global _interruptible
    _interruptible = False


def _interrupt(number: int, frame: object) -> None:
    if _interruptible:
        raise KeyboardInterrupt


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
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
