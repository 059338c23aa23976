"""The engine around the kernels: with and without Numba, with and without a place for its cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dyn_node
from dyn_node.kernels import engine

ROOT = Path(__file__).resolve().parents[2]

GRAVITY = """
import numpy as np, warnings
warnings.simplefilter("always")
import dyn_node
model = dyn_node.robots.load("panda")
data = model.create_data()
q = np.linspace(-1.0, 1.0, 7) + [0, 0, 0, -1.5, 0, 1.5, 0]
print(repr(dyn_node.generalized_gravity(model, data, q).tolist()))
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process of its own."""
    full = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    full = {key: value for key, value in full.items() if value != "<unset>"}
    return subprocess.run([sys.executable, "-c", code], env=full, capture_output=True, text=True, timeout=250)


def expected() -> np.ndarray:
    model = dyn_node.robots.load("panda")
    q = np.linspace(-1.0, 1.0, 7) + np.array([0, 0, 0, -1.5, 0, 1.5, 0])
    return dyn_node.generalized_gravity(model, model.create_data(), q)


def test_without_numba_the_same_source_gives_the_same_numbers_and_says_so_once() -> None:
    block = "import sys; sys.modules['numba'] = None\n"
    done = run(block + GRAVITY + "data = model.create_data()\n")
    assert done.returncode == 0, done.stderr
    assert np.allclose(eval(done.stdout), expected(), rtol=1e-13, atol=1e-13)
    assert done.stderr.count("Numba is not installed") == 1, done.stderr


def test_without_numba_every_algorithm_runs_and_refuses_the_same() -> None:
    done = run(
        """
import sys; sys.modules['numba'] = None
import warnings; warnings.simplefilter("ignore")
import numpy as np, dyn_node
model = dyn_node.robots.load("go2"); data = model.create_data()
q = dyn_node.random_configuration(model, 1, unbounded=1.0); v = np.linspace(-1, 1, model.nv)
tau = dyn_node.rnea(model, data, q, v, v)
assert np.allclose(dyn_node.aba(model, data, q, v, tau), v, atol=1e-8)
assert np.allclose(dyn_node.crba(model, data, q) @ v + dyn_node.nonlinear_effects(model, data, q, v), tau)
dyn_node.forward_kinematics(model, data, q, v, v); dyn_node.update_frame_placements(model, data)
J = dyn_node.frame_jacobian(model, data, q, "FL_foot", "WORLD")
assert np.allclose(J @ v, dyn_node.frame_velocity(model, data, "FL_foot", "WORLD").vector)
assert np.allclose(dyn_node.difference(model, q, dyn_node.integrate(model, q, v)), v)
target = dyn_node.frame_placement(model, data, "FL_foot")
start = dyn_node.neutral(model)
assert dyn_node.solve_ik(model, "FL_foot", target, start, lock_base=False, timeout=100).success
for bad in ([1.0], np.zeros((model.nq, 2)), "q"):
    try: dyn_node.crba(model, data, bad)
    except dyn_node.errors.ShapeError: pass
    else: raise SystemExit("accepted")
"""
    )
    assert done.returncode == 0, done.stderr + done.stdout


def test_a_read_only_install_without_a_home_still_runs(tmp_path: Path) -> None:
    """No place to write: kernels are compiled in memory."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = run(
        "from dyn_node.kernels import engine\nprint(engine._base)\n",
        DYN_NODE_CACHE_DIR=str(blocked / "below a file"),
    )
    assert done.stdout.strip() == "None", done.stderr
    done = run(GRAVITY, DYN_NODE_CACHE_DIR=str(blocked / "below a file"))
    assert done.returncode == 0, done.stderr
    assert np.allclose(eval(done.stdout), expected(), rtol=1e-13, atol=1e-13)


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    count = (
        "import dyn_node\nfrom dyn_node.kernels import engine\ndyn_node.warm('integrate')\n"
        "print(int(not engine._registry['integrate'].from_cache))\n"
    )
    counts = [run(count, DYN_NODE_CACHE_DIR=str(tmp_path)).stdout.strip() for _ in range(2)]
    assert counts == ["1", "0"]


def test_the_cache_follows_every_source_that_is_compiled_in(tmp_path: Path, monkeypatch) -> None:
    """A helper in another file is part of what was compiled: its change must not be missed."""
    copy = tmp_path / "kernels"
    copy.mkdir()
    for file in Path(engine.__file__).parent.glob("*.py"):
        (copy / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(engine, "_source", copy)
    fingerprint = engine._fingerprint.__wrapped__
    before = {name: fingerprint(name) for name in ("rnea", "aba", "lie")}
    (copy / "motion.py").write_text((copy / "motion.py").read_text() + "\n# changed\n")
    changed = {name for name, value in before.items() if fingerprint(name) != value}
    assert changed == {"rnea", "aba"}, "rnea and aba call motion's helpers, lie does not"


@pytest.mark.skipif(not engine.compiles(), reason="Numba is not installed")
def test_a_wrong_type_never_starts_a_compilation() -> None:
    model = dyn_node.robots.load("panda")
    data = model.create_data()
    dyn_node.generalized_gravity(model, data, [0] * 7)
    unused = [made for made in engine._registry.values() if not made.compiled]
    with pytest.raises(dyn_node.DynNodeError):
        dyn_node.generalized_gravity(model, data, "seven")
    assert not any(made.compiled for made in unused)


def test_an_unknown_kernel_is_named() -> None:
    with pytest.raises(KeyError, match="rnea"):
        dyn_node.warm("rneaa")
