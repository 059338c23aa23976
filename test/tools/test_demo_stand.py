"""How the demo judges a robot on its feet."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("dyn_node_msgs", reason="the interfaces are not built: `make test` builds them")

from dyn_node import robots
from dyn_node.nodes.demo_telemetry import Base, State, Telemetry
from dyn_node.tools import demo_stand
from dyn_node.tools.demo_view import PlainView

FEET = ("left", "right")


class _Client:
    """A robot of one joint and two feet that does what the test says while it is listened to."""

    def __init__(self, drift=0.0, effort=5.0, forces=(40.0, 40.0), pushes=(40.0, 40.0)):
        self.telemetry = heard = Telemetry(mode="driven")
        heard.expect_feet(FEET)
        self._drift, self._state = drift, State(0.0, np.zeros(1), np.zeros(1), np.array([effort]))
        heard.add_state(("hinge",), 0.0, self._state)
        heard.add_torques(("hinge",), 0.0, 0.0, np.array([5.0]))
        heard.add_base(Base(0.0, np.zeros(3)))
        for foot, force in zip(FEET, forces, strict=True):
            heard.add_force(foot, force)
        heard.add_pushes(FEET[::-1], np.array(pushes[::-1]))

    def listen_for(self, duration):
        for k in range(11):
            self.telemetry.add_state(("hinge",), 0.1 * k, self._state)
            self.telemetry.add_base(Base(0.1 * k, np.array([0.1 * k * self._drift, 0.0, 0.0])))


@pytest.mark.parametrize(
    ("robot", "held"),
    [
        ({}, True),
        ({"drift": 4.9e-3}, True),
        ({"drift": 5.1e-3}, False),
        ({"effort": 0.0}, False),  # brakes: standing still shows nothing
        ({"pushes": (41.5, 38.5)}, False),  # the ground does something else than is published
        ({"forces": (80.0, 0.0), "pushes": (80.0, 0.0)}, False),  # it stands on other feet
    ],
)
def test_standing_wants_torques_no_drift_the_forces_of_the_ground_and_these_feet(robot, held):
    assert demo_stand.stand(_Client(**robot), FEET, 1.0).held is held


def test_a_leg_is_what_lies_between_the_trunk_and_the_foot():
    names = demo_stand.leg(robots.load("go2"), "RL_foot")
    assert names == ["RL_hip_joint", "RL_thigh_joint", "RL_calf_joint"]


def test_the_question_is_asked_again_without_feet_that_would_have_to_pull(capsys):
    asked = []

    class Client(_Client):
        def sinking_acceleration(self, state, feet):
            asked.append(feet)
            return np.ones(1), np.array([-1.0 if foot == "left" else 2.0 for foot in feet])

    demo_stand.predict_sinking(Client(), PlainView("tool0"), FEET)
    assert asked == [FEET, ("right",)]
    assert "left would have to pull" in capsys.readouterr().out
