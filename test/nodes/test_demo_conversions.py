"""Messages of the demo robot: what they become, and which are refused."""

from __future__ import annotations

import array
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

pytest.importorskip("rclpy", reason="needs ROS 2")

from builtin_interfaces.msg import Duration
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from dyn_node import SE3
from dyn_node.errors import DynNodeError
from dyn_node.nodes.demo_conversions import held_odometry, read_efforts, read_trajectory

NAMES = ("a", "b", "c")


def _trajectory(names, *points) -> JointTrajectory:
    message = JointTrajectory(joint_names=list(names))
    for positions, seconds in points:
        point = JointTrajectoryPoint(positions=positions)
        point.time_from_start = Duration(sec=int(seconds), nanosec=round((seconds % 1) * 1e9))
        message.points.append(point)
    return message


def test_trajectory_is_mapped_by_name_and_leaves_other_joints_where_they_are():
    message = _trajectory("ca", ([3.0, 1.0], 0.5), ([4.0, 2.0], 2.25))
    points, times = read_trajectory(message, NAMES, np.array([10.0, 20.0, 30.0]))
    assert_allclose(points, [[1.0, 20.0, 3.0], [2.0, 20.0, 4.0]])
    assert_allclose(times, [0.5, 2.25])


def _with_velocity() -> JointTrajectory:
    message = _trajectory("a", ([1.0], 1.0))
    message.points[0].velocities = [0.5]
    return message


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (_trajectory("ad", ([1.0, 1.0], 1.0)), "'d'"),
        (_trajectory("aa", ([1.0, 1.0], 1.0)), "twice"),
        (_trajectory("ab", ([1.0], 1.0)), "expected 2"),
        (_trajectory("a", ([math.inf], 1.0)), "finite"),
        (_trajectory("a", ([1.0], 0.0)), "above zero"),
        (_trajectory("a", ([1.0], 2.0), ([2.0], 1.0)), "grow"),
        (_with_velocity(), "rests"),
    ],
)
def test_bad_trajectories_are_refused(message, said):
    with pytest.raises(DynNodeError, match=said):
        read_trajectory(message, NAMES, np.zeros(3))


def test_efforts():
    assert_allclose(read_efforts(array.array("d", [1.0, 2.0, 3.0]), NAMES), [1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("data", "said"), [([], "0 numbers"), ([1.0] * 4, "4 numbers"), ([1.0, math.nan, 1.0], "joint b")]
)
def test_bad_efforts_are_refused(data, said):
    with pytest.raises(DynNodeError, match=said):
        read_efforts(array.array("d", data), NAMES)


def test_odometry_of_a_held_base():
    message = held_odometry(SE3(np.eye(3), np.array([1.0, 2.0, 3.0])), "odom", "base")
    assert message.header.frame_id == "odom"
    assert message.child_frame_id == "base"
    assert (message.pose.pose.position.z, message.pose.pose.orientation.w) == (3.0, 1.0)
