"""Jumps of joints, and publishers that contradict each other."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dyn_node
from dyn_node.nodes.joint_map import JointMap
from dyn_node.nodes.scrutiny import Scrutiny

BODY = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
URDF = f"""<robot name="two"><link name="base"/><link name="a">{BODY}</link>
<link name="b">{BODY}</link>
<joint name="arm" type="revolute"><parent link="base"/><child link="a"/>
<limit lower="-9" upper="9" effort="1" velocity="1"/></joint>
<joint name="wheel" type="continuous"><parent link="a"/><child link="b"/></joint></robot>"""
BOTH = np.array([0, 1])
KNOWN = np.array([True, True])


@pytest.fixture
def joints() -> JointMap:
    return JointMap(dyn_node.load_urdf(URDF))


def follow(scrutiny: Scrutiny, positions: list[tuple[float, float]]) -> None:
    """Show one position after the other."""
    before = positions[0]
    for now in positions[1:]:
        scrutiny.see(BOTH, np.array(before), np.array(now), KNOWN)
        before = now


@pytest.mark.parametrize(
    ("positions", "jumps"),
    [
        ([(0.0, 0.0), (0.4, 0.4)], {}),
        ([(0.0, 0.0), (0.6, 0.0), (0.7, 0.0)], {"arm": 0.6}),
        ([(0.0, 3.1), (0.0, -3.1)], {}),
        ([(0.0, 0.0), (math.tau, 1.0 + math.tau)], {"arm": math.tau, "wheel": 1.0}),
        ([(0.0, 0.0), (math.nan, 0.0)], {}),
    ],
    ids=["small", "jump", "wheel within a turn", "whole turns", "nan"],
)
def test_jumps_are_told_once_with_their_size(joints: JointMap, positions: list, jumps: dict) -> None:
    scrutiny = Scrutiny(joints, 0.5)
    follow(scrutiny, positions)
    assert scrutiny.jumps() == pytest.approx(jumps)
    assert scrutiny.jumps() == {}
    assert scrutiny.count == len(jumps)


def test_without_a_bound_and_for_joints_that_were_unknown_nothing_jumps(joints: JointMap) -> None:
    free, bounded = Scrutiny(joints, 0.0), Scrutiny(joints, 0.5)
    free.see(BOTH, np.zeros(2), np.ones(2), KNOWN)
    bounded.see(BOTH, np.zeros(2), np.ones(2), ~KNOWN)
    assert free.jumps() == bounded.jumps() == {}


CIRCLE = [(math.sin(0.3 * k), 0.0) for k in range(60)]


@pytest.mark.parametrize(
    ("positions", "rivals"),
    [
        ([(0.0, 0.0), (1.0, 0.0)] * 4, ("arm",)),
        ([(0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (1.0, 0.0)] * 4, ("arm",)),
        ([(0.02 * k if k % 3 else -1.0, 0.0) for k in range(16)], ("arm",)),
        ([(0.001 * k, 0.0) for k in range(100)], ()),
        (CIRCLE, ()),
        ([(0.002 * (-1) ** k, 0.0) for k in range(100)], ()),
    ],
    ids=["turns", "pairs", "one moves", "ramp", "swing", "noise"],
)
def test_a_joint_in_two_places_is_noticed_and_a_moving_one_is_not(
    joints: JointMap, positions: list, rivals: tuple[str, ...]
) -> None:
    scrutiny = Scrutiny(joints)
    follow(scrutiny, positions)
    assert scrutiny.rivals() == (), "there is one publisher"
    scrutiny.several = True
    follow(scrutiny, positions)
    assert scrutiny.rivals() == rivals
    assert scrutiny.rivals() == ()
