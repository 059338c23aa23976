"""The floating base from odometry and from poses."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dyn_node
from dyn_node.errors import InvalidValueError
from dyn_node.nodes.base_intake import BaseIntake, check_base_frame, root_frame
from dyn_node.spatial import SE3, Motion

YAW_90 = (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5))
LEVEL = (0.0, 0.0, 0.0, 1.0)
TWIST = np.array([1.0, 2.0, 3.0, 0.1, 0.2, 0.3])
SECOND = 1_000_000_000
NAN_TWIST = np.array([math.nan, 0, 0, 0, 0, 0])


@pytest.fixture(scope="module")
def model() -> dyn_node.Model:
    return dyn_node.robots.load("go2", root="free_flyer")


def filled(intake: BaseIntake, model: dyn_node.Model) -> tuple[np.ndarray, np.ndarray]:
    q, v = dyn_node.neutral(model), np.zeros(model.nv)
    intake.fill(q, v)
    return q, v


def test_child_twist_is_taken_as_it_is(model: dyn_node.Model) -> None:
    intake = BaseIntake(model)
    assert intake.odometry(root_frame(model).name, (1.0, 2.0, 3.0), YAW_90, TWIST, 7, 8)
    q, v = filled(intake, model)
    assert q[:7] == pytest.approx([1.0, 2.0, 3.0, *YAW_90])
    assert v[:6] == pytest.approx(TWIST)
    assert (intake.stamp, intake.receipt, intake.known) == (7, 8, True)


def test_header_twist_is_turned_into_the_base(model: dyn_node.Model) -> None:
    intake = BaseIntake(model, twist_frame="header")
    intake.odometry("", (0.0, 0.0, 0.0), YAW_90, np.array([1.0, 0, 0, 0, 2.0, 0]), 1, 1)
    # Facing +y, a motion along the world's x is one to the right, along the base's -y.
    assert intake.twist == pytest.approx([0.0, -1.0, 0, 2.0, 0, 0])


def test_a_child_frame_fixed_to_the_root_is_carried_over(model: dyn_node.Model) -> None:
    intake = BaseIntake(model)
    offset = model.frames[model.frame_id("imu")].placement
    base = SE3.from_quaternion(np.array(YAW_90), np.array([1.0, 2.0, 3.0]))
    imu = base * offset
    twist = offset.act_inv(Motion.from_vector(TWIST)).vector
    assert intake.odometry("imu", tuple(imu.translation), tuple(imu.quaternion), twist, 1, 1)
    assert intake.placement.is_approx(base, 1e-12)
    assert intake.twist == pytest.approx(TWIST)


@pytest.mark.parametrize("child", ["FL_foot", "elsewhere"])
def test_other_child_frames_are_refused_with_both_names(model: dyn_node.Model, child: str) -> None:
    said: dict[str, str] = {}
    intake = BaseIntake(model, notify=said.__setitem__)
    assert not intake.odometry(child, (0.0, 0.0, 0.0), LEVEL, TWIST, 1, 1)
    assert not intake.known
    assert sum(intake.rejected.values()) == 1
    text = " ".join(said.values())
    assert child in text
    assert root_frame(model).name in text


def test_an_empty_child_is_the_base_frame_and_said(model: dyn_node.Model) -> None:
    said: dict[str, str] = {}
    intake = BaseIntake(model, notify=said.__setitem__)
    assert intake.odometry("", (0.0, 0.0, 0.0), LEVEL, TWIST, 1, 1)
    assert "child" in said


def test_zero_quaternion_is_refused_and_the_state_kept(model: dyn_node.Model) -> None:
    intake = BaseIntake(model)
    intake.odometry("", (1.0, 0.0, 0.0), LEVEL, TWIST, 1, 1)
    assert not intake.odometry("", (2.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), TWIST, 2, 2)
    assert intake.known
    assert intake.placement.translation[0] == 1.0
    assert intake.receipt == 1


def test_near_unit_quaternion_is_normalised(model: dyn_node.Model) -> None:
    intake = BaseIntake(model)
    assert intake.odometry("", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.004), TWIST, 1, 1)
    q, _ = filled(intake, model)
    assert q[3:7] == pytest.approx(LEVEL)


def test_a_position_that_is_not_finite_makes_the_base_unknown(model: dyn_node.Model) -> None:
    intake = BaseIntake(model)
    intake.odometry("", (1.0, 0.0, 0.0), LEVEL, TWIST, 1, 1)
    assert not intake.odometry("", (math.inf, 0.0, 0.0), LEVEL, TWIST, 2, 2)
    assert not intake.known


@pytest.mark.parametrize(
    ("policy", "known", "first"), [("zero", True, 0.0), ("hold", True, 1.0), ("reject", False, 1.0)]
)
def test_a_twist_that_is_not_finite_follows_the_policy(
    model: dyn_node.Model, policy: str, known: bool, first: float
) -> None:
    said: dict[str, str] = {}
    intake = BaseIntake(model, nan_velocity=policy, notify=said.__setitem__)
    intake.odometry("", (0.0, 0.0, 0.0), LEVEL, TWIST, 1, 1)
    intake.odometry("", (0.0, 0.0, 0.0), LEVEL, NAN_TWIST, 2, 2)
    assert "not finite" in said["base twist"]
    assert intake.known == known
    assert intake.twist[0] == first
    assert np.isfinite(intake.twist).all()


def test_poses_give_the_twist_by_differences(model: dyn_node.Model) -> None:
    intake = BaseIntake(model, pose_filter=0.0)
    step = SE3.exp(TWIST * 0.01)
    pose = SE3.Random(np.random.default_rng(3))
    for k in range(4):
        intake.pose(tuple(pose.translation), tuple(pose.quaternion), SECOND + k * SECOND // 100, 1)
        assert intake.known == (k > 0), k
        pose = pose * step
    assert intake.twist == pytest.approx(TWIST, rel=1e-9)


def test_the_filter_approaches_a_step_in_its_time_constant(model: dyn_node.Model) -> None:
    intake = BaseIntake(model, pose_filter=0.1)
    x, stamp = 0.0, SECOND
    for k in range(103):
        intake.pose((x, 0.0, 0.0), LEVEL, stamp, 1)
        stamp += SECOND // 1000
        x += 0.001 if k >= 2 else 0.0
    assert intake.twist[0] == pytest.approx(1.0 - math.exp(-1.0), abs=0.01)


def test_a_gap_or_a_step_back_in_time_starts_the_differences_anew(model: dyn_node.Model) -> None:
    intake = BaseIntake(model)
    for stamp, known in (
        (SECOND, False),
        (SECOND + 10, True),
        (4 * SECOND, False),
        (4 * SECOND + 10, True),
        (SECOND, False),
    ):
        intake.pose((0.0, 0.0, 0.0), LEVEL, stamp, 1)
        assert intake.known == known, stamp


def test_the_same_pose_again_is_not_forgotten(model: dyn_node.Model) -> None:
    intake = BaseIntake(model)
    for stamp, taken in ((SECOND, False), (SECOND + 10, True), (SECOND + 10, False)):
        assert intake.pose((0.0, 0.0, 0.0), LEVEL, stamp, 1) == taken, stamp
    assert intake.known


@pytest.mark.parametrize(
    ("child", "quaternion", "twist", "words"),
    [
        ("FL_foot", LEVEL, TWIST, ("FL_foot", "base")),
        ("", (0.0, 0.0, 0.0, 0.0), TWIST, ("length zero",)),
        ("", (0.0, 0.0, 0.0, math.nan), TWIST, ("not finite",)),
        ("", LEVEL, NAN_TWIST, ("twist is not finite",)),
    ],
)
def test_the_last_refusal_is_kept_until_a_message_is_used(
    model: dyn_node.Model, child: str, quaternion: tuple, twist: np.ndarray, words: tuple[str, ...]
) -> None:
    intake = BaseIntake(model, nan_velocity="reject")
    assert not intake.odometry(child, (0.0, 0.0, 0.0), quaternion, twist, 1, 1)
    for word in words:
        assert word in intake.refusal
    assert intake.odometry("", (0.0, 0.0, 0.0), LEVEL, TWIST, 1, 1)
    assert intake.refusal == ""


def test_a_planar_base_keeps_what_lies_in_its_plane() -> None:
    planar = dyn_node.robots.load("panda", root="planar")
    said: dict[str, str] = {}
    intake = BaseIntake(planar, notify=said.__setitem__)
    intake.odometry("", (1.0, 2.0, 0.5), YAW_90, TWIST, 1, 1)
    q, v = filled(intake, planar)
    assert q[:4] == pytest.approx([1.0, 2.0, 0.0, 1.0])
    assert v[:3] == pytest.approx([1.0, 2.0, 0.3])
    assert not [key for key in said if key == "tilt"]
    intake.odometry("", (0.0, 0.0, 0.0), (math.sin(0.1), 0.0, 0.0, math.cos(0.1)), TWIST, 1, 1)
    assert "tilt" in said


def test_base_frame_has_to_be_fixed_to_the_root(model: dyn_node.Model) -> None:
    check_base_frame(model, "imu")
    with pytest.raises(InvalidValueError, match=r"base_frame.*FL_foot.*base"):
        check_base_frame(model, "FL_foot")


def test_a_fixed_robot_has_no_base_state() -> None:
    with pytest.raises(InvalidValueError, match="fixed base"):
        BaseIntake(dyn_node.robots.load("panda"))
