"""One joint of one model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from ..spatial import SE3
from .joint_kinds import KINDS, Array, JointKind, motion_subspace


def lock_arrays(instance: Any) -> None:
    """Make every array among a dataclass instance's fields a copy that cannot be written to."""
    for each in fields(instance):
        value = getattr(instance, each.name)
        if isinstance(value, np.ndarray):
            value = value.copy()
            value.flags.writeable = False
            object.__setattr__(instance, each.name, value)


@dataclass(frozen=True)
class Mimic:
    """The joint that another follows: position = multiplier * leader's position + offset.

    In a model `joint` leads by itself: chains of followers are resolved when the model is built.
    """

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class SubJoint:
    """One of the joints that a composite joint is made of.

    Attributes:
        kind: a key of `KINDS`.
        placement: in the frame of the part before it; of the first one, in the composite's frame.
        axis: direction (3,) in its own frame, for the types that have one.
        axis2: second axis of a universal joint, in its frame after the first has turned.
        pitch: metres per radian of a helical joint.
        parts: of a composite in a composite.
    """

    kind: str
    placement: SE3 = field(default_factory=SE3.Identity)
    axis: Array = field(default_factory=lambda: np.zeros(3))
    axis2: Array = field(default_factory=lambda: np.zeros(3))
    pitch: float = 0.0
    parts: tuple[SubJoint, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", np.array(self.axis, dtype=np.float64))
        object.__setattr__(self, "axis2", np.array(self.axis2, dtype=np.float64))
        lock_arrays(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return SubJoint, tuple(getattr(self, each.name) for each in fields(self))


@dataclass(frozen=True, eq=False)
class Joint:
    """One joint of a model. Joint 0 is the universe, which does not move.

    Attributes:
        name: unique among the joints of the model.
        index: position in `model.joints`; `parent` is that of the joint before it (-1: none).
        kind: a key of `KINDS`: "revolute", "prismatic", "continuous", "free_flyer", "planar", ...
        idx_q, idx_v: first entry in q and in v; a follower's are its leader's.
        nq, nv: how many entries of q and v are the joint's own; none are a follower's.
        placement: of the joint's frame in the parent joint's frame, at the neutral configuration.
        axis: unit vector (3,) in the joint's frame; zero for types that have none.
        pitch: metres per radian of a helical joint.
        lower, upper: position limits (nq,), radians or metres, infinite where there is none.
        velocity_limit, effort_limit: (nv,), rad/s or m/s and N m or N, infinite where there is none.
        damping: viscous coefficient (nv,), N m s/rad or N s/m; friction: dry friction (nv,), N m or N.
        armature: rotor inertia seen by each velocity coordinate (nv,), kg m^2 or kg.
        mimic: the leader that it follows, or None. The limits and coefficients of a follower, here,
            are those of its own motion (one entry each); in the model's vectors it has no entry.
        parts: the elementary joints of a composite, universal or spherical_zyx joint; else none.
    """

    name: str
    index: int
    kind: str
    parent: int
    idx_q: int
    idx_v: int
    placement: SE3
    axis: Array
    pitch: float
    lower: Array
    upper: Array
    velocity_limit: Array
    effort_limit: Array
    damping: Array
    friction: Array
    armature: Array
    mimic: Mimic | None = None
    parts: tuple[SubJoint, ...] = ()

    def __post_init__(self) -> None:
        lock_arrays(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # Arrays come out of a pickle writable; going through the constructor locks them again.
        return Joint, tuple(getattr(self, each.name) for each in fields(self))

    @cached_property
    def elements(self) -> tuple[SubJoint, ...]:
        """The elementary joints that it is made of: its parts, or itself."""
        return self.parts or (SubJoint(self.kind, axis=self.axis, pitch=self.pitch),)

    @property
    def _kinds(self) -> Iterable[JointKind]:
        return [KINDS[part.kind] for part in self.elements]

    @cached_property
    def nq(self) -> int:
        """Number of position coordinates of its own."""
        return 0 if self.mimic else sum(kind.nq for kind in self._kinds)

    @cached_property
    def nv(self) -> int:
        """Number of velocity coordinates of its own."""
        return 0 if self.mimic else sum(kind.nv for kind in self._kinds)

    @property
    def moved_by(self) -> slice:
        """The entries of v that move it: its own, or its leader's."""
        return slice(self.idx_v, self.idx_v + (1 if self.mimic else self.nv))

    @property
    def neutral(self) -> tuple[float, ...]:
        """The position of no displacement, (nq,)."""
        return () if self.mimic else tuple(x for kind in self._kinds for x in kind.neutral)

    @property
    def directions(self) -> tuple[slice, ...]:
        """The entries of its position that are a unit quaternion or a (cos, sin), one slice each."""
        if self.mimic:
            return ()
        found, first = [], 0
        for kind in self._kinds:
            start, stop, _ = kind.direction.indices(kind.nq)
            if stop > start:
                found.append(slice(first + start, first + stop))
            first += kind.nq
        return tuple(found)

    @property
    def motion_subspace(self) -> Array:
        """(nv, 6), linear first, in the joint's own frame: a row a coordinate; a follower's, its own.

        That of a joint with several parts changes with the position; this is the one at neutral.
        """
        rows, after = [], SE3.Identity()
        for part in reversed(self.elements):
            own = motion_subspace(part.kind, part.axis, part.pitch)
            rows.append(own @ after.inverse().action.T)
            after = part.placement * after
        return np.concatenate(rows[::-1])

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the velocity coordinates, nv of them: "elbow", or "root_joint/vx" and so on.

        Those of a composite joint count its parts, from 1: "wrist/1", "wrist/2/wx".
        """
        if self.mimic:
            return ()
        if self.kind == "spherical_zyx":
            return tuple(f"{self.name}/{angle}" for angle in ("yaw", "pitch", "roll"))
        prefixes = [f"{self.name}/{k + 1}" for k in range(len(self.parts))] or [self.name]
        return tuple(
            prefix + suffix
            for prefix, kind in zip(prefixes, self._kinds, strict=True)
            for suffix in kind.coordinates
        )

    def __repr__(self) -> str:
        return f"Joint({self.index}, {self.name!r}, {self.kind})"


def universe_joint() -> Joint:
    """Joint 0 of every model."""
    n = np.zeros(0)
    return Joint("universe", 0, "universe", -1, 0, 0, SE3.Identity(), np.zeros(3), 0.0, n, n, n, n, n, n, n)
