"""Constrained forward dynamics and impulses: against Pinocchio, and by what must be true of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from algorithms.mixed import MAKERS
from algorithms.pairs import pair, pin
from algorithms.standing import STANDING, closed, four_bar, loop, solved_by_pinocchio, standing
from algorithms.states import Comparison, relative, states
from tolerances import IDENTITY, REL

import dyn_node
from dyn_node import SE3, ConstraintSet, JointCoupling, JointLock, PointConstraint, RigidConstraint
from dyn_node.errors import InvalidValueError, ShapeError

#: The loop of the four-bar linkage must stay closed to this, m.
LOOP = 1e-4
#: Part of its swing of energy that the linkage may gain or lose in 10 s.
ENERGY = 1e-4


@pytest.mark.parametrize("reference", ["LOCAL", "LOCAL_WORLD_ALIGNED"])
@pytest.mark.parametrize("robot", STANDING)
def test_against_pinocchio(robot: str, reference: str) -> None:
    model, data, feet = standing(robot)
    place = SE3.exp(np.array([0.02, -0.01, 0.03, 0.1, 0.2, -0.1]))
    ties = ConstraintSet(
        model,
        [
            type(foot)(foot.frame, placement=place, other_placement=place, reference=reference, kp=kp, kd=3.0)
            for foot, kp in zip(feet, (5.0, 0.0, 2.0, 1.0), strict=False)
        ],
    )
    compare = Comparison(robot, reference)
    for q, v, _, tau, _ in states(model, 5):
        ours = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, ties)
        ddq, multipliers, jacobian = solved_by_pinocchio(robot, ties, (q, v, tau))
        compare.add("ddq", ours.ddq, ddq)
        compare.add("multipliers", ours.multipliers, multipliers)
        compare.add("jacobian", dyn_node.constraint_jacobian(model, data, q, ties), jacobian)
        assert ours.rank == ties.rows, f"{robot}: rank {ours.rank}"
    compare.check(REL)


@pytest.mark.parametrize("kind", [PointConstraint, RigidConstraint])
def test_loops_between_bodies_against_pinocchio(kind: type) -> None:
    """Two feet tied to each other, ends off their frames and moving apart."""
    place = SE3.exp(np.array([0.1, 0.2, -0.1, 0.3, -0.2, 0.1]))
    model, data, _ = standing("anymal")
    ties = ConstraintSet(
        model, [kind("LF_FOOT", "RH_FOOT", placement=place, other_placement=place.inverse(), kp=2.0, kd=1.0)]
    )
    compare = Comparison("anymal", kind.__name__)
    for q, v, _, tau, _ in states(model, 5):
        ours = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, ties)
        ddq, multipliers, jacobian = solved_by_pinocchio("anymal", ties, (q, v, tau))
        compare.add("ddq", ours.ddq, ddq)
        compare.add("multipliers", ours.multipliers, multipliers)
        compare.add("jacobian", dyn_node.constraint_jacobian(model, data, q, ties), jacobian)
    compare.check(REL)


@pytest.mark.parametrize("robot", STANDING)
def test_identities(robot: str) -> None:
    model, data, feet = standing(robot)
    ties = ConstraintSet(model, feet)
    for q, v, _, tau, f_ext in states(model, 5):
        ours = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, ties, f_ext)
        J, gamma, *_ = dyn_node.constraint_motion(model, data, q, v, ties)
        assert np.abs(J @ ours.ddq + gamma).max() < REL * max(1.0, np.abs(gamma).max()), robot
        # The equation of motion holds, with lambda as a force on the robot.
        needed = dyn_node.rnea(model, data, q, v, ours.ddq, f_ext)
        assert relative(needed, tau + J.T @ ours.multipliers) < REL, f"{robot}: equation of motion"
        # Ideal constraints do no work in a motion that they allow, whatever has to come from them.
        held, allowed = needed - tau, v - np.linalg.pinv(J) @ (J @ v)
        assert np.abs(held).max() > 1.0, f"{robot}: the constraints have nothing to hold"
        assert abs(held @ allowed) < REL * np.abs(held).max() * np.abs(allowed).max() * 10, robot


@pytest.mark.parametrize("robot", STANDING)
def test_momentum_changes_by_weight_and_contact_forces(robot: str) -> None:
    """Forces and their moments about the centre of mass."""
    model, data, feet = standing(robot)
    ties = ConstraintSet(model, feet)
    for q, v, _, tau, _ in states(model, 3):
        tau[:6] = 0.0
        moved = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, ties)
        rate = dyn_node.centroidal_momentum_time_variation(model, data, q, v, moved.ddq)
        centre = dyn_node.center_of_mass(model, data, q).position
        dyn_node.forward_kinematics(model, data, q)
        force, moment = model.total_mass * np.array(model.gravity), np.zeros(3)
        for foot, wrench in zip(feet, ties.split(moved.multipliers), strict=True):
            place = dyn_node.frame_placement(model, data, foot.frame)
            push, turn = place.rotation @ wrench[:3], place.rotation @ np.resize(wrench[3:], 3)
            force += push
            moment += np.cross(place.translation - centre, push) + (turn if len(wrench) == 6 else 0.0)
        assert relative(rate.linear, force) < REL * 10, f"{robot}: linear momentum"
        assert relative(rate.angular, moment) < REL * 10, f"{robot}: angular momentum"


@pytest.mark.parametrize("robot", STANDING)
def test_the_equations_of_the_classic_function(robot: str) -> None:
    """Pinocchio's forwardDynamics, which is handed the Jacobian and the bias of the rows."""
    model, data, feet = standing(robot)
    ties = ConstraintSet(model, feet)
    _, _, theirs, reference = pair(robot, "free_flyer")
    compare = Comparison(robot, "forwardDynamics")
    for q, v, _, tau, _ in states(model, 5):
        ours = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, ties)
        J, gamma, *_ = dyn_node.constraint_motion(model, data, q, v, ties)
        compare.add("ddq", ours.ddq, pin.forwardDynamics(theirs, reference, q, v, tau, J, gamma, 0.0))
        compare.add("multipliers", ours.multipliers, reference.lambda_c)
    compare.check(REL)


