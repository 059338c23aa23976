"""`solver_node` as a process, over real DDS: each service answers a good and a bad request."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness
from dyn_node_msgs.msg import NamedValues, ResultCode
from dyn_node_msgs.srv import ForwardDynamics, GetFrame, GetMassMatrix, InverseDynamics, SolveIK
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tolerances import IDENTITY

import dyn_node
from dyn_node.nodes.conversions import fill_pose

SERVICES = {
    SolveIK: "solver/solve_ik",
    ForwardDynamics: "solver/forward_dynamics",
    InverseDynamics: "solver/inverse_dynamics",
    GetMassMatrix: "solver/get_mass_matrix",
    GetFrame: "solver/get_frame",
}


class Solver(NamedTuple):
    """A running node, the test's client beside it, the model to compare with."""

    node: harness.NodeProcess
    client: harness.Client
    model: dyn_node.Model
    names: list[str]

    def ask(self, kind: type, **fields: Any) -> Any:
        """The answer to a request."""
        return self.client.call(kind, SERVICES[kind], kind.Request(**fields))

    def state(self, q: Any, v: Any = None) -> JointState:
        """A request's whole state."""
        return harness.joint_state(self.names, q, v)


def description() -> str:
    return Path(dyn_node.robots.path("panda")).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def solver() -> Iterator[Solver]:
    ns = harness.namespace()
    # What the robot's driver said last stays valid while the tests look at it.
    values = {"robot_description": description(), "state_timeout": 3600.0}
    with harness.client(ns) as client, harness.NodeProcess("solver", ns, values) as node:
        model = dyn_node.robots.load("panda")
        node.wait_for("ready: ")
        yield Solver(node, client, model, [joint.name for joint in model.actuated_joints])


