"""The part batch: rows for each algorithm on one thread and two, of results that agree."""

from __future__ import annotations

import dataclasses

import pytest

import dyn_node
from bench import agreement, batch, options
from bench.peers import DisagreementError
from bench.robots import ROBOTS
from bench.timing import Budget

pytest.importorskip("pinocchio", reason="Pinocchio (pip install pin) is what the benchmark compares with")

TINY = dataclasses.replace(options.QUICK, robots=(ROBOTS["ur5"],), calls=Budget(3, 1e-4))


def test_rows_are_sound_and_threads_are_put_back(monkeypatch):
    monkeypatch.setattr(batch, "STATES", 50)
    before = dyn_node.get_threads()
    rows = list(batch.run(TINY))
    assert {row.name for row in rows} >= {
        f"{name}, {n}{kind}, to a loop"
        for name in batch.ALGORITHMS
        for n in ("1 thread", "2 threads")
        for kind in ("", " compiled")
    }
    assert all(row.is_sound() and row.subject == "ur5" for row in rows)
    assert dyn_node.get_threads() == before


def test_nothing_is_timed_before_the_results_agree(monkeypatch):
    monkeypatch.setattr(batch, "STATES", 5)
    monkeypatch.setattr(agreement, "TOLERANCE", -1.0)
    with pytest.raises(DisagreementError, match="ur5 rnea"):
        list(batch.run(TINY))
