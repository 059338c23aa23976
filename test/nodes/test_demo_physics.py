"""The demo robot's body against closed forms and energy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import dyn_node
from dyn_node import robots
from dyn_node.errors import DynNodeError
from dyn_node.nodes.demo_build import build
from dyn_node.nodes.demo_physics import RobotPhysics, home_positions
from dyn_node.nodes.demo_settings import DemoSettings

STEP = 5e-4
# One period of a pendulum swinging a little, by semi-implicit Euler steps of STEP.
PERIOD = 1e-3
# The integrator is of first order: half the step, half the energy error. Bounds of that ratio.
HALVED = (1.7, 2.3)

PENDULUM = """<robot name="pendulum"><link name="base"/><link name="rod"><inertial>
<origin xyz="0 0 -0.5"/><mass value="2"/>
<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
<joint name="hinge" type="{kind}"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="100" velocity="100"/>{dynamics}</joint></robot>"""


def _pendulum(
    start: float, kind: str = "revolute", dynamics: str = "", friction: float = 0.0
) -> RobotPhysics:
    model = dyn_node.load_urdf(PENDULUM.format(kind=kind, dynamics=dynamics))
    return RobotPhysics(model, np.array([start]), friction)


def test_small_swing_has_the_period_of_a_pendulum():
    body, none = _pendulum(0.01), np.zeros(1)
    time, crossings = 0.0, []
    while len(crossings) < 2:
        before = body.position[0]
        body.step(none, STEP)
        time += STEP
        if before > 0.0 >= body.position[0] or before < 0.0 <= body.position[0]:
            crossings.append(time)
    assert_allclose(crossings[1] - crossings[0], np.pi * np.sqrt(0.5 / 9.81), atol=PERIOD)


def test_a_joint_stops_at_its_limit_and_can_leave_it():
    body = _pendulum(0.9)
    for _ in range(1000):
        body.step(np.array([30.0]), STEP)
    assert body.position[0] == 1.0
    assert body.velocity[0] == 0.0
    for _ in range(100):
        body.step(np.zeros(1), STEP)
    assert body.position[0] < 1.0


def test_a_continuous_joint_counts_its_turns():
    body = _pendulum(0.0, kind="continuous")
    for _ in range(2000):
        body.step(np.array([25.0]), STEP)
    assert body.position[0] > 2 * np.pi


@pytest.mark.parametrize("how", [{"dynamics": '<dynamics damping="0.3"/>'}, {"friction": 0.6}])
def test_damping_is_viscous(how):
    body = _pendulum(0.0, **how)
    body.velocity[:] = 2.0
    body.step(np.zeros(1), 1e-6)
    # m l^2 a = -d v at the bottom.
    assert_allclose((body.velocity[0] - 2.0) / 1e-6, -0.3 * 2.0 / (2.0 * 0.25), rtol=1e-4)


def _energy_error(step: float) -> float:
    """Energy that 0.3 s of falling gain or lose (J)."""
    model = robots.load("ur5e")
    data = model.create_data()
    body = RobotPhysics(model, home_positions(model, robots.describe("ur5e").home))

    def energy() -> float:
        kinetic = 0.5 * body.velocity @ dyn_node.crba(model, data, body.position) @ body.velocity
        dyn_node.forward_kinematics(model, data, body.position)
        weights = zip(model.joints[1:], model.inertias[1:], strict=True)
        return kinetic + sum(9.81 * i.mass * data.oMi[j.index].act(i.com)[2] for j, i in weights)

    start = energy()
    for _ in range(round(0.3 / step)):
        body.step(np.zeros(6), step)
    assert np.abs(body.velocity).max() > 5.0
    return abs(energy() - start)


def test_a_falling_arm_keeps_its_energy_up_to_the_order_of_the_step():
    ratio = _energy_error(STEP) / _energy_error(STEP / 2)
    assert HALVED[0] < ratio < HALVED[1]


def test_exact_gravity_torque_leaves_an_arm_standing():
    model = robots.load("panda")
    body = RobotPhysics(model, home_positions(model, robots.describe("panda").home))
    start = body.position.copy()
    torque = dyn_node.generalized_gravity(model, model.create_data(), start)
    for _ in range(4000):
        body.step(torque, STEP)
    assert_allclose(body.position, start, atol=1e-9)


def test_inertia_is_the_diagonal_of_the_mass_matrix():
    assert_allclose(_pendulum(0.3).inertia(), [2.0 * 0.25])


@pytest.mark.parametrize("name", robots.names())
def test_every_shipped_robot_can_be_built(name):
    built = build(DemoSettings(robot=name))
    assert (built.base is None) == (robots.describe(name).root == "fixed")
    assert list(built.body.position) == [robots.describe(name).home[joint] for joint in built.body.names]


def test_a_tilted_base_feels_gravity_from_another_side():
    # Upright, the legs on both sides fall inwards; rolled by 90 degrees about x, all fall to one side.
    half = np.sqrt(0.5)
    signs = {}
    for roll, quaternion in (("upright", (0.0, 0.0, 0.0, 1.0)), ("rolled", (half, 0.0, 0.0, half))):
        body = build(DemoSettings(robot="go2", base_pose=(0.0, 0.0, 1.0, *quaternion))).body
        body.step(np.zeros(12), 1e-6)
        left, right = (body.velocity[body.names.index(f"{leg}_hip_joint")] for leg in ("FL", "FR"))
        signs[roll] = np.sign(left * right)
    assert signs == {"upright": -1.0, "rolled": 1.0}


def test_command_order_is_the_settings():
    names = ("wrist_1_joint", "elbow_joint")
    built = build(DemoSettings(robot="ur5e", command_joints=names))
    assert tuple(built.body.names[i] for i in built.command_index) == names


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"robot": "pandas"}, "panda"),
        ({"command_joints": ("elbow",)}, "panda_joint1"),
        ({"command_joints": ("panda_joint1", "panda_joint1")}, "twice"),
        ({"initial_positions": (0.0, 0.0)}, "7 joints"),
        ({"initial_positions": (0.0, 9.0, 0.0, -1.0, 0.0, 1.0, 0.0)}, "panda_joint2"),
        ({"robot_description": "<robot"}, "XML"),
        ({"robot_description": '<robot name="stone"><link name="base"/></robot>'}, "none"),
        ({"base_pose": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)}, "quaternion"),
        ({"rate": 0.0}, "rate"),
        ({"gravity": (0.0, 0.0)}, "gravity"),
        ({"effort_timeout": float("nan")}, "effort_timeout"),
        ({"friction_rate": 1000.0}, "substeps"),
    ],
)
def test_bad_settings_are_refused_by_name(settings, said):
    with pytest.raises(DynNodeError, match=said):
        build(DemoSettings(**settings))
