"""Gravity from an inertial measurement unit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tolerances import IDENTITY

import dyn_node
from dyn_node.nodes.gravity_intake import GravityIntake, TiltedGravity
from dyn_node.spatial import SE3

DOWN = (0.0, 0.0, -9.81)
HALF = math.sqrt(0.5)
ROLLED = (HALF, 0.0, 0.0, HALF)
BODY = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
MOUNTED = f"""<robot name="mounted"><link name="base"/><link name="imu"/><link name="a">{BODY}</link>
<joint name="mount" type="fixed"><origin xyz="0.1 0 0" rpy="0 0 1.5707963267948966"/>
<parent link="base"/><child link="imu"/></joint>
<joint name="arm" type="revolute"><parent link="base"/><child link="a"/>
<limit lower="-9" upper="9" effort="1" velocity="1"/></joint></robot>"""


@pytest.fixture
def intake() -> GravityIntake:
    return GravityIntake(dyn_node.load_urdf(MOUNTED), DOWN)


def test_a_level_sensor_gives_the_parameter(intake: GravityIntake) -> None:
    assert intake.update("base", (0.0, 0.0, 0.0, 1.0), True, 7)
    assert (intake.known, intake.receipt) == (True, 7)
    assert intake.vector == pytest.approx(DOWN)


def test_an_arm_rolled_onto_its_side_falls_along_y(intake: GravityIntake) -> None:
    # Rolled by 90 degrees about x, the base's y axis points up.
    intake.update("base", ROLLED, True, 1)
    assert intake.vector == pytest.approx([0.0, -9.81, 0.0])


def test_the_sensors_mount_is_carried_over(intake: GravityIntake) -> None:
    base = SE3.Random(np.random.default_rng(4))
    mount = dyn_node.load_urdf(MOUNTED)
    sensor = base * mount.frames[mount.frame_id("imu")].placement
    intake.update("imu", tuple(sensor.quaternion), True, 1)
    assert intake.vector == pytest.approx(base.rotation.T @ np.array(DOWN))


@pytest.mark.parametrize(
    ("frame", "quaternion", "oriented", "words"),
    [
        ("base", ROLLED, False, "no orientation"),
        ("a", ROLLED, True, "not fixed to the root link"),
        ("elsewhere", ROLLED, True, "elsewhere"),
        ("base", (0.0, 0.0, 0.0, 0.0), True, "length zero"),
        ("base", (math.nan, 0.0, 0.0, 1.0), True, "not finite"),
    ],
)
def test_refusals_name_the_reason_and_keep_what_is_known(
    intake: GravityIntake, frame: str, quaternion: tuple, oriented: bool, words: str
) -> None:
    intake.update("base", ROLLED, True, 1)
    assert not intake.update(frame, quaternion, oriented, 2)
    assert words in intake.refusal
    assert (intake.receipt, sum(intake.rejected.values())) == (1, 1)
    assert intake.update("base", ROLLED, True, 3)
    assert intake.refusal == ""


def test_gravity_torques_of_any_direction_are_those_of_a_model_with_it() -> None:
    model = dyn_node.robots.load("panda")
    tilted, rng, out = TiltedGravity(model), np.random.default_rng(5), np.empty(model.nv)
    for _ in range(10):
        gravity, q = rng.normal(size=3) * 9.81, dyn_node.random_configuration(model, rng)
        tilted.compute(q, gravity, out)
        turned = model.with_gravity(gravity)
        expected = dyn_node.generalized_gravity(turned, turned.create_data(), q)
        assert out == pytest.approx(expected, abs=IDENTITY)
