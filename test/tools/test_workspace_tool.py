"""`workspace` on the command line: what it prints, what it writes, and its exit codes."""

from __future__ import annotations

import builtins

import numpy as np
import pytest

from dyn_node import ik, robots
from dyn_node.__main__ import main as dispatch
from dyn_node.tools import workspace

ROBOT = str(robots.path("ur5e"))
BOX = ["--box", "0.2", "-0.4", "0.1", "0.6", "0.4", "0.5"]
COARSE = [ROBOT, "--frame", "tool0", "--resolution", "0.2", *BOX]


def test_a_map_is_printed_written_and_drawn(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    out, picture = tmp_path / "map.npz", tmp_path / "map.png"
    asked = ["workspace", *COARSE, "--orientations", "3", "--out", str(out), "--plot", str(picture)]
    assert dispatch(asked) == 0
    printed = capsys.readouterr()
    found = ik.WorkspaceMap.load(out)
    assert found.reached.shape == (3, 5, 3)
    assert "ur5e, tool0: 45 points 0.2 m apart, 3 orientations at each" in printed.out
    assert f"reached: {np.count_nonzero(found.reached)} points, {found.volume:.3g} m^3" in printed.out
    assert "100 % of 135 poses" in printed.err, "a pipe gets lines"
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_an_orientation_can_be_named(capsys):
    assert workspace.main([*COARSE, "--orientation", "1", "0", "0", "0"]) == 0
    assert "1 orientation at each" in capsys.readouterr().out


def test_a_box_far_away_is_said_to_hold_nothing(capsys):
    far = ["--box", "5", "5", "5", "5.2", "5.2", "5.2"]
    assert workspace.main([ROBOT, "--frame", "tool0", "--resolution", "0.2", *far]) == 0
    assert "nothing is reached" in capsys.readouterr().out


def test_what_is_not_there_is_said(capsys, monkeypatch, tmp_path):
    assert workspace.main([ROBOT, "--frame", "tool1"]) == 1
    assert "closest: tool0" in capsys.readouterr().err
    real = builtins.__import__

    def without(name, *rest):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    assert workspace.main([*COARSE, "--plot", str(tmp_path / "map.png")]) == 1
    assert "pip install matplotlib" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong",
    [["--resolution", "0"], ["--orientations", "0"], ["--orientations", "2", "--orientation", *"0001"]],
)
def test_a_wrong_command_line(wrong):
    with pytest.raises(SystemExit) as end:
        workspace.main([*COARSE, *wrong])
    assert end.value.code == 2
