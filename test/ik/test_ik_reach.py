"""Solutions that the joints' velocity limits let a robot reach in a given time."""

from __future__ import annotations

import numpy as np
import pytest
from robots import our_model

import dyn_node
from dyn_node import IkProblem, ik
from dyn_node.errors import InvalidValueError
from dyn_node.ik.chain import middle, on_a_line
from dyn_node.model import ModelBuilder
from dyn_node.model.joint import SubJoint

TIP = "panda_hand_tcp"
#: Seconds.
WITHIN = 0.2
PATIENT = {"timeout": 60.0, "max_restarts": 200}
#: What rounding may add to a way, rad.
ROUNDING = 1e-8


def place(model: dyn_node.Model, frame: str, q: np.ndarray) -> dyn_node.SE3:
    data = model.create_data()
    dyn_node.forward_kinematics(model, data, q)
    return dyn_node.frame_placement(model, data, frame)


def inside(model: dyn_node.Model, rng: np.random.Generator) -> np.ndarray:
    """A configuration whose joints are not near their limits."""
    return dyn_node.interpolate(model, middle(model), dyn_node.random_configuration(model, rng), 0.6)


def moved(model: dyn_node.Model, q: np.ndarray, rng: np.random.Generator, part: float) -> np.ndarray:
    """Where the joints may be after a part of the time."""
    way = rng.uniform(-1.0, 1.0, model.nv) * model.velocity_limit * WITHIN * part
    limits = model.lower_position_limit, model.upper_position_limit
    found = dyn_node.integrate(model, q, way)
    return np.where(on_a_line(model), np.clip(found, *limits), found)


@pytest.mark.parametrize("robot", ["panda", "ur5", "kinova"])
def test_no_joint_goes_further_than_it_gets(robot: str) -> None:
    model, rng = our_model(robot), np.random.default_rng(0)
    frame, unbounded = model.frames[-1].name, 0
    assert np.isfinite(model.velocity_limit).all()
    for number in range(40):
        seed = inside(model, rng)
        target = place(model, frame, moved(model, seed, rng, 0.5))
        found = dyn_node.solve_ik(model, frame, target, seed, within=WITHIN, **PATIENT)
        where = f"{robot}, pose {number}: {found.message}"
        assert found.success, where
        way = np.abs(dyn_node.difference(model, seed, found.q))
        assert (way <= model.velocity_limit * WITHIN + ROUNDING).all(), where
        far = place(model, frame, dyn_node.random_configuration(model, rng))
        there = dyn_node.solve_ik(model, frame, far, seed, within=WITHIN, timeout=0.02)
        way = np.abs(dyn_node.difference(model, seed, there.q))
        if there.success:
            assert (way <= model.velocity_limit * WITHIN + ROUNDING).all(), where
        unbounded += dyn_node.solve_ik(model, frame, far, seed, **PATIENT).success
    assert unbounded == 40, "a pose far away is reached when there is time"


def test_a_pose_too_far_away_says_so() -> None:
    model, rng = our_model("kinova"), np.random.default_rng(1)
    frame, seed = model.frames[-1].name, inside(model, rng)
    far = place(model, frame, dyn_node.random_configuration(model, rng))
    found = dyn_node.solve_ik(model, frame, far, seed, within=1e-3, timeout=60.0, max_restarts=30)
    assert not found.success
    assert "no restart is left" in found.message
    still = dyn_node.solve_ik(model, frame, place(model, frame, seed), seed, within=0.0)
    assert still.success, "no time at all is enough to stay"


def test_a_joint_that_turns_without_end_is_bounded_too() -> None:
    """One joint about z: a target a quarter of a turn away is a solution only when there is time for it."""
    text = """<robot name="one"><link name="base"/><link name="arm"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
      <limit effort="1" velocity="2"/></joint></robot>"""
    model = dyn_node.load_urdf(text)
    target = dyn_node.SE3(dyn_node.SO3.exp([0.0, 0.0, 0.5 * np.pi]).matrix, np.zeros(3))
    ask = {"timeout": 60.0, "max_restarts": 20}
    soon = dyn_node.solve_ik(model, "arm", target, model.neutral, within=0.25 * np.pi - 0.01, **ask)
    assert not soon.success
    assert "farther away than the velocity limits allow" in soon.message
    assert dyn_node.solve_ik(model, "arm", target, model.neutral, within=0.25 * np.pi + 0.01, **ask).success
    problem = IkProblem(model, [ik.PoseTask("arm", target)])
    with pytest.raises(InvalidValueError, match=r"^within: .*turn"):
        problem.solve(model.neutral, within=1.0)


def test_several_tasks_are_bounded() -> None:
    model, rng = our_model("panda"), np.random.default_rng(2)
    for number in range(20):
        seed = inside(model, rng)
        target = place(model, TIP, moved(model, seed, rng, 0.5))
        problem = IkProblem(model, [ik.PoseTask(TIP, target)])
        found = problem.solve(seed, within=WITHIN, **PATIENT)
        assert found.success, f"panda, pose {number}: {found.message}"
        assert (np.abs(found.q - seed) <= model.velocity_limit * WITHIN + ROUNDING).all()


def test_a_seed_outside_the_limits_counts_from_the_limit() -> None:
    model = our_model("panda")
    seed = np.array(model.upper_position_limit)
    seed[0] += 1.0
    target = place(model, TIP, np.array(model.upper_position_limit))
    found = dyn_node.solve_ik(model, TIP, target, seed, within=0.01, **PATIENT)
    assert found.success
    assert "brought inside" in found.message


def test_so_does_that_of_a_joint_whose_other_part_turns_without_end() -> None:
    builder = ModelBuilder("bend and turn")
    parts = [SubJoint("revolute", axis=np.array([0.0, 1.0, 0.0])), SubJoint("continuous", axis=np.eye(3)[2])]
    limits = {"lower": [-1.0, -np.inf, -np.inf], "upper": [1.0, np.inf, np.inf], "velocity_limit": [1.0, 1.0]}
    joint = builder.add_joint(0, "composite", name="both", parts=parts, **limits)
    builder.add_frame("tip", joint, dyn_node.SE3(np.eye(3), [0.2, 0.0, 0.0]))
    model = builder.build()
    near, seed = np.array([0.95, 1.0, 0.0]), np.array([2.0, 1.0, 0.0])
    found = dyn_node.solve_ik(model, "tip", place(model, "tip", near), seed, within=0.1, **PATIENT)
    assert found.success, found.message
    far = place(model, "tip", np.array([0.85, 1.0, 0.0]))
    assert not dyn_node.solve_ik(model, "tip", far, seed, within=0.1, timeout=60.0, max_restarts=20).success


@pytest.mark.parametrize("within", [-1.0, np.nan, "soon"])
def test_what_is_no_time_is_refused(within: object) -> None:
    model = our_model("panda")
    with pytest.raises(InvalidValueError, match=r"^within"):
        dyn_node.solve_ik(model, TIP, dyn_node.SE3.Identity(), within=within)
