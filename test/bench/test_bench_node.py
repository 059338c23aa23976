"""The part node: both nodes answer rightly over DDS, and the rows are sound."""

from __future__ import annotations

import dataclasses
import os
import re
import time

import pytest

from bench import node, options
from bench.server import processor_time

ROS = "rclpy", "sensor_msgs.msg", "geometry_msgs.msg", "dyn_node_msgs.msg"


@pytest.mark.slow
def test_rows_are_named_and_sound(monkeypatch):
    for module in ROS:
        pytest.importorskip(module, reason="needs ROS 2 and the built interfaces: make setup")
    for name in ("ROS_DOMAIN_ID", "ROS_AUTOMATIC_DISCOVERY_RANGE", "PYTHONPATH"):
        monkeypatch.setenv(name, os.environ.get(name, ""))  # what the part sets is taken back
        if not os.environ[name]:
            monkeypatch.delenv(name)
    tiny = dataclasses.replace(options.QUICK, blocks=1, round_trips=20, load_time=0.3, starts=1)
    # The machine may have much else to do: what is found is not the point.
    monkeypatch.setattr("bench.flood.ENOUGH", 0.5)
    rows = list(node.run(tiny))
    assert [row.name for row in rows] == [
        "round trip, median",
        "round trip, p99",
        "share of a core at 1000 Hz",
        "processor time per answer",
        "time between messages at the highest rate",
        "first answer after the start, kernels cached",
    ]
    assert [row for row in rows if not row.is_sound()] == []
    assert {row.peer for row in rows} == {"echo node"}
    assert re.fullmatch(r"ours \d+ Hz, echo \d+ Hz", rows[-2].note)
    assert re.fullmatch(r"-?\d+\.\d\d s more", rows[-1].note)


def test_processor_time_is_what_the_process_has_used():
    before = processor_time(os.getpid())
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    used = processor_time(os.getpid()) - before
    assert 0.1 < used < 60.0


@pytest.mark.parametrize("limit", [230.0, 1000.0, 12345.0])
def test_the_highest_rate_is_found_within_a_few_percent(limit):
    pytest.importorskip("rclpy", reason="needs ROS 2: make setup")
    from bench import flood

    tried = []

    def answered(rate):
        tried.append(rate)
        # One go of two is spoilt by something else.
        return 1.0 if rate <= limit and tried.count(rate) == 2 else 0.9

    assert 0.96 * limit <= flood.highest_rate(answered) <= limit
    with pytest.raises(flood.NoAnswerError, match=" 50 messages a second"):
        flood.highest_rate(lambda rate: 0.9)
    assert flood.highest_rate(lambda rate: 1.0) >= 1e4, "the search ends"
