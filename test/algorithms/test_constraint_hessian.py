"""How the Jacobians of constraints change: against differences on the manifold, and against gamma."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from algorithms.mixed import slope
from algorithms.standing import standing
from algorithms.states import relative, states
from algorithms.test_constraints import MOVING
from tolerances import DIFFERENCES, REL

import dyn_node
from dyn_node import ConstraintSet, JointCoupling, JointLock

AXES = ("LOCAL", "LOCAL_WORLD_ALIGNED")


@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("label", MOVING)
def test_against_differences(label: str, axes: str) -> None:
    model, data, _ = standing("go2")
    ties = ConstraintSet(model, [dataclasses.replace(MOVING[label], reference=axes)])
    q, v, *_ = states(model, 1)[0]

    def jacobian(d: Any) -> np.ndarray:
        return dyn_node.constraint_jacobian(model, data, dyn_node.integrate(model, q, d), ties)

    expected = slope(jacobian, model.nv)
    assert relative(dyn_node.constraint_hessian(model, data, q, ties), expected) < DIFFERENCES, label
    rate = dyn_node.constraint_jacobian_time_variation(model, data, q, v, ties)
    assert relative(rate, expected @ v) < DIFFERENCES, f"{label}: rate"


@pytest.mark.parametrize("label", MOVING)
def test_the_rate_times_the_velocity_is_gamma(label: str) -> None:
    """In the axes of MOVING, whose rows are velocities of which gamma is the bias."""
    model, data, _ = standing("go2")
    for q, v, *_ in states(model, 3):
        rate = dyn_node.constraint_jacobian_time_variation(model, data, q, v, MOVING[label])
        gamma = dyn_node.constraint_motion(model, data, q, v, MOVING[label]).gamma
        assert relative(rate @ v, gamma) < REL, label


def test_products_of_the_jacobian() -> None:
    """The derivative of J^T lambda, as the head of the module has it, with locks that change nothing."""
    model, data, feet = standing("talos")
    joint = model.actuated_joints[0].name
    ties = ConstraintSet(model, [*feet, JointLock(joint), JointCoupling({joint: 2.0})])
    q, *_ = states(model, 1)[0]
    H = dyn_node.constraint_hessian(model, data, q, ties)
    assert not H[-2:].any()
    multipliers = np.random.default_rng(0).standard_normal(ties.rows)

    def effort(d: Any) -> np.ndarray:
        return (
            dyn_node.constraint_jacobian(model, data, dyn_node.integrate(model, q, d), ties).T @ multipliers
        )

    assert relative(np.einsum("rjk,r->jk", H, multipliers), slope(effort, model.nv)) < DIFFERENCES


def test_without_constraints_there_is_nothing() -> None:
    model, data, _ = standing("go2")
    q, v, *_ = states(model, 1)[0]
    assert dyn_node.constraint_hessian(model, data, q, []).shape == (0, model.nv, model.nv)
    assert dyn_node.constraint_jacobian_time_variation(model, data, q, v, []).shape == (0, model.nv)
