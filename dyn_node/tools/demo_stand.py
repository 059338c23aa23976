"""What the demo claims of a robot on its feet, and how each claim is measured."""

from __future__ import annotations

import contextlib

import numpy as np
import numpy.typing as npt

from dyn_node import robots
from dyn_node.model import Model
from dyn_node.nodes.demo_client import DemoClient, DemoError
from dyn_node.nodes.demo_telemetry import Telemetry
from dyn_node.spatial import SE3

from . import demo_steps as steps
from .demo_view import Outcome, View

Array = npt.NDArray[np.float64]

#: Largest movement of the base that counts as standing still (m).
DRIFT = 5e-3
#: Largest difference between published and simulated force at a foot (N).
FORCE = 1.0
#: How far the trunk leans away from the foot that is to be lifted, as a part of the way from that foot to
#: the one across. Half would put the robot's whole weight there.
LEAN = 0.2
#: Below this torque beyond the published ones a servo does nothing (N m).
OFF = 1e-6
#: A lifted foot is this much higher than before, at least (m).
LIFTED = 0.05
#: The fall may be looked at for so long (s): feet that stay on the ground make it a smooth one.
FALL = 0.1
#: How far the robot has to sink once its torques are cut (m), and how long that may take (s).
SUNK, SINKING = 0.1, 10.0
POINT = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)


def claims(client: DemoClient, view: View, robot: robots.Robot, duration: float) -> list[Outcome]:
    """On all feet, on all but one, and without torques."""
    lifted = robot.tool
    outcomes = []
    view.stage(f"1. gravity torques alone hold the {robot.name} on {len(robot.feet)} feet for {duration:g} s")
    client.wait_until(lambda: client.telemetry.mode == "driven", 10.0, "the brakes to open")
    client.release()
    client.wait_until(lambda: _servo(client.telemetry) < OFF, 10.0, "the servo to be off")
    outcomes.append(stand(client, robot.feet, duration))
    view.stage(f"2. solve_ik leans the trunk away from {lifted} until it carries nothing, then lifts it")
    ground = client.frame_pose(lifted).translation[2]
    lean(client, robots.load(robot.name), lifted)
    outcomes.append(steps.move(client, lifted, steps.LEG_GOAL))
    three = tuple(foot for foot in robot.feet if foot != lifted)
    view.stage(f"3. the {robot.name} stands on {', '.join(three)} for {duration:g} s")
    outcomes.append(stand(client, three, duration))
    outcomes.append(_is_up(client, lifted, ground))
    view.stage("4. forward_dynamics tells what cutting the torques will do; then they are cut")
    outcomes.append(steps.cut(client, view, lambda: predict_sinking(client, view, three), FALL))
    outcomes.append(sink(client))
    return outcomes


def stand(client: DemoClient, feet: tuple[str, ...], duration: float) -> Outcome:
    """On these feet the base stays where it is, and the published forces are those of the ground."""
    heard = client.telemetry
    before = _base(heard)
    states = heard.record()
    client.listen_for(duration)
    track = heard.track
    heard.stop_recording()
    drift = max((float(np.linalg.norm(base.position - before)) for base in track), default=float("inf"))
    wrong = float(np.abs(heard.forces - heard.pushes).max())
    carried = tuple(foot for foot, force in zip(heard.feet, heard.forces, strict=True) if force != 0.0)
    # With the brakes on the motors give nothing: then standing still would show nothing.
    driven = bool(states) and all(state.effort.any() for state in states)
    pushes = " ".join(f"{push:.1f}" for push in heard.pushes)
    measured = (
        f"base {1e3 * drift:.2g} mm off in {duration:g} s; feet carry {pushes} N, published within "
        f"{wrong:.2g} N; servo up to {_servo(heard):.2g} N m"
    )
    return Outcome(
        f"gravity torques hold the robot on {len(feet)} feet",
        f"drift < {1e3 * DRIFT:g} mm, forces within {FORCE:g} N, on {', '.join(feet)}",
        measured if driven else f"{measured}; brakes were on",
        driven and drift < DRIFT and wrong < FORCE and carried == feet,
    )


