"""Descriptions that are refused, and looked at again when a parameter that was the reason is changed."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")

import dyn_node
from dyn_node.nodes.dynamics_settings import DynamicsSettings
from dyn_node.nodes.model_source import ModelSource, configured

PANDA = dyn_node.robots.path("panda").read_text(encoding="utf-8")


def source(settings: DynamicsSettings, found: list[str]) -> tuple[ModelSource, list[str]]:
    """A source whose node only logs, and what it logs."""
    errors: list[str] = []

    def subscribe(*_: Any) -> None:
        return None

    node: Any = SimpleNamespace(
        resolve_topic_name=lambda name: f"/ns/{name}",
        get_logger=lambda: SimpleNamespace(error=errors.append),
        create_subscription=subscribe,
    )
    made: Any = None

    def take(model: dyn_node.Model) -> None:
        found.append(configured(model, made.settings).name)

    made = ModelSource(node, settings, take)
    return made, errors


def test_a_good_description_refused_for_its_payload_is_taken_once_the_payload_is_mended() -> None:
    found: list[str] = []
    wrong = DynamicsSettings(payload_frame="panda_hnd", payload_mass=1.0)
    robot, errors = source(wrong, found)
    robot._on_description(SimpleNamespace(data=PANDA))
    assert (found, robot.refused) == ([], 1)
    assert "closest: panda_hand" in errors[0]
    assert "closest: panda_hand" in robot.waiting_for
    robot.retry(dataclasses.replace(wrong, payload_frame="panda_hand"))
    assert found == ["panda"]
    robot.retry(wrong)
    assert (found, robot.refused) == (["panda"], 1), "what was taken is not looked at again"


def test_what_is_no_robot_stays_refused() -> None:
    found: list[str] = []
    robot, errors = source(DynamicsSettings(), found)
    robot._on_description(SimpleNamespace(data="<robot"))
    robot.retry(DynamicsSettings(gravity=(0.0, 0.0, -1.62)))
    assert found == []
    assert len(errors) == 1, "it is not read again"
    assert "/ns/robot_description" in robot.waiting_for
    assert "reliable, transient local" in robot.waiting_for
