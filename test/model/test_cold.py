"""A robot is read before anything is compiled, and is the same to the last bit as with compiled kernels."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import dyn_node
from dyn_node.kernels import engine

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("panda", "ur5e", "go2")

COLD = f"""
import sys, dyn_node
from dyn_node.kernels import engine
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_cold import digest
for name in {NAMES}:
    print(digest(dyn_node.robots.load(name)))
print([kernel.name for kernel in engine._registry.values() if kernel.compiled])
dyn_node.SE3.Identity() * dyn_node.SE3.Identity()
print([kernel.name for kernel in engine._registry.values() if kernel.compiled])
"""


def digest(model: dyn_node.Model) -> str:
    """Of all that kernels read of a model, but the stamp that tells it from others of its process."""
    records = np.array(model.records)
    records["stamp"] = 0
    return sha256(records.tobytes() + model.frame_records.tobytes()).hexdigest()


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
    warm = [digest(dyn_node.robots.load(name)) for name in NAMES]
    assert cold == warm, "panda, ur5e, go2: other records from uncompiled kernels"
