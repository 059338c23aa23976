"""The output /tf, with a stand-in for the message type: tf2_msgs is not on PyPI."""

from __future__ import annotations

import builtins
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")

import dyn_node
from dyn_node.nodes.dynamics_settings import DynamicsSettings
from dyn_node.nodes.outputs import Moment
from dyn_node.nodes.tf import TransformOutput, tf_message_type


def sent(frames: dict[str, int], **settings: Any) -> tuple[Any, Moment]:
    """What is published of a panda in a random state, and that state."""
    model = dyn_node.robots.load("panda")
    moment = Moment.of(model)
    moment.take(dyn_node.random_configuration(model, np.random.default_rng(1)), np.zeros(7), 2_000_000_003)
    moment.compute_kinematics()
    published: list[Any] = []
    publisher = SimpleNamespace(publish=published.append, get_subscription_count=lambda: 1)
    output = TransformOutput(publisher, SimpleNamespace, model, frames, DynamicsSettings(**settings))
    output.publish(moment)
    return published[0], moment


def test_frames_are_placed_in_the_world_under_the_prefix() -> None:
    index = dyn_node.robots.load("panda").frame_id("panda_hand")
    message, moment = sent({"panda_hand": index}, world_frame="map", tf_prefix="ghost/")
    (transform,) = message.transforms
    assert (transform.header.frame_id, transform.child_frame_id) == ("map", "ghost/panda_hand")
    assert (transform.header.stamp.sec, transform.header.stamp.nanosec) == (2, 3)
    expected = moment.data.oMf[index]
    translation = transform.transform.translation
    assert [translation.x, translation.y, translation.z] == expected.translation.tolist()
    assert transform.transform.rotation.w == expected.quaternion[3]


def test_upright_frames_are_at_the_origins_along_the_axes_of_the_world() -> None:
    index = dyn_node.robots.load("panda").frame_id("panda_hand")
    message, _ = sent({"panda_hand": index}, tf_lwa=True)
    turned, upright = message.transforms
    assert [t.child_frame_id for t in message.transforms] == [
        "dyn_node/panda_hand",
        "dyn_node/panda_hand_lwa",
    ]
    assert upright.transform.translation == turned.transform.translation
    rotation = upright.transform.rotation
    assert (rotation.x, rotation.y, rotation.z, rotation.w) == (0.0, 0.0, 0.0, 1.0)
    assert (upright.header.frame_id, upright.header.stamp.sec) == ("world", 2)


def test_without_frames_every_link_is_sent() -> None:
    message, moment = sent({})
    links = ["dyn_node/" + frame.name for frame in moment.model.frames if frame.kind == "body"]
    assert [transform.child_frame_id for transform in message.transforms] == links


def test_a_missing_tf2_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("tf2"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    assert tf_message_type() is None
