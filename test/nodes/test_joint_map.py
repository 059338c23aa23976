"""Joint positions by name against q, continuous joints among them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dyn_node
from dyn_node.errors import ModelError
from dyn_node.nodes.joint_map import JointMap

BODY = """<inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>"""
CONTINUOUS = f"""<robot name="two"><link name="base"/>
<link name="one">{BODY}</link><link name="two">{BODY}</link>
<joint name="turn" type="continuous"><parent link="base"/><child link="one"/><axis xyz="0 0 1"/></joint>
<joint name="slide" type="prismatic"><parent link="one"/><child link="two"/><axis xyz="1 0 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


@pytest.fixture
def model() -> dyn_node.Model:
    return dyn_node.load_urdf(CONTINUOUS)


def test_continuous_joints_become_cosine_and_sine_and_back(model: dyn_node.Model) -> None:
    joints = JointMap(model)
    assert joints.names == ("turn", "slide")
    q = dyn_node.neutral(model)
    joints.fill_q(q, np.array([2.5, 0.3]))
    assert q == pytest.approx([math.cos(2.5), math.sin(2.5), 0.3])
    assert joints.positions(q) == pytest.approx([2.5, 0.3])


@pytest.mark.parametrize("seed", [2.5 + 4 * math.pi, 2.5 - 6 * math.pi, 2.0])
def test_a_continuous_joint_takes_the_turn_nearest_to_the_seed(model: dyn_node.Model, seed: float) -> None:
    joints = JointMap(model)
    q = dyn_node.neutral(model)
    joints.fill_q(q, np.array([2.5, 0.3]))
    turn = joints.positions(q, near=np.array([seed, 0.0]))[0]
    assert abs(turn - seed) <= math.pi
    assert math.cos(turn) == pytest.approx(math.cos(2.5))


def test_only_joints_with_limits_have_them(model: dyn_node.Model) -> None:
    joints = JointMap(model)
    assert joints.lower.tolist() == [-math.inf, -1.0]
    assert joints.upper.tolist() == [math.inf, 1.0]


def test_floating_base_is_not_among_the_joints() -> None:
    joints = JointMap(dyn_node.robots.load("go2", root="free_flyer"))
    assert len(joints.names) == 12
    assert joints.v_index.tolist() == list(range(6, 18))


def test_a_joint_that_joint_states_cannot_carry_is_refused_by_name() -> None:
    text = CONTINUOUS.replace('name="slide" type="prismatic"', 'name="slide" type="planar"')
    with pytest.raises(ModelError, match="slide"):
        JointMap(dyn_node.load_urdf(text))
