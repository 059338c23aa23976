"""Energies, centres of mass, momentum and regressors on every kind of joint, composites and a follower."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.mixed_tree import mixed_tree
from algorithms.states import relative, states
from tolerances import DIFFERENCES, IDENTITY

import dyn_node

STEP = 1e-6


@pytest.fixture(scope="module", params=[False, True], ids=["independent", "follower"])
def robot(request):
    model = mixed_tree(follower=request.param)
    return model, model.create_data(), states(model, 5)


def along(model, function, q):
    """Derivative of a function of q along each tangent vector, by central differences."""
    columns = []
    for axis in STEP * np.eye(model.nv):
        ends = [np.asarray(function(dyn_node.integrate(model, q, side * axis))) for side in (-1.0, 1.0)]
        columns.append((ends[1] - ends[0]) / (2 * STEP))
    return np.array(columns).T


def test_the_tree_has_what_it_is_for(robot) -> None:
    model, *_ = robot
    assert len(model.records) > model.njoints
    assert model.nv == sum(joint.nv for joint in model.joints if joint.mimic is None)


def test_kinetic_energy(robot) -> None:
    model, data, drawn = robot
    for q, v, *_ in drawn:
        form = 0.5 * v @ dyn_node.crba(model, data, q) @ v
        assert relative(dyn_node.kinetic_energy(model, data, q, v), form) < IDENTITY


def test_potential_energy(robot) -> None:
    model, data, drawn = robot
    for q, *_ in drawn:
        slope = along(model, lambda x: dyn_node.potential_energy(model, data, x), q)
        assert relative(slope, dyn_node.generalized_gravity(model, data, q)) < DIFFERENCES


def test_centers_of_mass(robot) -> None:
    model, data, drawn = robot
    for q, v, a, *_ in drawn:
        whole = dyn_node.center_of_mass(model, data, q, v, a)
        subtrees = dyn_node.subtree_centers_of_mass(model, data, q, v, a)
        assert subtrees.position.shape == (model.njoints, 3)
        for joint in model.joints:
            J = dyn_node.jacobian_center_of_mass(model, data, q, joint.index)
            row = joint.index
            moved = along(
                model, lambda x, k=row: dyn_node.subtree_centers_of_mass(model, data, x).position[k], q
            )
            assert relative(J, moved) < DIFFERENCES, joint.name
            assert relative(J @ v, subtrees.velocity[row]) < IDENTITY, joint.name
        moved = along(model, lambda x, v=v: dyn_node.center_of_mass(model, data, x, v).velocity, q)
        found = dyn_node.center_of_mass_velocity_derivatives(model, data, q, v)
        assert relative(found, moved) < DIFFERENCES
        J = dyn_node.jacobian_center_of_mass(model, data, q)
        assert relative(whole.acceleration, J @ a + found @ v) < IDENTITY


def test_momentum(robot) -> None:
    model, data, drawn = robot
    for q, v, a, *_ in drawn:
        both = dyn_node.dccrba(model, data, q, v)
        hg = dyn_node.centroidal_momentum(model, data, q, v).vector
        rate = dyn_node.centroidal_momentum_time_variation(model, data, q, v, a).vector
        assert relative(both.Ag @ v, hg) < IDENTITY
        assert relative(both.hg.vector, hg) < IDENTITY
        assert relative(both.Ag @ a + both.dAg @ v, rate) < IDENTITY
        assert np.array_equal(dyn_node.ccrba(model, data, q, v).Ag, both.Ag)


def test_derivatives_of_momentum(robot) -> None:
    model, data, drawn = robot
    q, v, a, *_ = drawn[0]
    found = dyn_node.centroidal_dynamics_derivatives(model, data, q, v, a)

    def rate(q, v):
        return dyn_node.centroidal_momentum_time_variation(model, data, q, v, a).vector

    ends = [
        np.array([rate(q, v + side * axis) for axis in STEP * np.eye(model.nv)]).T for side in (-1.0, 1.0)
    ]
    for field, expected in (
        ("dh_dq", along(model, lambda x: dyn_node.centroidal_momentum(model, data, x, v).vector, q)),
        ("dhdot_dq", along(model, lambda x: rate(x, v), q)),
        ("dhdot_dv", (ends[1] - ends[0]) / (2 * STEP)),
        ("dhdot_da", dyn_node.centroidal_map(model, data, q)),
    ):
        assert relative(getattr(found, field), expected) < DIFFERENCES, field


def test_regressors(robot) -> None:
    model, data, drawn = robot
    parameters = dyn_node.dynamic_parameters(model)
    static = parameters.reshape(-1, 10)[:, :4].ravel()
    for q, v, a, *_ in drawn:
        Y = dyn_node.joint_torque_regressor(model, data, q, v, a)
        assert Y.shape == (model.nv, 10 * (model.njoints - 1))
        assert relative(Y @ parameters, dyn_node.rnea(model, data, q, v, a) - model.armature * a) < IDENTITY
        out = np.empty_like(Y)
        assert dyn_node.joint_torque_regressor(model, data, q, v, a, out=out) is out
        assert np.array_equal(out, Y)
        com = dyn_node.static_regressor(model, data, q) @ static
        assert relative(com, dyn_node.center_of_mass(model, data, q).position) < IDENTITY
        kinetic = dyn_node.kinetic_energy_regressor(model, data, q, v) @ parameters
        assert (
            relative(kinetic + 0.5 * model.armature @ v**2, dyn_node.kinetic_energy(model, data, q, v))
            < IDENTITY
        )
        potential = dyn_node.potential_energy_regressor(model, data, q) @ parameters
        assert relative(potential, dyn_node.potential_energy(model, data, q)) < IDENTITY
