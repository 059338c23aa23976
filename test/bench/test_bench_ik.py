"""The benchmark of inverse kinematics: what it calls right is right, and what it writes is whole."""

from __future__ import annotations

import json

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
    rows = json.loads(file.read_text())["rows"]
    assert [(row["seed"], row["solved_percent"]) for row in rows] == [("middle", 100.0), ("random", 100.0)]
    assert "solved %" in capsys.readouterr().out
