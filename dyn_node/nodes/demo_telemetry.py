"""What the demo has heard from the robot and from the nodes, ready to be shown and judged. Free of rclpy."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

#: Span of the sliding window for rates and latencies (s).
WINDOW = 2.0
#: A rate over less than this says nothing (s).
SHORTEST = 0.25


@dataclass(frozen=True)
class State:
    """One message on joint_states: stamp (s), position, velocity and effort of each joint (n,)."""

    stamp: float
    position: Array
    velocity: Array
    effort: Array


@dataclass(frozen=True)
class Base:
    """One message on odom: stamp (s), position in the world (3,), m."""

    stamp: float
    position: Array


class Arrivals:
    """Rate and latency of a stream of messages over the last `WINDOW` seconds."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, float]] = deque()
        self.count = 0

    def add(self, received: float, stamp: float) -> None:
        """A message of time `stamp` was received, both in wall-clock seconds."""
        self.count += 1
        self._seen.append((received, received - stamp))
        while received - self._seen[0][0] > WINDOW:
            self._seen.popleft()

    @property
    def rate(self) -> float:
        """Messages per second; 0 until that can be told."""
        if len(self._seen) < 2:
            return 0.0
        span = self._seen[-1][0] - self._seen[0][0]
        return (len(self._seen) - 1) / span if span >= SHORTEST else 0.0

    def latency(self, percent: float) -> float:
        """That percentile of the age of messages when they were received (s); NaN before the first."""
        return float(np.percentile([age for _, age in self._seen], percent)) if self._seen else float("nan")


@dataclass
class Telemetry:
    """The newest of everything, and the states that a step has asked to keep.

    Attributes:
        names: joints, in the order of all arrays.
        state: the newest state; torque: (n,) newest gravity torques; twist: (6,) of the tool, linear first.
        condition: condition number of the mass matrix.
        mode: what the demo robot says that it does.
        states, torques: arrivals of joint_states and of gravity_torques. The latter's latency runs from
            the state's own stamp until its torques have come back.
        recording: states since `record`, while it is a list.
        feet: frames that can stand; forces: (feet,) newest force at each that `dynamics` publishes; pushes:
            (feet,) the one that the simulated ground exerts; both upwards, N, NaN before the first.
        base: the newest place of the base; track: all of them since `record`.
    """

    names: tuple[str, ...] = ()
    state: State | None = None
    torque: Array | None = None
    twist: Array | None = None
    condition: float = float("nan")
    mode: str = ""
    states: Arrivals = field(default_factory=Arrivals)
    torques: Arrivals = field(default_factory=Arrivals)
    recording: list[State] | None = None
    feet: tuple[str, ...] = ()
    forces: Array = field(default_factory=lambda: np.zeros(0))
    pushes: Array = field(default_factory=lambda: np.zeros(0))
    base: Base | None = None
    track: list[Base] = field(default_factory=list)

    def expect_feet(self, feet: tuple[str, ...]) -> None:
        """The robot stands on these frames."""
        self.feet = feet
        self.forces, self.pushes = np.full(len(feet), np.nan), np.full(len(feet), np.nan)

    def record(self) -> list[State]:
        """Keep every state from now on in the list that is returned."""
        self.recording, self.track = [], []
        return self.recording

    def stop_recording(self) -> None:
        """Keep no more states."""
        self.recording = None

    def add_state(self, names: tuple[str, ...], received: float, state: State) -> None:
        """A message on joint_states."""
        self.names, self.state = names, state
        self.states.add(received, state.stamp)
        if self.recording is not None:
            self.recording.append(state)

    def add_base(self, base: Base) -> None:
        """A message on odom."""
        self.base = base
        if self.recording is not None:
            self.track.append(base)

    def add_force(self, foot: str, upwards: float) -> None:
        """A message of `dynamics` on the force at a foot."""
        self.forces[self.feet.index(foot)] = upwards

    def add_pushes(self, names: tuple[str, ...], values: Array) -> None:
        """A message of the robot on what its feet feel."""
        by_name = dict(zip(names, values, strict=True))
        self.pushes = np.array([by_name[foot] for foot in self.feet])

    def add_torques(self, names: tuple[str, ...], received: float, stamp: float, effort: Array) -> None:
        """A message on gravity_torques, whose joints may come in another order."""
        self.torques.add(received, stamp)
        by_name = dict(zip(names, effort, strict=True))
        if self.names:
            self.torque = np.array([by_name[name] for name in self.names])

    def add_mass_matrix(self, matrix: Array) -> None:
        """A message on mass_matrix, (n, n)."""
        self.condition = float(np.linalg.cond(matrix))
