"""Standing robots: forces that carry the weight, pyramids that bound them, stances that cannot hold."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np
import pytest
from algorithms.standing import closed, four_bar, loop, standing
from algorithms.states import relative
from tolerances import REL

import dyn_node
from dyn_node import Contact
from dyn_node.errors import InvalidValueError, MissingDependencyError, UnknownFrameError

FEET = ("FL_foot", "FR_foot", "RL_foot", "RR_foot")
WEIGHT = 9.81

#: What the solver of quadratic programs leaves, as part of the robot's weight.
SOLVER = 1e-6


def go2_standing() -> tuple[Any, Any, np.ndarray]:
    """The shipped quadruped on its feet."""
    model, robot = dyn_node.robots.load("go2"), dyn_node.robots.describe("go2")
    q = np.array(dyn_node.neutral(model))
    q[2] = robot.base_height
    for name, position in robot.home.items():
        q[model.joints[model.joint_id(name)].idx_q] = position
    return model, model.create_data(), q


def centre_and_feet(model: Any, data: Any, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    centre = np.array(dyn_node.center_of_mass(model, data, q).position)
    dyn_node.forward_kinematics(model, data, q)
    return centre, np.array([dyn_node.frame_placement(model, data, foot).translation for foot in FEET])


@pytest.mark.parametrize("friction", [None, 0.6])
def test_forces_carry_the_weight_and_balance(friction: float | None) -> None:
    model, data, q = go2_standing()
    held = dyn_node.contact_gravity(model, data, q, [Contact(foot, friction) for foot in FEET])
    weight = WEIGHT * model.total_mass
    assert held.unsupported < REL * weight
    assert held.rank == 6
    total = held.wrenches[:, :3].sum(axis=0)
    assert np.abs(total - [0.0, 0.0, weight]).max() < REL * weight
    centre, feet = centre_and_feet(model, data, q)
    moment = np.cross(feet - centre, held.wrenches[:, :3]).sum(axis=0)
    assert np.abs(moment).max() < REL * weight
    assert np.all(held.tau[:6] == 0.0)


def test_the_robot_does_not_move_under_these_efforts() -> None:
    """Constrained forward dynamics under the efforts: still, with the same forces."""
    model, data, q = go2_standing()
    held = dyn_node.contact_gravity(model, data, q, FEET)
    rest = np.zeros(model.nv)
    feet = [Contact(foot).constraint() for foot in FEET]
    moved = dyn_node.constrained_forward_dynamics(model, data, q, rest, held.tau, feet)
    assert np.abs(moved.ddq).max() < 1e-8
    assert relative(moved.multipliers, held.wrenches[:, :3].ravel()) < 1e-8


def test_inverse_dynamics_of_a_motion_that_the_feet_allow() -> None:
    model, data, q = go2_standing()
    rng = np.random.default_rng(0)
    feet = [Contact(foot).constraint() for foot in FEET]
    J = dyn_node.constraint_jacobian(model, data, q, feet)
    v, tau = rng.standard_normal(model.nv), np.concatenate([np.zeros(6), rng.standard_normal(12)])
    v -= np.linalg.pinv(J) @ (J @ v)
    moved = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, feet)
    back = dyn_node.constrained_inverse_dynamics(model, data, q, v, moved.ddq, feet)
    assert np.abs(back.residual).max() < 1e-8
    again = dyn_node.constrained_forward_dynamics(model, data, q, v, back.tau, feet)
    assert relative(again.ddq, moved.ddq) < 1e-8
    own = dyn_node.contact_inverse_dynamics(model, data, q, v, moved.ddq, FEET)
    assert relative(own.tau, back.tau) < REL


@pytest.mark.parametrize("friction", [0.0, 0.05, 0.6])
def test_forces_stay_inside_their_pyramids(friction: float) -> None:
    """On three feet and leaning, the smallest forces would pull and slide."""
    pytest.importorskip("proxsuite")
    model, data, q = go2_standing()
    q[3:7] = dyn_node.SO3.exp([0.05, 0.1, 0.0]).quaternion
    for stance in (FEET, FEET[1:], FEET[:2], FEET[:1]):
        held = dyn_node.contact_gravity(model, data, q, [Contact(foot, friction) for foot in stance])
        f, slack = held.wrenches[:, :3], SOLVER * WEIGHT * model.total_mass
        assert (f[:, 2] >= -slack).all(), f"{stance}: {f[:, 2]}"
        dyn_node.forward_kinematics(model, data, q)
        for foot, force in zip(stance, f, strict=True):
            x = dyn_node.frame_placement(model, data, foot).rotation[:, 0]
            x = np.array([x[0], x[1], 0.0]) / np.hypot(x[0], x[1])
            y = np.array([-x[1], x[0], 0.0])
            assert max(abs(force @ x), abs(force @ y)) <= friction * force[2] + slack, foot
        J = dyn_node.constraint_jacobian(model, data, q, [Contact(foot).constraint() for foot in stance])
        needed = dyn_node.generalized_gravity(model, data, q)
        assert relative(held.tau + held.residual, needed - J.T @ f.ravel()) < REL


def test_a_batch_of_stances_with_friction() -> None:
    """Leaning more and more, until the smallest forces leave their pyramids and the solver is asked."""
    pytest.importorskip("proxsuite")
    model, data, q = go2_standing()
    batch = np.array([q] * 3)
    for one, angle in zip(batch, (0.0, 0.1, 0.3), strict=True):
        one[3:7] = dyn_node.SO3.exp([angle, 0.0, 0.0]).quaternion
    stance = [Contact(foot, 0.2) for foot in FEET]
    together = dyn_node.contact_gravity(model, data, batch, stance)
    alone = [dyn_node.contact_gravity(model, data, one, stance) for one in batch]
    for field in ("tau", "wrenches", "rank", "residual", "unsupported"):
        # The solver's own arithmetic rounds by where its arrays lie in memory.
        found, expected = getattr(together, field), np.array([getattr(one, field) for one in alone])
        assert np.allclose(found, expected, rtol=0.0, atol=SOLVER * WEIGHT * model.total_mass), field
    assert together.unsupported[0] < together.unsupported[2]


def test_a_flat_foot_keeps_its_centre_of_pressure_inside() -> None:
    pytest.importorskip("proxsuite")
    model, data, _ = standing("talos")
    q = np.array(dyn_node.neutral(model))
    size = (0.1, 0.06)
    feet = [Contact(foot, 0.7, size=size) for foot in ("left_sole_link", "right_sole_link")]
    held = dyn_node.contact_gravity(model, data, q, feet)
    slack = SOLVER * WEIGHT * model.total_mass
    assert held.unsupported < slack
    assert abs(held.wrenches[:, 2].sum() - WEIGHT * model.total_mass) < slack
    for wrench in held.wrenches:
        # At zero the feet stand along the world's axes.
        assert abs(wrench[4]) <= size[0] * wrench[2] + slack
        assert abs(wrench[3]) <= size[1] * wrench[2] + slack


def test_too_few_feet_say_what_is_left() -> None:
    model, data, q = go2_standing()
    weight = WEIGHT * model.total_mass
    nothing = dyn_node.contact_gravity(model, data, q, [])
    assert abs(nothing.unsupported - weight) < REL * weight
    assert nothing.rank == 0
    assert relative(nothing.tau[6:], dyn_node.generalized_gravity(model, data, q)[6:]) < REL
    two = dyn_node.contact_gravity(model, data, q, FEET[:2])
    assert two.rank == 5
    assert two.unsupported > 1.0


def test_a_passive_loop_is_held_by_its_one_motor() -> None:
    """The linkage's crank alone holds coupler and rocker: virtual work gives its torque."""
    model = four_bar()
    data = model.create_data()
    q = closed(model, data, 1.2)
    rest = np.zeros(3)
    held = dyn_node.constrained_inverse_dynamics(model, data, q, rest, rest, loop(), actuated=["a"])
    assert np.abs(held.residual).max() < REL
    assert np.all(held.tau[1:] == 0.0)
    h = 1e-5
    energy = [dyn_node.potential_energy(model, data, closed(model, data, 1.2 + side)) for side in (-h, h)]
    # The crank turns about -y, which lifts it towards +z: a positive angle is the one in `closed`.
    assert abs(held.tau[0] - (energy[1] - energy[0]) / (2 * h)) < 1e-6


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Contact("FL_foot", -0.1), "friction"),
        (lambda: Contact("FL_foot", np.inf), "friction"),
        (lambda: Contact("FL_foot", 0.5, (0.0, 0.0, 2.0)), "length 1"),
        (lambda: Contact("FL_foot", 0.5, (0.0, 0.0, np.nan)), "length 1"),
        (lambda: Contact("FL_foot", 0.5, size=(0.1, 0.0)), "above zero"),
    ],
)
def test_bad_contacts_are_refused(build: Any, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        build()


def test_unknown_foot_lists_the_closest() -> None:
    model, data, q = go2_standing()
    with pytest.raises(UnknownFrameError, match="RL_foot"):
        dyn_node.contact_gravity(model, data, q, ["RL_fot"])


@pytest.mark.parametrize("missing", [None, types.SimpleNamespace(available_solvers=["osqp"])])
def test_without_a_solver_friction_says_what_to_install(
    missing: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, data, q = go2_standing()
    monkeypatch.setitem(sys.modules, "qpsolvers", missing)
    with pytest.raises(MissingDependencyError, match="pip install qpsolvers proxsuite"):
        dyn_node.contact_gravity(model, data, q, [Contact(foot, 0.5) for foot in FEET[1:]])
    assert dyn_node.contact_gravity(model, data, q, FEET).rank == 6
