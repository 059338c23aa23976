"""Centres of mass: against Pinocchio, and their Jacobians and derivatives against differences."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.states import Comparison, relative, states
from robots import ROBOTS, ROOTS, our_model, pin_model
from tolerances import DIFFERENCES, IDENTITY, REL

import dyn_node
from dyn_node.errors import InvalidValueError, ShapeError, UnknownJointError

OWN = [("panda", "fixed"), ("ur5e", "planar"), ("go2", "free_flyer")]
STEP = 1e-6


def central(model, function, q):
    """Derivative of a function of q along each tangent vector, by central differences."""
    columns = []
    for axis in STEP * np.eye(model.nv):
        ends = [function(dyn_node.integrate(model, q, s * axis)) for s in (-1.0, 1.0)]
        columns.append((ends[1] - ends[0]) / (2 * STEP))
    return np.array(columns).T


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("robot", ROBOTS)
def test_centers_of_mass_are_pinocchios(robot: str, root: str) -> None:
    pin = pytest.importorskip("pinocchio")
    model, theirs = our_model(robot, root), pin_model(robot, root)
    data, reference = model.create_data(), theirs.createData()
    compare = Comparison(robot, root)
    for q, v, a, *_ in states(model, 20):
        pin.centerOfMass(theirs, reference, q, v, a, True)
        whole = dyn_node.center_of_mass(model, data, q, v, a)
        subtrees = dyn_node.subtree_centers_of_mass(model, data, q, v, a)
        for field, of_joints in (("position", "com"), ("velocity", "vcom"), ("acceleration", "acom")):
            found = getattr(reference, of_joints)
            compare.add(f"center_of_mass {field}", getattr(whole, field), found[0])
            # Theirs are in the joints' own frames.
            for i, placement in enumerate(reference.oMi):
                expected = placement.rotation @ found[i]
                if field == "position":
                    expected = expected + placement.translation
                compare.add(f"subtree_centers_of_mass {field}", getattr(subtrees, field)[i], expected)
        compare.add(
            "jacobian_center_of_mass",
            dyn_node.jacobian_center_of_mass(model, data, q),
            pin.jacobianCenterOfMass(theirs, reference, q),
        )
        for i in range(1, model.njoints):
            compare.add(
                "jacobian_center_of_mass of a subtree",
                dyn_node.jacobian_center_of_mass(model, data, q, i),
                pin.jacobianSubtreeCenterOfMass(theirs, reference, q, i),
            )
        pin.computeAllTerms(theirs, reference, q, v)
        compare.add(
            "center_of_mass_velocity_derivatives",
            dyn_node.center_of_mass_velocity_derivatives(model, data, q, v),
            pin.getCenterOfMassVelocityDerivatives(theirs, reference),
        )
    compare.check(REL)


@pytest.mark.parametrize(("name", "root"), OWN)
def test_jacobian_gives_the_velocity_and_equals_differences(name: str, root: str) -> None:
    model = dyn_node.robots.load(name, root=root)
    data = model.create_data()
    for q, v, *_ in states(model, 3):
        subtrees = dyn_node.subtree_centers_of_mass(model, data, q, v)
        for joint in model.joints:
            J = dyn_node.jacobian_center_of_mass(model, data, q, joint.name)
            assert relative(J @ v, subtrees.velocity[joint.index]) < IDENTITY, f"{name}, {joint.name}"

            def position(x, row=joint.index):
                return dyn_node.subtree_centers_of_mass(model, data, x).position[row]

            assert relative(J, central(model, position, q)) < DIFFERENCES, f"{name}, {joint.name}"


@pytest.mark.parametrize(("name", "root"), OWN)
def test_velocity_derivatives_equal_differences(name: str, root: str) -> None:
    model = dyn_node.robots.load(name, root=root)
    data = model.create_data()
    for q, v, *_ in states(model, 3):
        differences = central(model, lambda x, v=v: dyn_node.center_of_mass(model, data, x, v).velocity, q)
        ours = dyn_node.center_of_mass_velocity_derivatives(model, data, q, v)
        assert relative(ours, differences) < DIFFERENCES, name


@pytest.mark.parametrize(("name", "root"), OWN)
def test_orders_agree_with_each_other(name: str, root: str) -> None:
    model = dyn_node.robots.load(name, root=root)
    data = model.create_data()
    q, v, a, *_ = states(model, 1)[0]
    zero, one, two = (dyn_node.center_of_mass(model, data, *s) for s in ((q,), (q, v), (q, v, a)))
    assert zero.velocity is None
    assert one.acceleration is None
    # Of the whole's position alone the masses are summed in other frames.
    assert relative(zero.position, two.position) < IDENTITY, f"{name}, position"
    assert np.array_equal(one.velocity, two.velocity)
    whole = dyn_node.subtree_centers_of_mass(model, data, q, v, a)
    for field in two._fields:
        assert np.array_equal(getattr(whole, field)[0], getattr(two, field)), field


def test_a_robot_far_away_keeps_its_digits() -> None:
    model = dyn_node.robots.load("go2")
    data = model.create_data()
    q, v, *_ = states(model, 1)[0]
    far = q.copy()
    far[:3] += (1e6, -2e6, 5e5)
    near_J, far_J = (dyn_node.jacobian_center_of_mass(model, data, x) for x in (q, far))
    assert relative(far_J, near_J) < REL, "jacobian_center_of_mass"
    near_v, far_v = (dyn_node.center_of_mass(model, data, x, v).velocity for x in (q, far))
    assert relative(far_v, near_v) < REL, "center_of_mass velocity"


def test_bad_arguments_are_named() -> None:
    model = dyn_node.robots.load("panda")
    data, q = model.create_data(), dyn_node.neutral(model)
    with pytest.raises(UnknownJointError, match="panda_joint9"):
        dyn_node.jacobian_center_of_mass(model, data, q, "panda_joint9")
    with pytest.raises(UnknownJointError):
        dyn_node.jacobian_center_of_mass(model, data, q, 99)
    with pytest.raises(ShapeError, match="out"):
        dyn_node.jacobian_center_of_mass(model, data, q, out=np.empty((2, 2)))
    with pytest.raises(InvalidValueError, match="v:"):
        dyn_node.center_of_mass(model, data, q, a=np.zeros(model.nv))
