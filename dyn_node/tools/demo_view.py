"""What the demo shows: a live table on a terminal, plain lines anywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dyn_node.nodes.demo_telemetry import Telemetry

#: Seconds between two drawings of the live table, and between two plain lines.
LIVE_PERIOD, PLAIN_PERIOD = 0.2, 1.0


@dataclass(frozen=True)
class Outcome:
    """One claim of the demo: what was required, what was measured, whether that held."""

    claim: str
    required: str
    measured: str
    held: bool


class View(Protocol):
    """Where the demo's words and numbers go. Used as a context manager."""

    def __enter__(self) -> View: ...

    def __exit__(self, *error: object) -> None: ...

    def say(self, text: str) -> None:
        """A line that stays."""

    def stage(self, text: str) -> None:
        """What the demo does now."""

    def progress(self, text: str, done: int, total: int) -> None:
        """How far a long piece of work is."""

    def show(self, heard: Telemetry) -> None:
        """The newest numbers; called often, drawn now and then."""

    def summary(self, outcomes: Sequence[Outcome]) -> None:
        """The table at the end."""


def make_view(tool: str, plain: bool, color: bool) -> View:
    """A live view on a terminal that has `rich`; otherwise, or with `plain`, a plain one."""
    if not plain and sys.stdout.isatty():
        try:
            from .demo_live import LiveView
        except ImportError:
            print("rich is not installed: plain output. Add it with `pip install rich`.")
        else:
            return LiveView(tool, color)
    return PlainView(tool)


class PlainView:
    """Lines of text, for logs and for terminals without `rich`."""

    def __init__(self, tool: str) -> None:
        self._tool = tool
        self._next = 0.0

    def __enter__(self) -> PlainView:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def say(self, text: str) -> None:
        """Print a line at once, also into a pipe."""
        print(text, flush=True)

    def stage(self, text: str) -> None:
        """Announce a step."""
        self.say(f"== {text}")

    def progress(self, text: str, done: int, total: int) -> None:
        """Nothing: a bar of lines would be a wall."""

    def show(self, heard: Telemetry) -> None:
        """One line a second."""
        if heard.state is None or heard.torque is None or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + PLAIN_PERIOD
        self.say(f"   q [{numbers(heard.state.position, 4)}] rad")
        self.say(f"   gravity torque [{numbers(heard.torque, 2)}] N m")
        if heard.feet:
            self.say(f"   {feet_text(heard)}")
        self.say(f"   {twist_text(heard, self._tool)}; {stream_text(heard)}")

    def summary(self, outcomes: Sequence[Outcome]) -> None:
        """One line per claim."""
        self.say("== summary")
        for outcome in outcomes:
            self.say(
                f"   {'held  ' if outcome.held else 'FAILED'} {outcome.claim}: {outcome.measured} "
                f"(required: {outcome.required})"
            )


def numbers(values: np.ndarray, digits: int) -> str:
    """Numbers in columns; a rounded zero has no sign."""
    return " ".join(f"{round(float(value), digits) + 0.0:.{digits}f}" for value in values)


def twist_text(heard: Telemetry, tool: str) -> str:
    """The tool's twist in words."""
    if heard.twist is None:
        return f"{tool}: no twist yet"
    return f"{tool} linear [{numbers(heard.twist[:3], 3)}] m/s angular [{numbers(heard.twist[3:], 3)}] rad/s"


def feet_text(heard: Telemetry) -> str:
    """Base and forces at the feet in words."""
    place = "not known yet" if heard.base is None else f"[{numbers(heard.base.position, 4)}] m"
    feet = ", ".join(f"{foot} {numbers(heard.forces[i : i + 1], 1)}" for i, foot in enumerate(heard.feet))
    return f"base {place}; contact forces {feet} N"


def stream_text(heard: Telemetry) -> str:
    """Mass matrix, rates and latency in words."""
    torques = heard.torques
    condition = "not known yet" if np.isnan(heard.condition) else f"{heard.condition:.0f}"
    if not torques.rate:
        return f"cond M {condition}; nothing timed yet"
    return (
        f"cond M {condition}; joint_states {heard.states.rate:.0f} Hz, "
        f"gravity_torques {torques.rate:.0f} Hz, latency {1e3 * torques.latency(50):.2f} ms median "
        f"{1e3 * torques.latency(99):.2f} ms 99 %"
    )
