"""What the demo claims, and how each claim is measured."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dyn_node.nodes.demo_client import DemoClient, DemoError
from dyn_node.nodes.demo_telemetry import State
from dyn_node.spatial import SE3, SO3

from .demo_fall import FEWEST, initial_acceleration
from .demo_view import Outcome, View

Array = npt.NDArray[np.float64]

#: Largest joint movement that counts as standing still (rad).
DRIFT = 1e-3
#: Largest distance from the target that counts as having got there (m, rad).
REACHED = (1e-3, 5e-3)
#: Largest difference between measured and predicted acceleration, over the largest predicted one.
ACCELERATION = 0.01
#: The fall that is evaluated takes this long (s). A machine that loses too many of its messages gets
#: further tries.
FALL, ATTEMPTS = 0.04, 5
#: Time for every message of the fall to have been used up, behind closed brakes (s).
CALM = 2.0
MOVE_TIME, SETTLE_TIME = 2.5, 15.0
IK_TIME = 0.5


@dataclass(frozen=True)
class Goal:
    """How far the tool is to move: in the world's axes (m), and turning about the world's z (rad)."""

    shift: tuple[float, float, float]
    turn: float
    weights: tuple[float, ...] = ()


ARM_GOAL = Goal(shift=(0.08, 0.15, -0.10), turn=0.4)
#: A leg of three joints places its foot; how the foot is turned follows.
LEG_GOAL = Goal(shift=(0.06, 0.02, 0.08), turn=0.0, weights=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))


def hold(client: DemoClient, duration: float) -> Outcome:
    """The published gravity torques alone keep every joint where it is."""
    heard = client.telemetry
    before = heard.state.position.copy() if heard.state is not None else np.zeros(0)
    client.wait_until(lambda: heard.mode == "driven", 10.0, "the brakes to open")
    states = heard.record()
    client.listen_for(duration)
    heard.stop_recording()
    drift, joint = _largest_move(states, before, heard.names)
    load = max((float(np.abs(state.effort).max()) for state in states), default=0.0)
    # With the brakes on the motors give nothing: then standing still would show nothing.
    carried = bool(states) and all(state.effort.any() for state in states)
    measured = f"{drift:.1e} rad ({joint}) over {duration:g} s, motors giving up to {load:.1f} N m"
    return Outcome(
        "gravity torques hold the robot still",
        f"drift < {DRIFT:g} rad, brakes open",
        measured if carried else f"{measured}; brakes were on",
        carried and drift < DRIFT,
    )


def _largest_move(states: list[State], before: Array, names: tuple[str, ...]) -> tuple[float, str]:
    if not states:
        return float("inf"), "no joint_states"
    moves = np.max([np.abs(state.position - before) for state in states], axis=0)
    worst = int(np.argmax(moves))
    return float(moves[worst]), names[worst]


def move(client: DemoClient, tool: str, goal: Goal) -> Outcome:
    """`solve_ik` names a configuration; the robot goes there and its tool is where it was asked to be."""
    target = _target(client.frame_pose(tool), goal)
    answer = client.solve_ik(tool, target, goal.weights, IK_TIME)
    names, positions = list(answer.solution.name), np.array(answer.solution.position)
    with contextlib.suppress(DemoError):  # the distance says how far it got
        go(client, names, positions)
    distance, angle = _error(target, client.frame_pose(tool), goal)
    took = f"{answer.elapsed.sec + answer.elapsed.nanosec * 1e-9:.4f} s"
    return Outcome(
        f"{tool} reaches the pose that solve_ik was asked for",
        f"within {1e3 * REACHED[0]:g} mm and {1e3 * REACHED[1]:g} mrad",
        f"{1e3 * distance:.3f} mm, {1e3 * angle:.3f} mrad off; solve_ik took {took}",
        distance < REACHED[0] and angle < REACHED[1],
    )


def go(client: DemoClient, names: list[str], positions: Array) -> None:
    """Move by the demo robot's servo. DemoError if the robot does not come to rest there in time."""
    heard = client.telemetry
    order = [heard.names.index(name) for name in names]
    client.move(names, positions.tolist(), MOVE_TIME)

    def settled() -> bool:
        state = heard.state
        return (
            state is not None
            and float(np.abs(state.position[order] - positions).max()) < DRIFT
            and float(np.abs(state.velocity).max()) < DRIFT
        )

    client.wait_until(settled, MOVE_TIME + SETTLE_TIME, "the robot to settle at the configuration")


def _target(here: SE3, goal: Goal) -> SE3:
    turn = SO3.exp(np.array([0.0, 0.0, goal.turn]))
    return SE3(turn.matrix @ here.rotation, here.translation + np.array(goal.shift))


