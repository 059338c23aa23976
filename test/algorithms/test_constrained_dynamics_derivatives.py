"""Derivatives of constrained forward dynamics: against Pinocchio, and against differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from algorithms.mixed import slope
from algorithms.pairs import pair, pin
from algorithms.standing import STANDING, closed, four_bar, loop, standing, theirs_of
from algorithms.states import Comparison, relative, states
from tolerances import DIFFERENCES, IDENTITY, REL

import dyn_node
from dyn_node import SE3, ConstraintSet, JointCoupling, JointLock, PointConstraint, RigidConstraint

PLACE = SE3.exp(np.array([0.1, 0.2, -0.1, 0.3, -0.2, 0.1]))
GAINS: dict[str, Any] = {"placement": PLACE, "other_placement": PLACE.inverse(), "kp": 3.0, "kd": 2.0}

#: Of the differences, m or rad: forces of thousands of newtons leave few digits to a smaller one.
STEP = 1e-5

CASES = {
    "point": [PointConstraint("FL_foot", **GAINS)],
    "point, world's axes": [PointConstraint("FL_foot", reference="LOCAL_WORLD_ALIGNED", **GAINS)],
    "rigid": [RigidConstraint("FL_foot", **GAINS)],
    "rigid, world's axes": [RigidConstraint("FL_foot", reference="LOCAL_WORLD_ALIGNED", **GAINS)],
    "points of two legs": [PointConstraint("FL_foot", "RR_foot", **GAINS)],
    "two legs held rigidly": [RigidConstraint("FL_foot", "RR_foot", **GAINS)],
    "two legs, world's axes": [RigidConstraint("FL_foot", "RR_foot", reference=2, **GAINS)],
    "locks and couplings": [
        PointConstraint("FL_foot"),
        JointLock("root_joint", position=[0.1, 0.0, 0.2, 0.0, 0.0, 0.6, 0.8], kp=2.0, kd=1.0),
        JointCoupling({"RL_calf_joint": 1.0, "RR_calf_joint": -2.0}, 0.3, kp=2.0, kd=1.0),
    ],
}


def check_differences(model: Any, data: Any, state: tuple[Any, ...], ties: Any, label: str) -> None:
    q, v, tau, f_ext = state
    ours = dyn_node.constrained_dynamics_derivatives(model, data, q, v, tau, ties, f_ext)

    def solved(d: Any, which: int) -> np.ndarray:
        here = [q, v, tau]
        here[which] = dyn_node.integrate(model, q, d) if which == 0 else here[which] + d
        found = dyn_node.constrained_forward_dynamics(model, data, *here, ties, f_ext)
        return np.concatenate([found.ddq, found.multipliers])

    for which, name in enumerate(("dq", "dv", "dtau")):
        expected = slope(lambda d, which=which: solved(d, which), model.nv, STEP)
        error = relative(np.vstack([ours[which], ours[3 + which]]), expected)
        assert error < DIFFERENCES, f"{label}, {name}: {error:.2g}"


@pytest.mark.parametrize("label", CASES)
def test_against_differences(label: str) -> None:
    model, data, _ = standing("go2")
    ties = ConstraintSet(model, CASES[label])
    for q, v, _, tau, f_ext in states(model, 2):
        check_differences(model, data, (q, v, tau, f_ext), ties, label)


def test_the_four_bar_linkage_whose_rows_depend_on_each_other() -> None:
    model = four_bar()
    data = model.create_data()
    q, v = closed(model, data, 1.2), np.array([0.3, -0.2, 0.1])
    check_differences(model, data, (q, v, np.array([1.0, 0.2, -0.4]), None), [loop()], "four-bar")


@pytest.mark.parametrize("robot", STANDING)
def test_against_pinocchio(robot: str) -> None:
    model, data, feet = standing(robot)
    ties = ConstraintSet(model, feet)
    _, _, theirs, reference = pair(robot, "free_flyer")
    models, datas = theirs_of(theirs, ties)
    pin.initConstraintDynamics(theirs, reference, models, datas)
    settings = pin.ProximalSettings(1e-13, 1e-12, 20)
    compare = Comparison(robot, "derivatives")
    for q, v, _, tau, _ in states(model, 2):
        pin.constraintDynamics(theirs, reference, q, v, tau, models, datas, settings)
        pin.computeConstraintDynamicsDerivatives(theirs, reference, models, datas, settings)
        ours = dyn_node.constrained_dynamics_derivatives(model, data, q, v, tau, ties)
        compare.add("ddq_dq", ours.ddq_dq, reference.ddq_dq)
        compare.add("ddq_dv", ours.ddq_dv, reference.ddq_dv)
        compare.add("ddq_dtau", ours.ddq_dtau, reference.ddq_dtau)
        compare.add("multipliers_dq", ours.multipliers_dq, reference.dlambda_dq)
        compare.add("multipliers_dv", ours.multipliers_dv, reference.dlambda_dv)
        compare.add("multipliers_dtau", ours.multipliers_dtau, reference.dlambda_dtau)
    compare.check(REL)


def test_a_batch_whose_rows_depend_on_each_other_is_its_states() -> None:
    model = four_bar()
    data, ties = model.create_data(), ConstraintSet(model, [loop()])
    q = np.array([closed(model, data, angle) for angle in (1.2, 0.9)])
    v, tau = np.array([[0.3, -0.2, 0.1]] * 2), np.array([1.0, 0.2, -0.4])
    together = dyn_node.constrained_dynamics_derivatives(model, data, q, v, tau, ties)
    struck = dyn_node.impulse_dynamics(model, data, q, v, ties, 0.5)
    for k in range(2):
        alone = dyn_node.constrained_dynamics_derivatives(model, data, q[k], v[k], tau, ties)
        for name, of_batch, of_one in zip(alone._fields, together, alone, strict=True):
            assert relative(of_batch[k], of_one) < IDENTITY, f"four-bar, {name}"
        one = dyn_node.impulse_dynamics(model, data, q[k], v[k], ties, 0.5)
        for name, of_batch, of_one in zip(one._fields, struck, one, strict=True):
            assert relative(of_batch[k], np.asarray(of_one)) < IDENTITY, f"four-bar, impulse, {name}"
