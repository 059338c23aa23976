"""`check`: what it prints of a robot, and the exit code that tells whether to trust it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from robots import ALL_URDFS, ROBOTS, robot_path

import dyn_node
from dyn_node import robots
from dyn_node.__main__ import COMMANDS
from dyn_node.__main__ import main as dispatch
from dyn_node.tools import check
from dyn_node.tools.check_report import make_report

ROOT = Path(__file__).parents[2]
LINK = '<inertial><mass value="2"/><inertia ixx="{}" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
LIMIT = '<limit lower="0.5" upper="1" effort="10" velocity="3"/>'


def urdf(moment=1.0, limit=LIMIT, follower=""):
    links = "".join(f'<link name="{name}">{LINK.format(moment)}</link>' for name in "abc")
    joints = "".join(
        f'<joint name="{name}" type="revolute"><parent link="a"/><child link="{child}"/>'
        f'<origin xyz="0 0 1"/><axis xyz="0 0 1"/>{limit}{extra}</joint>'
        for name, child, extra in (("j", "b", ""), ("k", "c", follower))
    )
    return f'<robot name="pair">{links}{joints}</robot>'


def run(capsys, *arguments):
    code = check.main([*arguments, "--plain"])
    return code, capsys.readouterr()


def test_a_sound_robot(capsys):
    code, printed = run(capsys, urdf())
    assert code == 0, printed.err
    for words in (
        "`- k (2)  revolute  z",
        "total mass          4 kg",
        "fixed to the world  2 kg",
        "centre of mass      (0, 0, 1) m",
        "[0.5, 1] rad  3 rad/s   10 N m  2 kg     zero outside",
    ):
        assert words in printed.out, f"{words!r} is not in\n{printed.out}"
    assert printed.out.endswith("\nsound\n")


def test_followers_are_shown_and_can_be_let_loose(capsys):
    text = urdf(follower='<mimic joint="j" multiplier="-2" offset="0.5"/>')
    code, printed = run(capsys, text)
    assert code == 0, "a note is no reason for distrust"
    assert "2, 1 of them following others" in printed.out
    assert "= -2 * j + 0.5" in printed.out
    assert "2 kg     follower" in printed.out
    assert "note: joint 'k': the range of its leader 'j' takes it to [-1.5, -0.5]" in printed.out
    assert "sound; 1 finding worth a look" in printed.out
    assert "following" not in run(capsys, text, "--no-mimic")[1].out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (urdf(moment=3.0), "SEVERE: link 'b': principal moments of inertia 1, 1, 3 kg m^2 violate"),
        (urdf().replace(LINK.format(1.0), ""), "SEVERE: joint 'j': moves link 'b' and no mass"),
    ],
)
def test_a_robot_that_is_not_to_be_trusted(capsys, text, words):
    code, printed = run(capsys, text)
    assert code == 1
    assert words in printed.out
    assert "not to be trusted to a controller: 2 severe findings" in printed.out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("missing.urdf", "'missing.urdf' is neither a file nor XML text"),
        (urdf(limit=""), "joint 'j': a revolute joint needs a <limit>"),
        (urdf(follower='<mimic joint="gone"/>'), "joint 'k' follows 'gone', which does not exist"),
    ],
)
def test_a_robot_that_cannot_be_read(capsys, text, words):
    code, printed = run(capsys, text)
    assert (code, printed.out) == (1, "")
    assert words in printed.err


def test_a_floating_base_is_no_row_of_the_table():
    model = dyn_node.load_urdf(urdf(), root="free_flyer")
    assert [row[0] for row in make_report(model).joints] == ["j", "k"]


def test_on_a_terminal_every_name_is_whole(capsys, monkeypatch):
    pytest.importorskip("rich")
    from dyn_node.tools.check_live import print_rich

    monkeypatch.setenv("COLUMNS", "80")
    model = robots.load("panda")
    print_rich(make_report(model), color=False)
    printed = capsys.readouterr().out
    assert all(name in printed for name in model.joint_names[1:])
    assert "\x1b[" not in printed, "no colours were asked for"
    assert "sound" in printed


def test_the_command_line(capsys):
    assert dispatch(["check", urdf(), "--plain"]) == 0
    assert dispatch(["--help"]) == 0
    printed = capsys.readouterr().out
    assert all(command in printed for command in COMMANDS)
    assert dispatch([]) == 2
    assert dispatch(["nothing"]) == 2
    assert "no command 'nothing'; there are: check" in capsys.readouterr().err
    with pytest.raises(SystemExit) as end:
        check.main([urdf(), "--root", "flying"])
    assert end.value.code == 2


def test_as_a_process(tmp_path):
    path = tmp_path / "pair.urdf"
    path.write_text(urdf(moment=3.0))
    done = subprocess.run(
        [sys.executable, "-m", "dyn_node", "check", str(path)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stderr
    assert "\x1b[" not in done.stdout, "a pipe gets plain text"


@pytest.mark.skipif(not ALL_URDFS, reason="example-robot-data is not installed")
@pytest.mark.parametrize("name", ROBOTS)
def test_real_robots_are_trusted(name, capsys):
    assert run(capsys, robot_path(name))[0] == 0, capsys.readouterr().out
