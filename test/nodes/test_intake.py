"""The joints' state, merged by name; what is refused, counted and said."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dyn_node
from dyn_node.errors import UnknownJointError
from dyn_node.nodes.intake import JointIntake
from dyn_node.nodes.joint_map import JointMap

NAMES = [f"panda_joint{k}" for k in range(1, 8)]
POSITION = np.linspace(-1.0, 0.5, 7)
VELOCITY = np.linspace(0.1, 0.7, 7)


class Heard:
    """Remembers what the intake says."""

    def __init__(self) -> None:
        self.said: dict[str, str] = {}

    def __call__(self, key: str, text: str) -> None:
        self.said[key] = text


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def joints() -> JointMap:
    return JointMap(dyn_node.robots.load("panda"))


@pytest.fixture
def intake(joints: JointMap, heard: Heard) -> JointIntake:
    return JointIntake(joints, "zero", heard)


def give(
    intake: JointIntake, names: list[str], position: object = None, velocity: object = None, at: int = 5
) -> bool:
    count = len(names)
    position = np.zeros(count) if position is None else np.asarray(position, dtype=float)
    velocity = np.zeros(count) if velocity is None else np.asarray(velocity, dtype=float)
    return intake.update(names, position, velocity, at, at + 1)


def test_order_does_not_matter(intake: JointIntake) -> None:
    order = [3, 0, 6, 2, 5, 1, 4]
    assert give(intake, [NAMES[k] for k in order], POSITION[order], VELOCITY[order])
    assert (intake.position == POSITION).all()
    assert (intake.velocity == VELOCITY).all()
    assert intake.known.all()


def test_partial_messages_are_merged_with_their_own_stamps(intake: JointIntake) -> None:
    give(intake, NAMES[:3], POSITION[:3], VELOCITY[:3], at=100)
    assert intake.known.tolist() == [True] * 3 + [False] * 4
    give(intake, NAMES[3:], POSITION[3:], VELOCITY[3:], at=200)
    assert intake.known.all()
    assert (intake.position == POSITION).all()
    assert intake.stamps.tolist() == [100] * 3 + [200] * 4
    assert intake.receipts.tolist() == [101] * 3 + [201] * 4
    assert intake.accepted == 2


def test_a_changed_name_list_is_followed(intake: JointIntake) -> None:
    for order in ([0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0], [0, 1, 2, 3, 4, 5, 6]):
        give(intake, [NAMES[k] for k in order], POSITION[order])
        assert (intake.position == POSITION).all(), order


def test_extra_joints_are_ignored_and_said(intake: JointIntake, heard: Heard) -> None:
    assert give(intake, ["finger", *NAMES], [9.0, *POSITION])
    assert (intake.position == POSITION).all()
    assert any("finger" in text for text in heard.said.values())


@pytest.mark.parametrize(
    ("position", "velocity", "reason"),
    [
        (POSITION[:6], VELOCITY, "position is shorter than name"),
        ([], VELOCITY, "position is shorter than name"),
        ([*POSITION, 0.0], VELOCITY, "position is longer than name"),
        (POSITION, VELOCITY[:3], "velocity is shorter than name"),
        (POSITION, [*VELOCITY, 0.0], "velocity is longer than name"),
    ],
)
def test_arrays_that_do_not_fit_the_names_are_refused_and_counted(
    intake: JointIntake, heard: Heard, position: object, velocity: object, reason: str
) -> None:
    assert not give(intake, NAMES, position, velocity)
    assert intake.rejected == {reason: 1}
    assert not intake.known.any()
    assert "refused" in heard.said[reason]


def test_names_that_are_foreign_or_doubled_are_refused(intake: JointIntake) -> None:
    assert not give(intake, ["other"])
    assert not give(intake, [])
    assert not give(intake, [*NAMES, NAMES[0]])
    assert intake.rejected == {"names no joint of this robot": 2, "names a joint twice": 1}


def test_no_velocity_is_at_rest_and_said(intake: JointIntake, heard: Heard) -> None:
    give(intake, NAMES, POSITION, VELOCITY)
    assert give(intake, NAMES, POSITION, [])
    assert not intake.velocity.any()
    assert "no velocity" in heard.said


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_position_that_is_not_finite_makes_its_joint_unknown_until_it_is(
    intake: JointIntake, heard: Heard, bad: float
) -> None:
    position = POSITION.copy()
    position[2] = bad
    give(intake, NAMES, position)
    assert intake.known.tolist() == [True, True, False, True, True, True, True]
    assert any("panda_joint3" in text for text in heard.said.values())
    give(intake, NAMES, POSITION)
    assert intake.known.all()


@pytest.mark.parametrize(
    ("policy", "velocity", "known"), [("zero", 0.0, True), ("hold", 0.2, True), ("reject", 0.0, False)]
)
def test_a_velocity_that_is_not_finite_follows_the_policy(
    joints: JointMap, policy: str, velocity: float, known: bool
) -> None:
    intake = JointIntake(joints, policy)
    give(intake, NAMES, POSITION, VELOCITY)
    bad = VELOCITY.copy()
    bad[1] = math.nan
    give(intake, NAMES, POSITION, bad)
    assert intake.velocity[1] == velocity
    assert intake.velocity[2] == VELOCITY[2]
    assert intake.known[1] == known
    assert intake.known[[0, 2, 3, 4, 5, 6]].all()


@pytest.mark.parametrize(("largest", "known"), [(1e8, True), (1e300, False)])
def test_numbers_that_no_robot_has_do_not_count(intake: JointIntake, largest: float, known: bool) -> None:
    assert give(intake, NAMES, np.full(7, largest))
    assert (intake.known == known).all()


def test_a_stamp_of_zero_is_the_time_of_receipt(intake: JointIntake) -> None:
    intake.update(NAMES, POSITION, VELOCITY, 0, 77)
    assert intake.stamps.tolist() == [77] * 7


BODY = """<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>"""
LIMIT = """<limit lower="-1" upper="1" effort="1" velocity="1"/>"""
GRIPPER = f"""<robot name="gripper"><link name="palm"/>
<link name="a">{BODY}</link><link name="b">{BODY}</link><link name="c">{BODY}</link>
<joint name="left" type="prismatic"><parent link="palm"/><child link="a"/>{LIMIT}</joint>
<joint name="right" type="prismatic"><parent link="palm"/><child link="b"/>{LIMIT}
<mimic joint="left" multiplier="-2" offset="0.5"/></joint>
<joint name="wrist" type="revolute"><parent link="palm"/><child link="c"/>{LIMIT}</joint></robot>"""


def test_a_joint_that_mimics_another_has_its_leaders_state(heard: Heard) -> None:
    gripper = JointMap(dyn_node.load_urdf(GRIPPER))
    assert gripper.names == ("left", "wrist")
    intake = JointIntake(gripper, "zero", heard)
    give(intake, ["left", "right"], [0.1, 0.3], [1.0, -2.0], at=5)
    assert intake.known.tolist() == [True, False]
    assert not heard.said
    give(intake, ["left", "right", "wrist"], [0.1, 0.9, 0.0])
    assert intake.position.tolist() == pytest.approx([0.1, 0.0])
    assert intake.disagreement == {"right": "right is at 0.9, but follows left to 0.3, which is used"}
    give(intake, ["left", "right"], [0.1, 0.3])
    assert not intake.disagreement
    assert give(intake, ["right"], [0.3]), "a driver may publish a follower by itself"
    assert not intake.rejected


def test_many_name_lists_do_not_fill_the_memory(intake: JointIntake) -> None:
    for k in range(300):
        give(intake, [NAMES[k % 7], f"foreign{k}"])
    assert len(intake._plans) <= 64
    assert intake.known.all()


def test_an_unknown_slot_lists_the_closest(joints: JointMap) -> None:
    with pytest.raises(UnknownJointError, match="panda_joint1"):
        joints.slot("panda_joint")