@pytest.mark.parametrize("robot", STANDING)
def test_impulses_against_pinocchio(robot: str) -> None:
    model, data, feet = standing(robot)
    ties = ConstraintSet(model, feet)
    _, _, theirs, reference = pair(robot, "free_flyer")
    compare = Comparison(robot, "impulses")
    for restitution in (0.0, 0.3, 1.0):
        for q, v, *_ in states(model, 3):
            ours = dyn_node.impulse_dynamics(model, data, q, v, ties, restitution)
            J = dyn_node.constraint_jacobian(model, data, q, ties)
            compare.add("v", ours.v, pin.impulseDynamics(theirs, reference, q, v, J, restitution, 0.0))
            compare.add("impulses", ours.impulses, reference.impulse_c)
            assert relative(J @ ours.v, -restitution * (J @ v)) < REL, f"{robot}: velocity after"
            if restitution == 1.0:
                M = dyn_node.crba(model, data, q)
                assert abs(ours.v @ M @ ours.v - v @ M @ v) < REL * (v @ M @ v), f"{robot}: energy"
    compare.check(REL)


def test_redundant_contacts_are_solved_and_reported() -> None:
    """A foot named twice, and a foot held as a point and rigidly: the same motion, half the force each."""
    model, data, feet = standing("go2")
    for q, v, _, tau, _ in states(model, 3):
        once = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, feet)
        twice = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, [*feet, feet[0]])
        assert (once.rank, twice.rank) == (12, 12)
        assert relative(twice.ddq, once.ddq) < REL
        assert relative(2.0 * twice.multipliers[:3], once.multipliers[:3]) < REL
        assert relative(twice.multipliers[-3:], twice.multipliers[:3]) < REL
        assert twice.residual < REL * 100.0


