"""Restarts shared by threads give the answer of one thread, whoever is the first to find it."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

import dyn_node
from dyn_node import SE3
from dyn_node.algorithms.threads import run_together
from dyn_node.errors import InvalidValueError
from dyn_node.ik import together
from dyn_node.ik.chain import additive_steps, after_steps
from dyn_node.kernels.batch_loop import Chunk

TIP = "panda_hand_tcp"
#: Seconds, for what takes none.
PATIENCE = 20.0


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Threads from the start, and short stretches; the list gets one entry a round."""
    if not together.can_share(2):
        pytest.skip("without doors to machine code one thread does all")
    heard: list[int] = []

    def run(tasks: Any, threads: int, until: float) -> bool:
        heard.append(threads)
        return run_together(tasks, threads, until)

    monkeypatch.setattr(together, "ALONE", 0.0)
    monkeypatch.setattr(together, "run_together", run)
    monkeypatch.setattr(together, "stretch_of", lambda pace, spent, left, threads, descents: min(
        3, descents // threads
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

    monkeypatch.setattr(together, "run_together", refuse)
    model = dyn_node.robots.load("panda")
    q = np.array([dyn_node.robots.describe("panda").home[joint.name] for joint in model.actuated_joints])
    assert dyn_node.solve_ik(model, TIP, place(model, q + 0.1), q, timeout=60.0, threads=4).success


def test_how_long_a_stretch_is() -> None:
    # A descent takes 0.1 ms: a quarter of what the search took, half of what it may take, not too short.
    assert together.stretch_of(1e-4, 8e-3, 1.0, 2, 10_000) == 20
    assert together.stretch_of(1e-4, 8e-3, 3e-3, 2, 10_000) == 15
    assert together.stretch_of(1e-4, 8e-5, 1.0, 2, 10_000) == 10
    assert together.stretch_of(1e-4, 8e-3, 1e-3, 2, 10_000) == 0, "the last millisecond is not shared"
    assert together.stretch_of(1e-4, 8e-3, 1.0, 3, 7) == 2
    assert together.stretch_of(1e-4, 8e-3, 1.0, 2, 1) == 0
    # However long the search: until a stretch ends, an interrupt waits.
    assert together.stretch_of(1e-4, 100.0, 1000.0, 2, 10**9) == 1000


def test_threads_that_take_turns_plan_for_it(rounds: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    planned: list[float] = []

    def stretch_of(pace: float, spent: float, left: float, threads: int, descents: int) -> int:
        planned.append(left)
        return 2

    monkeypatch.setattr(together, "stretch_of", stretch_of)
    monkeypatch.setattr(together, "cores", lambda: 2)
    model, far = dyn_node.robots.load("panda"), SE3(np.eye(3), [3.0, 0.0, 0.4])
    for threads, part in ((2, 1.0), (8, 0.25)):
        dyn_node.solve_ik(model, TIP, far, timeout=0.4, threads=threads)
        assert rounds
        assert part * 0.2 < max(planned) < part * 0.4, f"{threads} threads"
        planned.clear()


def test_the_sequence_is_the_same_in_steps_and_in_strides() -> None:
    for dimension in (1, 3, 7, 30):
        steps = additive_steps(dimension)
        at = point = (0.5 + 10_007.0 * 12.0 * steps) % 1.0  # where the twelfth request begins
        for count in range(1, 400):
            at = (at + steps) % 1.0
            assert np.array_equal(after_steps(point, steps, count), at), f"{dimension} coordinates, {count}"


def test_the_time_is_kept(rounds: list[int]) -> None:
    model = dyn_node.robots.load("panda")
    late = dyn_node.solve_ik(model, TIP, SE3(np.eye(3), [3.0, 0.0, 0.4]), timeout=0.02, threads=2)
    assert late.timed_out
    assert late.restarts > 10
    assert rounds
    for threads in (0, 2.5, np.nan, "2"):
        with pytest.raises(InvalidValueError, match=r"^threads"):
            dyn_node.solve_ik(model, TIP, SE3.Identity(), threads=threads)


def test_a_thread_that_comes_late_is_not_waited_for(
    rounds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, let_go = dyn_node.robots.load("panda"), threading.Event()
    run = Chunk.run

    def held_up(chunk: Chunk) -> None:
        if threading.current_thread() is not threading.main_thread():
            let_go.wait(PATIENCE)
        run(chunk)

    monkeypatch.setattr(Chunk, "run", held_up)
    before = time.perf_counter()
    late = dyn_node.solve_ik(model, TIP, SE3(np.eye(3), [3.0, 0.0, 0.4]), timeout=0.3, threads=2)
    took = time.perf_counter() - before
    let_go.set()
    assert late.timed_out
    assert rounds
    assert took < 0.5 * PATIENCE, "the search waited for a thread that was held up"
    again = dyn_node.solve_ik(model, TIP, place(model, late.q), late.q, threads=2)
    assert again.success, "what a late thread writes to is its own"
