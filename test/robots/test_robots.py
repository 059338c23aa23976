"""The shipped robots: their numbers are those of the published descriptions."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import dyn_node
from dyn_node import robots
from dyn_node.errors import DynNodeError

NAMES = ("panda", "ur5e", "go2")
STATES = 20
# Published numbers are compared entry by entry; only the writing of decimals may differ.
FACT = 1e-12
GRAVITY = 1e-9


def _configurations(model, count=STATES):
    rng = np.random.default_rng(7)
    return [dyn_node.random_configuration(model, rng, unbounded=2.0) for _ in range(count)]


def test_names():
    assert robots.names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_path_is_a_file_of_the_package(name):
    path = robots.path(name)
    assert path.is_file()
    assert path.parent == Path(robots.__file__).parent


@pytest.mark.parametrize("call", [robots.path, robots.load, robots.describe])
@pytest.mark.parametrize("wrong", ["pandas", "", None, ["panda"]])
def test_unknown_name_lists_the_allowed(call, wrong):
    with pytest.raises(DynNodeError) as caught:
        call(wrong)
    assert all(name in str(caught.value) for name in NAMES)
    assert caught.value.allowed == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_urdf_is_primitive_shapes_and_names_its_source(name):
    text = robots.path(name).read_text(encoding="utf-8")
    tree = ET.fromstring(text)
    shapes = {shape.tag for geometry in tree.iter("geometry") for shape in geometry}
    assert shapes, f"{name}: nothing to see"
    assert shapes <= {"box", "cylinder", "sphere"}, f"{name}: {shapes}"
    assert "Facts" in text.split("-->")[0], f"{name}: no source named"


@pytest.mark.parametrize("name", NAMES)
def test_home_is_inside_the_limits_and_complete(name):
    robot, model = robots.describe(name), robots.load(name)
    assert sorted(robot.home) == sorted(joint.name for joint in model.actuated_joints)
    for joint in model.actuated_joints:
        margin = 0.1
        assert joint.lower[0] + margin < robot.home[joint.name] < joint.upper[0] - margin, joint.name
    assert model.has_frame(robot.tool)
    assert model.has_frame(robot.base_frame)


@pytest.mark.parametrize("name", NAMES)
def test_limits_are_finite_and_inertias_can_exist(name):
    model = robots.load(name, root="fixed")
    for joint in model.actuated_joints:
        for limit in (joint.lower, joint.upper, joint.velocity_limit, joint.effort_limit):
            assert np.all(np.isfinite(limit)), f"{name}: {joint.name}"
    for link in model.links:
        moments = np.linalg.eigvalsh(link.inertia.inertia)
        assert moments[0] >= 0.0, f"{name}: {link.name}"
        assert link.inertia.mass >= 0.0, f"{name}: {link.name}"
        # No mass distribution has a principal moment above the sum of the two others.
        assert moments[2] <= moments[0] + moments[1] + FACT, f"{name}: {link.name} {moments}"


def test_go2_home_stands_on_its_feet():
    robot, model = robots.describe("go2"), robots.load("go2", root="fixed")
    data = model.create_data()
    q = np.array([robot.home[joint.name] for joint in model.actuated_joints])
    dyn_node.forward_kinematics(model, data, q)
    for leg in ("FL", "FR", "RL", "RR"):
        height = robot.base_height + dyn_node.frame_placement(model, data, f"{leg}_foot").translation[2]
        assert_allclose(height, 0.022, atol=1e-4, err_msg=f"{leg}_foot")


# The same robot in the published description, read by the reference library.


def _reference(name, root):
    pin = pytest.importorskip("pinocchio")
    folder = _example_robots()
    arguments = [pin.JointModelFreeFlyer()] if root == "free_flyer" else []
    if name == "go2":
        return pin, pin.buildModelFromUrdf(str(folder / "go2_description/urdf/go2.urdf"), *arguments)
    model = pin.buildModelFromUrdf(str(folder / "panda_description/urdf/panda.urdf"), *arguments)
    fingers = [model.getJointId(f"panda_finger_joint{i}") for i in (1, 2)]
    q = pin.neutral(model)
    for finger in fingers:
        q[model.joints[finger].idx_q] = 0.02  # where the shipped URDF fixes them
    return pin, pin.buildReducedModel(model, fingers, q)


def _example_robots():
    import sys

    for entry in sys.path:
        folder = Path(entry) / "cmeel.prefix/share/example-robot-data/robots"
        if folder.is_dir():
            return folder
    pytest.skip("example-robot-data is not installed")


SAME = [("panda", "fixed"), ("panda", "free_flyer"), ("go2", "fixed"), ("go2", "free_flyer")]


@pytest.mark.parametrize(("name", "root"), SAME)
def test_facts_are_those_of_the_published_description(name, root):
    _, reference = _reference(name, root)
    model = robots.load(name, root=root)
    assert model.joint_names == tuple(reference.names)
    for i in range(1, model.njoints):
        what = f"{name} {root} {model.joint_names[i]}"
        expected = reference.inertias[i]
        inertia, placement = model.inertias[i], model.joints[i].placement
        assert_allclose(inertia.mass, expected.mass, rtol=FACT, err_msg=f"{what} mass")
        assert_allclose(inertia.com, expected.lever, atol=FACT, err_msg=f"{what} centre of mass")
        assert_allclose(inertia.matrix, expected.matrix(), atol=FACT, err_msg=f"{what} inertia")
        reference_placement = reference.jointPlacements[i].homogeneous
        assert_allclose(placement.homogeneous, reference_placement, atol=FACT, err_msg=f"{what} placement")
    limits = (
        ("lower_position_limit", "lowerPositionLimit"),
        ("upper_position_limit", "upperPositionLimit"),
        ("velocity_limit", "velocityLimit"),
        ("effort_limit", "effortLimit"),
    )
    first_q, first_v = (7, 6) if root == "free_flyer" else (0, 0)
    for ours, theirs in limits:
        first = first_q if "position" in ours else first_v
        actual, expected = getattr(model, ours)[first:], getattr(reference, theirs)[first:]
        assert_allclose(actual, expected, rtol=FACT, err_msg=f"{name} {root} {ours}")


@pytest.mark.parametrize(("name", "root"), SAME)
def test_kinematics_and_gravity_are_those_of_the_published_description(name, root):
    pin, reference = _reference(name, root)
    model = robots.load(name, root=root)
    data, reference_data = model.create_data(), reference.createData()
    tool = robots.describe(name).tool
    for q in _configurations(model):
        dyn_node.forward_kinematics(model, data, q)
        actual = dyn_node.frame_placement(model, data, tool).homogeneous
        pin.framesForwardKinematics(reference, reference_data, q)
        expected = reference_data.oMf[reference.getFrameId(tool)].homogeneous
        assert_allclose(actual, expected, atol=GRAVITY, err_msg=f"{name} {root} {tool} placement")
        actual = dyn_node.generalized_gravity(model, data, q)
        expected = pin.computeGeneralizedGravity(reference, reference_data, q)
        scale = max(1.0, float(np.abs(expected).max()))
        assert_allclose(actual, expected, atol=GRAVITY * scale, err_msg=f"{name} {root} gravity")


# No published UR5e is among the example robots. Its maker also publishes Denavit-Hartenberg
# parameters with masses and centres of mass in those frames: another way to the same numbers.

UR5E_DH = (  # a (m), d (m), alpha (rad), mass (kg), centre of mass in the DH frame (m)
    (0.0, 0.1625, np.pi / 2, 3.761, (0.0, -0.02561, 0.00193)),
    (-0.425, 0.0, 0.0, 8.058, (0.2125, 0.0, 0.11336)),
    (-0.3922, 0.0, 0.0, 2.846, (0.15, 0.0, 0.0265)),
    (0.0, 0.1333, np.pi / 2, 1.37, (0.0, -0.0018, 0.01634)),
    (0.0, 0.0997, -np.pi / 2, 1.3, (0.0, 0.0018, 0.01634)),
    (0.0, 0.0996, 0.0, 0.365, (0.0, 0.0, -0.001159)),
)


def _dh(a, d, alpha, theta):
    ct, st, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array(
        [
            [ct, -st * ca, st * sa, a * ct],
            [st, ct * ca, -ct * sa, a * st],
            [0.0, sa, ca, d],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


def _ur5e_by_dh(q):
    """Tool placement in base_link and potential energy, from the published DH parameters."""
    placement = np.diag([-1.0, -1.0, 1.0, 1.0])  # the controller's base is turned half round from base_link
    energy = 0.0
    for (a, d, alpha, mass, com), theta in zip(UR5E_DH, q, strict=True):
        placement = placement @ _dh(a, d, alpha, theta)
        energy += 9.81 * mass * (placement @ (*com, 1.0))[2]
    return placement, energy


def test_ur5e_is_the_robot_of_the_published_dh_parameters():
    model = robots.load("ur5e")
    data = model.create_data()
    step = 1e-5
    for q in _configurations(model):
        placement, _ = _ur5e_by_dh(q)
        dyn_node.forward_kinematics(model, data, q)
        actual = dyn_node.frame_placement(model, data, "tool0").homogeneous
        assert_allclose(actual, placement, atol=GRAVITY, err_msg="ur5e tool0")
        energies = [(_ur5e_by_dh(q + e)[1], _ur5e_by_dh(q - e)[1]) for e in step * np.eye(6)]
        slope = [(above - below) / (2 * step) for above, below in energies]
        actual = dyn_node.generalized_gravity(model, data, q)
        assert_allclose(actual, slope, atol=1e-6, err_msg="ur5e gravity")  # central differences
