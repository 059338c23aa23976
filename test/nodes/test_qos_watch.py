"""Which pairs of quality of service cannot meet."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")

from rclpy.duration import Duration
from rclpy.qos import DurabilityPolicy, LivelinessPolicy, QoSProfile, ReliabilityPolicy

from dyn_node.nodes.qos_watch import QosWatch, misfit, policies


def qos(**more: Any) -> QoSProfile:
    return QoSProfile(depth=1, **more)


BEST_EFFORT = qos(reliability=ReliabilityPolicy.BEST_EFFORT)
LATCHED = qos(durability=DurabilityPolicy.TRANSIENT_LOCAL)
MANUAL = qos(liveliness=LivelinessPolicy.MANUAL_BY_TOPIC)
AUTOMATIC = qos(liveliness=LivelinessPolicy.AUTOMATIC)
EVERY_SECOND, EVERY_TWO = qos(deadline=Duration(seconds=1)), qos(deadline=Duration(seconds=2))
NEVER = qos(deadline=Duration(seconds=9_000_000_000))


@pytest.mark.parametrize(
    ("offered", "requested", "policy"),
    [
        (qos(), qos(), []),
        (qos(), BEST_EFFORT, []),
        (BEST_EFFORT, qos(), ["reliability"]),
        (LATCHED, qos(), []),
        (qos(), LATCHED, ["durability"]),
        (EVERY_SECOND, EVERY_TWO, []),
        (EVERY_TWO, EVERY_SECOND, ["deadline"]),
        (qos(), EVERY_SECOND, ["deadline"]),
        (qos(), NEVER, []),
        (NEVER, qos(), []),
        (MANUAL, AUTOMATIC, []),
        (AUTOMATIC, MANUAL, ["liveliness"]),
    ],
)
def test_what_does_not_fit_is_named(offered: QoSProfile, requested: QoSProfile, policy: list[str]) -> None:
    assert misfit(offered, requested) == policy


def test_policies_are_said_as_far_as_they_matter() -> None:
    assert policies(LATCHED) == "reliability RELIABLE, durability TRANSIENT_LOCAL"
    assert policies(EVERY_SECOND).endswith("deadline 1 s")


def test_a_node_whose_name_comes_after_its_end_is_asked_for_again_until_it_is_known() -> None:
    end = SimpleNamespace(node_name="_NODE_NAME_UNKNOWN_", node_namespace="/", qos_profile=qos())
    node = SimpleNamespace(count_publishers=lambda topic: 1, get_publishers_info_by_topic=lambda topic: [end])
    watch = QosWatch(node)
    # Others stand before it in the round, so that only its want of a name brings it up again.
    for topic in ("/joint_states", "/odom", "/robot_description"):
        profile = LATCHED if topic == "/robot_description" else BEST_EFFORT
        watch.add(SimpleNamespace(topic_name=topic, qos_profile=profile), publishes=False)
    assert "the publisher a node not named yet has" in watch.look()["/robot_description"]
    end.node_name, end.node_namespace = "driver", "/left"
    assert "the publisher /left/driver has" in watch.look()["/robot_description"]
