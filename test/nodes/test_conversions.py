"""Messages to arrays and back."""

from __future__ import annotations

import array
import math

import numpy as np
import pytest

from dyn_node.errors import InvalidValueError
from dyn_node.nodes import conversions
from dyn_node.spatial import SE3


def test_a_field_round_trips_bit_for_bit() -> None:
    values = np.array([[1.0, -0.0], [np.pi, 5e-324]])
    there = conversions.field(values)
    assert isinstance(there, array.array)
    assert there.typecode == "d"
    assert conversions.view(there).tobytes() == values.tobytes()
    assert conversions.field(values.T) == array.array("d", [1.0, np.pi, -0.0, 5e-324])


def test_view_reads_lists_and_empty_fields_too() -> None:
    assert conversions.view([1, 2.5]).tolist() == [1.0, 2.5]
    assert conversions.view(array.array("d")).shape == (0,)
    assert conversions.field(np.zeros((0, 6))) == array.array("d")


@pytest.mark.parametrize("value", [0, 1, 999_999_999, 1_000_000_000, 17_123_456_789, -1, -1_500_000_000])
def test_times_round_trip_and_nanoseconds_stay_positive(value: int) -> None:
    time_message = pytest.importorskip("builtin_interfaces.msg").Duration()
    conversions.fill_time(time_message, value)
    assert 0 <= time_message.nanosec < 1_000_000_000
    assert conversions.nanoseconds(time_message) == value


def test_quaternions_near_one_are_normalised() -> None:
    x, y, z, w = conversions.unit_quaternion(0.0, 0.0, 1.003, 0.0)
    assert (x, y, z, w) == (0.0, 0.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("quaternion", "word"),
    [
        ((0.0, 0.0, 0.0, 0.0), "length zero"),
        ((0.0, 0.0, 0.0, 2.0), "length 2"),
        ((math.nan, 0.0, 0.0, 1.0), "not finite"),
        ((1e200, 0.0, 0.0, 0.0), "length"),
        ((math.inf, 0.0, 0.0, 0.0), "not finite"),
    ],
)
def test_other_quaternions_are_refused(quaternion: tuple[float, ...], word: str) -> None:
    with pytest.raises(InvalidValueError, match=word):
        conversions.unit_quaternion(*quaternion)


def test_poses_and_transforms_round_trip() -> None:
    messages = pytest.importorskip("geometry_msgs.msg")
    placement = SE3.Random(np.random.default_rng(1))
    pose, transform = messages.Pose(), messages.Transform()
    conversions.fill_pose(pose, placement)
    conversions.fill_transform(transform, placement)
    assert conversions.placement(pose).is_approx(placement, 1e-12)
    assert conversions.xyzw(transform.rotation) == conversions.xyzw(pose.orientation)
    pose.position.y = math.inf
    with pytest.raises(InvalidValueError, match=r"goal: position .* not finite"):
        conversions.placement(pose, "goal")


def test_six_vectors_are_linear_first() -> None:
    messages = pytest.importorskip("geometry_msgs.msg")
    twist = messages.Twist()
    conversions.fill_six(twist.linear, twist.angular, np.arange(1.0, 7.0))
    assert (twist.linear.z, twist.angular.x) == (3.0, 4.0)
    assert conversions.six(twist.linear, twist.angular).tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


@pytest.mark.parametrize(
    ("frame", "topic"),
    [
        ("tool0", "tool0"),
        ("left/hand", "left/hand"),
        ("tool-0.tip", "tool_0_tip"),
        ("3rd", "_3rd"),
        ("/a//1b/", "a/_1b"),
        ("gréifer", "gr_ifer"),
        ("", "_"),
    ],
)
def test_frames_become_topic_names_that_ros_accepts(frame: str, topic: str) -> None:
    assert conversions.topic_part(frame) == topic
    rule = pytest.importorskip("rclpy.validate_topic_name")
    assert rule.validate_topic_name(f"/twist/{topic}")
