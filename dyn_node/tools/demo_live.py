"""The demo's live view, drawn by rich."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from dyn_node.nodes.demo_telemetry import State, Telemetry

from .demo_view import LIVE_PERIOD, Outcome, feet_text, numbers, stream_text, twist_text


class LiveView:
    """A table of joints that is redrawn in place; lines that stay scroll by above it."""

    def __init__(self, tool: str, color: bool) -> None:
        self._console = Console(no_color=not color)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._tool = tool
        self._stage = ""
        self._next = 0.0

    def __enter__(self) -> LiveView:
        self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()

    def say(self, text: str) -> None:
        """A line above the table."""
        self._console.print(text, markup=False, highlight=False)

    def stage(self, text: str) -> None:
        """The table's title, and a line that stays."""
        self._stage = text
        self._console.print(Text(f"== {text}", style="bold"))

    def progress(self, text: str, done: int, total: int) -> None:
        """A bar in the table's place."""
        self._live.update(Group(Text(text), ProgressBar(total=total, completed=done)), refresh=True)

    def show(self, heard: Telemetry) -> None:
        """Draw again if it is time to."""
        if heard.state is None or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + LIVE_PERIOD
        self._live.update(self._picture(heard, heard.state), refresh=True)

    def _picture(self, heard: Telemetry, state: State) -> Group:
        table = Table(title=self._stage, title_justify="left")
        table.add_column("joint")
        for column in ("position [rad]", "velocity [rad/s]", "gravity torque [N m]"):
            table.add_column(column, justify="right")
        for i, name in enumerate(heard.names):
            torque = "" if heard.torque is None else numbers(heard.torque[i : i + 1], 3)
            table.add_row(
                name, numbers(state.position[i : i + 1], 5), numbers(state.velocity[i : i + 1], 4), torque
            )
        lines = [f"robot {heard.mode}", twist_text(heard, self._tool), stream_text(heard)]
        if heard.feet:
            lines.insert(1, feet_text(heard))
        return Group(table, *(Text(line) for line in lines))

    def summary(self, outcomes: Sequence[Outcome]) -> None:
        """The table at the end, which stays."""
        self._live.update(Text(""), refresh=True)
        table = Table(title="Summary", title_justify="left")
        for column in ("", "claim", "measured", "required"):
            table.add_column(column)
        for outcome in outcomes:
            mark = Text("held", style="green") if outcome.held else Text("FAILED", style="bold red")
            table.add_row(mark, outcome.claim, outcome.measured, outcome.required)
        self._console.print(table)
