"""The measured acceleration at a cut, on falls that the demo robot's own body goes through."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dyn_node import robots
from dyn_node.nodes.demo_build import build
from dyn_node.nodes.demo_settings import DemoSettings
from dyn_node.nodes.demo_telemetry import State
from dyn_node.tools.demo_fall import FEWEST, initial_acceleration

# The demo's own bound is 1 %: its measurement has to be better than that by itself.
MEASUREMENT = 0.003
WINDOW = 40  # ms, as in the demo


def _fall(name: str, milliseconds: int = 100) -> tuple[np.ndarray, list[State]]:
    """True acceleration at the cut, and a state for each millisecond after it."""
    body, states = build(DemoSettings(robot=name, friction_rate=0.0)).body, []
    none = np.zeros(len(body.names))
    body.step(none, 1e-9)
    acceleration = body.velocity / 1e-9
    body.velocity[:] = 0.0
    for k in range(milliseconds):
        body.step(none, 5e-4)
        body.step(none, 5e-4)
        states.append(State(1e-3 * (k + 1), body.position.copy(), body.velocity.copy(), none))
    return acceleration, states


@pytest.mark.parametrize("name", robots.names())
@pytest.mark.parametrize("lost", [0, 9, 45])
def test_initial_acceleration_is_that_of_the_cut_whatever_messages_were_lost(name, lost):
    truth, states = _fall(name)
    n = truth.size
    before = State(-0.011, states[0].position, np.zeros(n), np.ones(n))
    rng = np.random.default_rng(lost)
    for count in (WINDOW, 15, FEWEST):
        kept = [states[lost + i] for i in np.sort(rng.choice(WINDOW, count, replace=False))]
        measured = initial_acceleration(before, kept)
        what = f"{name}, {lost} lost, {count} kept"
        assert_allclose(measured, truth, atol=MEASUREMENT * np.abs(truth).max(), err_msg=what)


def test_a_robot_that_stays_has_no_acceleration():
    still = [State(0.001 * i, np.zeros(2), np.zeros(2), np.zeros(2)) for i in range(FEWEST + 1)]
    assert_allclose(initial_acceleration(still[0], still[1:]), 0.0)
