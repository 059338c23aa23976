"""Running a node as a process: warm kernels, spin, end cleanly with exit code 0 on SIGINT and SIGTERM."""

from __future__ import annotations

import contextlib
import gc
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.logging import get_logger

import dyn_node
from dyn_node.errors import DynNodeError

from .ending import end_ros, end_surely, interrupt_start_only, leave, spin_on
from .robot_node import RobotNode


def run(make: Callable[[], RobotNode], arguments: list[str] | None = None) -> NoReturn:
    """Run a node until it is told to stop, and end the process.

    Exit code 0 after SIGINT or SIGTERM, 1 when the parameters were refused, 2 when the command line was.
    """
    leave(_exit_code(make, arguments))


def _exit_code(make: Callable[[], RobotNode], arguments: list[str] | None) -> int:
    try:
        interrupt_start_only()
        rclpy.init(args=arguments)
    except Exception as error:  # rcl's own error types differ between releases
        print(f"the command line was refused: {error}", file=sys.stderr)
        return 2
    try:
        return _run(make)
    except (KeyboardInterrupt, ExternalShutdownException):
        return 0
    except Exception:
        if rclpy.ok():
            traceback.print_exc()
            return 1
        return 0  # a signal took the context away in the middle of a call
    finally:
        end_ros()


def _run(make: Callable[[], RobotNode]) -> int:
    try:
        node = make()
    except DynNodeError as error:
        get_logger("dyn_node").fatal(str(error))
        return 1
    try:
        warm(node)
        node.begin()
        # What is alive now stays: the collector need not look through it while the arm waits.
        gc.collect()
        gc.freeze()
        executor = SingleThreadedExecutor()
        executor.add_node(node)
        spin_on()
        executor.spin()
    finally:
        end_surely()
        # Also after a signal took the context away: else the network believes in this node for a while.
        with contextlib.suppress(Exception):
            node.destroy_node()
    return 0


def warm(node: RobotNode) -> None:
    """Compile what the node calls, or load it from the cache, before anything depends on its speed."""
    logger = node.get_logger()

    def report(name: str, seconds: float) -> None:
        logger.info(f"compiled {name} in {seconds:.1f} s; kept for the next start")

    seconds = dyn_node.warm(*node.intake_kernels, *node.kernels, report=report)
    logger.debug(f"kernels are warm after {seconds:.2f} s")
