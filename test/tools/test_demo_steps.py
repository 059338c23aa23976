"""How the demo judges what it hears."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("dyn_node_msgs", reason="the interfaces are not built: `make test` builds them")

from dyn_node.nodes.demo_telemetry import State
from dyn_node.tools import demo_steps
from dyn_node.tools.demo_view import PlainView


def test_the_fall_begins_after_the_last_torque():
    none, some = np.zeros(1), np.ones(1)
    states = [State(float(i), none, none, effort) for i, effort in enumerate((some, none, some, none, none))]
    assert demo_steps._first_of_fall(states) == 3
    assert demo_steps._first_of_fall(states[:3]) == 3
    assert demo_steps._first_of_fall([]) == 0


class _Client:
    """Enough of a client for `hold`: a robot that does what the test says while it is listened to."""

    def __init__(self, states):
        from dyn_node.nodes.demo_telemetry import Telemetry

        self.telemetry = Telemetry(mode="driven")
        self.telemetry.add_state(("hinge",), 0.0, states[0])
        self._states = states

    def wait_until(self, done, timeout, what):
        assert done()

    def listen_for(self, duration):
        for state in self._states[1:]:
            self.telemetry.add_state(("hinge",), state.stamp, state)


def _states(drift, effort):
    still = np.zeros(1)
    return [State(0.1 * i, np.array([drift * i]), still, np.array([effort])) for i in range(11)]


@pytest.mark.parametrize(
    ("drift", "effort", "held"),
    [
        (0.0, 5.0, True),
        (0.9e-4, 5.0, True),
        (1.1e-4, 5.0, False),  # 1.1e-3 rad in ten messages
        (0.0, 0.0, False),  # brakes: standing still shows nothing
    ],
)
def test_hold_wants_torques_and_no_drift(drift, effort, held):
    outcome = demo_steps.hold(_Client(_states(drift, effort)), 1.0)
    assert outcome.held is held


def test_hold_without_messages_fails():
    assert not demo_steps.hold(_Client(_states(0.0, 5.0)[:1]), 1.0).held


def test_a_fall_that_was_not_seen_is_tried_again_and_then_given_up(monkeypatch):
    switched, moved = [], []

    class Client(_Client):
        def switch(self, name, on):
            switched.append((name, on))

        def move(self, names, positions, duration):
            moved.append(positions)

        def falling_acceleration(self, state):
            return np.ones(1), np.zeros(6)

        def wait_until(self, done, timeout, what):
            # Three messages a fall, the first of them before the cut.
            recording = self.telemetry.recording
            if what == "a state before the cut":
                recording.append(State(0.0, np.zeros(1), np.zeros(1), np.ones(1)))
            elif what == "the fall":
                recording += [State(t, np.zeros(1), np.zeros(1), np.zeros(1)) for t in (0.001, 0.1)]
            else:
                return
            assert done(), what

    monkeypatch.setattr(demo_steps, "CALM", 0.0)
    client = Client(_states(0.0, 5.0))
    outcome = demo_steps.cut(
        client, PlainView("tool0"), lambda: demo_steps.predict_fall(client, base_is_held=False)
    )
    assert not outcome.held
    assert "too few" in outcome.measured
    assert switched.count(("motors", False)) == demo_steps.ATTEMPTS
    assert switched[-1] == ("brake", True)
    assert moved == [[0.0]] * (demo_steps.ATTEMPTS - 1)
