"""Model: everything about a robot that does not change while it moves."""

from __future__ import annotations

import bisect
import itertools
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from ..errors import ModelError, UnknownFrameError, UnknownJointError, UnknownNameError
from ..kernels.engine import as_records
from ..spatial import Inertia
from .frame import Frame, Link
from .joint import Joint
from .joint_kinds import FLOATING, Array
from .tables import frame_records, joint_records, last_records
from .tree import format_tree

if TYPE_CHECKING:
    from .data import Data

#: Where several frames share a name, the first of these kinds is meant: a link is what tf calls a frame.
_NAME_PREFERENCE = ("body", "operational", "joint", "fixed_joint", "universe")

_stamps = itertools.count(1)


class Model:
    """A robot's structure and parameters. Nothing in it can be changed; edits give a new Model.

    Made by `load_urdf` or `ModelBuilder`. Joints are in depth-first order, joint 0 is the universe.

    Attributes:
        name: of the robot.
        joints: every `Joint`, the universe included; `inertias`: one `Inertia` a joint, of the body it
            moves with all fixed links lumped in, in the joint's frame (0: what is fixed to the world).
        frames: every `Frame`; `links`: every `Link` with its own inertia, before lumping.
        gravity: (3,), m/s^2, world axes.
        nq, nv, njoints, nframes: sizes.
        lower_position_limit, upper_position_limit: (nq,), infinite where there is none.
        velocity_limit, effort_limit, damping, friction, armature: (nv,). The last three hold, beside
            a joint's own, what its followers make it feel.
        neutral: the configuration of no displacement, (nq,).
        directions: the entries of q that are a unit quaternion or a (cos, sin), one slice each.
        joint_frames: one frame index a joint, of the frame that is the joint's own.
        joint_records: one index a joint, of the record in `records` and in a Data that carries its body:
            its own index, unless composite joints, which take several records, come before.
        records, frame_records: what kernels read. Private by convention: do not write to them.
        stamp: differs between any two models of a process; a copy out of a pickle has its own.
    """

    # Written out for readers and type checkers; assigned once, in __init__.
    name: str
    joints: tuple[Joint, ...]
    inertias: tuple[Inertia, ...]
    frames: tuple[Frame, ...]
    links: tuple[Link, ...]
    gravity: Array
    nq: int
    nv: int
    njoints: int
    nframes: int
    lower_position_limit: Array
    upper_position_limit: Array
    velocity_limit: Array
    effort_limit: Array
    damping: Array
    friction: Array
    armature: Array
    joint_names: tuple[str, ...]
    coordinate_names: tuple[str, ...]
    joint_frames: tuple[int, ...]
    joint_records: tuple[int, ...]
    neutral: Array
    directions: tuple[slice, ...]
    records: npt.NDArray[np.void]
    frame_records: npt.NDArray[np.void]
    stamp: int
    # Both limits, (2, nq), as kernels take them: they refuse arrays that cannot be written to.
    _position_limits: Array
    _joint_ids: dict[str, int]
    _frame_ids: dict[str, int]

    __slots__ = tuple(__annotations__)

    def __init__(
        self,
        name: str,
        joints: Sequence[Joint],
        inertias: Sequence[Inertia],
        frames: Sequence[Frame],
        links: Sequence[Link],
        gravity: Sequence[float] | Array,
    ) -> None:
        parts: dict[str, Any] = {
            "name": name,
            "joints": tuple(joints),
            "inertias": tuple(inertias),
            "frames": tuple(frames),
            "links": tuple(links),
            "gravity": _locked(_gravity(gravity)),
            "stamp": next(_stamps),
        }
        parts.update(_sizes_and_names(joints, frames))
        parts.update(_coordinate_arrays(joints))
        limits = parts["lower_position_limit"], parts["upper_position_limit"]
        parts["_position_limits"] = np.array(limits)
        parts["records"] = as_records(joint_records(joints, inertias, parts["gravity"], parts["stamp"]))
        parts["frame_records"] = as_records(frame_records(frames, parts["joint_records"]))
        for key, value in parts.items():
            object.__setattr__(self, key, value)

    def __setattr__(self, key: str, value: Any) -> None:
        raise AttributeError(
            f"a Model cannot be changed: {key!r} was not set; with_gravity and edits give a new one"
        )

    def __delattr__(self, key: str) -> None:
        raise AttributeError(f"a Model cannot be changed: {key!r} was not deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, (self.name, self.joints, self.inertias, self.frames, self.links, self.gravity)

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self

    def create_data(self) -> Data:
        """Scratch memory for one thread's computations on this model."""
        from .data import Data

        return Data(self)

    def with_gravity(self, gravity: Sequence[float] | Array) -> Model:
        """The same robot under another gravity (3,), m/s^2, world axes; ModelError if it is not that."""
        return Model(self.name, self.joints, self.inertias, self.frames, self.links, gravity)

    def joint_id(self, joint: str | SupportsIndex) -> int:
        """Index of a joint given by name or index; UnknownJointError, with the closest names, without one."""
        return _look_up(joint, self._joint_ids, self.njoints, UnknownJointError)

    def frame_id(self, frame: str | SupportsIndex, kind: str | None = None) -> int:
        """Index of a frame given by name or index.

        A link and a joint may have one name; then the link's frame is meant, unless `kind` says otherwise.

        Raises:
            UnknownFrameError: with the closest names.
        """
        if kind is None or not isinstance(frame, str):
            return _look_up(frame, self._frame_ids, self.nframes, UnknownFrameError)
        names = {f.name: f.index for f in self.frames if f.kind == kind}
        return _look_up(frame, names, self.nframes, UnknownFrameError)

    def has_joint(self, name: str) -> bool:
        """Whether there is a joint of this name."""
        return name in self._joint_ids

    def has_frame(self, name: str) -> bool:
        """Whether there is a frame of this name."""
        return name in self._frame_ids

    @property
    def root_joint(self) -> Joint | None:
        """The floating base: a free-flyer or planar joint that carries all others; None for a fixed base."""
        if self.njoints < 2:
            return None
        first = self.joints[1]
        carries_all = self.records[1]["last"] == len(self.records) - 1
        return first if first.kind in FLOATING and carries_all else None

    @property
    def actuated_joints(self) -> tuple[Joint, ...]:
        """Every joint but the universe, the floating base and followers, in model order.

        These are what /joint_states has to name.
        """
        first = 1 if self.root_joint is None else 2
        return tuple(joint for joint in self.joints[first:] if joint.mimic is None)

    def joint_of_record(self, record: int) -> Joint:
        """The joint that a record of `records` belongs to."""
        return self.joints[bisect.bisect_left(self.joint_records, record)]

    @property
    def total_mass(self) -> float:
        """Mass of all bodies that joints move, kg. What is fixed to the world is `inertias[0].mass`."""
        return float(sum(inertia.mass for inertia in self.inertias[1:]))

    def __repr__(self) -> str:
        sizes = f"{self.njoints - 1} joints, nq={self.nq}, nv={self.nv}, {self.nframes} frames"
        return f"Model({self.name!r}, {sizes})"

    def __str__(self) -> str:
        return format_tree(self)


def _locked(array: Array) -> Array:
    array.flags.writeable = False
    return array


def _gravity(value: Sequence[float] | Array) -> Array:
    try:
        gravity = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        gravity = np.full(0, np.nan)
    if gravity.shape != (3,) or not np.isfinite(gravity).all():
        raise ModelError(
            f"gravity has to be three finite numbers, given {value!r}", value, "three finite numbers"
        )
    return gravity


def _sizes_and_names(joints: Sequence[Joint], frames: Sequence[Frame]) -> dict[str, Any]:
    frame_ids: dict[str, int] = {}
    for kind in reversed(_NAME_PREFERENCE):
        frame_ids.update((frame.name, frame.index) for frame in frames if frame.kind == kind)
    return {
        "njoints": len(joints),
        "nframes": len(frames),
        "nq": sum(joint.nq for joint in joints),
        "nv": sum(joint.nv for joint in joints),
        "joint_names": tuple(joint.name for joint in joints),
        "coordinate_names": tuple(name for joint in joints for name in joint.coordinate_names),
        "joint_frames": _joint_frames(frames),
        "joint_records": last_records(joints),
        "neutral": _locked(np.array([x for joint in joints for x in joint.neutral])),
        "directions": tuple(
            slice(joint.idx_q + part.start, joint.idx_q + part.stop)
            for joint in joints
            for part in joint.directions
        ),
        "_joint_ids": {joint.name: joint.index for joint in joints},
        "_frame_ids": {frame.name: frame_ids[frame.name] for frame in frames},
    }


def _joint_frames(frames: Sequence[Frame]) -> tuple[int, ...]:
    """Per joint the index of the frame that is the joint's own."""
    own = {frame.parent_joint: frame.index for frame in frames if frame.kind in ("universe", "joint")}
    return tuple(own[joint] for joint in sorted(own))


def _coordinate_arrays(joints: Sequence[Joint]) -> dict[str, Array]:
    """The joints' own arrays one after the other, followers' coefficients added to their leaders'."""
    fields = {
        "lower_position_limit": "lower",
        "upper_position_limit": "upper",
        **{key: key for key in ("velocity_limit", "effort_limit", "damping", "friction", "armature")},
    }
    own = [joint for joint in joints if joint.mimic is None]
    arrays = {key: np.concatenate([getattr(joint, field) for joint in own]) for key, field in fields.items()}
    for joint in joints:
        if joint.mimic is not None:
            # A multiplier makes the leader feel an effort times itself, and a rate times itself too.
            ratio = abs(joint.mimic.multiplier)
            for key, factor in (("damping", ratio**2), ("friction", ratio), ("armature", ratio**2)):
                arrays[key][joint.idx_v] += factor * getattr(joint, key)[0]
    return {key: _locked(array) for key, array in arrays.items()}


def _look_up(
    given: str | SupportsIndex, ids: dict[str, int], count: int, unknown: type[UnknownNameError]
) -> int:
    if isinstance(given, str):
        if given not in ids:
            raise unknown(given, ids)
        return ids[given]
    try:
        index = operator.index(given)
    except TypeError:
        raise unknown(repr(given), ids) from None
    if not 0 <= index < count:
        raise unknown(str(index), ids, f"the model, whose indices are 0 to {count - 1}")
    return index