def test_conflicting_constraints_are_met_by_least_squares() -> None:
    """One point pulled to two places goes to the middle, and the residual says so."""
    model, data, _ = standing("go2")
    apart = [
        PointConstraint(
            "FL_foot", other_placement=SE3(np.eye(3), [0.0, 0.0, z]), kp=1.0, reference="LOCAL_WORLD_ALIGNED"
        )
        for z in (0.0, 1.0)
    ]
    middle = PointConstraint("FL_foot", other_placement=SE3(np.eye(3), [0.0, 0.0, 0.5]), kp=1.0)
    q, v, _, tau, _ = states(model, 1)[0]
    both = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, apart)
    one = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, middle)
    assert relative(both.ddq, one.ddq) < REL
    assert both.rank == 3
    assert np.sqrt(3) / 6 - REL < both.residual < 0.5 + REL  # 0.5 along an axis, in the foot's axes


def test_proximal_iterations_come_to_the_direct_solution() -> None:
    model, data, feet = standing("anymal")
    settings = dyn_node.Proximal(mu=1e-4, iterations=50)
    for q, v, _, tau, _ in states(model, 2):
        for ties in (feet, [*feet, feet[1]]):
            direct = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, ties)
            prox = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, ties, proximal=settings)
            assert relative(prox.ddq, direct.ddq) < REL
            assert prox.rank == direct.rank
            assert relative(prox.multipliers, direct.multipliers) < REL
    with pytest.raises(InvalidValueError, match=r"proximal\.mu"):
        dyn_node.constrained_forward_dynamics(
            model, data, q, v, tau, feet, proximal=dyn_node.Proximal(mu=0.0)
        )


def test_locks_and_couplings() -> None:
    """A lock stops its joint; a coupling gears two; gains pull to where they say."""
    model = dyn_node.robots.load("ur5e")
    data = model.create_data()
    names = [joint.name for joint in model.actuated_joints]
    q, v, _, tau, _ = states(model, 1)[0]
    ties = ConstraintSet(
        model,
        [
            JointLock(names[0], position=0.2, kp=4.0, kd=1.0),
            JointCoupling({names[1]: 2.0, names[2]: -1.0}, offset=0.1, kp=3.0),
            JointLock(names[5]),
        ],
    )
    ours = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, ties)
    assert abs(ours.ddq[0] + 4.0 * (q[0] - 0.2) + 1.0 * v[0]) < IDENTITY * 100
    coupled = 2.0 * ours.ddq[1] - ours.ddq[2]
    assert abs(coupled + 3.0 * (2.0 * q[1] - q[2] - 0.1)) < IDENTITY * 100
    assert abs(ours.ddq[5]) < IDENTITY * 100
    balance = dyn_node.rnea(model, data, q, v, ours.ddq) - tau
    free = [k for k in range(model.nv) if k not in (0, 1, 2, 5)]
    assert np.abs(balance[free]).max() < REL * 100, "ties act on other joints"


def _rk4(model: Any, data: Any, ties: ConstraintSet, q: np.ndarray, v: np.ndarray, dt: float) -> Any:
    """One step without efforts; the joints turn about one axis each, so increments of q add up."""
    sum_v, sum_a, k, a = np.zeros(3), np.zeros(3), v, np.zeros(3)
    for fraction, weight in ((0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)):
        here, k = dyn_node.integrate(model, q, fraction * dt * k), v + fraction * dt * a
        a = dyn_node.constrained_forward_dynamics(model, data, here, k, np.zeros(3), ties).ddq
        sum_v, sum_a = sum_v + weight * k, sum_a + weight * a
    return dyn_node.integrate(model, q, dt / 6.0 * sum_v), v + dt / 6.0 * sum_a


