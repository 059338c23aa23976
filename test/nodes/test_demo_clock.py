"""Stamps of the demo robot."""

from __future__ import annotations

import time

from dyn_node.nodes.demo_clock import WallClock


def test_stamps_follow_the_wall_clock_and_differ_by_what_their_times_differ_by():
    clock = WallClock()
    now = time.monotonic()
    first, second = clock.nanoseconds(now), clock.nanoseconds(now + 0.25)
    assert abs(second - first - 250_000_000) <= 1
    assert abs(first - time.time_ns()) < 1e9


def test_a_wall_clock_that_was_set_is_followed(monkeypatch):
    clock = WallClock()
    now = time.monotonic()
    before = clock.nanoseconds(now)
    set_by = 3_600_000_000_000
    true_time = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: true_time() + set_by)
    # A reading that the machine interrupted is not believed; the next one is.
    after = max(clock.nanoseconds(now) for _ in range(100))
    assert abs(after - before - set_by) < 1e8
