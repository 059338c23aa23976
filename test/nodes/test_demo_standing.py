"""The demo robot on its feet: it stands under its gravity torques, sinks without, and lands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dyn_node
from dyn_node.errors import DynNodeError, InvalidValueError
from dyn_node.nodes.demo_build import build
from dyn_node.nodes.demo_motors import Servo
from dyn_node.nodes.demo_settings import DemoSettings
from dyn_node.nodes.demo_standing import StandingPhysics
from dyn_node.spatial import SE3

FEET = ("FL_foot", "FR_foot", "RL_foot", "RR_foot")
STEP = 5e-4


def body(height: float = 0.0, friction_rate: float = 1.0, **home: float) -> StandingPhysics:
    model, robot = dyn_node.robots.load("go2"), dyn_node.robots.describe("go2")
    start = np.array([(robot.home | home)[joint.name] for joint in model.actuated_joints])
    physics = StandingPhysics(
        model, SE3(np.eye(3), [0.0, 0.0, robot.base_height]), start, FEET, friction_rate
    )
    physics.q[2] += height
    return physics


def torques(physics: StandingPhysics, feet: Any = FEET) -> np.ndarray:
    model = physics._model
    return dyn_node.contact_gravity(model, physics._data, physics.q, feet).tau[6:]


def test_it_stands_under_its_gravity_torques_for_ten_seconds() -> None:
    physics = body()
    start = physics.q.copy()
    effort = torques(physics)
    for k in range(10000):
        if k % 4 == 0:
            late, effort = effort, torques(physics)  # messages late, as over a network
        physics.step(late, 2.0 * STEP)
    assert physics.standing == FEET
    moved = np.linalg.norm(physics.q[:3] - start[:3])
    assert moved < 5e-3, f"the base moved by {1e3 * moved:.2g} mm"
    assert np.abs(physics.position - start[7:]).max() < 5e-3


def test_the_ground_carries_the_weight_under_brakes_and_under_torques() -> None:
    physics = body()
    weight = 9.81 * physics._model.total_mass
    physics.stop()
    assert physics.standing == FEET
    held = physics.forces.copy()
    assert held.sum() == pytest.approx(weight)
    physics.step(torques(physics), STEP)
    assert physics.forces == pytest.approx(held, rel=1e-6), "the torques are those of the same sharing"
    physics.step(torques(physics, FEET[:2]), STEP)
    assert physics.forces[:2].sum() > 0.9 * weight, "the torques tell which feet carry"


def test_motors_of_a_standing_leg_feel_the_trunk_and_those_of_a_lifted_one_the_leg() -> None:
    physics = body(height=0.1)
    in_the_air = physics.inertia()
    M = dyn_node.crba(physics._model, physics._data, physics.q)
    assert in_the_air == pytest.approx(1.0 / np.diag(np.linalg.inv(M))[6:])
    physics = body()
    physics.stop()
    assert (physics.inertia() > 2.0 * in_the_air).all()
    effort = torques(physics)
    effort[physics.names.index("FL_calf_joint")] -= 10.0
    for _ in range(20):
        physics.step(effort, STEP)
    lifted = physics.inertia() / in_the_air
    assert lifted[:3].max() < 1.2 < lifted[3:].min()


def test_a_servo_tuned_for_the_stance_brings_the_robot_back_after_a_push() -> None:
    physics = body(friction_rate=0.0)
    physics.stop()
    servo, start = Servo(12, 25.0), physics.q.copy()
    here = physics.position.copy()
    servo.follow(here, here[np.newaxis], np.array([STEP]), 0.0, physics.inertia())
    for k in range(4000):
        push = np.full(12, 2.0) if k < 100 else np.zeros(12)
        if k % 10 == 0:
            held = torques(physics)
        physics.step(held + push + servo.effort(physics.position, physics.velocity, 1.0), 1e-3)
        if k == 100:
            pushed = np.linalg.norm(physics.q[:3] - start[:3])
    assert pushed > 1e-3
    assert np.linalg.norm(physics.q[:3] - start[:3]) < 0.02 * pushed
    assert physics.standing == FEET


def test_a_servo_that_is_too_stiff_for_the_steps_is_refused() -> None:
    build(DemoSettings(robot="go2", feet=FEET, rate=100.0, servo_frequency=25.0))
    with pytest.raises(InvalidValueError, match=r"25 rad/s is too stiff.*raise rate or substeps"):
        build(DemoSettings(robot="go2", feet=FEET, rate=50.0, servo_frequency=25.0))


def test_without_torques_it_sinks_until_its_legs_are_folded() -> None:
    physics = body()
    heights = []
    for _ in range(3000):
        physics.step(np.zeros(12), STEP)
        heights.append(physics.q[2])
        assert np.isfinite(physics.q).all()
    assert heights[0] - heights[500] > 0.02
    assert heights[-1] < 0.8 * heights[0]
    model = physics._model
    slack = 0.02
    assert (physics.position > model.lower_position_limit[7:] - slack).all()
    assert (physics.position < model.upper_position_limit[7:] + slack).all()


def test_it_lands_where_it_is_dropped_and_stays_on_the_ground() -> None:
    physics = body(height=0.02, friction_rate=20.0)
    fell = 0
    while not physics.standing:
        physics.step(np.zeros(12), STEP)
        fell += 1
    # Free fall from 2 cm.
    assert fell * STEP == pytest.approx(np.sqrt(2 * 0.02 / 9.81), abs=0.005)
    for _ in range(400):
        physics.step(torques(physics), STEP)
    assert physics.standing == FEET
    for foot in FEET:
        assert physics._foot(foot)[2] == pytest.approx(physics.ground, abs=1e-4)


def test_a_foot_that_is_lifted_leaves_the_ground() -> None:
    """The calf pulls one foot up: it has no ground to pull at."""
    physics = body()
    effort = torques(physics)
    effort[physics.names.index("FL_calf_joint")] -= 10.0
    for _ in range(20):
        physics.step(effort, STEP)
    assert "FL_foot" not in physics.standing
    assert physics._foot("FL_foot")[2] > physics.ground


def test_robots_that_cannot_stand_are_refused() -> None:
    here = SE3.Identity()
    with pytest.raises(DynNodeError, match="free base"):
        StandingPhysics(dyn_node.robots.load("panda"), here, np.zeros(7), ("panda_hand",))
    with pytest.raises(DynNodeError, match="none are named"):
        StandingPhysics(dyn_node.robots.load("go2"), here, np.zeros(12), ())
    with pytest.raises(DynNodeError, match="FL_foot"):
        StandingPhysics(dyn_node.robots.load("go2"), here, np.zeros(12), ("FL_fot",))


def test_feet_in_the_settings_set_the_base_free() -> None:
    built = build(DemoSettings(robot="go2", feet=FEET))
    assert isinstance(built.body, StandingPhysics)
    pose, twist = built.body.base()
    assert pose.translation[2] == dyn_node.robots.describe("go2").base_height
    assert np.all(twist == 0.0)
    with pytest.raises(DynNodeError, match="root_joint is fixed"):
        DemoSettings(robot="go2", feet=FEET, root_joint="fixed")
    with pytest.raises(DynNodeError, match="FL_foot"):
        build(DemoSettings(robot="go2", feet=("FL_fot",)))
    with pytest.raises(DynNodeError, match="12 joints"):
        build(DemoSettings(robot="go2", feet=FEET, initial_positions=(0.0,)))
