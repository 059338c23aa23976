"""Which way is down, from an inertial measurement unit on a tilted base; gravity torques of any direction.

Free of rclpy. The unit's driver estimates its orientation in a world whose z axis points up
(sensor_msgs/Imu, as REP 145 has it). A fixed base that is tilted, or that a vehicle carries slowly, then
needs no other number: its gravity is the parameter `gravity`, turned into the axes of the root link.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dyn_node.algorithms.dynamics import generalized_gravity
from dyn_node.errors import InvalidValueError
from dyn_node.model.model import Model
from dyn_node.spatial import SE3

from .base_intake import offset_in_root, root_frame
from .conversions import unit_quaternion
from .intake import Notify, ignore

Array = npt.NDArray[np.float64]


class GravityIntake:
    """What is known of gravity in the axes of the root link.

    Attributes:
        down: (3,), gravity in the sensor's world; vector: (3,), in the root link; m/s^2.
        known: whether the vector may be used; receipt: ns.
        accepted, rejected: counts, the latter by reason; refusal: why the last message was refused.
    """

    def __init__(self, model: Model, gravity: Sequence[float], notify: Notify = ignore) -> None:
        self._model, self._notify = model, notify
        self.down = np.array(gravity, dtype=np.float64)
        self._offsets: dict[str, Array | str] = {}
        self.vector = self.down.copy()
        self.known = False
        self.receipt = self.accepted = 0
        self.rejected: Counter[str] = Counter()
        self.refusal = ""

    def clear(self) -> None:
        """Forget the state, not the counts."""
        self.known = False

    def update(self, frame: str, quaternion: tuple[float, ...], oriented: bool, receipt: int) -> bool:
        """Take the orientation x y z w of the sensor's `frame` in the world; False when it was refused.

        Args:
            oriented: whether the message has an orientation at all (its covariance does not begin with -1).
        """
        self.refusal = ""
        if not oriented:
            self._refuse("the sensor gives no orientation", "orientation_covariance begins with -1")
            return False
        rotation = self._rotation(frame)
        if isinstance(rotation, str):
            self._refuse("frame_id is not fixed to the root link", rotation)
            return False
        try:
            turned = SE3.from_quaternion(np.array(unit_quaternion(*quaternion)), np.zeros(3)).rotation
        except InvalidValueError as error:
            self._refuse("orientation is not a unit quaternion", str(error))
            return False
        self.vector = rotation @ (turned.T @ self.down)
        self.known, self.receipt = True, receipt
        self.accepted += 1
        return True

    def _refuse(self, reason: str, detail: str) -> None:
        self.rejected[reason] += 1
        self.refusal = f"{reason} ({detail})"
        self._notify(f"imu {reason}", f"imu: {self.refusal}: message refused")

    def _rotation(self, frame: str) -> Array | str:
        """Axes of the sensor in the root link, worked out once a name; a sentence if refused."""
        if not frame:
            self._notify("imu frame", f"imu has no frame_id: taken for {root_frame(self._model).name}")
            return np.eye(3)
        if frame not in self._offsets:
            try:
                self._offsets[frame] = offset_in_root(self._model, frame).rotation
            except InvalidValueError as error:
                self._offsets[frame] = str(error)
        return self._offsets[frame]


class TiltedGravity:
    """g(q) under a gravity that changes from call to call: g is linear in it, so three models do."""

    def __init__(self, model: Model) -> None:
        self._parts = []
        for axis in np.eye(3):
            part = model.with_gravity(axis)
            self._parts.append((part, part.create_data(), np.zeros(model.nv)))

    def compute(self, q: Array, gravity: Array, out: Array) -> None:
        """Write what holds the robot still under `gravity` (3,), root link axes, into out (nv,)."""
        out[:] = 0.0
        for size, (model, data, torque) in zip(gravity.tolist(), self._parts, strict=True):
            out += size * generalized_gravity(model, data, q, out=torque)
