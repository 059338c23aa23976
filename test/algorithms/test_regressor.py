"""Regressors: against Pinocchio, and times the parameters against the algorithms they stand for."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.states import Comparison, relative, states
from robots import ROBOTS, ROOTS, our_model, pin_model
from tolerances import IDENTITY, REL

import dyn_node
from dyn_node.errors import ShapeError

OWN = [("panda", "fixed"), ("ur5e", "planar"), ("go2", "free_flyer")]


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("robot", ROBOTS)
def test_regressors_are_pinocchios(robot: str, root: str) -> None:
    pin = pytest.importorskip("pinocchio")
    model, theirs = our_model(robot, root), pin_model(robot, root)
    data, reference = model.create_data(), theirs.createData()
    compare = Comparison(robot, root)
    parameters = [theirs.inertias[i].toDynamicParameters() for i in range(1, theirs.njoints)]
    compare.add("dynamic_parameters", dyn_node.dynamic_parameters(model), np.concatenate(parameters))
    for q, v, a, *_ in states(model, 20):
        for ours, pins, state in (
            (dyn_node.joint_torque_regressor, pin.computeJointTorqueRegressor, (q, v, a)),
            (dyn_node.static_regressor, pin.computeStaticRegressor, (q,)),
            (dyn_node.kinetic_energy_regressor, pin.computeKineticEnergyRegressor, (q, v)),
            (dyn_node.potential_energy_regressor, pin.computePotentialEnergyRegressor, (q,)),
        ):
            compare.add(ours.__name__, ours(model, data, *state), pins(theirs, reference, *state))
        motions = np.resize(v, 6), np.resize(a, 6)
        expected = pin.bodyRegressor(*map(pin.Motion, motions))
        compare.add("body_regressor", dyn_node.body_regressor(*motions), expected)
    compare.check(REL)


@pytest.mark.parametrize(("name", "root"), OWN)
def test_regressors_times_parameters(name: str, root: str) -> None:
    model = dyn_node.robots.load(name, root=root)
    data, parameters = model.create_data(), dyn_node.dynamic_parameters(model)
    still = np.zeros(model.nv)
    static = np.concatenate([p[:4] for p in parameters.reshape(-1, 10)])
    for q, v, a, *_ in states(model, 10):
        for field, ours, expected in (
            (
                "joint_torque_regressor",
                dyn_node.joint_torque_regressor(model, data, q, v, a) @ parameters,
                dyn_node.rnea(model, data, q, v, a) - model.armature * a,
            ),
            (
                "joint_torque_regressor at rest",
                dyn_node.joint_torque_regressor(model, data, q, still, still) @ parameters,
                dyn_node.generalized_gravity(model, data, q),
            ),
            (
                "static_regressor",
                dyn_node.static_regressor(model, data, q) @ static,
                dyn_node.center_of_mass(model, data, q).position,
            ),
            (
                "kinetic_energy_regressor",
                dyn_node.kinetic_energy_regressor(model, data, q, v) @ parameters,
                dyn_node.kinetic_energy(model, data, q, v) - 0.5 * model.armature @ v**2,
            ),
            (
                "potential_energy_regressor",
                dyn_node.potential_energy_regressor(model, data, q) @ parameters,
                dyn_node.potential_energy(model, data, q),
            ),
        ):
            assert relative(ours, expected) < IDENTITY, f"{name}, {field}"


def test_body_regressor_times_parameters_is_the_bodys_force() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        inertia = dyn_node.Inertia.Random(rng)
        v, a = dyn_node.Motion.Random(rng), dyn_node.Motion.Random(rng)
        force = inertia * a + v.cross(inertia * v)
        ours = dyn_node.body_regressor(v, a) @ inertia.dynamic_parameters
        assert relative(ours, force.vector) < IDENTITY


def test_bad_arguments_are_named() -> None:
    model = dyn_node.robots.load("panda")
    data, q = model.create_data(), dyn_node.neutral(model)
    v = np.zeros(model.nv)
    with pytest.raises(ShapeError, match="a:"):
        dyn_node.joint_torque_regressor(model, data, q, v, v[1:])
    with pytest.raises(ShapeError, match="v:"):
        dyn_node.body_regressor(np.zeros(5), np.zeros(6))
    with pytest.raises(ShapeError, match="out"):
        dyn_node.static_regressor(model, data, q, out=np.empty((3, 3)))
