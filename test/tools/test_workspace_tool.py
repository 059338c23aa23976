"""`workspace` on the command line: what it prints, what it writes, and its exit codes."""

from __future__ import annotations

import builtins
import itertools
import re
import sys

import numpy as np
import pytest

from dyn_node import ik, robots
from dyn_node.__main__ import main as dispatch
from dyn_node.tools import workspace

ROBOT = str(robots.path("ur5e"))
BOX = ["--box", "0.2", "-0.4", "0.1", "0.6", "0.4", "0.5"]
COARSE = [ROBOT, "--frame", "tool0", "--resolution", "0.2", *BOX]

#: An arm that folds: in the middle of its limits the fore arm, 0.3 m long, lies over the post of the base.
FOLDING = """<robot name="folding">
  <link name="base"><collision><geometry><mesh filename="package://arm/post.stl"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0.2 0 0.5"/><geometry><box size="0.2 0.04 0.1"/></geometry>
    </collision></link>
  <link name="fore"><collision><origin xyz="0.15 0 0"/><geometry><box size="0.3 0.04 0.1"/></geometry>
    </collision></link>
  <link name="tip"/>
  <joint name="a" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="b" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="0.5 0 0"/>
    <axis xyz="0 0 1"/><limit lower="0.5" upper="5.78" effort="1" velocity="1"/></joint>
  <joint name="c" type="fixed"><parent link="fore"/><child link="tip"/><origin xyz="0.3 0 0"/></joint>
</robot>"""
NEIGHBOURS = """<robot name="folding">
  <disable_collisions link1="base" link2="upper" reason="Adjacent"/>
  <disable_collisions link1="fore" link2="upper" reason="Adjacent"/>
</robot>"""
#: Of the post, a tetrahedron. In the arm's plane it is the triangle (0.4, 0), (-0.3, 0.3), (-0.3, -0.3).
CORNERS = [(0.6, 0.0, -1.0), (-0.45, 0.45, -1.0), (-0.45, -0.45, -1.0), (0.0, 0.0, 2.0)]


@pytest.fixture
def folding(tmp_path):
    """Arguments for the folding arm; its mesh is below tmp_path / "meshes"."""
    (tmp_path / "robot.urdf").write_text(FOLDING)
    (tmp_path / "robot.srdf").write_text(NEIGHBOURS)
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x} {y} {z}\n" for x, y, z in three)
        + "endloop\nendfacet\n"
        for three in itertools.combinations(CORNERS, 3)
    )
    (tmp_path / "meshes" / "arm").mkdir(parents=True)
    (tmp_path / "meshes" / "arm" / "post.stl").write_text(f"solid post\n{facets}endsolid post\n")
    box = ["--box", "-0.8", "-0.8", "0", "0.8", "0.8", "0"]
    return [str(tmp_path / "robot.urdf"), "--frame", "tip", "--resolution", "0.1", *box]


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


def test_links_that_touch_are_excluded(folding, tmp_path, capsys):
    pytest.importorskip("coal", reason="coal is not installed")
    out = tmp_path / "map.npz"
    avoid = ["--avoid-collisions", "--package-dir", str(tmp_path / "meshes")]
    maps, printed = [], []
    for more in ([], avoid, [*avoid, "--srdf", str(tmp_path / "robot.srdf")]):
        assert workspace.main([*folding, "--out", str(out), *more]) == 0
        maps.append(ik.WorkspaceMap.load(out))
        printed.append(capsys.readouterr().out)
    assert [found.collisions for found in maps] == [False, True, True]
    assert "collisions" not in printed[0]
    assert "self-collisions excluded: 0 pairs" in printed[1]
    assert "left out, as they touch in the middle of the limits: base with fore" in printed[1]
    assert "self-collisions excluded: 1 pair of links" in printed[2]
    assert "left out" not in printed[2]
    plain, lenient, strict = (found.reached[..., 0] == 1.0 for found in maps)
    assert np.array_equal(plain, lenient)
    assert not (strict & ~plain).any()
    x, y = np.meshgrid(maps[2].x, maps[2].y, indexing="ij")
    inside = (x > -0.29) & (np.abs(y) < 0.3 / 0.7 * (0.4 - x) - 0.01)
    assert plain[inside].sum() > 5
    assert not strict[inside].any(), "the tip is in the post"
    outside = np.hypot(x, y) > 0.6  # there nothing of the fore arm is nearer to the axis than 0.48 m
    assert plain[outside].sum() > 20
    assert np.array_equal(plain[outside], strict[outside])


def test_what_a_check_of_collisions_needs_is_said(folding, tmp_path, capsys, monkeypatch):
    pytest.importorskip("coal", reason="coal is not installed")
    avoid = [*folding, "--avoid-collisions"]
    bare = tmp_path / "bare.urdf"
    bare.write_text(re.sub("<collision>.*?</collision>", "", FOLDING, flags=re.DOTALL))
    for asked, said in (
        (avoid, "'package://arm/post.stl' is not there"),
        ([*avoid, "--package-dir", str(tmp_path / "meshes"), "--srdf", "other.srdf"], "other.srdf"),
        ([str(bare), *avoid[1:]], "no <collision> geometry"),
    ):
        assert workspace.main(asked) == 1
        assert said in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "coal", None)
    assert workspace.main(avoid) == 1
    assert "pip install coal" in capsys.readouterr().err
    for needs in (["--srdf", "robot.srdf"], ["--package-dir", "meshes"]):
        with pytest.raises(SystemExit) as end:
            workspace.main([*folding, *needs])
        assert end.value.code == 2
        assert "--avoid-collisions" in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    "wrong",
    [["--resolution", "0"], ["--orientations", "0"], ["--orientations", "2", "--orientation", *"0001"]],
)
def test_a_wrong_command_line(wrong):
    with pytest.raises(SystemExit) as end:
        workspace.main([*COARSE, *wrong])
    assert end.value.code == 2
