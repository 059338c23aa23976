"""The part startup: processes that start, give right results and sound rows."""

from __future__ import annotations

import dataclasses

import pytest

from bench import options, startup
from bench.peers import DisagreementError
from bench.robots import ROBOTS

pytest.importorskip("pinocchio", reason="needs the reference library: pip install pin")


@pytest.mark.slow
def test_rows_are_named_and_sound():
    tiny = dataclasses.replace(
        options.QUICK, starts=1, cold_starts=1, first_calls=("forward_kinematics",), robots=(ROBOTS["ur5"],)
    )
    rows = list(startup.run(tiny))
    names = [row.name for row in rows]
    steps = ("load_urdf", "forward_kinematics", "ready (import, load, first forward_kinematics)")
    cached = ["import", *(f"{step}, cached" for step in steps)]
    assert names == [f"{step}, cold" for step in steps] + cached
    assert [row for row in rows if not row.is_sound()] == []


def test_a_probe_that_fails_says_why(tmp_path):
    nobody = dataclasses.replace(ROBOTS["ur5"], name="nobody")
    with pytest.raises(startup.ProbeFailedError, match="KeyError: 'nobody'"):
        startup.start("pin", nobody, ("rnea",), tmp_path)


def test_other_results_are_refused():
    with pytest.raises(DisagreementError, match="ur5 first rnea"):
        startup.check(ROBOTS["ur5"], {"results": {"rnea": [1.0]}}, {"results": {"rnea": [2.0]}})
