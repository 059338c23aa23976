"""Tasks on several threads: all are run, errors arrive, and neither forks nor the end of a process mind."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from dyn_node.algorithms import threads
from dyn_node.algorithms.threads import run_together

ROOT = Path(__file__).resolve().parents[2]
#: Seconds, for what takes none.
PATIENCE = 20.0


@pytest.mark.parametrize("count", [1, 2, 3, 100])
def test_every_task_is_run_once(count: int) -> None:
    done: list[int] = []
    run_together([lambda k=k: done.append(k) for k in range(count)], count)
    assert sorted(done) == list(range(count))


def test_tasks_run_side_by_side_on_threads_that_are_kept() -> None:
    threads._let_go()
    meeting, names = threading.Barrier(2, timeout=PATIENCE), []

    def task() -> None:
        names.append(threading.current_thread().name)
        meeting.wait()

    for _ in range(5):
        run_together([task, task], 2)
    assert len(set(names)) <= 3, "a thread that was about to be free may have been joined by another"


def test_an_error_arrives_when_all_are_through() -> None:
    done: list[int] = []

    def slow() -> None:
        time.sleep(0.05)
        done.append(1)

    def fail() -> None:
        raise ArithmeticError("here")

    for tasks in ([fail, slow, slow], [slow, slow, fail]):
        done.clear()
        with pytest.raises(ArithmeticError, match="here"):
            run_together(tasks, 2)
        assert done == [1, 1]


def test_nobody_waits_for_a_thread_that_comes_late(monkeypatch: pytest.MonkeyPatch) -> None:
    class Never:
        def ask(self, task: object, count: int) -> None:
            pass

    class Refused:
        def ask(self, task: object, count: int) -> None:
            raise RuntimeError("can't start new thread")

    for pool in (Never(), Refused()):
        done: list[int] = []
        monkeypatch.setattr(threads, "_helpers", lambda pool=pool: pool)
        run_together([lambda k=k: done.append(k) for k in range(3)], 3)  # noqa: B023
        assert done == [0, 1, 2]


def test_where_no_thread_can_be_started_nothing_waits_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    helpers = threads._Helpers()
    monkeypatch.setattr(threads, "_helpers", lambda: helpers)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    done: list[int] = []
    run_together([lambda k=k: done.append(k) for k in range(3)], 3)
    assert done == [0, 1, 2]
    assert helpers._calls.empty()
    helpers.end()


def test_who_is_held_up_leaves_work_to_the_others() -> None:
    others, done = threading.Event(), []

    def held_up() -> None:
        assert others.wait(PATIENCE)

    def work() -> None:
        done.append(1)
        if len(done) == 7:
            others.set()

    run_together([held_up, *[work] * 7], 2)
    assert len(done) == 7


def test_an_interrupt_waits_until_nobody_writes_any_more() -> None:
    begun, done = threading.Event(), []

    def interrupted() -> None:
        assert begun.wait(PATIENCE)
        raise KeyboardInterrupt

    def slow() -> None:
        begun.set()
        time.sleep(0.1)
        done.append(1)

    with pytest.raises(KeyboardInterrupt):
        run_together([interrupted, slow], 2)
    assert done == [1]


def test_nobody_is_waited_for_when_the_time_is_up() -> None:
    begun, let_go, done = threading.Event(), threading.Event(), []
    caller = threading.current_thread()

    def task() -> None:
        if threading.current_thread() is caller:
            assert begun.wait(PATIENCE)
        else:
            begun.set()
            let_go.wait(PATIENCE)
        done.append(threading.current_thread())

    before = time.perf_counter()
    assert not run_together([task, task], 2, before + 0.1)
    assert time.perf_counter() - before < 0.5 * PATIENCE
    assert done == [caller]
    let_go.set()
    assert run_together([task, task], 2, time.perf_counter() + PATIENCE), "in time, everybody is"


def test_nothing_is_begun_when_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Never:
        def ask(self, task: object, count: int) -> None:
            pass

    monkeypatch.setattr(threads, "_helpers", Never)
    done: list[int] = []

    def slow() -> None:
        time.sleep(0.05)
        done.append(1)

    assert not run_together([slow] * 3, 2, time.perf_counter() + 0.01)
    assert done == [1]


INTERRUPTED = """
import os, random, signal, threading, time
from dyn_node.algorithms.threads import run_together

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it

def hog():  # somebody else wants the interpreter, too
    while True:
        sum(range(1000))

threading.Thread(target=hog, daemon=True).start()
caught, end = 0, time.monotonic() + 3.0
while time.monotonic() < end:
    try:
        threading.Timer(random.uniform(0.0, 0.012), os.kill, (os.getpid(), signal.SIGINT)).start()
        run_together([lambda: time.sleep(0.003)] * 3, 2)
        time.sleep(0.02)
    except KeyboardInterrupt:
        caught += 1
print("interrupted and through:", caught > 0)
"""


def test_interrupts_whenever_they_come_leave_nobody_waiting() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE,
        check=False,
    )
    assert done.stdout == "interrupted and through: True\n", done.stderr


FORK = """
import os, sys, warnings
import numpy as np
import dyn_node
from dyn_node.algorithms.threads import run_together

model = dyn_node.robots.load("panda")
Q = np.tile(dyn_node.neutral(model), (4000, 1))

def gravity():
    dyn_node.set_threads(2)
    return dyn_node.generalized_gravity(model, model.create_data(), Q)[-1]

before = gravity()
child = os.fork()
if child == 0:
    os._exit(0 if np.array_equal(gravity(), before) else 7)
assert os.waitpid(child, 0)[1] == 0, "the child's batch"
assert np.array_equal(gravity(), before)
import atexit
atexit.register(lambda: print("at the end:", np.array_equal(gravity(), before)))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_batch_before_and_after_a_fork_and_at_the_end_of_the_process() -> None:
    command = [sys.executable, "-W", "always::DeprecationWarning:__main__", "-c", FORK]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=10 * PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "at the end: True\n"
    assert done.stderr == "", "Python warns of forks beside threads"
