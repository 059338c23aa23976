"""The parts mujoco, drake and numpy_loop: they compare what agrees, on every robot."""

from __future__ import annotations

import dataclasses
import importlib

import pytest

from bench import alone, drake, mujoco, numpy_loop, options
from bench.__main__ import OPTIONAL, PARTS
from bench.peers import DisagreementError
from bench.robots import ROBOTS
from bench.timing import Budget

TINY = dataclasses.replace(options.QUICK, calls=Budget(2, 0.0), robots=(ROBOTS["ur5"],))
CALLS = {"mujoco": mujoco.CALLS, "drake": drake.CALLS, "numpy_loop": (numpy_loop.CALL,)}
PEERS = {"mujoco": "mujoco", "drake": "pydrake", "numpy_loop": "numpy"}


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("part", CALLS)
def test_both_sides_give_the_same_numbers(part: str, robot: str) -> None:
    pytest.importorskip(PEERS[part], reason=f"part {part} compares with it")
    pair = importlib.import_module(f"bench.{part}").pair(ROBOTS[robot])
    for call in CALLS[part]:
        pair.check(robot, call)


@pytest.mark.parametrize("part", CALLS)
def test_every_call_gives_a_sound_row_in_its_process(part: str) -> None:
    pytest.importorskip(PEERS[part], reason=f"part {part} compares with it")
    rows = list(alone.rows_of(part, TINY))
    assert [(row.part, row.subject, row.name) for row in rows] == [
        (part, "ur5", call.name) for call in CALLS[part]
    ]
    assert [row for row in rows if not row.is_sound()] == []
    assert "pin" not in {row.peer for row in rows}


def test_a_wrong_result_stops_the_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    class Halved(numpy_loop.Loop):
        def __call__(self, q, v, a):
            return 0.5 * super().__call__(q, v, a)

    monkeypatch.setattr(numpy_loop, "Loop", Halved)
    with pytest.raises(DisagreementError, match="ur5 rnea"):
        list(numpy_loop.run(TINY))


def test_the_names_of_parts_are_those_of_modules() -> None:
    assert {*CALLS, *OPTIONAL, *alone.ALONE} <= set(PARTS)
    for part in PARTS:
        assert callable(importlib.import_module(f"bench.{part}").run)
