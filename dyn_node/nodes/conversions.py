"""Between ROS messages and arrays: the one place that knows the layout of both.

Numeric message fields are filled from `array.array('d')`: rclpy checks a list element by element.
Quaternions are x y z w on both sides; six-vectors are linear first.
"""

from __future__ import annotations

import array
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from dyn_node.errors import InvalidValueError
from dyn_node.spatial import SE3

Array = npt.NDArray[np.float64]

NANOSECONDS = 1_000_000_000
#: A quaternion whose length is this near to one is taken for a rounded unit quaternion.
UNIT_QUATERNION_TOLERANCE = 1e-2
#: Positions and velocities (m, rad, m/s, rad/s) beyond this are no state of a robot: results would overflow.
LARGEST = 1e9
_EMPTY = np.empty(0)


def view(field: Any) -> Array:
    """A float64[] message field as an array, without a copy where the field is an array.array."""
    if len(field) == 0:
        return _EMPTY
    if isinstance(field, array.array) and field.typecode == "d":
        return np.frombuffer(field)
    return np.asarray(field, dtype=np.float64)


def field(values: Array) -> array.array[float]:
    """An array of any shape as a float64[] message field, row by row."""
    result = array.array("d")
    result.frombytes(np.asarray(values, dtype=np.float64).tobytes())
    return result


def usable(values: Array) -> npt.NDArray[np.bool_]:
    """Which entries can be part of a robot's state: finite and not absurdly large."""
    return np.abs(values) <= LARGEST


def all_usable(values: Array) -> bool:
    """Whether all entries are; for the few numbers of a robot faster than NumPy's reductions."""
    return all(-LARGEST <= value <= LARGEST for value in values.tolist())


def nanoseconds(stamp: Any) -> int:
    """A builtin_interfaces/Time or Duration as integer nanoseconds."""
    return int(stamp.sec) * NANOSECONDS + int(stamp.nanosec)


def fill_time(stamp: Any, value: int) -> None:
    """Write integer nanoseconds into a builtin_interfaces/Time or Duration."""
    stamp.sec, stamp.nanosec = divmod(int(value), NANOSECONDS)


def xyz(message: Any) -> tuple[float, float, float]:
    """A geometry_msgs Vector3 or Point as three numbers."""
    return message.x, message.y, message.z


def xyzw(message: Any) -> tuple[float, float, float, float]:
    """A geometry_msgs Quaternion as four numbers."""
    return message.x, message.y, message.z, message.w


def six(linear: Any, angular: Any) -> Array:
    """Two Vector3 (of a Twist, Accel or Wrench) as one (6,) array, linear first."""
    return np.array([*xyz(linear), *xyz(angular)])


def unit_quaternion(x: float, y: float, z: float, w: float) -> tuple[float, float, float, float]:
    """The quaternion of length one next to a nearly unit one.

    Raises:
        InvalidValueError: it is zero, not finite, or not near length one.
    """
    length = math.hypot(x, y, z, w)
    given = (x, y, z, w)
    if not math.isfinite(length):
        raise InvalidValueError(f"quaternion {given} is not finite", given, "a unit quaternion x y z w")
    if length < 1e-6:
        raise InvalidValueError(
            "quaternion has length zero; 'no rotation' is x y z w = 0 0 0 1",
            given,
            "a unit quaternion x y z w",
        )
    if abs(length - 1.0) > UNIT_QUATERNION_TOLERANCE:
        raise InvalidValueError(
            f"quaternion {given} has length {length:g}, not 1", given, "a unit quaternion x y z w"
        )
    return x / length, y / length, z / length, w / length


def placement(pose: Any, name: str = "pose") -> SE3:
    """A geometry_msgs/Pose as an SE3.

    Raises:
        InvalidValueError: a coordinate is not finite or the quaternion is not nearly unit.
    """
    return _placed(pose.position, "position", pose.orientation, name)


def placement_of_transform(transform: Any, name: str) -> SE3:
    """A geometry_msgs/Transform as an SE3.

    Raises:
        InvalidValueError: as `placement`.
    """
    return _placed(transform.translation, "translation", transform.rotation, name)


def _placed(place: Any, word: str, turn: Any, name: str) -> SE3:
    position = xyz(place)
    if not all(map(math.isfinite, position)):
        raise InvalidValueError(f"{name}: {word} {position} is not finite", position, "finite metres")
    try:
        rotation = unit_quaternion(*xyzw(turn))
    except InvalidValueError as error:
        raise InvalidValueError(f"{name}: {error}", error.given, error.allowed) from None
    return SE3.from_quaternion(np.array(rotation), np.array(position))


def fill_vector(message: Any, values: Any) -> None:
    """Write three numbers into a Vector3 or Point."""
    message.x, message.y, message.z = float(values[0]), float(values[1]), float(values[2])


def fill_six(linear: Any, angular: Any, values: Array) -> None:
    """Write a (6,) array, linear first, into two Vector3 (of a Twist, Accel or Wrench)."""
    linear.x, linear.y, linear.z, angular.x, angular.y, angular.z = values.tolist()


def fill_quaternion(message: Any, values: Any) -> None:
    """Write x y z w into a Quaternion."""
    message.x, message.y, message.z, message.w = (float(value) for value in values)


def fill_pose(pose: Any, value: SE3) -> None:
    """Write an SE3 into a Pose."""
    fill_vector(pose.position, value.translation)
    fill_quaternion(pose.orientation, value.quaternion)


def fill_transform(transform: Any, value: SE3) -> None:
    """Write an SE3 into a Transform."""
    fill_vector(transform.translation, value.translation)
    fill_quaternion(transform.rotation, value.quaternion)


def topic_part(frame: str) -> str:
    """A frame's name as part of a topic name: other characters than letters, digits, _ and / become _.

    Each part between slashes has to begin with a letter or an underscore, so a digit gets one before it.
    """
    plain = "".join(
        c if c.isascii() and (c.isalnum() or c == "_") else "/" if c == "/" else "_" for c in frame
    )
    parts = [part for part in plain.split("/") if part]
    return "/".join(f"_{part}" if part[0].isdigit() else part for part in parts) or "_"
