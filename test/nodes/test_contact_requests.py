"""The solver's dynamics with feet on the ground: what holds the robot, and how requests go together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

from dyn_node_msgs.msg import BaseState, FrameWrench
from dyn_node_msgs.srv import ForwardDynamics, InverseDynamics
from nodes.test_requests import ask, context_of
from sensor_msgs.msg import JointState

import dyn_node
from dyn_node.nodes.conversions import fill_six, six

FEET = ["FL_foot", "FR_foot", "RL_foot", "RR_foot"]


@pytest.fixture
def quadruped() -> Any:
    return context_of("go2", "free_flyer")


def at_rest(context: Any) -> JointState:
    home = dyn_node.robots.describe("go2").home
    names = list(context.map.names)
    return JointState(name=names, position=[home[name] for name in names])


def still(context: Any) -> dict[str, Any]:
    """A request's state in which nothing moves and the base is level."""
    base = BaseState()
    base.pose.orientation.w, base.pose.position.z = 1.0, 0.33
    return {"state": at_rest(context), "base": [base]}


def of(wrench: FrameWrench) -> np.ndarray:
    return six(wrench.wrench.force, wrench.wrench.torque)


def test_four_feet_carry_the_robot_and_it_stays(quadruped: Any) -> None:
    inverse = ask(quadruped, InverseDynamics, contact_frames=FEET, **still(quadruped))
    assert inverse.success, inverse.message
    assert [wrench.frame for wrench in inverse.contact_wrenches] == FEET
    total = sum(of(wrench) for wrench in inverse.contact_wrenches)
    assert total[:3] == pytest.approx([0.0, 0.0, 9.81 * quadruped.model.total_mass], abs=1e-8)
    base = inverse.base_wrench[0]
    assert six(base.force, base.torque) == pytest.approx(np.zeros(6), abs=1e-8)
    forward = ask(
        quadruped, ForwardDynamics, contact_frames=FEET, efforts=inverse.efforts, **still(quadruped)
    )
    assert np.array(forward.accelerations.values) == pytest.approx(np.zeros(12), abs=1e-8)
    for one, other in zip(forward.contact_wrenches, inverse.contact_wrenches, strict=True):
        assert of(one) == pytest.approx(of(other), abs=1e-7)


def test_one_foot_leaves_the_base_unsupported(quadruped: Any) -> None:
    inverse = ask(quadruped, InverseDynamics, contact_frames=FEET[:1], **still(quadruped))
    base = inverse.base_wrench[0]
    assert np.abs(six(base.force, base.torque)).max() > 10.0
    assert "3 of the base's 6 motions" in inverse.message
    four = ask(quadruped, InverseDynamics, contact_frames=FEET, **still(quadruped))
    assert "motions" not in four.message


def test_rigid_contacts_and_wrenches_of_the_surroundings_add_up(quadruped: Any) -> None:
    """The reaction at a rigid foot answers what pushes at it, moment and all; the motion is the same."""
    push = FrameWrench(frame="FL_foot")
    values = np.array([5.0, -3.0, 7.0, 0.2, 0.1, -0.3])
    fill_six(push.wrench.force, push.wrench.torque, values)
    fields = {"contact_frames": FEET[:2], "contact_kinds": [1, 0], **still(quadruped)}
    plain = ask(quadruped, ForwardDynamics, **fields)
    pushed = ask(quadruped, ForwardDynamics, external_wrenches=[push], **fields)
    assert plain.success, plain.message
    assert pushed.success, pushed.message
    assert np.array(pushed.accelerations.values) == pytest.approx(plain.accelerations.values, abs=1e-7)
    change = of(pushed.contact_wrenches[0]) - of(plain.contact_wrenches[0])
    assert change == pytest.approx(-values, abs=1e-7)


def test_a_foot_named_twice_is_solved_and_noted(quadruped: Any) -> None:
    once = ask(quadruped, ForwardDynamics, contact_frames=FEET[:1], **still(quadruped))
    twice = ask(quadruped, ForwardDynamics, contact_frames=[FEET[0], FEET[0]], **still(quadruped))
    assert "3 motions with 6 forces" in twice.message
    assert "motions" not in once.message
    assert np.array(twice.accelerations.values) == pytest.approx(once.accelerations.values, abs=1e-7)
    assert 2.0 * of(twice.contact_wrenches[0]) == pytest.approx(of(once.contact_wrenches[0]), abs=1e-7)


def test_contacts_that_contradict_each_other_are_met_by_least_squares_and_noted(quadruped: Any) -> None:
    """Two points of a body that turns cannot both be without acceleration."""
    fields = still(quadruped)
    fields["state"].velocity = [0.0] * 12
    still_leg = ask(quadruped, ForwardDynamics, contact_frames=["FL_calf", "FL_foot"], **fields)
    assert "contradict" not in still_leg.message
    fields["state"].velocity = [0.0, 0.0, 3.0] + [0.0] * 9
    turning = ask(quadruped, ForwardDynamics, contact_frames=["FL_calf", "FL_foot"], **fields)
    assert turning.success, turning.message
    assert "contradict each other" in turning.message
