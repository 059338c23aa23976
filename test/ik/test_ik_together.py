"""Restarts shared by threads give the answer of one thread, whoever is the first to find it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dyn_node
from dyn_node import SE3
from dyn_node.errors import InvalidValueError
from dyn_node.ik import solve, together

TIP = "panda_hand_tcp"


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Threads from the start, and short stretches; the list gets one entry a round."""
    if not together.can_share(2):
        pytest.skip("without doors to machine code one thread does all")
    heard: list[int] = []

    def search_together(*arguments: Any) -> None:
        heard.append(arguments[5])
        together.search_together(*arguments)

    monkeypatch.setattr(solve, "ALONE", 0.0)
    monkeypatch.setattr(solve, "search_together", search_together)
    monkeypatch.setattr(solve, "stretch_of", lambda state, spent, left, threads, most: min(
        3, int((most - state[0]) // threads)
    ))  # fmt: skip
    return heard


def place(model: dyn_node.Model, q: np.ndarray) -> SE3:
    data = model.create_data()
    dyn_node.forward_kinematics(model, data, q)
    return dyn_node.frame_placement(model, data, TIP)


@pytest.mark.parametrize("mode", ["speed", "distance", "manipulability"])
def test_the_answer_is_that_of_one_thread(rounds: list[int], mode: str) -> None:
    model, rng = dyn_node.robots.load("panda"), np.random.default_rng(0)
    targets = [
        place(model, dyn_node.random_configuration(model, rng)) for _ in range(300 if mode == "speed" else 8)
    ]
    targets.append(SE3(np.eye(3), [3.0, 0.0, 0.4]))
    shared = 0
    for number, target in enumerate(targets):
        ask = {"mode": mode, "timeout": 60.0, "max_restarts": 47}
        one = dyn_node.solve_ik(model, TIP, target, threads=1, **ask)
        assert not rounds, "one thread is alone"
        for threads in (2, 3):
            more = dyn_node.solve_ik(model, TIP, target, threads=threads, **ask)
            where = f"pose {number}, {threads} threads"
            assert np.array_equal(more.q, one.q), where
            assert (more.success, more.restarts, more.iterations) == (
                one.success,
                one.restarts,
                one.iterations,
            ), where
            assert (more.position_error, more.orientation_error) == (
                one.position_error,
                one.orientation_error,
            ), where
            shared += bool(rounds)
            assert set(rounds) <= {threads}
            rounds.clear()
    assert shared >= 6, "too few of the poses were hard enough to share"


def test_a_search_that_is_solved_soon_stays_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("threads were started for an easy pose")

    monkeypatch.setattr(solve, "search_together", refuse)
    model = dyn_node.robots.load("panda")
    q = np.array([dyn_node.robots.describe("panda").home[joint.name] for joint in model.actuated_joints])
    assert dyn_node.solve_ik(model, TIP, place(model, q + 0.1), q, timeout=60.0, threads=4).success


def test_how_long_a_stretch_is() -> None:
    state = np.zeros(8)
    state[0] = 40.0
    # 40 descents in 4 ms: ten in one, five in what is left, and never more than there are.
    assert together.stretch_of(state, 4e-3, 1.0, 2, 10_000) == 10
    assert together.stretch_of(state, 4e-3, 5e-4, 2, 10_000) == 5
    assert together.stretch_of(state, 4e-3, 1.0, 2, 46) == 3
    assert together.stretch_of(state, 4e-3, 1.0, 2, 41) == 0


def test_the_time_is_kept(rounds: list[int]) -> None:
    model = dyn_node.robots.load("panda")
    late = dyn_node.solve_ik(model, TIP, SE3(np.eye(3), [3.0, 0.0, 0.4]), timeout=0.02, threads=2)
    assert late.timed_out
    assert late.restarts > 10
    assert rounds
    with pytest.raises(InvalidValueError, match=r"^threads"):
        dyn_node.solve_ik(model, TIP, SE3.Identity(), threads=0)
