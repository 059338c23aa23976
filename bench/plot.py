"""The report as a picture: a panel for each part, a dot for each ratio, a line where it is a draw."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .peers import need
from .results import Report, Row


def write(report: Report, path: Path) -> None:
    """Write the picture as PNG.

    Raises:
        MissingPeerError: matplotlib is not installed.
    """
    need("matplotlib").use("Agg")
    plt = need("matplotlib.pyplot")
    parts = report.parts()
    heights = [1.0 + 0.25 * len(_names(report.part(part))) for part in parts]
    size = (9.0, sum(heights) + 1.0)
    figure, axes = plt.subplots(
        len(parts), figsize=size, height_ratios=heights, squeeze=False, layout="constrained"
    )
    for axis, part in zip(axes[:, 0], parts, strict=True):
        _panel(axis, report.part(part))
    figure.suptitle(f"dyn_node {report.machine['dyn_node']}, {report.machine['date'][:10]}", fontsize=11)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def _names(rows: list[Row]) -> list[str]:
    return list(dict.fromkeys(row.name for row in rows))


def _panel(axis: Any, rows: list[Row]) -> None:
    names = _names(rows)
    for subject in dict.fromkeys(row.subject for row in rows):
        own = [row for row in rows if row.subject == subject]
        places = [names.index(row.name) for row in own]
        axis.plot([row.ratio for row in own], places, "o", markersize=5, alpha=0.8, label=subject)
    axis.axvline(1.0, color="black", linewidth=0.8)
    axis.set_xscale("log")
    axis.set_yticks(range(len(names)), names, fontsize=8)
    axis.set_ylim(len(names) - 0.5, -0.5)
    axis.grid(axis="x", which="both", alpha=0.3)
    axis.set_xlabel(f"{rows[0].part}: dyn_node / {rows[0].peer} (left of 1 is faster)", fontsize=9)
    axis.legend(fontsize=7, loc="best")
