"""Part `node`: dynamics_node against a bare rclpy echo node, over DDS, with the same messages.

A Panda's joint_states go to both in turn. The echo node sends them back; dynamics_node answers with
gravity torques and, to another subscriber, the mass matrix and the twist of the hand.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from dyn_node import robots
from dyn_node.tools.demo import prepare_environment
from dyn_node.tools.demo_processes import Children

from .machine import cores, pinned
from .options import Options
from .peers import need
from .results import Row, row_of
from .server import Server

if TYPE_CHECKING:
    from .turns import Load, Turns

PART = "node"
ROBOT = "panda"
PEER = "echo node"
#: Of the messages under load (Hz).
RATE = 1000.0
#: For a node to start, which the first time includes compiling its kernels (s).
_PATIENCE = 180.0
_NEEDED = ("rclpy", "sensor_msgs.msg", "geometry_msgs.msg", "dyn_node_msgs.msg")
ECHO = Server("echo", "/bench_echo", "bench.echo_node", "echo/answer")


def dynamics() -> Server:
    """The node that is measured."""
    parameters = {
        "robot_description": robots.path(ROBOT).read_text(encoding="utf-8"),
        "root_joint": "fixed",
        "frames": [robots.describe(ROBOT).tool],
        "outputs": ["gravity_torques", "mass_matrix", "twist"],
    }
    return Server("dynamics", "/bench_dyn", "dyn_node.nodes.dynamics", "dynamics/gravity_torques", parameters)


def run(options: Options) -> Iterator[Row]:
    """The rows of this part."""
    for module in _NEEDED:
        need(module)
    with _both_nodes() as turns:
        turns.check()
        trips, loads = turns.measure(options, RATE)
    for name, quantile in (("round trip, median", 0.5), ("round trip, p99", 0.99)):
        ours, theirs = ([float(np.quantile(block, quantile)) for block in side] for side in trips)
        yield row_of((PART, ROBOT, name), PEER, (ours, theirs))
    yield from _load_rows(loads)


def _load_rows(loads: tuple[list[Load], list[Load]]) -> Iterator[Row]:
    note = ", ".join(
        f"{who} answered {sum(load.answers for load in side)} of {sum(load.sent for load in side)}"
        for who, side in zip(("ours", "echo"), loads, strict=True)
    )
    ours, theirs = ([load.processor_time / load.elapsed for load in side] for side in loads)
    yield row_of((PART, ROBOT, f"share of a core at {RATE:g} Hz"), PEER, (ours, theirs), "core", note)
    # Where the machine is too busy for the rate, this still says what a message costs.
    ours, theirs = ([load.processor_time / max(1, load.answers) for load in side] for side in loads)
    yield row_of((PART, ROBOT, "processor time per answer"), PEER, (ours, theirs))


@contextlib.contextmanager
def _both_nodes() -> Iterator[Turns]:
    """Both nodes answering, on one core, with this process on another; gone afterwards."""
    import rclpy

    from .turns import Turns

    prepare_environment(os.environ)
    available = cores()
    with Children(os.environ) as children, pinned():
        core = available[0] if len(available) > 1 else None
        servers = dynamics(), ECHO
        pids = [server.start(children, core) for server in servers]
        rclpy.init()
        try:
            turns = Turns(ROBOT, servers, pids)
            turns.wait(_PATIENCE, children.check)
            yield turns
            turns.close()
        finally:
            rclpy.try_shutdown()
