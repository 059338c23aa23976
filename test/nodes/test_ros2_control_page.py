"""The YAML of docs/ros2_control.md is what the nodes take, and both sides name the same joints."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

import dyn_node
from dyn_node.nodes.dynamics_settings import DynamicsSettings
from dyn_node.nodes.settings import specs

PAGE = (Path(__file__).parents[2] / "docs" / "ros2_control.md").read_text(encoding="utf-8")


def test_its_parameters_are_the_nodes_and_the_joints_agree() -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    blocks = {name: block["ros__parameters"] for name, block in yaml.safe_load(text).items()}
    given = blocks["dynamics"]
    assert set(given) <= {spec.name for spec in specs(DynamicsSettings)}
    settings = DynamicsSettings.from_values(given)
    assert list(settings.command_joints) == blocks["gravity_compensation"]["joints"]
    model = dyn_node.robots.load("panda")
    assert settings.command_joints == tuple(joint.name for joint in model.actuated_joints)
    assert not settings.arm_automatically
    assert "gravity_compensation" in blocks["controller_manager"]


def test_parameters_that_the_page_speaks_of_exist() -> None:
    known = {spec.name for spec in specs(DynamicsSettings)}
    spoken = {word for word in re.findall(r"`([a-z_]+)`", PAGE) if "_" in word}
    others = {"forward_command_controller", "ros2_control"}
    assert spoken - known - others == set()