def some_state(solver: Solver, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return dyn_node.random_configuration(solver.model, rng), rng.normal(size=7)


def test_without_a_robot_every_service_answers() -> None:
    ns = harness.namespace()
    with harness.client(ns) as client, harness.NodeProcess("solver", ns) as node:
        node.wait_for("no robot yet: waiting for")
        for kind, service in SERVICES.items():
            response = client.call(kind, service, kind.Request())
            assert (response.success, response.code) == (False, ResultCode.FAILURE), service
            assert f"{ns}/robot_description" in response.message, service
        client.publish("robot_description", String(data=description()), latched=True)
        node.wait_for("ready: panda")


def test_inverse_dynamics_answers(solver: Solver) -> None:
    q, v = some_state(solver, 1)
    good = solver.ask(InverseDynamics, state=solver.state(q, v))
    assert (good.success, good.code) == (True, ResultCode.SUCCESS), good.message
    expected = dyn_node.nonlinear_effects(solver.model, solver.model.create_data(), q, v)
    assert np.array(good.efforts.values) == pytest.approx(expected, abs=IDENTITY)
    bad = solver.ask(InverseDynamics, state=harness.joint_state(["panda_jont1"], [0.0]))
    assert (bad.success, bad.code) == (False, ResultCode.INVALID_ROBOT_STATE)
    assert "closest: panda_joint1" in bad.message


def test_forward_dynamics_answers(solver: Solver) -> None:
    q, v = some_state(solver, 2)
    efforts = NamedValues(names=[solver.names[3]], values=[2.5])
    good = solver.ask(ForwardDynamics, state=solver.state(q, v), efforts=efforts)
    assert good.success, good.message
    tau = np.zeros(7)
    tau[3] = 2.5
    expected = dyn_node.aba(solver.model, solver.model.create_data(), q, v, tau)
    assert np.array(good.accelerations.values) == pytest.approx(expected, rel=1e-9, abs=IDENTITY)
    efforts.values[0] = math.nan
    bad = solver.ask(ForwardDynamics, state=solver.state(q, v), efforts=efforts)
    assert (bad.success, bad.code) == (False, ResultCode.INVALID_ROBOT_STATE)
    assert "panda_joint4" in bad.message


def test_get_mass_matrix_answers(solver: Solver) -> None:
    q, _ = some_state(solver, 3)
    good = solver.ask(GetMassMatrix, state=solver.state(q))
    assert good.success, good.message
    matrix = np.array(good.mass_matrix.data).reshape(7, 7)
    assert matrix == pytest.approx(dyn_node.crba(solver.model, solver.model.create_data(), q), abs=IDENTITY)
    bad = solver.ask(GetMassMatrix, state=JointState(name=solver.names, position=[0.0] * 6))
    assert bad.code == ResultCode.INVALID_ROBOT_STATE
    assert "6 entries for 7 names" in bad.message
    assert len(bad.mass_matrix.data) == 0


def test_get_frame_answers(solver: Solver) -> None:
    q, v = some_state(solver, 4)
    good = solver.ask(GetFrame, frame="panda_hand", state=solver.state(q, v))
    assert good.success, good.message
    data = solver.model.create_data()
    dyn_node.forward_kinematics(solver.model, data, q, v)
    expected = dyn_node.frame_placement(solver.model, data, "panda_hand").translation
    position = good.pose.position
    assert np.array([position.x, position.y, position.z]) == pytest.approx(expected, abs=IDENTITY)
    bad = solver.ask(GetFrame, frame="hand", state=solver.state(q))
    assert bad.code == ResultCode.INVALID_LINK_NAME
    assert "closest: panda_hand" in bad.message


def test_solve_ik_answers(solver: Solver) -> None:
    q, _ = some_state(solver, 5)
    data = solver.model.create_data()
    dyn_node.forward_kinematics(solver.model, data, q)
    request = SolveIK.Request(frame="panda_hand", seed=solver.state(np.clip(q + 0.1, *limits(solver))))
    fill_pose(request.target.pose, dyn_node.frame_placement(solver.model, data, "panda_hand"))
    request.timeout.sec = 1
    good = solver.client.call(SolveIK, SERVICES[SolveIK], request)
    assert good.success, good.message
    dyn_node.forward_kinematics(solver.model, data, np.array(good.solution.position))
    reached = dyn_node.frame_placement(solver.model, data, "panda_hand").translation
    target = request.target.pose.position
    assert reached == pytest.approx(np.array([target.x, target.y, target.z]), abs=1e-5)
    request.timeout.sec = -1
    bad = solver.client.call(SolveIK, SERVICES[SolveIK], request)
    assert (bad.success, bad.code) == (False, ResultCode.INVALID_GOAL_CONSTRAINTS)
    assert "timeout" in bad.message
    assert math.isnan(bad.position_error)


def limits(solver: Solver) -> tuple[np.ndarray, np.ndarray]:
    return solver.model.lower_position_limit, solver.model.upper_position_limit


def test_what_a_request_leaves_out_comes_from_the_robot(solver: Solver) -> None:
    q, v = some_state(solver, 6)
    stamp = 0
    response = solver.ask(GetMassMatrix)
    if not response.success:  # nothing has been published yet
        assert "panda_joint1" in response.message
    for _ in range(100):
        stamp = solver.client.new_stamp()
        solver.client.publish("joint_states", harness.joint_state(solver.names, q, v, stamp))
        response = solver.ask(InverseDynamics)
        if response.success and harness.stamp_of(response) == stamp:
            break
    assert harness.stamp_of(response) == stamp, response.message
    expected = dyn_node.nonlinear_effects(solver.model, solver.model.create_data(), q, v)
    assert np.array(response.efforts.values) == pytest.approx(expected, abs=IDENTITY)
    partly = solver.ask(InverseDynamics, state=harness.joint_state(["panda_joint2"], [0.3], [0.0]))
    q[1], v[1] = 0.3, 0.0
    expected = dyn_node.nonlinear_effects(solver.model, solver.model.create_data(), q, v)
    assert np.array(partly.efforts.values) == pytest.approx(expected, abs=IDENTITY)
