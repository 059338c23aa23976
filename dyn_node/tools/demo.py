"""The demo: a simulated robot and the two nodes as processes of their own, and claims put to the test.

    python -m dyn_node.tools.demo --robot arm
    python -m dyn_node.tools.demo --robot quadruped --plain
    python -m dyn_node.tools.demo --robot quadruped --held

Exit code 0 only if every claim held; 1 if one failed or the demo could not run, 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import importlib.util
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import dyn_node
from dyn_node import robots
from dyn_node.errors import DynNodeError

from .demo_processes import Children, InterruptedDemoError, signals_as_exceptions
from .demo_view import Outcome, View, make_view
from .warm import warm_together

if TYPE_CHECKING:
    from dyn_node.nodes.demo_client import DemoClient

KINDS = {"arm": "panda", "quadruped": "go2"}
#: Longest start (s). Where the kernels cannot be kept on disk every child compiles its own.
START = 300.0
#: From this force on a foot counts as standing (N): about a third of what each carries on all four.
THRESHOLD = 15.0
#: A robot on its feet costs more to simulate. Until the demo begins its servo keeps it where it is: on a
#: machine that still compiles kernels torques come late, and the balance of a robot on its feet is unstable.
STANDING = {"rate": 500.0, "substeps": 1, "servo_frequency": 25.0, "hold_posture": True}
#: A busy CI machine makes pauses that would put an arm's brakes on in between (s).
EFFORT_TIMEOUT = 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo; returns the exit code."""
    options = _parser().parse_args(arguments)
    robot = robots.describe(KINDS.get(options.robot, options.robot))
    if options.held:
        robot = dataclasses.replace(robot, feet=())
    missing = [name for name in ("rclpy", "dyn_node_msgs") if importlib.util.find_spec(name) is None]
    if missing:
        print(
            f"demo: cannot import {' and '.join(missing)}. With ROS 2: source its setup file and the "
            "workspace's. Without: `make demo` sets everything up.",
            file=sys.stderr,
        )
        return 1
    prepare_environment(os.environ)
    color = not options.no_color and "NO_COLOR" not in os.environ
    try:
        with signals_as_exceptions(), make_view(robot.tool, options.plain, color) as view:
            outcomes = _run(robot, options.duration or (10.0 if robot.feet else 5.0), view)
            view.summary(outcomes)
    except InterruptedDemoError as signal:
        print(f"demo: ended by {signal}", file=sys.stderr)
        return 128 + signal.number
    except DynNodeError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    failed = [outcome.claim for outcome in outcomes if not outcome.held]
    print(f"demo: failed: {'; '.join(failed)}" if failed else "demo: every claim held", flush=True)
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="demo", description="dyn_node at work on a simulated robot.")
    parser.add_argument(
        "--robot",
        default="arm",
        choices=[*KINDS, *robots.names()],
        help="what to simulate; arm is panda, quadruped is go2 (default: arm)",
    )
    parser.add_argument(
        "--duration",
        type=_seconds,
        metavar="SECONDS",
        help="how long the robot has to stand still (default: 5; 10 on its feet)",
    )
    parser.add_argument(
        "--held", action="store_true", help="hold the base of a legged robot in the air: no ground, no feet"
    )
    parser.add_argument("--plain", action="store_true", help="lines of text instead of the live table")
    parser.add_argument("--no-color", action="store_true", help="the live table without colours")
    return parser


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        value = float(text)
        if 0.1 <= value <= 3600.0:
            return value
    raise argparse.ArgumentTypeError(f"{text} is not a number from 0.1 to 3600")


def prepare_environment(environment: os._Environ[str] | dict[str, str]) -> None:
    """Keep the demo to itself: a domain of its own on this machine alone, unless told otherwise.

    The demo commands efforts; on a shared network it must not meet a real robot.
    """
    environment.setdefault("ROS_DOMAIN_ID", str(1 + os.getpid() % 100))
    environment.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    # Shared memory is left locked by a process that was killed; UDP on one machine costs little more.
    environment.setdefault("FASTDDS_BUILTIN_TRANSPORTS", "UDPv4")
    # The children import the same dyn_node as this process, installed or not.
    here = str(Path(dyn_node.__file__).resolve().parents[1])
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [here, environment.get("PYTHONPATH", "")]))


def _run(robot: robots.Robot, duration: float, view: View) -> list[Outcome]:
    view.stage(f"{robot.name}: starting")
    warm_kernels(view, robot)
    # Imported late: what has no ROS gets a sentence, not a traceback.
    from dyn_node.nodes import demo_client

    with Children(os.environ) as children:
        start_children(children, robot)

        def on_beat(heard: demo_client.Telemetry) -> None:
            children.check()
            view.show(heard)

        demo_client.open_ros()
        try:
            client = demo_client.DemoClient(robot.tool, on_beat, robot.feet)
            wait_for_start(client, view)
            outcomes = _steps(client, view, robot, duration)
        finally:
            demo_client.close_ros()
    return outcomes


