"""The report as tables in the terminal."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .results import Report, Row

#: Parts whose calls are the same on every robot, and whose rows have no notes.
BY_ROBOT = ("per_call", "mujoco", "drake", "numpy_loop")
_UNITS = {"s": ((1e-6, 1e9, "ns"), (1e-3, 1e6, "us"), (1.0, 1e3, "ms"), (float("inf"), 1.0, "s"))}


def show(report: Report, console: Console) -> None:
    """Print the machine, a table for each part, and what was not run."""
    facts = "   ".join(f"{name} {value}" for name, value in report.machine.items())
    console.print(Text(facts, style="dim"))
    for part in report.parts():
        rows = report.part(part)
        console.print(_by_robot(rows) if part in BY_ROBOT else _plain(rows))
    for part, reason in report.left_out.items():
        console.print(Text(f"{part}: left out: {reason}", style="dim"))
    for part, reason in report.failures.items():
        console.print(Text(f"{part}: not measured: {reason}", style="bold red"))


def quantity(value: float, unit: str) -> str:
    """A number with a unit that keeps it readable."""
    if unit not in _UNITS:
        return f"{value:.3g} {unit}"
    scale, name = next((scale, name) for limit, scale, name in _UNITS[unit] if value < limit)
    return f"{value * scale:.3g} {name}"


def _ratio(value: float) -> Text:
    style = "green" if value <= 1.0 else "yellow" if value <= 1.3 else "red"
    return Text(ratio(value), style=style)


def ratio(value: float) -> str:
    """A ratio to two places, or to one digit where those would be zeros."""
    return f"{value:.2f}" if value >= 0.01 else f"{value:.1g}"


def _by_robot(rows: list[Row]) -> Table:
    """Ratios by call and robot; the last columns are the median and the worst over the robots."""
    subjects = list(dict.fromkeys(row.subject for row in rows))
    table = Table(title=f"{rows[0].part}: time as a ratio to {rows[0].peer} (less is faster)")
    table.add_column("call")
    for subject in subjects:
        table.add_column(subject, justify="right")
    for name in ("median", "worst", "ours, median", f"{rows[0].peer}, median"):
        table.add_column(name, justify="right")
    for name in dict.fromkeys(row.name for row in rows):
        table.add_row(*_cells(name, subjects, [row for row in rows if row.name == name]))
    return table


def _cells(name: str, subjects: list[str], rows: list[Row]) -> Iterator[str | Text]:
    by_subject = {row.subject: row for row in rows}
    ratios = [row.ratio for row in rows]
    yield name
    for subject in subjects:
        yield _ratio(by_subject[subject].ratio) if subject in by_subject else ""
    yield _ratio(statistics.median(ratios))
    yield _ratio(max(ratios))
    yield quantity(statistics.median(row.ours for row in rows), rows[0].unit)
    yield quantity(statistics.median(row.theirs for row in rows), rows[0].unit)


def _plain(rows: list[Row]) -> Table:
    """One line for each row."""
    table = Table(title=f"{rows[0].part}: as a ratio to {rows[0].peer} (less is better)")
    for name in ("robot", "what"):
        table.add_column(name)
    for name in ("ours", rows[0].peer, "ratio", "of minima"):
        table.add_column(name, justify="right")
    table.add_column("")
    for row in rows:
        ours, theirs = quantity(row.ours, row.unit), quantity(row.theirs, row.unit)
        ratios = _ratio(row.ratio), _ratio(row.ratio_min)
        table.add_row(row.subject, row.name, ours, theirs, *ratios, row.note)
    return table
