"""The last thing that a node's process does."""

from __future__ import annotations

import contextlib
import signal

import rclpy


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
