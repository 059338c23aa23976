"""The floating base's state from odometry or from poses. Free of rclpy."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import numpy.typing as npt

from dyn_node.errors import InvalidValueError
from dyn_node.model.frame import Frame
from dyn_node.model.joint import Joint
from dyn_node.model.model import Model
from dyn_node.spatial import SE3, Motion

from .conversions import NANOSECONDS, all_usable, unit_quaternion
from .intake import Notify, ignore

Array = npt.NDArray[np.float64]
#: Tilt in rad above which a planar base's pose is reported as not level.
_LEVEL = 0.02


class BaseIntake:
    """What is known of the root joint of a robot with a floating or a mobile base.

    Attributes:
        placement: of the root link in the world; twist: (6,) in root link coordinates, linear first.
        known: whether they may be used; stamp, receipt: ns.
        accepted, rejected: counts, the latter by reason.
        refusal: why the last message was refused; empty when it was used.
    """

    def __init__(
        self,
        model: Model,
        base_frame: str = "",
        twist_frame: str = "child",
        pose_filter: float = 0.02,
        nan_velocity: str = "zero",
        notify: Notify = ignore,
    ) -> None:
        root = model.root_joint
        if root is None:
            raise InvalidValueError(
                f"robot {model.name} has a fixed base: it has no base state",
                model.name,
                "a robot with root_joint free_flyer or planar",
            )
        self._model, self._root = model, root
        self._default_offset = offset_in_root(model, base_frame) if base_frame else SE3.Identity()
        self._twist_frame, self._pose_filter, self._nan_velocity = twist_frame, pose_filter, nan_velocity
        self._notify = notify
        self._offsets: dict[str, SE3 | str] = {}
        self.placement = SE3.Identity()
        self.twist = np.zeros(6)
        self.known = False
        self.stamp = self.receipt = 0
        self._previous: tuple[SE3, int] | None = None
        self.accepted = 0
        self.rejected: Counter[str] = Counter()
        self.refusal = ""

    def clear(self) -> None:
        """Forget the state, not the counts."""
        self.known, self._previous = False, None

    def odometry(
        self,
        child: str,
        position: tuple[float, ...],
        quaternion: tuple[float, ...],
        twist: Array,
        stamp: int,
        receipt: int,
    ) -> bool:
        """Take a pose of frame `child` and its twist (6,), linear first, in child or header axes."""
        pose = self._pose(position, quaternion)
        offset = self._offset(child)
        if pose is None or offset is None:
            return False
        if not all_usable(twist):
            self.rejected["twist is not finite"] += 1
            policy = {"zero": "taken as zero", "hold": "the last one is held", "reject": "message refused"}
            self._notify("base twist", f"the base's twist is not finite: {policy[self._nan_velocity]}")
            if self._nan_velocity == "reject":
                self.known, self.refusal = False, "the twist is not finite"
                return False
            held = self.twist if self._nan_velocity == "hold" else np.zeros(6)
            motion = Motion.from_vector(held)
        else:
            if self._twist_frame == "header":
                twist = np.concatenate([pose.rotation.T @ twist[:3], pose.rotation.T @ twist[3:]])
            motion = offset.act(Motion.from_vector(twist))
        self._store(pose * offset.inverse(), motion.vector, stamp or receipt, receipt)
        return True

    def pose(
        self, position: tuple[float, ...], quaternion: tuple[float, ...], stamp: int, receipt: int
    ) -> bool:
        """Take a pose of the base frame; the twist comes from the difference to the pose before.

        The difference is taken on SE(3), log(previous^-1 now) / dt, and passes a first-order filter.
        The base is known from the second pose on. A gap of more than a second starts over. A pose with
        the stamp of the last one is the same pose again, and says nothing.
        """
        pose = self._pose(position, quaternion)
        now = stamp or receipt
        if pose is None or (self._previous is not None and now == self._previous[1]):
            return False
        placement = pose * self._default_offset.inverse()
        previous, self._previous = self._previous, (placement, now)
        if previous is None or not 0 < now - previous[1] <= NANOSECONDS:
            self.known = False
            return False
        dt = (now - previous[1]) / NANOSECONDS
        twist = (previous[0].inverse() * placement).log().vector / dt
        if self.known:
            twist = self.twist + dt / (self._pose_filter + dt) * (twist - self.twist)
        self._store(placement, twist, now, receipt)
        return True

    def fill(self, q: Array, v: Array) -> None:
        """Write the base into the root joint's entries of q and v."""
        fill_base(self._root, self.placement, self.twist, q, v)

    def _store(self, placement: SE3, twist: Array, stamp: int, receipt: int) -> None:
        self.placement, self.twist = placement, twist
        self.stamp, self.receipt, self.known = stamp, receipt, True
        self.accepted += 1
        self.refusal = ""
        if self._root.kind == "planar" and placement.rotation[2, 2] < math.cos(_LEVEL):
            self._notify("tilt", "the base's pose is tilted; a planar base keeps x, y and yaw only")

    def _pose(self, position: tuple[float, ...], quaternion: tuple[float, ...]) -> SE3 | None:
        """The pose as an SE3; None, counted, when it cannot be used."""
        if not all_usable(np.array(position)):
            self.rejected["position of the base is not finite"] += 1
            self._notify(
                "base position", f"the base's position {tuple(position)} is not finite: unknown until it is"
            )
            self.known, self.refusal = False, "the position is not finite"
            return None
        try:
            x, y, z, w = unit_quaternion(*quaternion)
        except InvalidValueError as error:
            self.rejected["orientation of the base is not a unit quaternion"] += 1
            self.refusal = str(error)
            self._notify("base orientation", f"the base's {error}: message refused")
            return None
        return SE3.from_quaternion(np.array([x, y, z, w]), np.array(position))

    def _offset(self, child: str) -> SE3 | None:
        """Placement of frame `child` in the root link, worked out once a name; None if refused."""
        if not child:
            self._notify("child", "odom has no child_frame_id: taken for the base")
            return self._default_offset
        if child not in self._offsets:
            try:
                self._offsets[child] = offset_in_root(self._model, child)
            except InvalidValueError as error:
                self._offsets[child] = str(error)
        offset = self._offsets[child]
        if isinstance(offset, str):
            self.rejected["child_frame_id is not fixed to the root link"] += 1
            self.refusal = offset
            self._notify(f"child {child}", f"odom: {offset}")
            return None
        return offset


