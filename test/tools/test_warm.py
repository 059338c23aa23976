"""`python -m dyn_node warm`: what it compiles, and what it says of a name or a robot that is not there."""

from __future__ import annotations

import pytest

import dyn_node
from dyn_node.kernels import engine, entry
from dyn_node.tools import warm

pytestmark = pytest.mark.skipif(not entry.usable(), reason="no Numba, or memory of another layout")


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
