"""The table of the inverse kinematics benchmark."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .ik_solvers import TOLERANCE

_COLUMNS = {
    "robot": "robot",
    "seed": "seed",
    "solver": "solver",
    "asked": "poses",
    "solved_percent": "solved %",
    "wrong": "wrong",
    "median_us": "median us",
    "mean_us": "mean us",
    "p99_us": "99 % us",
    "processor_us": "CPU us",
    "distance": "from seed",
}


def show(rows: list[dict[str, Any]], facts: dict[str, str], limit: float) -> None:
    """Print the machine and a line for each arm, seed and solver."""
    console = Console(width=130)
    console.print(Text("   ".join(f"{name} {value}" for name, value in facts.items()), style="dim"))
    title = f"inverse kinematics: limit {1e3 * limit:g} ms of wall time, tolerance {TOLERANCE:g} m and rad"
    table = Table(title=title)
    for key, head in _COLUMNS.items():
        table.add_column(head, justify="left" if key in ("robot", "seed", "solver") else "right")
    for row in rows:
        table.add_row(
            *(_cell(key, row[key]) for key in _COLUMNS), style="bold" * (row["solver"] == "dyn_node")
        )
    console.print(table)


def _cell(key: str, value: Any) -> str:
    if value is None:
        return "-"
    if key in ("solved_percent", "distance"):
        return f"{value:.2f}"
    return f"{value:.0f}" if isinstance(value, float) else str(value)
