"""check_model: what it finds in robots that load."""

from __future__ import annotations

import numpy as np
import pytest
from robots import ALL_URDFS, ROBOTS, our_model

from dyn_node.model import Mimic, ModelBuilder, check_model, load_urdf
from dyn_node.spatial import Inertia

BODY = Inertia(1.0, [0.0, 0.0, 0.1], 0.01 * np.eye(3))
LIMITS = {"lower": -1.0, "upper": 1.0, "velocity_limit": 1.0, "effort_limit": 1.0}


def findings(body=BODY, **options):
    builder = ModelBuilder()
    joint = builder.add_joint(0, "revolute", name="j", axis=(0, 0, 1), **{**LIMITS, **options})
    builder.append_body(joint, body, name="b")
    return [(f.severe, f.kind, str(f)) for f in check_model(builder.build())]


def test_a_sound_robot_has_none():
    assert findings() == []


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (Inertia(1.0, np.zeros(3), np.diag([1.0, 1.0, 3.0])), "link 'b'.*1, 1, 3.*1 + 1 < 3"),
        (Inertia(1.0, np.zeros(3), np.diag([-1.0, 1.0, 1.0])), "link 'b'.*negative.*-1, 1, 1"),
        (Inertia(0.0, np.zeros(3), np.eye(3)), "link 'b'.*no mass.*1, 1, 1"),
    ],
)
def test_impossible_inertia(body, words):
    ((severe, kind, text),) = findings(body)
    assert severe
    assert kind == "inertia"
    assert all(word in text for word in words.split(".*")), text


def test_a_small_impossible_link_on_a_sound_body_is_no_danger():
    builder = ModelBuilder()
    builder.add_joint(0, "revolute", name="j", axis=(0, 0, 1), **LIMITS)
    builder.append_body("j", BODY, name="b")
    bad = Inertia(0.0, np.zeros(3), np.diag([0.0, 0.0, 3e-6]))
    builder.append_body("j", bad, name="dummy")
    builder.append_body(0, bad, name="base")
    found = [(f.severe, f.kind, f.where) for f in check_model(builder.build())]
    assert found == [(False, "inertia", "link 'dummy'"), (False, "inertia", "link 'base'")]


def test_rounded_numbers_are_possible():
    assert findings(Inertia(1.0, np.zeros(3), np.diag([0.001, 0.002, 0.003 + 1e-6]))) == []
    assert findings(Inertia(1.0, np.zeros(3), np.diag([0.0, 0.0, 1e-18]))) == []


def test_a_joint_that_moves_nothing():
    text = "joint 'j': moves link 'b' and no mass (0 kg, no inertia): forward dynamics is singular there"
    assert findings(Inertia.Zero()) == [(True, "mass", text)]
    assert findings(Inertia.Zero(), armature=0.1) == []


def test_limits_of_no_use():
    assert findings(lower=0.5, upper=0.5)[0][2].endswith("lower and upper limit are both 0.5")
    assert findings(effort_limit=0.0) == [(False, "limit", "joint 'j': its effort limit is zero")]
    assert findings(velocity_limit=0.0) == [(False, "limit", "joint 'j': its velocity limit is zero")]


@pytest.mark.parametrize(
    ("mimic", "words"),
    [
        (Mimic("k"), None),
        (Mimic("k", -1.0), None),
        (Mimic("k", 1.5), "joint 'j': the range of its leader 'k' takes it to [-1.5, 1.5], its own"),
        (Mimic("k", 0.5, 0.6), "takes it to [0.1, 1.1]"),
        (Mimic("k", 0.0), "joint 'j': follows 'k' with multiplier 0: it stands still"),
    ],
)
def test_followers(mimic, words):
    builder = ModelBuilder()
    for name, body in (("j", BODY), ("k", Inertia.Zero() if mimic.multiplier else BODY)):
        follows = mimic if name == "j" else None
        number = builder.add_joint(0, "revolute", name=name, axis=(0, 0, 1), mimic=follows, **LIMITS)
        builder.append_body(number, body)
    found = check_model(builder.build())
    # The leader moves its follower's mass: without a mass of its own it is sound.
    assert [(f.severe, f.kind) for f in found] == ([] if words is None else [(False, "mimic")])
    assert words is None or words in str(found[0])


@pytest.mark.skipif(not ALL_URDFS, reason="example-robot-data is not installed")
@pytest.mark.parametrize("name", ROBOTS)
def test_the_robots_that_everything_is_tested_on(name):
    severe = [f.where for f in check_model(our_model(name)) if f.severe]
    assert severe == [], name


SPINNING_ROD = """<robot name="rod"><link name="base"/>
<link name="rod"><inertial><origin xyz="0 0 0.3"/><mass value="1"/>
<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="spin" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/>{extra}</joint></robot>"""


def test_mass_that_does_not_resist_a_joint_is_severe():
    """A point on the axis has mass, and no inertia about it: M is zero."""
    findings = check_model(load_urdf(SPINNING_ROD.format(extra="")))
    assert [(f.severe, f.kind) for f in findings] == [(True, "mass")]
    assert "'spin'" in str(findings[0])
    assert "singular" in str(findings[0])


@pytest.mark.parametrize("name", ["damping", "friction"])
def test_losses_that_would_drive_a_joint_are_severe(name: str):
    findings = check_model(load_urdf(SPINNING_ROD.format(extra=f'<dynamics {name}="-5"/>')))
    assert any(f.severe and f.kind == "loss" and name in str(f) and "-5" in str(f) for f in findings)


def test_the_shipped_robots_are_sound():
    from dyn_node import robots

    for name in robots.names():
        assert check_model(robots.load(name)) == (), name
