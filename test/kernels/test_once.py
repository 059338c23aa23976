"""What threads ask for at the same time is the same for all of them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from dyn_node.kernels import engine
from dyn_node.kernels.once import once

ROOT = Path(__file__).resolve().parents[2]
#: Seconds.
PATIENCE = 60.0


def test_all_threads_are_given_the_one_that_is_kept() -> None:
    begun = threading.Barrier(4, timeout=PATIENCE)

    @once
    def make(name: str) -> object:
        time.sleep(0.01)
        return object()

    given: list[object] = []

    def ask() -> None:
        begun.wait()
        given.append(make("one"))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(given) == 4
    assert set(given) == {make("one")}
    assert make("other") is not make("one")


FIRST = """
import sys, threading, warnings
warnings.simplefilter("ignore")
import numpy as np, dyn_node
model, many = dyn_node.robots.load("panda"), 400
q = np.tile(dyn_node.neutral(model), (many, 1))
v = np.zeros((many, model.nv))
fast, begun, done = dyn_node.compile(model), threading.Barrier(6, timeout=60.0), []
far = np.eye(4)
far[0, 3] = 3.0

def work():
    data = model.create_data()
    begun.wait()
    for _ in range(5):
        dyn_node.rnea(model, data, q, v, v)
        dyn_node.aba(model, data, q[0], v[0], v[0])
        fast.rnea(q, v, v)
        dyn_node.solve_ik(model, "panda_hand_tcp", far, timeout=0.02, threads=2)
    done.append(1)

threads = [threading.Thread(target=work) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(done))
"""


@pytest.mark.skipif(not engine.has_doors(), reason="no Numba, or memory of another layout")
def test_threads_that_all_make_the_first_call_of_a_process_survive() -> None:
    """Each process tries once: what it starts with is there afterwards."""
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", FIRST],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=4 * PATIENCE,
            check=False,
        )
        assert (done.returncode, done.stdout.strip()) == (0, "6"), done.stderr
