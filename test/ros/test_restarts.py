"""Publisher, node and description come and go in any order, killed rather than ended: outputs come back.

`make soak` does so 50 times. Time counts from the moment when everything runs again: the node does once its
kernels are loaded and it subscribes, the others as soon as they are made, so that what the middleware needs
to connect them counts too. With Fast DDS's own settings that takes up to three seconds; conftest.py has it
use config/fastdds.xml.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness
from sensor_msgs.msg import JointState
from std_msgs.msg import String

import dyn_node

RESTARTS = int(os.environ.get("DYN_NODE_RESTARTS", "4"))
#: Seconds until outputs are back; the short run is for machines that do other things as well.
BACK = 1.0 if RESTARTS >= 50 else 3.0
NAMES = [f"panda_joint{k}" for k in range(1, 8)]
URDF = Path(dyn_node.robots.path("panda")).read_text(encoding="utf-8")


class Publisher:
    """A node of its own that publishes the joints' state."""

    def __init__(self, ns: str) -> None:
        self._client = harness.Client(ns, "driver")
        self._feed = harness.Feed(self._client, self._send, 0.005)

    def _send(self, stamp: int) -> None:
        message = harness.joint_state(NAMES, np.zeros(7), np.zeros(7), time.time_ns())
        self._client.publish("joint_states", message)

    def end(self) -> None:
        self._feed.__exit__()
        self._client.close()


class Description:
    """A node of its own that holds the latched description."""

    def __init__(self, ns: str) -> None:
        self._client = harness.Client(ns, "describer")
        self._client.publish("robot_description", String(data=URDF), latched=True)

    def end(self) -> None:
        self._client.close()


class Node:
    """`dynamics_node`, killed without a word."""

    def __init__(self, ns: str) -> None:
        # The last that it says before it subscribes.
        debug = ["--log-level", f"{ns[1:]}.dynamics:=debug"]
        self._process = harness.NodeProcess("dynamics", ns, {}, arguments=debug)

    def runs(self) -> None:
        self._process.wait_for("kernels are warm")

    def end(self) -> None:
        self._process.end(signal.SIGKILL)


KINDS: dict[str, Any] = {"publisher": Publisher, "description": Description, "node": Node}


class Cast:
    """All three, and the times until outputs came back."""

    def __init__(self, ns: str, outputs: harness.Recorder) -> None:
        self.ns, self.outputs = ns, outputs
        self.parts: dict[str, Any] = {}

    def start(self, names: list[str]) -> float:
        """Start parts in this order; seconds until an output comes, counted from when all run."""
        for name in names:
            self.parts[name] = KINDS[name](self.ns)
        self.parts["node"].runs()
        begin = time.monotonic()
        stamp = time.time_ns()
        self.outputs.messages.clear()
        self.outputs.wait(lambda message: harness.stamp_of(message) > stamp)
        return time.monotonic() - begin

    def end(self, names: list[str]) -> None:
        for name in names:
            self.parts.pop(name).end()


@pytest.fixture
def cast() -> Iterator[Cast]:
    ns = harness.namespace()
    with harness.client(ns) as client:
        made = Cast(ns, client.record(JointState, "dynamics/gravity_torques"))
        yield made
        made.end(list(made.parts))


@pytest.mark.slow
def test_outputs_come_back_whatever_is_restarted(cast: Cast) -> None:
    order = random.Random(2)
    cast.start(order.sample(list(KINDS), 3))
    times = {}
    for turn in range(RESTARTS):
        # One alone is a restart; two or three also show that the order does not matter.
        chosen = order.sample(list(KINDS), 1 + turn % 3)
        cast.end(chosen)
        order.shuffle(chosen)
        times[f"{turn}: {', '.join(chosen)}"] = cast.start(chosen)
    print(f"\nback after {max(times.values()):.2f} s at most, {np.median([*times.values()]):.2f} s median")
    late = {what: took for what, took in times.items() if took > BACK}
    assert not late, f"back within {BACK} s of: {late}"
