"""Kinetic, potential and mechanical energy: against Pinocchio, and against what they have to equal."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.states import Comparison, relative, states
from robots import ROBOTS, ROOTS, our_model, pin_model
from tolerances import IDENTITY, REL

import dyn_node
from dyn_node.errors import InvalidValueError, ShapeError

OWN = [("panda", "fixed"), ("ur5e", "planar"), ("go2", "free_flyer")]


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("robot", ROBOTS)
def test_energies_are_pinocchios(robot: str, root: str) -> None:
    pin = pytest.importorskip("pinocchio")
    model, theirs = our_model(robot, root), pin_model(robot, root)
    data, reference = model.create_data(), theirs.createData()
    compare = Comparison(robot, root)
    for q, v, *_ in states(model, 30):
        for ours, pins, state in (
            (dyn_node.kinetic_energy, pin.computeKineticEnergy, (q, v)),
            (dyn_node.potential_energy, pin.computePotentialEnergy, (q,)),
            (dyn_node.mechanical_energy, pin.computeMechanicalEnergy, (q, v)),
        ):
            compare.add(ours.__name__, ours(model, data, *state), pins(theirs, reference, *state))
    compare.check(REL)


@pytest.mark.parametrize(("name", "root"), OWN)
def test_kinetic_energy_is_the_mass_matrixs_form(name: str, root: str) -> None:
    model = dyn_node.robots.load(name, root=root)
    data = model.create_data()
    for q, v, *_ in states(model, 10):
        form = 0.5 * v @ dyn_node.crba(model, data, q) @ v
        assert relative(dyn_node.kinetic_energy(model, data, q, v), form) < IDENTITY, name


def test_rotors_have_kinetic_energy() -> None:
    builder = dyn_node.ModelBuilder("rotor")
    wheel = builder.add_joint(0, "revolute", name="wheel", axis=(0, 0, 1), armature=0.5)
    builder.append_body(wheel, dyn_node.Inertia(1.0, np.zeros(3), np.eye(3)))
    model = builder.build()
    assert dyn_node.kinetic_energy(model, model.create_data(), [0.0], [2.0]) == pytest.approx(3.0)


@pytest.mark.parametrize(("name", "root"), OWN)
def test_the_slope_of_potential_energy_is_gravitys_effort(name: str, root: str) -> None:
    model = dyn_node.robots.load(name, root=root)
    data = model.create_data()
    step = 1e-6
    for q, v, *_ in states(model, 5):
        ends = [
            dyn_node.potential_energy(model, data, dyn_node.integrate(model, q, s * v)) for s in (-step, step)
        ]
        slope = (ends[1] - ends[0]) / (2 * step)
        assert slope == pytest.approx(dyn_node.generalized_gravity(model, data, q) @ v, rel=1e-6, abs=1e-6)


def test_arguments_are_converted_or_refused_by_name() -> None:
    model = dyn_node.robots.load("panda")
    data, q = model.create_data(), dyn_node.neutral(model)
    v = np.ones(model.nv)
    assert dyn_node.kinetic_energy(model, data, list(q), v.tolist()) == dyn_node.kinetic_energy(
        model, data, q, v
    )
    with pytest.raises(ShapeError, match="v:"):
        dyn_node.mechanical_energy(model, data, q, v[:-1])
    with pytest.raises(ShapeError, match="q:"):
        dyn_node.potential_energy(model, data, q[:-1])
    with pytest.raises(InvalidValueError, match="data"):
        dyn_node.potential_energy(model, dyn_node.robots.load("ur5e").create_data(), q)
