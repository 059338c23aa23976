"""The shipped parameter files and the rviz view: they parse, and they say only what a node understands."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from dyn_node import robots
from dyn_node.errors import InvalidValueError
from dyn_node.nodes.demo_build import build
from dyn_node.nodes.demo_settings import DemoSettings
from dyn_node.nodes.dynamics_settings import DynamicsSettings
from dyn_node.nodes.settings import Settings, specs
from dyn_node.nodes.solver_settings import SolverSettings

ROOT = Path(__file__).parents[2]
BLOCKS = {"/**/dynamics": DynamicsSettings, "/**/solver": SolverSettings, "/**/demo_robot": DemoSettings}


def blocks(robot: str) -> dict[str, dict[str, Any]]:
    """The parameters in a robot's file, by node."""
    content = yaml.safe_load((ROOT / "config" / f"{robot}.yaml").read_text(encoding="utf-8"))
    return {node: block["ros__parameters"] for node, block in content.items()}


def accepted(kind: type, values: dict[str, Any]) -> Any:
    """The settings object of a block; a name that the node does not declare is an error here."""
    names = {spec.name for spec in specs(kind)}
    unknown = sorted(set(values) - names)
    if unknown:
        raise InvalidValueError(f"not declared by the node: {', '.join(unknown)}", unknown, sorted(names))
    if issubclass(kind, Settings):
        return kind.from_values(values)
    return kind(**values)


def test_every_robot_has_a_file_and_every_file_a_robot():
    assert sorted(path.stem for path in (ROOT / "config").glob("*.yaml")) == sorted(robots.names())


@pytest.mark.parametrize("robot", robots.names())
def test_file_names_only_declared_parameters_with_allowed_values(robot: str):
    given = blocks(robot)
    assert set(given) <= set(BLOCKS), f"{robot}: blocks"
    assert {"/**/dynamics", "/**/solver"} <= set(given), f"{robot}: blocks"
    for node, values in given.items():
        accepted(BLOCKS[node], values)


def test_undeclared_parameter_would_be_noticed():
    with pytest.raises(InvalidValueError, match="gravty"):
        accepted(DynamicsSettings, {"gravty": [0.0, 0.0, -9.81]})


@pytest.mark.parametrize("robot", robots.names())
def test_numbers_have_the_type_that_ros_asks_for(robot: str):
    """A ROS parameter declared as a double refuses 1, and as a list of doubles refuses [0, 0.0]."""
    for node, values in blocks(robot).items():
        kinds = {spec.name: spec.kind for spec in specs(BLOCKS[node])}
        for name, value in values.items():
            numbers = value if kinds[name] == "doubles" else [value] if kinds[name] == "double" else []
            assert all(type(number) is float for number in numbers), f"{robot}: {node} {name}: {value}"


@pytest.mark.parametrize("robot", robots.names())
def test_both_nodes_are_told_the_same(robot: str):
    given = blocks(robot)
    dynamics, solver = given["/**/dynamics"], given["/**/solver"]
    for name in {spec.name for spec in specs(Settings)} & (set(dynamics) | set(solver)):
        assert dynamics.get(name) == solver.get(name), f"{robot}: {name} differs between the nodes"


@pytest.mark.parametrize("robot", robots.names())
def test_names_are_the_robots_own(robot: str):
    given = blocks(robot)
    settings = accepted(DynamicsSettings, given["/**/dynamics"])
    model = robots.load(robot, root=settings.root_joint)
    # A shipped file commands nothing until its user asks for it.
    assert settings.command_joints == (), robot
    assert settings.root_joint == robots.describe(robot).root, robot
    for frame in settings.frames:
        model.frame_id(frame)
    # Beside the simulated robot and beside a real one the feet that stand are those that there are.
    assert settings.contact_frames == robots.describe(robot).feet, robot
    if settings.base_frame:
        model.frame_id(settings.base_frame)
    demo = accepted(DemoSettings, given.get("/**/demo_robot", {}))
    if settings.root_joint != "fixed":
        assert (demo.world_frame, demo.base_frame) == (settings.world_frame, settings.base_frame), robot
        assert demo.feet == settings.contact_frames, robot
        build(dataclasses.replace(demo, robot=robot))


@pytest.mark.parametrize("robot", robots.names())
def test_commented_parameters_exist_too(robot: str):
    """What a comment offers (`# payload.mass: 0.5`) must work once its sign is taken away."""
    text = (ROOT / "config" / f"{robot}.yaml").read_text(encoding="utf-8")
    offered = yaml.safe_load("\n".join(re.findall(r"^    # ([a-z_.]+: .*)$", text, re.MULTILINE)))
    needed = {"outputs", "command_joints", "max_effort", "payload.mass"}
    assert needed <= set(offered), f"{robot}: {sorted(offered)}"
    # demo_robot takes effort_command in model order when it is told no other.
    model = robots.load(robot)
    assert offered["command_joints"] == [joint.name for joint in model.actuated_joints], robot
    accepted(DynamicsSettings, {**blocks(robot)["/**/dynamics"], **offered})


def displays() -> dict[str, dict[str, Any]]:
    content = yaml.safe_load((ROOT / "rviz" / "dyn_node.rviz").read_text(encoding="utf-8"))
    return {entry["Name"]: entry for entry in content["Visualization Manager"]["Displays"]}


def test_rviz_shows_the_robot_from_the_latched_topic():
    topic = displays()["RobotModel"]["Description Topic"]
    assert displays()["RobotModel"]["Description Source"] == "Topic"
    assert topic["Value"] == "robot_description"
    assert topic["Durability Policy"] == "Transient Local"
    assert topic["Reliability Policy"] == "Reliable"


def test_rviz_shows_tf_and_the_markers():
    shown = displays()
    assert shown["TF"]["Class"] == "rviz_default_plugins/TF"
    assert shown["Markers"]["Class"] == "rviz_default_plugins/MarkerArray"
    assert shown["Markers"]["Topic"]["Value"] == "dynamics/markers"
    assert all(entry["Enabled"] for entry in shown.values())
