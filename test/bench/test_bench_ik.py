"""The benchmark of inverse kinematics: what it calls right is right, and what it writes is whole."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

pin = pytest.importorskip("pinocchio")

from robots import ROBOTS_FOLDER  # noqa: E402

from bench.ik import Tally, main  # noqa: E402
from bench.ik_arms import ARMS, Reference  # noqa: E402

if ROBOTS_FOLDER is None:
    pytest.skip("example-robot-data is not installed", allow_module_level=True)


@pytest.mark.parametrize("name", ARMS)
def test_every_arm_has_its_own_joints_only(name):
    arm = ARMS[name]
    reference = Reference(arm, arm.text(), pin)
    joints = {"ur5": 6, "ur10": 6, "kinova": 6, "z1": 6, "so101": 5}
    assert reference.model.nv == joints.get(name, 7)
    q = reference.random(np.random.default_rng(1))
    assert reference.inside(q)
    assert np.allclose(reference.configuration(reference.angles(q)), q)


def test_an_answer_is_judged_by_its_pose_and_its_limits():
    reference = Reference(ARMS["kinova"], ARMS["kinova"].text(), pin)
    seed, q = reference.middle(), reference.random(np.random.default_rng(3))
    outside = q.copy()
    outside[2] = reference.model.upperPositionLimit[2] + 0.1
    answers = {"right": q, "missed": seed, "outside": outside, "none": None, "nan": np.full_like(q, np.nan)}
    for kind, answer in answers.items():
        target = reference.pose(outside if kind == "outside" else q)
        tally = Tally("kinova", "middle", "test")
        tally.ask(lambda target, seed, answer=answer: answer, reference, target, seed)
        assert tally.solved == (kind == "right"), kind
        assert tally.wrong == (kind in ("missed", "outside")), kind


def test_this_library_is_measured_and_written(tmp_path, capsys):
    file = tmp_path / "ik.json"
    asked = ["--robots", "ur5", "--poses", "5", "--solvers", "dyn_node", "--limit", "2", "--json", str(file)]
    assert main(asked) == 0
    run = json.loads(file.read_text())
    rows = run["rows"]
    assert [(row["seed"], row["solved_percent"]) for row in rows] == [("middle", 100.0), ("random", 100.0)]
    assert "solved %" in capsys.readouterr().out
    lines = readme_tables().solvers(run).splitlines()
    assert lines[0].startswith("`make bench-ik`, 20")
    assert "dyn_node 5." in lines[0]
    assert lines[2:4] == ["| arm | seed | dyn_node |", "|---|---|---|"]
    assert [line.split(" | ")[:2] for line in lines[4:]] == [["| ur5", "middle"], ["| ur5", "random"]]
    assert all("100.00 %; " in line for line in lines[4:])


def readme_tables():
    """The script that writes the README's tables, as a module."""
    place = Path(__file__).resolve().parents[2] / "scripts" / "readme_tables.py"
    spec = importlib.util.spec_from_file_location("readme_tables", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
