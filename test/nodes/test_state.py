"""The whole state: complete or not, fresh or not, and the stamp that outputs carry."""

from __future__ import annotations

import numpy as np
import pytest

import dyn_node
from dyn_node.nodes.dynamics_settings import DynamicsSettings
from dyn_node.nodes.state import BASE, RobotState

SECOND = 1_000_000_000
LEVEL = (0.0, 0.0, 0.0, 1.0)


def arm() -> RobotState:
    return RobotState(dyn_node.robots.load("panda"), DynamicsSettings())


def quadruped() -> RobotState:
    return RobotState(
        dyn_node.robots.load("go2", root="free_flyer"), DynamicsSettings(root_joint="free_flyer")
    )


def give(state: RobotState, names: tuple[str, ...], at: int, value: float = 0.1) -> None:
    state.joints.update(list(names), np.full(len(names), value), np.zeros(len(names)), at - 5, at)


def test_nothing_is_ready_before_every_joint_is_known() -> None:
    state = arm()
    names = state.map.names
    give(state, names[:6], SECOND)
    assert not state.ready(SECOND, 0.5)
    assert state.missing() == (names[6],)
    assert names[6] in state.why_not_ready(SECOND, 0.5)
    give(state, names[6:], SECOND + 10)
    assert state.ready(SECOND + 10, 0.5)
    assert state.why_not_ready(SECOND + 10, 0.5) == ""
    assert state.refresh() == SECOND + 5


def test_one_stale_joint_stops_the_outputs_and_is_named() -> None:
    state = arm()
    names = state.map.names
    give(state, names, SECOND)
    give(state, names[1:], 2 * SECOND)
    assert not state.ready(2 * SECOND, 0.5)
    assert state.stale(2 * SECOND, 0.5) == {names[0]: 1.0}
    assert names[0] in state.why_not_ready(2 * SECOND, 0.5)
    give(state, names[:1], 2 * SECOND)
    assert state.ready(2 * SECOND, 0.5)


@pytest.mark.parametrize(("age", "ready"), [(0.5, True), (0.5 + 1e-9, False)])
def test_the_timeout_is_exact(age: float, ready: bool) -> None:
    state = arm()
    give(state, state.map.names, SECOND)
    assert state.ready(SECOND + round(age * SECOND), 0.5) == ready


def test_a_floating_robot_needs_its_base() -> None:
    state = quadruped()
    give(state, state.map.names, SECOND)
    assert not state.ready(SECOND, 0.5)
    assert state.missing() == (BASE,)
    state.base.odometry("", (0.0, 0.0, 0.3), LEVEL, np.zeros(6), SECOND, SECOND)
    assert state.ready(SECOND, 0.5)
    state.refresh()
    assert state.q[:3].tolist() == [0.0, 0.0, 0.3]
    assert not state.ready(2 * SECOND, 0.5)
    assert BASE in state.why_not_ready(2 * SECOND, 0.5)


def test_a_clock_that_jumps_back_clears_the_state() -> None:
    state = arm()
    give(state, state.map.names, 5 * SECOND)
    assert state.clock_is(5 * SECOND)
    assert not state.clock_is(SECOND)
    assert not state.ready(SECOND, 0.5)
    give(state, state.map.names, SECOND)
    assert state.clock_is(SECOND)
    assert state.ready(SECOND, 0.5)


def test_a_snapshot_is_not_changed_by_later_messages() -> None:
    state = arm()
    give(state, state.map.names[:3], SECOND, 0.1)
    snapshot = state.snapshot(SECOND, 0.5)
    give(state, state.map.names, SECOND, 0.7)
    assert snapshot.q.tolist() == [0.1, 0.1, 0.1, 0.0, 0.0, 0.0, 0.0]
    assert snapshot.missing == state.map.names[3:]
    assert snapshot.stamp == SECOND - 5
    assert state.snapshot(3 * SECOND, 0.5).stale.keys() == set(state.map.names)
