"""Arbitrary messages and requests: no crash, nothing that is not finite gets out, all are answered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("hypothesis", reason="hypothesis is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

from arbitrary import (
    JOINTS,
    ROBOT,
    accelerations,
    base_wrenches,
    bases,
    cases,
    common,
    contacts,
    frames,
    joint_states,
    names,
    numbers,
    references,
    values,
    wrenches,
)
from dyn_node_msgs.srv import ForwardDynamics, GetFrame, GetMassMatrix, InverseDynamics, SolveIK
from hypothesis import given, settings
from hypothesis import strategies as st

import dyn_node
from dyn_node.nodes import requests
from dyn_node.nodes.answers import answer
from dyn_node.nodes.dynamics_settings import DynamicsSettings
from dyn_node.nodes.ik_request import solve_ik
from dyn_node.nodes.request_parts import Context
from dyn_node.nodes.solver_settings import SolverSettings
from dyn_node.nodes.state import RobotState

DATA = ROBOT.create_data()
SECOND = 1_000_000_000
MANY = settings(max_examples=cases(150), deadline=None)

times = st.integers(-(2**62), 2**62)


@MANY
@given(
    st.lists(st.tuples(joint_states(), bases(), times, times, names), min_size=1, max_size=6),
    st.sampled_from(["zero", "hold", "reject"]),
)
def test_no_message_brings_a_state_that_is_not_finite(messages: list[Any], policy: str) -> None:
    state = RobotState(ROBOT, DynamicsSettings(root_joint="free_flyer", nan_velocity=policy))
    now = SECOND
    for message, base, stamp, later, child in messages:
        now += abs(later) % SECOND
        state.clock_is(now)
        pose, twist = base.pose, np.array([base.twist.linear.x, base.twist.angular.y, 0.0, 0.0, 0.0, 0.0])
        position = (pose.position.x, pose.position.y, pose.position.z)
        quaternion = (pose.orientation.x, pose.orientation.y, pose.orientation.z, pose.orientation.w)
        state.base.odometry(child, position, quaternion, twist, stamp, now)
        state.base.pose(position, quaternion, stamp, now)
        state.joints.update(message.name, np.array(message.position), np.array(message.velocity), stamp, now)
        state.refresh()
        if state.ready(now, 0.5):
            assert np.isfinite(state.q).all()
            assert np.isfinite(dyn_node.nonlinear_effects(ROBOT, DATA, state.q, state.v)).all()
        assert bool(state.why_not_ready(now, 0.5)) != state.ready(now, 0.5)


def ask(handler: Any, kind: type, fields: dict[str, Any], state: RobotState) -> Any:
    context = Context(ROBOT, DATA, state.map, state.snapshot(SECOND, 0.5), SolverSettings())
    response = answer(handler, context, kind.Request(**fields), kind.Response())
    assert response.success == (response.code == 1)
    assert response.message
    assert "Error: " not in response.message, f"an exception of no plan: {response.message}"
    return response


def state_of(known: bool) -> RobotState:
    state = RobotState(ROBOT, DynamicsSettings(root_joint="free_flyer"))
    if known:
        state.joints.update(JOINTS, np.full(12, 0.2), np.zeros(12), SECOND, SECOND)
        state.base.odometry("", (0.0, 0.0, 0.3), (0.0, 0.0, 0.0, 1.0), np.zeros(6), SECOND, SECOND)
    return state


@MANY
@given(
    common,
    st.booleans(),
    values(),
    st.lists(wrenches(), max_size=2),
    st.lists(base_wrenches(), max_size=1),
    contacts,
)
def test_forward_dynamics_always_answers(
    fields: Any, known: bool, efforts: Any, external: Any, base: Any, held: Any
) -> None:
    fields = {**fields, **held}
    fields = {**fields, "efforts": efforts, "external_wrenches": external, "base_wrench": base}
    response = ask(requests.forward_dynamics, ForwardDynamics, fields, state_of(known))
    assert np.isfinite(response.accelerations.values).all()


@MANY
@given(
    common,
    st.booleans(),
    values(),
    st.lists(wrenches(), max_size=2),
    st.lists(accelerations(), max_size=1),
    contacts,
)
def test_inverse_dynamics_always_answers(
    fields: Any, known: bool, given: Any, external: Any, base: Any, held: Any
) -> None:
    fields = {**fields, **held}
    fields = {**fields, "accelerations": given, "external_wrenches": external, "base_acceleration": base}
    response = ask(requests.inverse_dynamics, InverseDynamics, fields, state_of(known))
    assert np.isfinite(response.efforts.values).all()


@MANY
@given(common, st.booleans(), frames, references, values())
def test_get_frame_and_mass_matrix_always_answer(
    fields: Any, known: bool, frame: str, reference: str, given: Any
) -> None:
    matrix = ask(requests.get_mass_matrix, GetMassMatrix, fields, state_of(known))
    assert np.isfinite(matrix.mass_matrix.data).all()
    fields = {**fields, "frame": frame, "reference": reference, "accelerations": given}
    response = ask(requests.get_frame, GetFrame, fields, state_of(known))
    assert np.isfinite(response.jacobian).all()
    assert np.isfinite([response.pose.position.x, response.twist.linear.x, response.twist.angular.z]).all()


@MANY
@given(
    common,
    st.booleans(),
    frames,
    bases(),
    st.lists(numbers, max_size=6),
    st.tuples(numbers, numbers),
    st.integers(-(2**31), 2**31 - 1),
    st.lists(names, max_size=2),
    st.lists(names, max_size=2),
    st.sampled_from(["", "speed", "distance", "manipulability", "x"]),
    st.booleans(),
)
def test_solve_ik_always_answers(
    fields: Any,
    known: bool,
    frame: str,
    target: Any,
    weights: Any,
    tolerances: Any,
    timeout: int,
    fixed: Any,
    free: Any,
    mode: str,
    free_base: bool,
) -> None:
    request = {
        "frame": frame,
        "seed": fields["state"],
        "base": fields["base"],
        "weights": weights,
        "mode": mode,
        "position_tolerance": tolerances[0],
        "orientation_tolerance": tolerances[1],
        "free_base": free_base,
        "fixed_joints": fixed,
        "free_joints": free,
    }

    def handler(context: Context, given: Any, response: Any) -> Any:
        given.target.pose, given.timeout.nanosec = target.pose, abs(timeout) % 2_000_000
        given.timeout.sec = -1 if timeout < -(2**30) else 0
        return solve_ik(context, given, response)

    response = ask(handler, SolveIK, request, state_of(known))
    assert np.isfinite(response.solution.position).all()
