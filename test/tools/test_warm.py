"""`python -m dyn_node warm`: what it compiles, and what it says of a name or a robot that is not there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import dyn_node
from dyn_node.kernels import engine
from dyn_node.tools import warm

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(not engine.has_doors(), reason="no Numba, or memory of another layout")


def test_named_kernels_are_compiled(capsys) -> None:
    assert warm.main(["--only", "normalize", "rnea"]) == 0
    assert engine._registry["rnea"].compiled
    assert "ready after" in capsys.readouterr().out


def test_functions_of_a_robot_are_compiled(capsys, monkeypatch) -> None:
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(dyn_node.CompiledModel, "warm", lambda self, *names: asked.append(names))
    path = str(dyn_node.robots.path("ur5e"))
    assert warm.main([path, "--only", "generalized_gravity"]) == 0
    assert asked == [("generalized_gravity",)]


def test_what_is_not_there_is_said(capsys) -> None:
    assert warm.main(["--only", "rnae"]) == 1
    assert "rnae" in capsys.readouterr().err
    assert warm.main(["nowhere.urdf", "--only", "rnea"]) == 1
    assert "nowhere.urdf" in capsys.readouterr().err
    assert warm.main([str(dyn_node.robots.path("ur5e")), "--only", "rnae"]) == 1
    assert "generalized_gravity" in capsys.readouterr().err
    with pytest.raises(SystemExit) as error:
        warm.main(["--root", "flying"])
    assert error.value.code == 2


def test_without_numba_it_says_so(capsys, monkeypatch) -> None:
    monkeypatch.setattr(warm, "compiles", lambda: False)
    assert warm.main([]) == 1
    assert "pip install numba" in capsys.readouterr().err


def test_other_processes_compile_their_share(tmp_path) -> None:
    """In a fresh cache, so that there is something to compile; this process loads what others made."""
    environment = {**os.environ, "DYN_NODE_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    names = ("dot6", "cross_motion", "cross_force", "inertia_sum")
    command = [sys.executable, "-m", "dyn_node", "warm", "--jobs", "2", "--only", *names]
    first = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=280)
    assert first.returncode == 0, first.stderr
    compiled_here = [name for name in names if f"{name} (" in first.stdout]
    assert 0 < len(compiled_here) < len(names), first.stdout
    second = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=280)
    assert not any(f"{name} (" in second.stdout for name in names), second.stdout
