"""The part node: both nodes answer rightly over DDS, and the rows are sound."""

from __future__ import annotations

import dataclasses
import os
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
    tiny = dataclasses.replace(options.QUICK, blocks=1, round_trips=20, load_time=1.0)
    rows = list(node.run(tiny))
    assert [row.name for row in rows] == [
        "round trip, median",
        "round trip, p99",
        "share of a core at 1000 Hz",
        "processor time per answer",
    ]
    assert [row for row in rows if not row.is_sound()] == []
    assert {row.peer for row in rows} == {"echo node"}


def test_processor_time_is_what_the_process_has_used():
    before = processor_time(os.getpid())
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    used = processor_time(os.getpid()) - before
    assert 0.1 < used < 60.0