def _base(heard: Telemetry) -> Array:
    if heard.base is None:
        raise DemoError("no odom", None, "odom")
    return heard.base.position


def _servo(heard: Telemetry) -> float:
    """What the motors give beyond the published torques, N m."""
    if heard.state is None or heard.torque is None:
        return float("inf")
    return float(np.abs(heard.state.effort - heard.torque).max())


def lean(client: DemoClient, model: Model, lifted: str) -> None:
    """Move the trunk over the other feet until `dynamics` takes the weight off the foot to be lifted.

    To the trunk all feet move the other way: each leg's joints are those that bring its foot there.
    """
    heard = client.telemetry
    feet = {foot: client.frame_pose(foot) for foot in heard.feet}
    across = max(feet, key=lambda foot: float(np.linalg.norm(_between(feet[lifted], feet[foot]))))
    shift = LEAN * _between(feet[lifted], feet[across])
    names: list[str] = []
    positions: list[float] = []
    for foot, pose in feet.items():
        target = SE3(pose.rotation, pose.translation - shift)
        solution = client.solve_ik(foot, target, POINT, steps.IK_TIME).solution
        for name in leg(model, foot):
            names.append(name)
            positions.append(solution.position[list(solution.name).index(name)])
    with contextlib.suppress(DemoError):  # that the foot carries nothing is what is wanted
        steps.go(client, names, np.array(positions))
    k = heard.feet.index(lifted)
    client.wait_until(lambda: heard.forces[k] == 0.0, 10.0, f"the stance without {lifted}")


def _between(a: SE3, b: SE3) -> Array:
    """The horizontal way from a to b (3,)."""
    return np.array([*(b.translation - a.translation)[:2], 0.0])


def leg(model: Model, foot: str) -> list[str]:
    """Joints between the trunk and a foot."""
    joint = model.joints[model.frames[model.frame_id(foot)].parent_joint]
    names = []
    while joint.index and joint is not model.root_joint:
        names.append(joint.name)
        joint = model.joints[joint.parent]
    return names[::-1]


def _is_up(client: DemoClient, lifted: str, ground: float) -> Outcome:
    """The foot is in the air and neither told nor felt to carry anything."""
    heard = client.telemetry
    height = float(client.frame_pose(lifted).translation[2]) - ground
    k = heard.feet.index(lifted)
    carried = max(abs(float(heard.forces[k])), abs(float(heard.pushes[k])))
    return Outcome(
        f"{lifted} stays lifted",
        f"above {1e3 * LIFTED:g} mm, no force",
        f"{1e3 * height:.1f} mm above the ground, {carried:.2g} N",
        height > LIFTED and carried == 0.0,
    )


def predict_sinking(client: DemoClient, view: View, feet: tuple[str, ...]) -> Array:
    """Joint accelerations (n,) by `forward_dynamics` without torques, on those feet that have not to pull."""
    state = steps.newest(client)
    while True:
        joints, pushes = client.sinking_acceleration(state, feet)
        pulling = [foot for foot, push in zip(feet, pushes, strict=True) if push < 0.0]
        if not pulling:
            return joints
        view.say(f"   {', '.join(pulling)} would have to pull at the ground: asked again without")
        feet = tuple(foot for foot in feet if foot not in pulling)


def sink(client: DemoClient) -> Outcome:
    """Without brakes and torques the robot sinks. Leaves it behind its brakes."""
    heard = client.telemetry
    start = _base(heard)[2]
    client.switch("brake", False)

    def low() -> bool:
        return bool(_base(heard)[2] < start - SUNK)

    with contextlib.suppress(DemoError):  # how far it got is in the outcome
        client.wait_until(low, SINKING, "the robot to sink")
    client.switch("brake", True)
    sunk = start - _base(heard)[2]
    return Outcome(
        "without torques it sinks",
        f"by {1e3 * SUNK:g} mm",
        f"{1e3 * sunk:.0f} mm lower when the brakes closed",
        sunk > SUNK,
    )
