"""What a solver is shown by: out of reach, just beyond it, straight lines, singular seeds, half turns.

Poses are made, and every answer is judged, by the reference library.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from robots import our_model, pin_model

import dyn_node
from dyn_node.errors import ModelWarning

pin = pytest.importorskip("pinocchio")

ARMS = {"panda": "panda_hand_tcp", "ur5": "tool0", "kinova": "j2s6s200_end_effector"}
#: What all requests ask for, and what the judge allows.
TOLERANCE, ALLOWED = 1e-6, 1.01e-6
PATIENT = {"timeout": 20.0, "max_restarts": 100}


class Judge:
    """An arm in both libraries."""

    def __init__(self, robot: str) -> None:
        self.robot, self.tip = robot, ARMS[robot]
        self.model, self.theirs = our_model(robot), pin_model(robot)
        self._data, self._frame = self.theirs.createData(), self.theirs.getFrameId(self.tip)

    def place(self, q: np.ndarray) -> pin.SE3:
        pin.framesForwardKinematics(self.theirs, self._data, q)
        return self._data.oMf[self._frame].copy()

    def misses(self, q: np.ndarray, target: pin.SE3) -> tuple[float, float]:
        here = self.place(q)
        turn = pin.log3(here.rotation.T @ target.rotation)
        return float(np.linalg.norm(here.translation - target.translation)), float(np.linalg.norm(turn))

    def solve(self, target: pin.SE3, seed: np.ndarray, **other: object) -> dyn_node.IkResult:
        """An answer, which is judged where it is called a success."""
        asked = {**PATIENT, **other}
        result = dyn_node.solve_ik(self.model, self.tip, target.homogeneous, seed, **asked)
        if result.success:
            assert max(self.misses(result.q, target)) <= ALLOWED, self.robot
            self.check_limits(result.q)
        return result

    def check_limits(self, q: np.ndarray) -> None:
        line = np.concatenate([np.full(joint.nq, joint.nq == 1) for joint in self.theirs.joints[1:]])
        assert (q >= self.theirs.lowerPositionLimit)[line].all(), self.robot
        assert (q <= self.theirs.upperPositionLimit)[line].all(), self.robot


@pytest.fixture(scope="module", params=ARMS)
def judge(request: pytest.FixtureRequest) -> Judge:
    return Judge(request.param)


@pytest.fixture(scope="module")
def home(judge: Judge) -> np.ndarray:
    """A configuration with bent joints, far from limits and singularities."""
    angles = {"panda": [0, -0.7, 0, -2.2, 0, 1.6, 0.8], "ur5": [0.3, -1.2, 1.5, -0.8, 0.9, 0.2], "kinova": [
        0.3, 2.6, 1.3, 0.5, 0.6, 0.4]}[judge.robot]  # fmt: skip
    q, joints = pin.neutral(judge.theirs), judge.theirs.joints[1:]
    for joint, angle in zip(joints, angles, strict=False):
        q[joint.idx_q : joint.idx_q + joint.nq] = angle if joint.nq == 1 else (np.cos(angle), np.sin(angle))
    return q


def test_out_of_reach_is_never_called_right(judge: Judge, home: np.ndarray) -> None:
    for way in ([3.0, 0.0, 0.0], [0.0, -2.5, 1.0], [0.0, 0.0, -4.0]):
        target = judge.place(home)
        target.translation = target.translation + way
        result = judge.solve(target, home, max_restarts=10)
        assert not result.success, judge.robot
        assert result.restarts == 10
        metres, radians = judge.misses(result.q, target)
        assert (metres, radians) == pytest.approx((result.position_error, result.orientation_error), rel=1e-6)
        assert result.position_error > 0.3
        judge.check_limits(result.q)


@pytest.mark.parametrize(
    ("beyond", "reached"), [(-1e-3, True), (-1e-5, True), (1e-5, False), (1e-3, False), (0.2, False)]
)
def test_just_beyond_the_reach_misses_by_just_that(beyond: float, reached: bool) -> None:
    lengths = 0.5, 0.4, 0.3
    links = "".join(f'<link name="l{k}"/>' for k in range(5))
    joints = "".join(
        f'<joint name="j{k}" type="revolute"><parent link="l{k}"/><child link="l{k + 1}"/>'
        f'<origin xyz="{0.0 if k == 0 else lengths[k - 1]} 0 0"/><axis xyz="0 0 1"/>'
        '<limit lower="-2.8" upper="2.8" effort="1" velocity="1"/></joint>'
        for k in range(3)
    )
    tip = (
        f'<joint name="tip" type="fixed"><parent link="l3"/><child link="l4"/>'
        f'<origin xyz="{lengths[2]} 0 0"/></joint>'
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # links without mass
        model = dyn_node.load_urdf(f'<robot name="planar">{links}{joints}{tip}</robot>')
    theirs = pin.buildModelFromXML(f'<robot name="planar">{links}{joints}{tip}</robot>')
    data, far = theirs.createData(), sum(lengths) + beyond
    for angle in (0.0, 0.7, -2.1):
        target = np.eye(4)
        target[:2, 3] = far * np.cos(angle), far * np.sin(angle)
        result = dyn_node.solve_ik(
            model, "l4", target, [0.4, 0.5, -0.6], weights=[1, 1, 1, 0, 0, 0], **PATIENT
        )
        pin.framesForwardKinematics(theirs, data, result.q)
        metres = np.linalg.norm(data.oMf[theirs.getFrameId("l4")].translation - target[:3, 3])
        assert result.success == reached, f"{angle} rad: {result.message}"
        assert metres == pytest.approx(result.position_error, abs=1e-12)
        if reached:
            assert metres <= ALLOWED
        else:
            assert metres == pytest.approx(beyond, rel=0.02), (
                "the arm is not stretched out towards the target"
            )


@pytest.mark.parametrize("mode", ["speed", "distance"])
def test_a_straight_line_of_millimetres_has_no_jump(judge: Judge, home: np.ndarray, mode: str) -> None:
    start, q, moved = judge.place(home), home, []
    steps, budget = (200, {}) if mode == "speed" else (40, {"max_restarts": 3})
    for k in range(1, steps + 1):
        target = pin.SE3(start.rotation, start.translation + np.array([0.0, 1e-3 * k, 0.0]))
        result = judge.solve(target, q, mode=mode, **budget)
        assert result.success, f"{judge.robot}, step {k}: {result.message}"
        moved.append(np.linalg.norm(pin.difference(judge.theirs, q, result.q)))
        q = result.q
    assert max(moved) < 10.0 * np.mean(moved), f"{judge.robot}: {max(moved)} against {np.mean(moved)}"


def test_singular_seeds_are_left(judge: Judge, home: np.ndarray) -> None:
    neutral = pin.neutral(judge.theirs)
    stretched = np.where(np.isfinite(neutral), neutral, 0.0)
    line = np.concatenate([np.full(joint.nq, joint.nq == 1) for joint in judge.theirs.joints[1:]])
    low, high = judge.theirs.lowerPositionLimit, judge.theirs.upperPositionLimit
    stretched[line] = np.clip(stretched, low, high)[line]
    wrist = home.copy()
    joint = judge.theirs.joints[6 if judge.robot == "panda" else 5]  # the middle one of a wrist of three
    wrist[joint.idx_q : joint.idx_q + joint.nq] = 0.0 if joint.nq == 1 else (1.0, 0.0)
    goal = judge.place(home)
    for number, seed in enumerate((stretched, np.where(line, wrist, home))):
        here = judge.place(seed)
        ahead = pin.SE3(
            here.rotation, 0.9 * here.translation
        )  # towards the shoulder, where nothing moves at first
        for target in (goal, ahead):
            result = judge.solve(target, seed)
            if target is goal:
                assert result.success, f"{judge.robot}, seed {number}: {result.message}"
            assert result.iterations > 1


def test_half_turns_are_made(judge: Judge, home: np.ndarray) -> None:
    rng, solved = np.random.default_rng(3), 0
    for trial in range(12):
        axis = rng.normal(size=3)
        axis = np.eye(3)[trial % 3] if trial < 6 else axis / np.linalg.norm(axis)
        # The target is where the arm can be, the seed half a turn of the tool away from it.
        target = judge.place(dyn_node.integrate(judge.model, home, 0.2 * rng.normal(size=judge.model.nv)))
        turned = pin.SE3(target.rotation @ pin.exp3(np.pi * axis), target.translation)
        seed = dyn_node.solve_ik(
            judge.model, judge.tip, turned.homogeneous, home, weights=[0, 0, 0, 1, 1, 1], **PATIENT
        )
        if not seed.success:
            continue
        _, radians = judge.misses(seed.q, target)
        assert radians == pytest.approx(np.pi, abs=1e-5)
        result = judge.solve(target, seed.q)
        assert result.success, f"{judge.robot}, trial {trial}: {result.message}"
        solved += 1
    assert solved >= 8, judge.robot
