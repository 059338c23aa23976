"""The tables of README.md and docs/speed.md: every part of a run is in them."""

from __future__ import annotations

import dataclasses
import importlib.util
from pathlib import Path

import pytest

from bench.__main__ import PARTS
from bench.results import Report, row_of

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "bench_tables.py"


@pytest.fixture(scope="module")
def tables():
    spec = importlib.util.spec_from_file_location("bench_tables", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def run():
    """A row of each part."""
    names = {
        "batch": "rnea, 1 thread, to a loop",
        "node": "round trip, median",
        "startup": "import",
    }
    subjects = {"growth": "1000 joints, tree"}
    report = Report({"date": "2026-11-30T10:00:00", "processor": "some"})
    for number, part in enumerate(PARTS, 1):
        where = part, subjects.get(part, "panda"), names.get(part, "rnea")
        report.rows.append(row_of(where, f"peer of {part}", ([0.001 * number], [1.0])))
    report.rows[-2] = dataclasses.replace(report.rows[-2], note="0.50 s more")
    return report.as_dict()


def test_the_summary_has_all_parts_by_name(tables, run):
    lines = tables.summary(run).splitlines()
    assert lines[0] == "`make bench`, 2026-11-30; processor some."
    assert (
        "| one call, against | MuJoCo: median | worst | Drake: median | worst | NumPy loop: median | worst |"
        in lines
    )
    assert "| rnea | 0.003 | 0.003 | 0.004 | 0.004 | 0.005 | 0.005 |" in lines
    assert "| round trip, median (0.50 s more) | 8 ms | 1 s | 0.008 |" in lines
    assert any(
        line.startswith("Growth of 1 O(N) algorithms") and "worst -99 % (rnea" in line for line in lines
    )


def test_a_run_without_other_peers_or_growth_says_nothing_of_them(tables, run):
    only = run | {"rows": [row for row in run["rows"] if row["part"] == "per_call"]}
    assert "MuJoCo" not in tables.summary(only)
    assert "Growth" not in tables.summary(only)


def test_everything_has_a_table_a_part_and_the_ratio_of_each_row(tables, run):
    text = tables.everything(run)
    for number, part in enumerate(PARTS, 1):
        table = text.partition(f"**{part}**")[2].partition("**")[0]
        assert f"{0.001 * number:.1g}" in table, part


@pytest.mark.parametrize(
    ("ratio", "shown"), [(0.0004, "0.0004"), (0.01, "0.01"), (1.0, "1.00"), (4321.5, "4322")]
)
def test_ratios_are_readable(tables, ratio, shown):
    assert tables._ratio(ratio) == shown
