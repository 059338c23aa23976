"""A robot is read before anything is compiled, and is the same to the last bit as with compiled kernels."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

import dyn_node
from dyn_node.kernels import engine

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("panda", "ur5e", "go2")

COLD = f"""
import hashlib, dyn_node
from dyn_node.kernels import engine
for name in {NAMES}:
    model = dyn_node.robots.load(name)
    print(hashlib.sha256(model.records.tobytes() + model.frame_records.tobytes()).hexdigest())
print([kernel.name for kernel in engine._registry.values() if kernel.compiled])
dyn_node.SE3.Identity() * dyn_node.SE3.Identity()
print([kernel.name for kernel in engine._registry.values() if kernel.compiled])
"""


@pytest.mark.skipif(not engine.has_doors(), reason="no Numba, or memory of another layout")
def test_nothing_is_compiled_to_read_a_robot(tmp_path: Path) -> None:
    environment = {**os.environ, "DYN_NODE_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", COLD],
        env=environment,
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *cold, reading, after = done.stdout.splitlines()
    assert reading == "[]"
    assert after == "['pose_compose']", "what a user calls is compiled at its first call, not in the middle"
    # The same with compiled kernels.
    dyn_node.warm("pose_compose", "pose_assembled", "inertia_sum", "act_inertia")
    warm = [dyn_node.robots.load(name) for name in NAMES]
    hashes = [sha256(m.records.tobytes() + m.frame_records.tobytes()).hexdigest() for m in warm]
    assert cold == hashes, "panda, ur5e, go2: other records from uncompiled kernels"
