"""The same script text under Pinocchio and under dyn_node.pin leaves the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pin.both import assert_same, ours, run, theirs
from robots import robot_path
from tolerances import REL

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "overview, panda": ("overview.py", {"urdf": "panda", "root": None}),
    "overview, kinova on a free-flyer": ("overview.py", {"urdf": "kinova", "root": "JointModelFreeFlyer"}),
    "overview, ur5 on a planar joint": ("overview.py", {"urdf": "ur5", "root": "JointModelPlanar"}),
    "overview, talos on a free-flyer": ("overview.py", {"urdf": "talos", "root": "JointModelFreeFlyer"}),
    "inverse kinematics": ("inverse_kinematics.py", {}),
    "derivatives": ("derivatives.py", {}),
    "simulation": ("simulation.py", {}),
    "reduced and joined, panda": (
        "reduced.py",
        {"urdf": "panda", "locked": ["panda_joint2", "panda_joint5", "panda_finger_joint1"]},
    ),
    "reduced and joined, kinova": ("reduced.py", {"urdf": "kinova", "locked": ["j2s6s200_joint_2"]}),
    "RobotWrapper": ("wrapper.py", {"urdf": "anymal"}),
    "spatial values": ("values.py", {}),
    "joints that follow others": ("mimic.py", {}),
    "sample models": ("samples.py", {}),
    "constraints, anymal": (
        "constraints.py",
        {"urdf": "anymal", "feet": ["LF_FOOT", "RH_FOOT", "RF_FOOT", "LH_FOOT"]},
    ),
    "constraints, go2": (
        "constraints.py",
        {"urdf": "go2", "feet": ["FL_foot", "RR_foot", "FR_foot", "RL_foot"]},
    ),
    "configurations": ("configurations.py", {"urdf": "kinova"}),
}
#: An iteration magnifies rounding.
LOOSER = {"inverse kinematics": 1e-7}


@pytest.mark.parametrize("case", CASES)
def test_script(case: str) -> None:
    name, given = CASES[case]
    if "urdf" in given:
        given = {**given, "urdf": robot_path(given["urdf"])}
    mine, reference = run(name, ours, **given), run(name, theirs, **given)
    results = [key for key in reference if key.startswith("out_")]
    assert results, f"{case}: the script left nothing to compare"
    for key in results:
        _compare(f"{case}, {key}", mine[key], reference[key], LOOSER.get(case, REL))
    for key in ("names", "frame_names", "shapes", "frames", "joined_names", "printed"):
        if key in reference:
            assert mine[key] == reference[key], f"{case}: {key} differ"


def _compare(where: str, mine: Any, reference: Any, tolerance: float) -> None:
    if isinstance(reference, (list, tuple)):
        assert len(mine) == len(reference), f"{where}: {len(mine)} results, reference {len(reference)}"
        for index, (a, b) in enumerate(zip(mine, reference, strict=True)):
            _compare(f"{where}[{index}]", a, b, tolerance)
    else:
        assert_same(where, mine, reference, tolerance)


def test_a_difference_is_found() -> None:
    with pytest.raises(AssertionError, match=r"here\[1\]: differs"):
        _compare("here", [1.0, ours.SE3.Identity()], [1.0, theirs.SE3(np.eye(3), np.ones(3))], REL)
