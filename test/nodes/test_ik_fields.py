"""What each field of a SolveIK request changes in the answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

from dyn_node_msgs.msg import BaseState, ResultCode
from dyn_node_msgs.srv import SolveIK
from sensor_msgs.msg import JointState

import dyn_node
from dyn_node import SE3
from dyn_node.nodes.answers import answer
from dyn_node.nodes.conversions import fill_pose
from dyn_node.nodes.ik_request import solve_ik
from dyn_node.nodes.joint_map import JointMap
from dyn_node.nodes.request_parts import Context
from dyn_node.nodes.solver_settings import SolverSettings
from dyn_node.nodes.state import Snapshot

TIP, FOOT = "panda_hand_tcp", "FL_foot"
#: Seconds that a search may need where nothing but its effort counts, on a machine with much else to do.
AMPLE = 1


def context_of(name: str, root: str = "fixed") -> Context:
    """A robot whose state is known."""
    model = dyn_node.robots.load(name, root=root)
    q, joints = dyn_node.neutral(model), JointMap(model)
    joints.fill_q(q, 0.4 * joints.lower + 0.6 * joints.upper)
    now = Snapshot(q=q, v=np.zeros(model.nv), position=joints.positions(q), stamp=1)
    return Context(model, model.create_data(), joints, now, SolverSettings())


@pytest.fixture(scope="module")
def arm() -> Context:
    return context_of("panda")


@pytest.fixture(scope="module")
def goals(arm: Context) -> list[SE3]:
    rng = np.random.default_rng(3)
    return [place(arm, TIP, dyn_node.random_configuration(arm.model, rng)) for _ in range(6)]


def place(context: Context, frame: str, q: np.ndarray) -> SE3:
    data = context.model.create_data()
    dyn_node.forward_kinematics(context.model, data, q)
    return dyn_node.frame_placement(context.model, data, frame)


def ask(
    context: Context, goal: SE3, frame: str = TIP, seconds: int = AMPLE, nanoseconds: int = 0, **fields: Any
) -> Any:
    request = SolveIK.Request(frame=frame, **fields)
    fill_pose(request.target.pose, goal)
    request.timeout.sec, request.timeout.nanosec = seconds, nanoseconds
    return answer(solve_ik, context, request, SolveIK.Response())


def solution(context: Context, response: Any) -> np.ndarray:
    assert response.success, response.message
    q = context.current.q.copy()
    context.map.fill_q(q, np.array(response.solution.position))
    return q


def test_modes_choose_among_solutions(arm: Context, goals: list[SE3]) -> None:
    data, start, nearer, better = arm.model.create_data(), arm.current.q, 0, 0
    for number, goal in enumerate(goals):
        found = {
            mode: solution(arm, ask(arm, goal, seconds=0, nanoseconds=100_000_000, mode=mode))
            for mode in (SolveIK.Request.MODE_SPEED, SolveIK.Request.MODE_DISTANCE, "manipulability")
        }
        away = {mode: np.linalg.norm(q - start) for mode, q in found.items()}
        measure = {
            mode: dyn_node.manipulability(arm.model, data, q, TIP).measure for mode, q in found.items()
        }
        assert away["distance"] <= away["speed"] + 1e-5, f"pose {number}"
        assert measure["manipulability"] >= measure["speed"] * (1.0 - 1e-6), f"pose {number}"
        nearer += away["distance"] < 0.99 * away["speed"]
        better += measure["manipulability"] > 1.01 * measure["speed"]
    assert nearer, "distance changes nothing"
    assert better, "manipulability changes nothing"


def test_weights_free_directions(arm: Context, goals: list[SE3]) -> None:
    turned = 0.0
    for goal in goals:
        response = ask(arm, goal, weights=[1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
        miss = place(arm, TIP, solution(arm, response)).inverse() * goal
        assert np.linalg.norm(miss.translation) < 1e-5
        turned = max(turned, float(np.linalg.norm(miss.log().angular)))
    assert turned > 0.1, "the orientation was free"


def test_tolerances_are_those_of_the_request(arm: Context, goals: list[SE3]) -> None:
    rough = [ask(arm, goal, position_tolerance=0.02, orientation_tolerance=0.1) for goal in goals]
    fine = [ask(arm, goal) for goal in goals]
    assert all(one.success for one in (*rough, *fine))
    assert all(one.position_error <= 0.02 and one.orientation_error <= 0.1 for one in rough)
    assert any(one.position_error > 1e-4 or one.orientation_error > 1e-4 for one in rough)
    metres, radians = arm.settings.ik_position_tolerance, arm.settings.ik_orientation_tolerance
    assert all(one.position_error <= metres and one.orientation_error <= radians for one in fine)
    assert sum(one.iterations for one in rough) < sum(one.iterations for one in fine)


def test_the_seed_and_its_number_decide_the_answer(arm: Context, goals: list[SE3]) -> None:
    rng, different = np.random.default_rng(4), 0
    for number, goal in enumerate(goals):
        names = list(arm.map.names)
        seed = JointState(name=names[2:5], position=rng.uniform(-1.0, 1.0, 3).tolist())
        first, again, other = (ask(arm, goal, seed=seed, random_seed=n).solution.position for n in (1, 1, 2))
        assert list(first) == list(again), f"pose {number}"
        unseeded = ask(arm, goal, random_seed=1).solution.position
        different += list(first) != list(other) or list(first) != list(unseeded)
    assert different, "neither the seed nor its number has any influence"


def test_time_that_runs_out_is_said_with_the_residual(arm: Context) -> None:
    far = SE3(np.eye(3), [3.0, 0.0, 0.3])
    response = ask(arm, far, seconds=0, nanoseconds=3_000_000)
    assert (response.success, response.code) == (False, ResultCode.TIMED_OUT), response.message
    assert 1.5 < response.position_error < 3.0
    assert list(response.solution.name) == []
    spent = response.elapsed.sec * 10**9 + response.elapsed.nanosec
    assert spent >= 3_000_000, "it gave up before its time"


def test_a_base_of_the_request_stays_or_starts_there() -> None:
    robot = context_of("go2", "free_flyer")
    q = robot.current.q.copy()
    q[:3] = [2.0, -1.0, 0.4]
    base = BaseState()
    fill_pose(base.pose, SE3(np.eye(3), q[:3]))
    goal = place(robot, FOOT, q)
    point = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    kept = ask(robot, goal, FOOT, weights=point, base=[base])
    assert kept.success, kept.message
    assert [kept.base_pose[0].position.x, kept.base_pose[0].position.y] == pytest.approx([2.0, -1.0])
    away = SE3(goal.rotation, goal.translation + np.array([1.0, 0.0, 0.0]))
    assert not ask(robot, away, FOOT, seconds=0, nanoseconds=20_000_000, weights=point, base=[base]).success
    freed = ask(robot, away, FOOT, weights=point, base=[base], free_base=True)
    assert freed.success, freed.message
    assert freed.base_pose[0].position.x > 2.1
