"""Messages of the demo robot from and to arrays."""

from __future__ import annotations

import array
import math

import numpy as np
import numpy.typing as npt
from nav_msgs.msg import Odometry
from trajectory_msgs.msg import JointTrajectory

from dyn_node.errors import InvalidValueError, UnknownJointError
from dyn_node.spatial import SE3

from .conversions import NANOSECONDS, fill_pose, fill_six, nanoseconds

Array = npt.NDArray[np.float64]


def read_efforts(data: array.array[float], names: tuple[str, ...]) -> Array:
    """Efforts of a Float64MultiArray, one per name. InvalidValueError says what is wrong with them."""
    efforts = np.array(data, dtype=float)
    if efforts.size != len(names):
        raise InvalidValueError(
            f"effort_command has {efforts.size} numbers; expected {len(names)}, for {', '.join(names)}",
            efforts.size,
            len(names),
        )
    if not np.isfinite(efforts).all():
        wrong = names[int(np.flatnonzero(~np.isfinite(efforts))[0])]
        raise InvalidValueError(f"effort_command for joint {wrong} is not finite", efforts.tolist(), "finite")
    return efforts


def read_trajectory(message: JointTrajectory, names: tuple[str, ...], start: Array) -> tuple[Array, Array]:
    """Points (k, n) and times (k,) in seconds of a trajectory; joints that it leaves out stay at `start`.

    Raises InvalidValueError or UnknownJointError, with what would have been allowed.
    """
    given = list(message.joint_names)
    for name in given:
        if name not in names:
            raise UnknownJointError(name, names, "the demo robot")
    if len(set(given)) != len(given):
        raise InvalidValueError(
            f"reference names a joint twice: {', '.join(given)}", given, "each joint once"
        )
    index = [names.index(name) for name in given]
    points: list[Array] = []
    times: list[float] = []
    for point in message.points:
        if len(point.velocities) or len(point.accelerations) or len(point.effort):
            raise InvalidValueError(
                "reference points carry positions and times alone: the robot rests in each",
                "velocities, accelerations or effort",
                "positions",
            )
        if len(point.positions) != len(given) or not all(map(math.isfinite, point.positions)):
            raise InvalidValueError(
                f"reference point {len(points)} has {len(point.positions)} positions; expected {len(given)} "
                "finite ones",
                list(point.positions),
                len(given),
            )
        target = start.copy()
        target[index] = point.positions
        points.append(target)
        times.append(nanoseconds(point.time_from_start) / NANOSECONDS)
    if any(later <= earlier for earlier, later in zip([0.0, *times], times, strict=False)):
        raise InvalidValueError(
            f"reference times have to grow from above zero; given {times} s", times, "growing"
        )
    return np.array(points).reshape(len(points), len(names)), np.array(times)


def fill_odometry(message: Odometry, pose: SE3, twist: Array) -> None:
    """Pose in the world and twist in the base's axes, linear first, of a base that moves."""
    fill_pose(message.pose.pose, pose)
    fill_six(message.twist.twist.linear, message.twist.twist.angular, twist)


def held_odometry(pose: SE3, world_frame: str, base_frame: str) -> Odometry:
    """Odometry of a base that rests at `pose`."""
    message = Odometry(child_frame_id=base_frame)
    message.header.frame_id = world_frame
    fill_pose(message.pose.pose, pose)
    return message
