"""Two servers asked in turn: dynamics_node first, the echo node second."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node

import dyn_node
from dyn_node import robots

from . import agreement
from .asker import Asker, NoAnswerError, joint_state
from .listener import Listener
from .options import Options
from .server import Server, processor_time


@dataclasses.dataclass(frozen=True)
class Load:
    """What a node did and took while it was sent messages at a rate; seconds."""

    sent: int
    answers: int
    processor_time: float
    elapsed: float


class Turns:
    """The askers of both servers, and what they ask.

    Needs `rclpy.init()` first.
    """

    def __init__(self, robot: str, servers: tuple[Server, Server], pids: list[int]) -> None:
        self._pids = pids
        self._model = robots.load(robot)
        self._tool = robots.describe(robot).tool
        self._node = Node("bench")
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        self._askers = [Asker(self._node, self._executor, server.topics) for server in servers]
        self._listener = Listener(f"{servers[0].namespace}/{servers[0].name}", self._tool)
        self._rng = np.random.default_rng(7)
        self._new_state()

    def _new_state(self) -> tuple[np.ndarray, np.ndarray]:
        """Let both askers send another random state; position and velocity."""
        q = dyn_node.random_configuration(self._model, self._rng)
        v = self._rng.uniform(-1.0, 1.0, self._model.nv)
        for asker in self._askers:
            asker.load(joint_state(self._model, q, v))
        return q, v

    def wait(self, patience: float, alive: Callable[[], None]) -> None:
        """Until both answer, and everything that is listened to comes; `alive` is called meanwhile.

        Raises:
            NoAnswerError: something did not come in time.
        """
        for asker in self._askers:
            asker.wait(patience, alive)
        deadline = time.monotonic() + patience
        while not self._listener.hear(0.1):
            self._askers[0].round_trip()
            if time.monotonic() > deadline:
                raise NoAnswerError(f"no mass_matrix and twist within {patience:g} s")

    def check(self) -> None:
        """Answers are right and complete: torques, mass matrix, twist; the echo's is what was sent.

        Raises:
            DisagreementError: they are not.
        """
        q, v = self._new_state()
        self._listener.hear(0.2)  # what is left of the states before
        for asker in self._askers:
            asker.round_trip()
        data = self._model.create_data()
        ours, echo = (asker.last for asker in self._askers)
        gravity = dyn_node.generalized_gravity(self._model, data, q)
        agreement.check("gravity_torques over DDS", list(ours.effort), gravity)
        agreement.check("echo over DDS", [list(echo.position), list(echo.velocity)], [q, v])
        self._check_others(data, q, v)

    def _check_others(self, data: Any, q: np.ndarray, v: np.ndarray) -> None:
        if not self._listener.hear(5.0):
            raise NoAnswerError("no mass_matrix and twist for the state that was sent")
        M = dyn_node.crba(self._model, data, q)
        given = np.array(self._listener.mass_matrix.data).reshape(M.shape)
        agreement.check("mass_matrix over DDS", given, M)
        dyn_node.forward_kinematics(self._model, data, q, v)
        expected = dyn_node.frame_velocity(self._model, data, self._tool, "LOCAL_WORLD_ALIGNED")
        twist = self._listener.twist.twist
        halves = [[part.x, part.y, part.z] for part in (twist.linear, twist.angular)]
        agreement.check("twist over DDS", halves, [expected.linear, expected.angular])

    def measure(
        self, options: Options, rate: float
    ) -> tuple[tuple[list[list[float]], list[list[float]]], tuple[list[Load], list[Load]]]:
        """Of both servers: round trips (s) block by block, and loads at a rate (Hz)."""
        trips: tuple[list[list[float]], list[list[float]]] = [], []
        loads: tuple[list[Load], list[Load]] = [], []
        for _ in range(options.blocks):
            self._new_state()
            for side, asker in enumerate(self._askers):
                trips[side].append([asker.round_trip() for _ in range(options.round_trips)])
            for side, asker in enumerate(self._askers):
                loads[side].append(_load(self._pids[side], asker, options.load_time, rate))
        return trips, loads

    def close(self) -> None:
        """Leave the graph."""
        self._listener.close()
        self._executor.shutdown()
        self._node.destroy_node()


def _load(pid: int, asker: Asker, seconds: float, rate: float) -> Load:
    used, began = processor_time(pid), time.perf_counter()
    sent, answers = asker.sustain(seconds, rate)
    elapsed = time.perf_counter() - began
    return Load(sent, answers, processor_time(pid) - used, elapsed)
