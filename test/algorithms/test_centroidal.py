"""Centroidal momentum, its matrix and derivatives: against Pinocchio and against physics."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from algorithms.states import Comparison, relative, states
from robots import ROBOTS, ROOTS, our_model, pin_model
from tolerances import DIFFERENCES, IDENTITY, REL

import dyn_node
from dyn_node.errors import ModelWarning, ShapeError

OWN = [("panda", "fixed"), ("ur5e", "planar"), ("go2", "free_flyer")]
STEP = 1e-6


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("robot", ROBOTS)
def test_centroidal_quantities_are_pinocchios(robot: str, root: str) -> None:
    pin = pytest.importorskip("pinocchio")
    model, theirs = our_model(robot, root), pin_model(robot, root)
    data, reference = model.create_data(), theirs.createData()
    compare = Comparison(robot, root)
    for q, v, a, *_ in states(model, 20):
        for algorithm, pins in (("ccrba", pin.ccrba), ("dccrba", pin.dccrba)):
            ours = getattr(dyn_node, algorithm)(model, data, q, v)
            pins(theirs, reference, q, v)
            for field in ("Ag", "hg", "Ig", "dAg")[: 3 + (algorithm == "dccrba")]:
                values = getattr(ours, field), getattr(reference, field)
                if field == "Ig":
                    values = values[0].matrix, values[1].matrix()
                compare.add(f"{algorithm} {field}", *map(np.asarray, values))
        compare.add("centroidal_map", dyn_node.centroidal_map(model, data, q), reference.Ag)
        rate = dyn_node.centroidal_map_time_variation(model, data, q, v)
        compare.add("centroidal_map_time_variation", rate, reference.dAg)
        compare.add(
            "centroidal_momentum",
            dyn_node.centroidal_momentum(model, data, q, v).vector,
            pin.computeCentroidalMomentum(theirs, reference, q, v).vector,
        )
        compare.add(
            "centroidal_momentum_time_variation",
            dyn_node.centroidal_momentum_time_variation(model, data, q, v, a).vector,
            pin.computeCentroidalMomentumTimeVariation(theirs, reference, q, v, a).vector,
        )
        derivatives = dyn_node.centroidal_dynamics_derivatives(model, data, q, v, a)
        expected = pin.computeCentroidalDynamicsDerivatives(theirs, reference, q, v, a)
        for field, ours, pins in zip(derivatives._fields, derivatives, expected, strict=True):
            compare.add(f"centroidal_dynamics_derivatives {field}", ours, pins)
    compare.check(REL)


@pytest.mark.parametrize(("name", "root"), OWN)
def test_matrix_and_rate_give_momentum_and_its_rate(name: str, root: str) -> None:
    model = dyn_node.robots.load(name, root=root)
    data = model.create_data()
    for q, v, a, *_ in states(model, 10):
        both = dyn_node.dccrba(model, data, q, v)
        hg = dyn_node.centroidal_momentum(model, data, q, v).vector
        rate = dyn_node.centroidal_momentum_time_variation(model, data, q, v, a).vector
        com = dyn_node.center_of_mass(model, data, q, v)
        assert relative(both.Ag @ v, hg) < IDENTITY, name
        dAg, Ag, momentum, _ = both
        assert dAg is both.dAg, name
        assert Ag is both.Ag, name
        assert relative(momentum.vector, hg) < IDENTITY, name
        assert relative(both.Ag @ a + both.dAg @ v, rate) < IDENTITY, name
        assert relative(hg[:3], model.total_mass * com.velocity) < IDENTITY, name


@pytest.mark.parametrize("name", ["go2", "ur5e"])
def test_momentum_changes_by_the_external_wrench(name: str) -> None:
    """Joint efforts are internal to a floating robot: only gravity and f_ext change its momentum."""
    model = dyn_node.robots.load(name, root="free_flyer")
    data = model.create_data()
    for q, v, _, tau, f_ext in states(model, 10):
        tau[:6] = 0.0
        a = dyn_node.aba(model, data, q, v, tau, f_ext)
        rate = dyn_node.centroidal_momentum_time_variation(model, data, q, v, a).vector
        dyn_node.forward_kinematics(model, data, q)
        com = dyn_node.center_of_mass(model, data, q).position
        wrench = np.concatenate([model.total_mass * model.gravity, np.zeros(3)])
        to_com = dyn_node.SE3(np.eye(3), com).inverse()
        for i in range(1, model.njoints):
            wrench += (to_com * data.oMi[i]).act(dyn_node.Force.from_vector(f_ext[i])).vector
        assert relative(rate, wrench) < 1e2 * IDENTITY, name


@pytest.mark.parametrize(("name", "root"), OWN)
def test_derivatives_equal_differences(name: str, root: str) -> None:
    model = dyn_node.robots.load(name, root=root)
    data = model.create_data()
    moves = {"q": (dyn_node.integrate, 0), "v": (None, 1), "a": (None, 2)}

    def differences(function, state, argument):
        columns = []
        for axis in STEP * np.eye(model.nv):
            ends = []
            for side in (-1.0, 1.0):
                moved, k = list(state), moves[argument][1]
                moved[k] = (
                    dyn_node.integrate(model, state[0], side * axis) if k == 0 else state[k] + side * axis
                )
                ends.append(function(model, data, *moved).vector)
            columns.append((ends[1] - ends[0]) / (2 * STEP))
        return np.array(columns).T

    q, v, a, *_ = states(model, 1)[0]
    found = dyn_node.centroidal_dynamics_derivatives(model, data, q, v, a)
    momentum, rate = dyn_node.centroidal_momentum, dyn_node.centroidal_momentum_time_variation
    for field, expected in (
        ("dh_dq", differences(momentum, (q, v), "q")),
        ("dhdot_dq", differences(rate, (q, v, a), "q")),
        ("dhdot_dv", differences(rate, (q, v, a), "v")),
        ("dhdot_da", differences(rate, (q, v, a), "a")),
    ):
        assert relative(getattr(found, field), expected) < DIFFERENCES, f"{name}, {field}"


def test_the_rate_of_the_matrix_equals_differences_in_time() -> None:
    model = dyn_node.robots.load("go2")
    data = model.create_data()
    for q, v, *_ in states(model, 3):
        ends = [
            dyn_node.centroidal_map(model, data, dyn_node.integrate(model, q, s * STEP * v)) for s in (-1, 1)
        ]
        assert (
            relative(dyn_node.dccrba(model, data, q, v).dAg, (ends[1] - ends[0]) / (2 * STEP)) < DIFFERENCES
        )


def test_the_locked_robot_has_the_mass_matrixs_base_block() -> None:
    model = dyn_node.robots.load("go2")
    data = model.create_data()
    for q, v, *_ in states(model, 5):
        dyn_node.forward_kinematics(model, data, q)
        com = dyn_node.center_of_mass(model, data, q).position
        base_of_com = data.oMi[1].inverse() * dyn_node.SE3(np.eye(3), com)
        locked = base_of_com.act(dyn_node.ccrba(model, data, q, v).Ig).matrix
        assert relative(locked, dyn_node.crba(model, data, q)[:6, :6]) < IDENTITY


def test_a_robot_far_away_keeps_its_digits() -> None:
    model = dyn_node.robots.load("go2")
    data = model.create_data()
    q, v, a, *_ = states(model, 1)[0]
    far = q.copy()
    far[:3] += (1e6, -2e6, 5e5)
    for function, fields, state in (
        (dyn_node.dccrba, ("Ag", "dAg", "hg"), (v,)),
        (dyn_node.centroidal_dynamics_derivatives, ("dh_dq", "dhdot_dq", "dhdot_dv", "dhdot_da"), (v, a)),
    ):
        here, there = (function(model, data, x, *state) for x in (q, far))
        for field in fields:
            near, away = (np.asarray(getattr(x, field)) for x in (here, there))
            assert relative(away, near) < 10 * REL, f"{function.__name__} {field}"


def test_bad_arguments_are_named() -> None:
    model = dyn_node.robots.load("panda")
    data, q = model.create_data(), dyn_node.neutral(model)
    v = np.zeros(model.nv)
    for function in (dyn_node.ccrba, dyn_node.dccrba, dyn_node.centroidal_momentum):
        with pytest.raises(ShapeError, match="v:"):
            function(model, data, q, v[1:])
    with pytest.raises(ShapeError, match="a:"):
        dyn_node.centroidal_dynamics_derivatives(model, data, q, v, v[1:])
    with pytest.raises(ShapeError, match="out"):
        dyn_node.centroidal_map(model, data, q, out=np.empty((6, 1)))


@pytest.mark.parametrize("joints", ["", "massless"])
def test_nothing_that_has_mass_has_no_momentum(joints: str) -> None:
    """A robot that is fixed to the world as a whole, and one whose links weigh nothing: zeros, as there."""
    pin = pytest.importorskip("pinocchio")
    text = '<robot name="r"><link name="a"/><link name="b"/>'
    kind = "revolute" if joints else "fixed"
    text += f'<joint name="j" type="{kind}"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>'
    text += '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>'
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        model = dyn_node.load_urdf(text)
    data, q, v = model.create_data(), dyn_node.neutral(model), np.ones(model.nv)
    theirs = pin.buildModelFromXML(text)
    reference = theirs.createData()
    pin.ccrba(theirs, reference, q, v)
    found = dyn_node.dccrba(model, data, q, v)
    assert np.array_equal(found.hg.vector, reference.hg.vector)
    assert np.array_equal(dyn_node.ccrba(model, data, q, v).Ig.inertia, reference.Ig.inertia)
    for array in (found.Ag, found.dAg, *dyn_node.centroidal_dynamics_derivatives(model, data, q, v, v)):
        assert not array.any()
    assert not dyn_node.centroidal_momentum(model, data, q, v).vector.any()
    assert not dyn_node.centroidal_momentum_time_variation(model, data, q, v, v).vector.any()
    assert np.isnan(dyn_node.center_of_mass(model, data, q).position).all()
