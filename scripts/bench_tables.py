"""Tables of a benchmark run: a short one for README.md, every figure for docs/speed.md."""

from __future__ import annotations

import statistics
from typing import Any

Rows = list[dict[str, Any]]

#: Of a start-up, what a user waits for.
_WAITS = ("import", "ready (import, load, first rnea), cached", "ready (import, load, first rnea), cold")


def of_part(run: dict[str, Any], part: str) -> Rows:
    """The rows of a part."""
    return [row for row in run["rows"] if row["part"] == part]


def facts(run: dict[str, Any]) -> str:
    """When and where."""
    machine = ", ".join(f"{key} {value}" for key, value in run["machine"].items() if key != "date")
    return f"`make bench`, {run['machine']['date'][:10]}; {machine}."


def shown_time(seconds: float) -> str:
    """A time in the unit that suits it."""
    for limit, unit, scale in ((1e-6, "ns", 1e9), (1e-3, "us", 1e6), (1.0, "ms", 1e3)):
        if seconds < limit:
            return f"{scale * seconds:.3g} {unit}"
    return f"{seconds:.3g} s"


def summary(run: dict[str, Any]) -> str:
    """For README.md."""
    lines = [facts(run), ""]
    lines += ["| one call, against Pinocchio's binding | median | worst | compiled: median | worst |"]
    lines += ["|---|---|---|---|---|"]
    calls, compiled = _ratios(of_part(run, "per_call")), _ratios(of_part(run, "compiled"))
    short = {name.removesuffix("_0"): ratios for name, ratios in calls.items()}
    for name in dict.fromkeys([*short, *compiled]):
        lines.append(f"| {name} | {_spread(short.get(name))} | {_spread(compiled.get(name))} |")
    lines += ["", *_batches(of_part(run, "batch"))]
    lines += ["", "| node, against a bare rclpy echo node | ours | echo | ratio |", "|---|---|---|---|"]
    for row in of_part(run, "node"):
        note = f" ({row['note']})" if row["note"] else ""
        lines.append(
            f"| {row['name']}{note} | {_shown(row, 'ours')} | {_shown(row, 'theirs')} | {row['ratio']:.2f} |"
        )
    lines += ["", "| start | robot | ours | Pinocchio |", "|---|---|---|---|"]
    for row in of_part(run, "startup"):
        if row["name"] in _WAITS:
            sides = f"{shown_time(row['ours'])} | {shown_time(row['theirs'])}"
            lines.append(f"| {row['name']} | {row['subject']} | {sides} |")
    return "\n".join(lines)


def _shown(row: dict[str, Any], side: str) -> str:
    return shown_time(row[side]) if row["unit"] == "s" else f"{row[side]:.2f} {row['unit']}"


def _ratios(rows: Rows) -> dict[str, list[float]]:
    """Ratios by name, over robots."""
    found: dict[str, list[float]] = {}
    for row in rows:
        found.setdefault(row["name"], []).append(row["ratio"])
    return found


def _spread(ratios: list[float] | None) -> str:
    return f"{statistics.median(ratios):.2f} | {max(ratios):.2f}" if ratios else " | "


def _batches(rows: Rows) -> list[str]:
    """Of many states, medians over robots: general functions and compiled ones."""
    lines = [
        "| 10,000 states in one call | general: median | worst | compiled: median | worst |",
        "|---|---|---|---|---|",
    ]
    ratios = _ratios(rows)
    for name in ratios:
        if " compiled," not in name:
            other = name.replace(", to ", " compiled, to ")
            lines.append(f"| {name} | {_spread(ratios[name])} | {_spread(ratios.get(other))} |")
    return lines


def everything(run: dict[str, Any]) -> str:
    """For docs/speed.md."""
    lines = [facts(run)]
    for part in dict.fromkeys(row["part"] for row in run["rows"]):
        rows = of_part(run, part)
        lines += ["", f"**{part}**", ""]
        lines += _by_subject(rows) if part in ("per_call", "compiled", "batch") else _by_row(rows)
    return "\n".join(lines)


def _by_subject(rows: Rows) -> list[str]:
    """Ratios: a line a name, a column a robot."""
    subjects = list(dict.fromkeys(row["subject"] for row in rows))
    lines = [f"| what | {' | '.join(subjects)} | median |", "|---" * (len(subjects) + 2) + "|"]
    for name in dict.fromkeys(row["name"] for row in rows):
        own = {row["subject"]: row for row in rows if row["name"] == name}
        cells = [_cell(own.get(subject)) for subject in subjects]
        median = statistics.median(row["ratio"] for row in own.values())
        lines.append(f"| {name} | {' | '.join(cells)} | {median:.2f} |")
    if any(row["note"] for row in rows):
        notes = dict.fromkeys(row["note"] for row in rows if row["note"])
        lines += ["", f"(*) {'; '.join(notes)}."]
    return lines


def _cell(row: dict[str, Any] | None) -> str:
    if row is None:
        return ""
    mark = " (*)" if row["note"] else ""
    return f"{row['ratio']:.2f}{mark}"


def _by_row(rows: Rows) -> list[str]:
    """A line a figure."""
    lines = ["| what | on | ours | against | theirs | ratio |", "|---|---|---|---|---|---|"]
    for row in rows:
        sides = f"{_shown(row, 'ours')} | {row['peer']} | {_shown(row, 'theirs')}"
        lines.append(f"| {row['name']} | {row['subject']} | {sides} | {row['ratio']:.2f} |")
    return lines
