"""The soak of `make soak`, for half a minute."""

from __future__ import annotations

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import soak

DURATION = 30.0


@pytest.mark.slow
def test_half_a_minute_of_faults(capsys: pytest.CaptureFixture[str]) -> None:
    problems = soak.run(DURATION)
    seen = capsys.readouterr().out
    print(seen)
    assert problems == [], seen
    assert "faults: " in seen
