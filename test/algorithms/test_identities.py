"""What has to hold without any reference: between the algorithms, and along a simulated motion."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.states import relative, states
from tolerances import IDENTITY, MANIFOLD

import dyn_node
from dyn_node import ReferenceFrame

CASES = [("panda", "fixed"), ("ur5e", "fixed"), ("ur5e", "planar"), ("go2", "free_flyer")]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: "-".join(case))
def robot(request):
    name, root = request.param
    model = dyn_node.robots.load(name, root=root)
    return model, model.create_data()


def test_mass_matrix_columns_are_efforts_of_unit_accelerations(robot) -> None:
    model, data = robot
    for q, *_ in states(model, 5):
        M, gravity = dyn_node.crba(model, data, q), dyn_node.generalized_gravity(model, data, q)
        assert np.array_equal(M, M.T), model.name
        for k in range(model.nv):
            column = dyn_node.rnea(model, data, q, np.zeros(model.nv), np.eye(model.nv)[k]) - gravity
            assert relative(column, M[:, k]) < IDENTITY, f"{model.name}, crba, column {k}"


def test_forward_dynamics_undoes_inverse_dynamics(robot) -> None:
    model, data = robot
    for q, v, a, _, f_ext in states(model, 10):
        tau = dyn_node.rnea(model, data, q, v, a, f_ext)
        assert relative(dyn_node.aba(model, data, q, v, tau, f_ext), a) < 1e2 * IDENTITY, f"{model.name}, aba"


def test_gravity_and_nonlinear_effects_are_special_cases(robot) -> None:
    model, data = robot
    still = np.zeros(model.nv)
    for q, v, *_ in states(model, 5):
        gravity = dyn_node.generalized_gravity(model, data, q)
        assert relative(gravity, dyn_node.rnea(model, data, q, still, still)) < IDENTITY, model.name
        bias = dyn_node.nonlinear_effects(model, data, q, v)
        assert relative(bias, dyn_node.rnea(model, data, q, v, still)) < IDENTITY, model.name


def test_jacobian_times_velocity_is_the_twist(robot) -> None:
    model, data = robot
    for q, v, *_ in states(model, 5):
        dyn_node.forward_kinematics(model, data, q, v)
        for frame in model.frames:
            for reference in ReferenceFrame:
                J = dyn_node.frame_jacobian(model, data, q, frame.index, reference)
                twist = dyn_node.frame_velocity(model, data, frame.index, reference).vector
                assert relative(J @ v, twist) < IDENTITY, f"{model.name}, {frame.name}, {reference.name}"


def test_a_frames_wrench_becomes_efforts_through_the_jacobian(robot) -> None:
    model, data = robot
    frame = model.frames[-1]
    rng = np.random.default_rng(3)
    for q, v, a, *_ in states(model, 5):
        wrench = dyn_node.Force.from_vector(rng.standard_normal(6))
        f_ext = np.zeros((model.njoints, 6))
        f_ext[frame.parent_joint] = frame.placement.act(wrench).vector
        loaded, free = dyn_node.rnea(model, data, q, v, a, f_ext), dyn_node.rnea(model, data, q, v, a)
        J = dyn_node.frame_jacobian(model, data, q, frame.index, dyn_node.LOCAL)
        assert relative(free - loaded, J.T @ wrench.vector) < IDENTITY, model.name


def test_difference_undoes_integrate(robot) -> None:
    model, _ = robot
    for q, v, *_ in states(model, 20):
        moved = dyn_node.integrate(model, q, v)
        assert relative(dyn_node.difference(model, q, moved), v) < MANIFOLD, f"{model.name}, difference"
        assert np.array_equal(dyn_node.normalize(model, q), dyn_node.normalize(model, q.copy()))


def test_twist_is_the_rate_of_the_placement(robot) -> None:
    model, data = robot
    step = 1e-6
    frame = model.nframes - 1
    for q, v, *_ in states(model, 5):
        placements = []
        for sign in (-1.0, 1.0):
            dyn_node.forward_kinematics(model, data, dyn_node.integrate(model, q, sign * step * v))
            placements.append(dyn_node.frame_placement(model, data, frame))
        rate = (placements[0].inverse() * placements[1]).log().vector / (2 * step)
        dyn_node.forward_kinematics(model, data, q, v)
        twist = dyn_node.frame_velocity(model, data, frame, dyn_node.LOCAL).vector
        assert relative(rate, twist) < 1e-8, f"{model.name}, frame_velocity"


def test_energy_is_conserved_along_a_free_motion() -> None:
    """A Panda swings for a second under gravity alone; kinetic plus potential energy stays."""
    model = dyn_node.robots.load("panda")
    data = model.create_data()
    q = np.array([dyn_node.robots.describe("panda").home[j.name] for j in model.actuated_joints])
    v, dt, none = np.zeros(model.nv), 5e-4, np.zeros(model.nv)

    def energy(q: np.ndarray, v: np.ndarray) -> float:
        dyn_node.forward_kinematics(model, data, q)
        potential = 0.0
        for joint, inertia in zip(model.joints[1:], model.inertias[1:], strict=True):
            potential -= inertia.mass * model.gravity @ data.oMi[joint.index].act(inertia.com)
        return 0.5 * v @ dyn_node.crba(model, data, q) @ v + potential

    before, swing = energy(q, v), 0.0
    for _ in range(2000):
        a1 = dyn_node.aba(model, data, q, v, none)
        v2, q2 = v + 0.5 * dt * a1, dyn_node.integrate(model, q, 0.5 * dt * v)
        a2 = dyn_node.aba(model, data, q2, v2, none)
        v3, q3 = v + 0.5 * dt * a2, dyn_node.integrate(model, q, 0.5 * dt * v2)
        a3 = dyn_node.aba(model, data, q3, v3, none)
        v4, q4 = v + dt * a3, dyn_node.integrate(model, q, dt * v3)
        a4 = dyn_node.aba(model, data, q4, v4, none)
        q = dyn_node.integrate(model, q, dt * (v + 2 * v2 + 2 * v3 + v4) / 6)
        v = v + dt * (a1 + 2 * a2 + 2 * a3 + a4) / 6
        swing = max(swing, float(np.abs(v).max()))
    assert swing > 1.0, "the arm did not move: the test would show nothing"
    assert energy(q, v) == pytest.approx(before, abs=1e-6)
