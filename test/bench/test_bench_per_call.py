"""The part per_call: what it compares, and that it does not compare wrong results."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

from bench import calls, options, per_call
from bench.peers import DisagreementError
from bench.robots import ROBOTS
from bench.timing import Budget
from dyn_node import algorithms

pytest.importorskip("pinocchio", reason="needs the reference library: pip install pin")

TINY = dataclasses.replace(options.QUICK, calls=Budget(2, 0.0), robots=(ROBOTS["ur5"],))


@pytest.mark.parametrize("robot", ROBOTS)
def test_both_libraries_give_the_same_numbers(robot):
    pair = per_call.robot_pair(ROBOTS[robot])
    for call in (*calls.ROBOT_CALLS, *(calls.FEET_CALLS if ROBOTS[robot].feet else ())):
        pair.check(robot, call)


def test_a_wrong_result_stops_the_comparison():
    pair = per_call.robot_pair(ROBOTS["ur5"])
    wrong = calls.Call("rnea", "rnea(model, data, q, v, a)", "rnea(model, data, q, v, v)")
    with pytest.raises(DisagreementError, match="ur5 rnea"):
        pair.compare("ur5", wrong, TINY)


def test_every_call_gives_a_sound_row():
    rows = list(per_call.run(TINY))
    expected = [("ur5", call.name) for call in calls.ROBOT_CALLS]
    expected += [("SE3", call.name) for call in calls.POSE_CALLS]
    assert [(row.subject, row.name) for row in rows] == expected
    assert [row for row in rows if not row.is_sound()] == []


def test_every_public_algorithm_is_compared_or_has_no_peer():
    functions = {name for name in algorithms.__all__ if inspect.isfunction(getattr(algorithms, name))}
    compared = {call.ours.split("(")[0] for call in (*calls.ROBOT_CALLS, *calls.FEET_CALLS)}
    assert functions - compared == calls.NO_PEER
