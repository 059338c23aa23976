"""Tables of a benchmark run: a short one for README.md, every figure for docs/speed.md."""

from __future__ import annotations

import statistics
from typing import Any

Rows = list[dict[str, Any]]

#: Parts that compare single calls with peers other than Pinocchio, and what the peer is called.
_OTHERS = {"mujoco": "MuJoCo", "drake": "Drake", "numpy_loop": "NumPy loop"}
#: Parts that are shown with a line for each name and a column for each subject.
_GRIDS = ("per_call", "compiled", *_OTHERS, "batch", "growth")
#: Subjects of the part growth start like this where they say how far the long ones are off linear.
_LONG = "1000 joints"
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
    lines += [*_others(run), "", *_batches(of_part(run, "batch")), *_growth(of_part(run, "growth"))]
    lines += ["", "| node, against a bare rclpy echo node | ours | echo | ratio |", "|---|---|---|---|"]
    for row in of_part(run, "node"):
        sides = f"{_shown(row, 'ours')} | {_shown(row, 'theirs')}"
        lines.append(f"| {_named(row)} | {sides} | {_ratio(row['ratio'])} |")
    lines += ["", "| start | robot | ours | Pinocchio |", "|---|---|---|---|"]
    for row in of_part(run, "startup"):
        if row["name"] in _WAITS:
            sides = f"{shown_time(row['ours'])} | {shown_time(row['theirs'])}"
            lines.append(f"| {row['name']} | {row['subject']} | {sides} |")
    return "\n".join(lines)


def _named(row: dict[str, Any]) -> str:
    return f"{row['name']} ({row['note']})" if row["note"] else str(row["name"])


def _ratio(value: float) -> str:
    if value >= 100.0:
        return f"{value:.0f}"
    return f"{value:.2f}" if value >= 0.01 else f"{value:.1g}"


def _shown(row: dict[str, Any], side: str) -> str:
    return shown_time(row[side]) if row["unit"] == "s" else f"{row[side]:.2f} {row['unit']}"


def _ratios(rows: Rows) -> dict[str, list[float]]:
    """Ratios by name, over robots."""
    found: dict[str, list[float]] = {}
    for row in rows:
        found.setdefault(row["name"], []).append(row["ratio"])
    return found


def _spread(ratios: list[float] | None) -> str:
    return f"{_ratio(statistics.median(ratios))} | {_ratio(max(ratios))}" if ratios else " | "


def _others(run: dict[str, Any]) -> list[str]:
    """Single calls against the other peers, medians and worst over robots."""
    ratios = {name: _ratios(of_part(run, part)) for part, name in _OTHERS.items()}
    ratios = {name: found for name, found in ratios.items() if found}
    if not ratios:
        return []
    heads = [f"{name}: median | worst" for name in ratios]
    lines = ["", f"| one call, against | {' | '.join(heads)} |", "|---" * (1 + 2 * len(heads)) + "|"]
    for name in dict.fromkeys(name for found in ratios.values() for name in found):
        cells = [_spread(found.get(name)) for found in ratios.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _growth(rows: Rows) -> list[str]:
    """How far the O(N) algorithms are off linear growth from 100 to 1,000 joints."""
    rows = [row for row in rows if row["subject"].startswith(_LONG)]
    if not rows:
        return []
    off = [(100.0 * (row["ratio"] - 1.0), row) for row in rows]
    worst, where = max(off, key=lambda entry: entry[0])
    names = {row["name"] for row in rows}
    return [
        "",
        f"Growth of {len(names)} O(N) algorithms from 100 to 1,000 joints, off linear: median "
        f"{statistics.median(percent for percent, _ in off):+.0f} %, worst {worst:+.0f} % "
        f"({where['name']}, {where['subject']}).",
    ]


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
        if part == "growth":  # its notes are the ratios once more
            rows = [row | {"note": ""} for row in rows]
        lines += _by_subject(rows) if part in _GRIDS else _by_row(rows)
    return "\n".join(lines)


def _by_subject(rows: Rows) -> list[str]:
    """Ratios: a line a name, a column a robot."""
    subjects = list(dict.fromkeys(row["subject"] for row in rows))
    lines = [f"| what | {' | '.join(subjects)} | median |", "|---" * (len(subjects) + 2) + "|"]
    for name in dict.fromkeys(row["name"] for row in rows):
        own = {row["subject"]: row for row in rows if row["name"] == name}
        cells = [_cell(own.get(subject)) for subject in subjects]
        median = statistics.median(row["ratio"] for row in own.values())
        lines.append(f"| {name} | {' | '.join(cells)} | {_ratio(median)} |")
    if any(row["note"] for row in rows):
        notes = dict.fromkeys(row["note"] for row in rows if row["note"])
        lines += ["", f"(*) {'; '.join(notes)}."]
    return lines


def _cell(row: dict[str, Any] | None) -> str:
    if row is None:
        return ""
    mark = " (*)" if row["note"] else ""
    return f"{_ratio(row['ratio'])}{mark}"


def _by_row(rows: Rows) -> list[str]:
    """A line a figure."""
    lines = ["| what | on | ours | against | theirs | ratio |", "|---|---|---|---|---|---|"]
    for row in rows:
        sides = f"{_shown(row, 'ours')} | {row['peer']} | {_shown(row, 'theirs')}"
        lines.append(f"| {_named(row)} | {row['subject']} | {sides} | {_ratio(row['ratio'])} |")
    return lines
