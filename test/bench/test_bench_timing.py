"""Timing in turns, and what becomes of samples."""

from __future__ import annotations

from timeit import Timer

import pytest

from bench.results import row_of
from bench.timing import Budget, calls_per_block, interleave


def test_blocks_are_filled_with_calls():
    assert calls_per_block(Timer("pass"), 1e-3) > 100


def test_a_slow_call_is_a_block_of_its_own():
    assert calls_per_block(Timer("sleep(0.01)", "from time import sleep"), 1e-4) == 1


def test_both_sides_get_the_same_inputs_and_each_goes_first_in_turn():
    seen: list[object] = []
    ours = Timer("seen.append('ours')", globals={"seen": seen})
    theirs = Timer("seen.append('theirs')", globals={"seen": seen})
    samples = interleave(ours, theirs, Budget(2, 0.0), seen.append)
    turns = seen[seen.index(0, 1) :]
    assert turns == [0, "theirs", "ours", 1, "ours", "theirs"]
    assert [len(side) for side in samples] == [2, 2]


def test_both_sides_rest_before_each_block(monkeypatch):
    rests: list[float] = []
    monkeypatch.setattr("bench.timing.time.sleep", rests.append)
    interleave(Timer("pass"), Timer("pass"), Budget(3, 0.0, rest=0.5), lambda number: None)
    assert rests == [0.5] * 6


def test_the_ratio_is_that_of_neighbours_in_time():
    # The machine slows down tenfold half-way: the sides stay at 1 : 2.
    row = row_of(("part", "robot", "call"), "peer", ([1.0, 1.0, 10.0], [2.0, 2.0, 20.0]))
    assert row.ratio == 0.5
    assert row.ratio_min == 0.5
    assert (row.ours, row.theirs) == (1.0, 2.0)
    assert row.is_sound()


@pytest.mark.parametrize("broken", [0.0, float("nan"), float("inf")])
def test_a_row_without_a_measurement_is_not_sound(broken):
    row = row_of(("part", "robot", "call"), "peer", ([1.0], [1.0]))
    assert not type(row)(**{**vars(row), "ratio": broken}).is_sound()