def fill_base(root: Joint, placement: SE3, twist: Array, q: Array, v: Array) -> None:
    """Write a base's placement and twist (6,), base coordinates, into its entries of q and v."""
    position, rotation = placement.translation, placement.rotation
    i, j = root.idx_q, root.idx_v
    if root.kind == "free_flyer":
        q[i : i + 3] = position
        q[i + 3 : i + 7] = placement.quaternion
        v[j : j + 6] = twist
        return
    yaw = math.atan2(rotation[1, 0], rotation[0, 0])
    q[i : i + 4] = position[0], position[1], math.cos(yaw), math.sin(yaw)
    v[j : j + 3] = twist[[0, 1, 5]]


def offset_in_root(model: Model, name: str) -> SE3:
    """Placement of a frame in the root joint's frame; InvalidValueError with both names if not fixed."""
    root_link = root_frame(model).name
    if not model.has_frame(name):
        raise InvalidValueError(
            f"frame {name!r} is not part of robot {model.name}, whose root link is {root_link!r}",
            name,
            root_link,
        )
    frame = model.frames[model.frame_id(name)]
    if frame.parent_joint != _carrier(model):
        raise InvalidValueError(
            f"frame {name!r} is not fixed to the root link {root_link!r}", name, root_link
        )
    return frame.placement


def check_base_frame(model: Model, name: str) -> None:
    """Raise InvalidValueError unless the parameter base_frame fits the model; an empty one always does."""
    if name and model.root_joint is not None:
        try:
            offset_in_root(model, name)
        except InvalidValueError as error:
            raise InvalidValueError(f"parameter base_frame: {error}", error.given, error.allowed) from None


def root_frame(model: Model) -> Frame:
    """The frame of the robot's root link."""
    bodies = (
        frame for frame in model.frames if frame.kind == "body" and frame.parent_joint == _carrier(model)
    )
    return next(bodies, model.frames[0])


def _carrier(model: Model) -> int:
    """Index of the joint that carries the root link."""
    return 0 if model.root_joint is None else model.root_joint.index