def warm_kernels(view: View, robot: robots.Robot) -> None:
    """Compile what the children will load from the cache, and say so: the first time takes a while."""
    from dyn_node.nodes.demo_robot import HELD_KERNELS, STANDING_KERNELS
    from dyn_node.nodes.dynamics import DynamicsNode
    from dyn_node.nodes.solver import SolverNode

    nodes = (DynamicsNode, SolverNode)
    simulation = STANDING_KERNELS if robot.feet else HELD_KERNELS
    names = sorted({*simulation}.union(*(node.intake_kernels + node.kernels for node in nodes)))
    view.say(
        f"   loading {len(names)} compiled kernels; the first time on a machine they are compiled, "
        "which takes a minute or two"
    )

    def compiled(name: str, seconds: float) -> None:
        view.say(f"   compiled {name} in {seconds:.1f} s")
        view.progress(f"kernel {name}", names.index(name), len(names))

    warm_together(names, compiled)


def start_children(children: Children, robot: robots.Robot) -> None:
    """The demo robot and both nodes, each in a process of its own."""
    model = robots.load(robot.name)
    shared = {
        "robot_description": robots.path(robot.name).read_text(encoding="utf-8"),
        "root_joint": robot.root,
        "base_frame": robot.base_frame,
    }
    command = [joint.name for joint in model.actuated_joints]
    # Brakes hold the simulated robot until the first torque, which has to be the whole one.
    armed = {"arm_automatically": True, "start_ramp": 0.0}
    dynamics = {**shared, "frames": [robot.tool], "command_joints": command, **armed}
    topics = ["-r", "effort_command:=dynamics/effort_command"]
    # No friction: what stands still here is held by the torques and by nothing else.
    hardware = {
        "robot": robot.name,
        "command_joints": command,
        "effort_timeout": EFFORT_TIMEOUT,
        "friction_rate": 0.0,
    }
    if robot.feet:
        # Which feet stand is felt by the feet themselves.
        dynamics |= {"contact_frames": robot.feet, "contact_source": "topic", "contact_threshold": THRESHOLD}
        hardware |= STANDING | {"feet": robot.feet}
        topics += ["-r", "contacts:=dynamics/contacts"]
    _start(children, "demo_robot", hardware, topics)
    _start(children, "dynamics", dynamics)
    _start(children, "solver", shared)


def _start(children: Children, name: str, parameters: Mapping[str, object], more: Sequence[str] = ()) -> None:
    file = children.folder / f"{name}.yaml"
    # JSON is YAML: quoting of a whole URDF comes for free.
    file.write_text(json.dumps({name: {"ros__parameters": parameters}}), encoding="utf-8")
    children.start(
        name,
        [sys.executable, "-m", f"dyn_node.nodes.{name}", "--ros-args", "--params-file", str(file), *more],
    )


def wait_for_start(client: DemoClient, view: View) -> None:
    """Until everything that the demo listens to and asks has shown up."""
    begun = time.monotonic()
    said = begun

    def ready() -> bool:
        nonlocal said
        missing = client.missing()
        if missing and time.monotonic() - said > 5.0:
            said = time.monotonic()
            view.say(f"   {said - begun:.0f} s: waiting for {', '.join(missing)}")
        return not missing

    client.wait_until(ready, START, "the nodes to start")
    view.say(f"   ready after {time.monotonic() - begun:.1f} s")


def _steps(client: DemoClient, view: View, robot: robots.Robot, duration: float) -> list[Outcome]:
    from . import demo_stand
    from . import demo_steps as steps

    if robot.feet:
        return demo_stand.claims(client, view, robot, duration)
    goal = steps.ARM_GOAL if robot.root == "fixed" else steps.LEG_GOAL
    outcomes = []
    view.stage(f"1. gravity torques alone hold the {robot.name} for {duration:g} s")
    outcomes.append(steps.hold(client, duration))
    view.stage(f"2. solve_ik finds a pose for {robot.tool}, and the robot goes there")
    outcomes.append(steps.move(client, robot.tool, goal))
    view.stage("3. forward_dynamics tells what cutting the torques will do; then they are cut")
    base_is_held = robot.root != "fixed"
    outcomes.append(steps.cut(client, view, lambda: steps.predict_fall(client, base_is_held)))
    return outcomes


if __name__ == "__main__":
    sys.exit(main())
