"""The part compiled: it compares with the compiled model, and results that agree."""

from __future__ import annotations

import dataclasses

import pytest

from bench import calls, compiled, options
from bench.robots import ROBOTS
from bench.timing import Budget

pytest.importorskip("pinocchio", reason="needs the reference library: pip install pin")

TINY = dataclasses.replace(options.QUICK, calls=Budget(2, 0.0), robots=(ROBOTS["ur5"],))


def test_every_call_gives_a_sound_row():
    rows = list(compiled.run(TINY))
    assert [(row.part, row.name) for row in rows] == [
        ("compiled", call.name) for call in calls.COMPILED_CALLS
    ]
    assert [row for row in rows if not row.is_sound()] == []
    assert all(call.ours.startswith(("fast.", "tool.")) for call in calls.COMPILED_CALLS)
    assert not any(row.note for row in rows)
