"""Efforts at rest and their derivatives: against Pinocchio, and against differences."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.mixed import robot, slope  # noqa: F401 - robot is a fixture
from algorithms.pairs import CASES, forces, pair, pin
from algorithms.states import Comparison, relative, states
from tolerances import DIFFERENCES, IDENTITY, REL

import dyn_node
from dyn_node.errors import ShapeError


@pytest.mark.parametrize(("name", "root"), CASES)
def test_against_pinocchio(name: str, root: str) -> None:
    model, data, theirs, reference = pair(name, root)
    compare = Comparison(name, root)
    for q, _, _, _, f_ext in states(model, 20):
        pins = forces(f_ext)
        compare.add(
            "static_torque",
            dyn_node.static_torque(model, data, q, f_ext),
            pin.computeStaticTorque(theirs, reference, q, pins),
        )
        compare.add(
            "gravity_derivatives",
            dyn_node.gravity_derivatives(model, data, q),
            pin.computeGeneralizedGravityDerivatives(theirs, reference, q),
        )
        compare.add(
            "static_torque_derivatives",
            dyn_node.static_torque_derivatives(model, data, q, f_ext),
            pin.computeStaticTorqueDerivatives(theirs, reference, q, pins),
        )
    compare.check(REL)


def test_static_torque_is_inverse_dynamics_at_rest(robot) -> None:  # noqa: F811
    model, data = robot
    still = np.zeros(model.nv)
    for q, _, _, _, f_ext in states(model, 5):
        efforts = dyn_node.static_torque(model, data, q, f_ext)
        expected = dyn_node.rnea(model, data, q, still, still, f_ext)
        assert relative(efforts, expected) < IDENTITY, f"{model.name}, static_torque"


def test_derivatives_against_differences(robot) -> None:  # noqa: F811
    model, data = robot
    for q, _, _, _, f_ext in states(model, 3):

        def gravity(d, q=q):
            return dyn_node.generalized_gravity(model, data, dyn_node.integrate(model, q, d))

        def loaded(d, q=q, f_ext=f_ext):
            return dyn_node.static_torque(model, data, dyn_node.integrate(model, q, d), f_ext)

        result = dyn_node.gravity_derivatives(model, data, q)
        assert relative(result, slope(gravity, model.nv)) < DIFFERENCES, f"{model.name}, gravity_derivatives"
        result = dyn_node.static_torque_derivatives(model, data, q, f_ext)
        expected = slope(loaded, model.nv)
        assert relative(result, expected) < DIFFERENCES, f"{model.name}, static_torque_derivatives"


def test_out_receives_the_result_and_bad_arguments_are_refused() -> None:
    model = dyn_node.robots.load("panda")
    data, q, f_ext = model.create_data(), dyn_node.neutral(model), np.zeros((model.njoints, 6))
    out, tau = np.empty((model.nv, model.nv)), np.empty(model.nv)
    assert dyn_node.gravity_derivatives(model, data, list(q), out=out) is out
    assert dyn_node.static_torque_derivatives(model, data, q, f_ext, out=out) is out
    assert dyn_node.static_torque(model, data, q, f_ext, out=tau) is tau
    with pytest.raises(ShapeError, match="f_ext"):
        dyn_node.static_torque(model, data, q, f_ext[1:])
    with pytest.raises(ShapeError, match="out"):
        dyn_node.gravity_derivatives(model, data, q, out=tau)
