"""The report of `check` as plain text."""

from __future__ import annotations

from .check_report import COLUMNS, Report


def print_plain(report: Report) -> None:
    """Print a report to standard output, for files, pipes and terminals without rich."""
    print(report.tree)
    print()
    width = max(len(label) for label, _ in report.facts)
    for label, value in report.facts:
        print(f"{label:{width}}  {value}")
    if report.joints:
        print()
        _print_table([COLUMNS, *report.joints])
    print()
    for finding in report.findings:
        print(f"{'SEVERE' if finding.severe else 'note'}: {finding}")
    print(report.verdict)


def _print_table(rows: list[tuple[str, ...]]) -> None:
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
