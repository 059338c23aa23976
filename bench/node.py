"""Part `node`: dynamics_node against a bare rclpy echo node, over DDS, with the same messages.

A Panda's joint_states go to both in turn. The echo node sends them back; dynamics_node answers with
gravity torques and, to another subscriber, the mass matrix and the twist of the hand. At last both are
started again, to see when they first answer.
"""

from __future__ import annotations

import contextlib
import functools
import os
import statistics
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

import dyn_node
from dyn_node import robots
from dyn_node.tools.demo import prepare_environment
from dyn_node.tools.demo_processes import Children

from .machine import cores, pinned
from .options import Options
from .peers import need
from .results import Row, row_of
from .server import Server

if TYPE_CHECKING:
    from .flood import Flood
    from .turns import Load

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
    import rclpy

    prepare_environment(os.environ)
    rclpy.init()
    try:
        servers = dynamics(), ECHO
        yield from _answering(servers, options)
        # Now the kernels are compiled.
        yield _ready_row(*_times_until_ready(servers, options.starts))
    finally:
        rclpy.try_shutdown()


def _answering(servers: tuple[Server, Server], options: Options) -> Iterator[Row]:
    """What answers cost both nodes, each on a core of its own with this process on another."""
    from .turns import Turns

    available = cores()
    with Children(os.environ) as children, pinned():
        core = available[0] if len(available) > 1 else None
        pids = [server.start(children, core) for server in servers]
        turns = Turns(ROBOT, servers, pids)
        turns.wait(_PATIENCE, children.check)
        turns.check()
        trips, loads = turns.measure(options, RATE)
        turns.close()
        for name, quantile in (("round trip, median", 0.5), ("round trip, p99", 0.99)):
            ours, theirs = ([float(np.quantile(block, quantile)) for block in side] for side in trips)
            yield row_of((PART, ROBOT, name), PEER, (ours, theirs))
        yield from _load_rows(loads)
        yield _rates_row(*_highest_rates(servers, options, children.check))


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
def _floods(servers: tuple[Server, Server]) -> Iterator[tuple[Flood, Flood]]:
    """Who floods each server; somebody else listens to what ours has to say besides."""
    from rclpy.node import Node

    from .asker import joint_state
    from .flood import Flood
    from .listener import Listener

    model, node = robots.load(ROBOT), Node("bench_flood")
    listener = Listener(f"{servers[0].namespace}/{servers[0].name}", robots.describe(ROBOT).tool)
    message = joint_state(model, dyn_node.neutral(model), np.zeros(model.nv))
    try:
        yield Flood(node, servers[0], message), Flood(node, servers[1], message)
    finally:
        listener.close()
        node.destroy_node()


def _highest_rates(
    servers: tuple[Server, Server], options: Options, alive: Callable[[], None]
) -> tuple[list[float], list[float]]:
    """Of both, searched in turn (Hz)."""
    from .flood import highest_rate

    found: tuple[list[float], list[float]] = [], []
    with _floods(servers) as floods:
        for flood in floods:
            flood.until_answered(_PATIENCE, alive)
        for _ in range(options.searches):
            for rates, flood in zip(found, floods, strict=True):
                rates.append(highest_rate(functools.partial(flood.answered, seconds=options.load_time)))
    return found


def _rates_row(ours: list[float], theirs: list[float]) -> Row:
    """As times, so that less is better here too."""
    note = f"ours {statistics.median(ours):.0f} Hz, echo {statistics.median(theirs):.0f} Hz"
    periods = [1.0 / rate for rate in ours], [1.0 / rate for rate in theirs]
    return row_of((PART, ROBOT, "time between messages at the highest rate"), PEER, periods, note=note)


def _times_until_ready(servers: tuple[Server, Server], starts: int) -> tuple[list[float], list[float]]:
    """Seconds from starting each process to its first answer, in turn."""
    found: tuple[list[float], list[float]] = [], []
    with _floods(servers) as floods:
        for _ in range(starts):
            for times, server, flood in zip(found, servers, floods, strict=True):
                with Children(os.environ) as children:
                    began = time.perf_counter()
                    server.start(children, None)
                    flood.until_answered(_PATIENCE, children.check)
                    times.append(time.perf_counter() - began)
    return found


def _ready_row(ours: list[float], theirs: list[float]) -> Row:
    more = statistics.median(a - b for a, b in zip(ours, theirs, strict=True))
    name = "first answer after the start, kernels cached"
    return row_of((PART, ROBOT, name), PEER, (ours, theirs), note=f"{more:.2f} s more")