def _simulated(model: Any, data: Any, ties: ConstraintSet, q: np.ndarray) -> tuple[float, float]:
    """(largest loop error, change of energy as part of the largest kinetic energy) over 10 s from rest."""
    v, errors, energies, kinetic = np.zeros(3), [], [], []
    for _ in range(5000):
        q, v = _rk4(model, data, ties, q, v, 2e-3)
        errors.append(np.abs(dyn_node.constraint_motion(model, data, q, v, ties).error).max())
        energies.append(dyn_node.mechanical_energy(model, data, q, v))
        kinetic.append(dyn_node.kinetic_energy(model, data, q, v))
    return max(errors), (max(energies) - min(energies)) / max(kinetic)


def test_four_bar_linkage_stays_closed_for_ten_seconds() -> None:
    model = four_bar()
    data = model.create_data()
    q = closed(model, data, 1.2)
    ties = ConstraintSet(model, [loop(kp=400.0, kd=40.0)])
    start = dyn_node.constrained_forward_dynamics(model, data, q, np.zeros(3), np.zeros(3), ties)
    assert start.rank == 2, "a planar loop ties two of three rows"
    error, drift = _simulated(model, data, ties, q)
    assert error < LOOP, f"four-bar: loop error {error:.2g} m"
    assert drift < ENERGY, f"four-bar: energy changes by {drift:.2g} of its swing"


@pytest.mark.parametrize("bad", [np.zeros(3), "x"])
def test_bad_arrays_are_named(bad: object) -> None:
    model, data, feet = standing("go2")
    q, v, *_ = states(model, 1)[0]
    with pytest.raises(ShapeError, match="tau"):
        dyn_node.constrained_forward_dynamics(model, data, q, v, bad, feet)


def test_bad_restitution_and_foreign_sets() -> None:
    model, data, feet = standing("go2")
    q, v, _, tau, _ = states(model, 1)[0]
    with pytest.raises(InvalidValueError, match="0 to 1"):
        dyn_node.impulse_dynamics(model, data, q, v, feet, 1.5)
    other = ConstraintSet(dyn_node.robots.load("go2"), [PointConstraint("FL_foot")])
    with pytest.raises(InvalidValueError, match="made for"):
        dyn_node.constrained_forward_dynamics(model, data, q, v, tau, other)


def test_without_constraints_it_is_forward_dynamics() -> None:
    model, data, _ = standing("go2")
    q, v, _, tau, f_ext = states(model, 1)[0]
    ours = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, [], f_ext)
    assert ours.rank == 0
    assert len(ours.multipliers) == 0
    assert relative(ours.ddq, dyn_node.aba(model, data, q, v, tau, f_ext)) < REL


@pytest.mark.parametrize("maker", MAKERS)
def test_every_joint_and_followers_against_dense_equations(maker: str) -> None:
    """Bodies tied to the world and to each other, on every kind of joint, with dense M, C v + g and J."""
    model = MAKERS[maker]()
    data = model.create_data()
    last, other = model.joint_frames[-1], model.joint_frames[len(model.joint_frames) // 2]
    ties = ConstraintSet(
        model, [PointConstraint(last, kd=2.0), RigidConstraint(other, model.joint_frames[1])]
    )
    for q, v, _, tau, _ in states(model, 3):
        ours = dyn_node.constrained_forward_dynamics(model, data, q, v, tau, ties)
        J, gamma, velocity, _ = dyn_node.constraint_motion(model, data, q, v, ties)
        assert relative(velocity, J @ v) < REL, model.name
        M, bias = dyn_node.crba(model, data, q), dyn_node.nonlinear_effects(model, data, q, v)
        free = np.linalg.solve(M, tau - bias)
        wanted = -gamma - np.concatenate([2.0 * velocity[:3], np.zeros(6)]) - J @ free
        spread = np.linalg.solve(M, J.T)
        expected = free + spread @ (np.linalg.pinv(J @ spread, rcond=1e-10, hermitian=True) @ wanted)
        assert relative(ours.ddq, expected) < 1e-8, f"{model.name}: ddq"