def _error(target: SE3, reached: SE3, goal: Goal) -> tuple[float, float]:
    """Distance and angle to the target over what the goal asks for (m, rad)."""
    distance = float(np.linalg.norm(reached.translation - target.translation))
    angle = float(np.linalg.norm((target.inverse() * reached).log().angular))
    return distance, 0.0 if goal.weights and not any(goal.weights[3:]) else angle


def cut(client: DemoClient, view: View, predict: Callable[[], Array], longest: float = FALL) -> Outcome:
    """`forward_dynamics` says what happens when every torque is cut; then they are, and it does.

    Leaves the robot behind its brakes with its motors off.

    Args:
        predict: asks for the joints' accelerations, (n,).
        longest: time in s up to which the fall may be looked at where messages are few.
    """
    claim = "forward_dynamics predicts the fall when torques are cut"
    posture = newest(client).position.copy()
    for attempt in range(ATTEMPTS):
        predicted = predict()
        before, fall = _cut_and_catch(client, longest)
        if before is not None and len(fall) >= FEWEST:
            return _compare(
                claim, client.telemetry.names, predicted, initial_acceleration(before, fall), view
            )
        if attempt + 1 < ATTEMPTS:
            view.say(f"   only {len(fall)} messages in {longest:g} s: this machine is busy; once more")
            _pick_up(client, posture)
    return Outcome(claim, f"{FEWEST} messages in {longest:g} s", f"too few, {ATTEMPTS} times", False)


def _cut_and_catch(client: DemoClient, longest: float) -> tuple[State | None, list[State]]:
    """Cut the torques, brake after `FALL` seconds: the last state before, and the states of the fall.

    Where messages are few, brake when there are enough, or after `longest` seconds.
    """
    heard = client.telemetry
    states = heard.record()
    client.wait_until(lambda: bool(states), 10.0, "a state before the cut")
    client.switch("motors", False)

    def has_fallen() -> bool:
        fall = states[_first_of_fall(states) :]
        span = fall[-1].stamp - fall[0].stamp if fall else 0.0
        return span >= longest or (span >= FALL and len(fall) > FEWEST)

    client.wait_until(has_fallen, 10.0, "the fall")
    client.switch("brake", True)
    heard.stop_recording()
    first = _first_of_fall(states)
    fall = [state for state in states[first:] if state.stamp - states[first].stamp <= longest]
    short = [state for state in fall if state.stamp - fall[0].stamp <= FALL]
    return states[first - 1] if first else None, short if len(short) >= FEWEST else fall


def _pick_up(client: DemoClient, posture: Array) -> None:
    """From the brakes back to standing still in `posture`, away from the stops it may have fallen on."""
    client.switch("motors", True)
    # Opened at once, the brakes would meet torques that were computed while the robot still fell.
    client.listen_for(CALM)
    client.switch("brake", False)
    heard = client.telemetry

    def stands() -> bool:
        state = heard.state
        return heard.mode == "driven" and state is not None and bool(state.effort.any())

    client.wait_until(stands, 10.0, "the brakes to open again")
    go(client, list(heard.names), posture)


def _compare(claim: str, names: tuple[str, ...], predicted: Array, measured: Array, view: View) -> Outcome:
    for name, guess, seen in zip(names, predicted, measured, strict=True):
        view.say(f"   {name}: predicted {guess:9.4f}, measured {seen:9.4f} rad/s^2")
    scale = float(np.abs(predicted).max())
    error = float(np.abs(measured - predicted).max()) / scale if scale > 0.0 else float("inf")
    return Outcome(
        claim,
        f"within {100 * ACCELERATION:g} % of the largest acceleration",
        f"{100 * error:.3f} % of {scale:.2f} rad/s^2 off",
        error < ACCELERATION,
    )


def predict_fall(client: DemoClient, base_is_held: bool) -> Array:
    """Joint accelerations (n,) that `forward_dynamics` gives for no torque at all.

    The answer is that of a base that is free. Where the base is held, the wrench that holds it is
    found first: the base's acceleration is an affine function of it, so seven questions settle it.
    """
    state = newest(client)
    if not base_is_held:
        return client.falling_acceleration(state)[0]
    free = client.falling_acceleration(state, np.zeros(6))[1]
    effect = [client.falling_acceleration(state, unit)[1] - free for unit in np.eye(6)]
    wrench = np.asarray(-np.linalg.solve(np.column_stack(effect), free), dtype=np.float64)
    joints, base = client.falling_acceleration(state, wrench)
    if float(np.abs(base).max()) > 1e-6:
        raise DemoError(f"the base should be held but accelerates by {base}", base, "zero")
    return joints


def newest(client: DemoClient) -> State:
    """The robot's newest state. DemoError when there is none."""
    state = client.telemetry.state
    if state is None:
        raise DemoError("no joint_states", None, "joint_states")
    return state


def _first_of_fall(states: list[State]) -> int:
    """Index of the first state after the last one in which a motor gave something."""
    first = len(states)
    while first > 0 and not states[first - 1].effort.any():
        first -= 1
    return first
