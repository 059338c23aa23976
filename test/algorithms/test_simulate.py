"""Steps of time: conservation along free motion, order of accuracy, and the manifold."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.mixed_tree import mixed_tree
from algorithms.states import relative, states
from tolerances import DIFFERENCES, IDENTITY

import dyn_node
from dyn_node.errors import InvalidValueError, ShapeError


def run(model, data, q, v, dt, count, method):
    """The state after `count` steps without efforts."""
    state, tau = (q, v), np.zeros(model.nv)
    for _ in range(count):
        state = dyn_node.step(model, data, *state, tau, dt, method)
    return state


@pytest.mark.parametrize(("name", "dt"), [("panda", 5e-4), ("go2", 1e-3)])
def test_energy_is_conserved_over_ten_seconds(name: str, dt: float) -> None:
    """A pendulum of seven links, and a quadruped that tumbles in free fall with swinging legs."""
    model = dyn_node.robots.load(name)
    data = model.create_data()
    q, v, *_ = states(model, 1, seed=1)[0]
    v = 0.5 * v
    before = dyn_node.mechanical_energy(model, data, q, v)
    kinetic = dyn_node.kinetic_energy(model, data, q, v)
    end = run(model, data, q, v, dt, round(10.0 / dt), "rk4")
    after = dyn_node.mechanical_energy(model, data, *end)
    scale = max(1.0, abs(before), kinetic)
    assert abs(after - before) < 1e-6 * scale, f"{name}: {before} J became {after} J"
    assert abs(dyn_node.kinetic_energy(model, data, *end) - kinetic) > 0.1, "nothing moved"


def test_momentum_of_a_free_fall() -> None:
    """About the centre of mass the angular momentum stays; the linear one grows with gravity."""
    model = dyn_node.robots.load("go2")
    data = model.create_data()
    q, v, *_ = states(model, 1)[0]
    before = dyn_node.centroidal_momentum(model, data, q, v).vector
    end = run(model, data, q, v, 1e-3, 1000, "rk4")
    after = dyn_node.centroidal_momentum(model, data, *end).vector
    gained = np.concatenate([model.total_mass * model.gravity * 1.0, np.zeros(3)])
    assert relative(after - before, gained) < 1e-8


@pytest.mark.parametrize(("method", "order"), [("euler", 1), ("semi_implicit", 1), ("rk4", 4)])
def test_order_of_accuracy(method: str, order: int) -> None:
    """Halving the step divides the error by two to the order, on every kind of joint."""
    model = mixed_tree(follower=False)
    data = model.create_data()
    q, v, *_ = states(model, 1, seed=2)[0]
    exact = run(model, data, q, v, 0.2 / 1024, 1024, "rk4")
    errors = []
    for count in (64, 128):
        q1, v1 = run(model, data, q, v, 0.2 / count, count, method)
        errors.append(
            np.linalg.norm(np.concatenate([dyn_node.difference(model, exact[0], q1), v1 - exact[1]]))
        )
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.35)


@pytest.mark.parametrize("follower", [False, True])
def test_a_short_step_goes_along_v_and_a(follower: bool) -> None:
    model = mixed_tree(follower=follower)
    data = model.create_data()
    q, v, _, tau, f_ext = states(model, 1)[0]
    a = dyn_node.aba(model, data, q, v, tau, f_ext)
    for method in ("euler", "semi_implicit", "rk4"):
        ends = [dyn_node.step(model, data, q, v, tau, dt, method, f_ext) for dt in (-1e-6, 1e-6)]
        assert relative(dyn_node.difference(model, ends[0].q, ends[1].q) / 2e-6, v) < DIFFERENCES, method
        assert relative((ends[1].v - ends[0].v) / 2e-6, a) < DIFFERENCES, method
        assert dyn_node.is_normalized(model, ends[1].q, 1e-14), method


def test_steps_agree_where_nothing_accelerates() -> None:
    model = dyn_node.robots.load("ur5e").with_gravity((0.0, 0.0, 0.0))
    data = model.create_data()
    q, v = dyn_node.neutral(model), np.zeros(model.nv)
    v[-1] = 2.0
    tau = dyn_node.nonlinear_effects(model, data, q, v)
    ends = [dyn_node.step(model, data, q, v, tau, 0.01, method) for method in ("euler", "semi_implicit")]
    assert relative(ends[0].q, ends[1].q) < IDENTITY


def test_bad_arguments_are_named() -> None:
    model = dyn_node.robots.load("panda")
    data, q = model.create_data(), dyn_node.neutral(model)
    v = np.zeros(model.nv)
    with pytest.raises(InvalidValueError, match="'euler', 'semi_implicit', 'rk4'"):
        dyn_node.step(model, data, q, v, v, 0.01, "verlet")
    with pytest.raises(ShapeError, match="v:"):
        dyn_node.step(model, data, q, v[1:], v, 0.01)
