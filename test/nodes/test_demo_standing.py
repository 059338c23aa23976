"""The demo robot on its feet: it stands under its gravity torques, sinks without, and lands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dyn_node
from dyn_node.errors import DynNodeError
from dyn_node.nodes.demo_build import build
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
