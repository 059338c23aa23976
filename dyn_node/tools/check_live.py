"""The report of `check` on a terminal that has rich."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .check_report import COLUMNS, Report


def print_rich(report: Report, color: bool) -> None:
    """Print a report with tables and, where wanted, colours."""
    console = Console(no_color=not color, highlight=False)
    console.print(Text(report.tree))
    console.print()
    facts = Table.grid(padding=(0, 2))
    for label, value in report.facts:
        facts.add_row(Text(label, style="dim"), Text(value))
    console.print(facts)
    if report.joints:
        console.print(_joints(report))
    for finding in report.findings:
        mark = Text("SEVERE ", style="bold red") if finding.severe else Text("note   ", style="yellow")
        console.print(mark + Text(str(finding)))
    console.print(Text(report.verdict, style="bold green" if report.trusted else "bold red"))


def _joints(report: Report) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in COLUMNS:
        # Whatever has to give way on a narrow terminal, a name or number that is cut short is none.
        table.add_column(column, overflow="fold", no_wrap=column != "note")
    for row in report.joints:
        table.add_row(*(Text(cell) for cell in row))
    return table
