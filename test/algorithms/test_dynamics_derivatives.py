"""Derivatives of inverse and forward dynamics: against Pinocchio, and against differences."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.mixed import robot, slope  # noqa: F401 - robot is a fixture
from algorithms.pairs import CASES, forces, full, pair, pin
from algorithms.states import Comparison, relative, states
from tolerances import DIFFERENCES, IDENTITY, REL

import dyn_node
from dyn_node.errors import DynNodeError, ShapeError


@pytest.mark.parametrize(("name", "root"), CASES)
def test_against_pinocchio(name: str, root: str) -> None:
    model, data, theirs, reference = pair(name, root)
    compare = Comparison(name, root)
    for q, v, a, tau, f_ext in states(model, 20):
        for with_forces in (False, True):
            ours = (f_ext,) if with_forces else ()
            pins = (forces(f_ext),) if with_forces else ()
            label = " with f_ext" if with_forces else ""
            result = dyn_node.rnea_derivatives(model, data, q, v, a, *ours)
            expected = pin.computeRNEADerivatives(theirs, reference, q, v, a, *pins)
            for field, value, other in zip(result._fields, result, expected, strict=True):
                compare.add(
                    f"rnea_derivatives{label} {field}", value, full(other) if field == "dtau_da" else other
                )
            result = dyn_node.aba_derivatives(model, data, q, v, tau, *ours)
            expected = pin.computeABADerivatives(theirs, reference, q, v, tau, *pins)
            for field, value, other in zip(result._fields, result, expected, strict=True):
                compare.add(
                    f"aba_derivatives{label} {field}", value, full(other) if field == "ddq_dtau" else other
                )
    compare.check(REL)


def test_rnea_derivatives_against_differences(robot) -> None:  # noqa: F811
    model, data = robot
    for q, v, a, _, f_ext in states(model, 3):
        result = dyn_node.rnea_derivatives(model, data, q, v, a, f_ext)

        def by_q(d, q=q, v=v, a=a, f_ext=f_ext):
            return dyn_node.rnea(model, data, dyn_node.integrate(model, q, d), v, a, f_ext)

        def by_v(d, q=q, v=v, a=a, f_ext=f_ext):
            return dyn_node.rnea(model, data, q, v + d, a, f_ext)

        assert relative(result.dtau_dq, slope(by_q, model.nv)) < DIFFERENCES, f"{model.name}, dtau_dq"
        assert relative(result.dtau_dv, slope(by_v, model.nv)) < DIFFERENCES, f"{model.name}, dtau_dv"
        M = dyn_node.crba(model, data, q)
        assert relative(result.dtau_da, M) < IDENTITY, f"{model.name}, dtau_da"


def test_aba_derivatives_against_differences(robot) -> None:  # noqa: F811
    model, data = robot
    for q, v, _, tau, f_ext in states(model, 3):
        result = dyn_node.aba_derivatives(model, data, q, v, tau, f_ext)

        def by_q(d, q=q, v=v, tau=tau, f_ext=f_ext):
            return dyn_node.aba(model, data, dyn_node.integrate(model, q, d), v, tau, f_ext)

        def by_v(d, q=q, v=v, tau=tau, f_ext=f_ext):
            return dyn_node.aba(model, data, q, v + d, tau, f_ext)

        assert relative(result.ddq_dq, slope(by_q, model.nv)) < DIFFERENCES, f"{model.name}, ddq_dq"
        assert relative(result.ddq_dv, slope(by_v, model.nv)) < DIFFERENCES, f"{model.name}, ddq_dv"
        inverse = dyn_node.minverse(model, data, q)
        assert relative(result.ddq_dtau, inverse) < 1e2 * IDENTITY, f"{model.name}, ddq_dtau"


def test_a_base_far_away_costs_no_digits() -> None:
    model = dyn_node.robots.load("go2", root="free_flyer")
    data = model.create_data()
    q, v, a, *_ = states(model, 1)[0]
    near = dyn_node.rnea_derivatives(model, data, q, v, a)
    q[:3] += 1e6
    far = dyn_node.rnea_derivatives(model, data, q, v, a)
    for field, one, other in zip(near._fields, near, far, strict=True):
        assert relative(one, other) < IDENTITY, f"go2 at 1,000 km, {field}"


def test_results_are_the_callers_and_bad_arguments_are_refused() -> None:
    model = dyn_node.robots.load("panda")
    data, q, v = model.create_data(), dyn_node.neutral(model), np.ones(model.nv)
    first = dyn_node.rnea_derivatives(model, data, list(q), v, v)
    kept = first.dtau_dq.copy()
    dyn_node.rnea_derivatives(model, data, q, 2.0 * v, v)
    assert np.array_equal(first.dtau_dq, kept)
    with pytest.raises(ShapeError, match="a: "):
        dyn_node.rnea_derivatives(model, data, q, v, v[1:])
    with pytest.raises(ShapeError, match="f_ext"):
        dyn_node.aba_derivatives(model, data, q, v, v, np.zeros((3, 6)))
    with pytest.raises(DynNodeError, match="data"):
        dyn_node.rnea_derivatives(model, dyn_node.robots.load("ur5e").create_data(), q, v, v)
