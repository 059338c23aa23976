"""Joints: what each type of joint is, and one joint of one model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import ModelError
from ..kernels import kinds
from ..spatial import SE3

Array = npt.NDArray[np.float64]
#: What a user gives for the coordinates of a joint: one number for all, or one each.
Values = float | Sequence[float] | Array | None


@dataclass(frozen=True)
class JointKind:
    """A type of joint: its coordinates and what describes it.

    Attributes:
        code: the integer of `dyn_node.kernels.kinds` that kernels branch on.
        neutral: the position of no displacement.
        coordinates: suffix of each velocity coordinate's name; one empty suffix means that the
            joint's own name is enough.
        axes: how many axes describe it.
        turns: whether its only motion is a rotation about that axis (and along it, if helical).
        direction: the entries of the position that are a unit quaternion or a (cos, sin).
    """

    name: str
    code: int
    neutral: tuple[float, ...]
    coordinates: tuple[str, ...]
    axes: int = 0
    turns: bool = False
    direction: slice = slice(0)

    @property
    def nq(self) -> int:
        """Number of position coordinates."""
        return len(self.neutral)

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""
        return len(self.coordinates)


_LINEAR, _ANGULAR = ("/vx", "/vy", "/vz"), ("/wx", "/wy", "/wz")
_CIRCLE, _QUATERNION = (1.0, 0.0), (0.0, 0.0, 0.0, 1.0)

#: Every type of joint, by name.
KINDS: dict[str, JointKind] = {
    kind.name: kind
    for kind in (
        JointKind("universe", kinds.UNIVERSE, (), ()),
        JointKind("revolute", kinds.REVOLUTE, (0.0,), ("",), axes=1, turns=True),
        JointKind("prismatic", kinds.PRISMATIC, (0.0,), ("",), axes=1),
        JointKind("continuous", kinds.CONTINUOUS, _CIRCLE, ("",), axes=1, turns=True, direction=slice(2)),
        JointKind("helical", kinds.HELICAL, (0.0,), ("",), axes=1, turns=True),
        JointKind(
            "free_flyer",
            kinds.FREE_FLYER,
            (0.0, 0.0, 0.0, *_QUATERNION),
            _LINEAR + _ANGULAR,
            direction=slice(3, 7),
        ),
        JointKind("planar", kinds.PLANAR, (0.0, 0.0, *_CIRCLE), ("/vx", "/vy", "/wz"), direction=slice(2, 4)),
        JointKind("spherical", kinds.SPHERICAL, _QUATERNION, _ANGULAR, direction=slice(4)),
        JointKind("spherical_zyx", kinds.SPHERICAL_ZYX, (0.0, 0.0, 0.0), ("/yaw", "/pitch", "/roll")),
        JointKind("translation", kinds.TRANSLATION, (0.0, 0.0, 0.0), _LINEAR),
        JointKind("universal", kinds.UNIVERSAL, (0.0, 0.0), ("/1", "/2"), axes=2),
    )
}

#: Types whose coordinates can be a floating base.
FLOATING = ("free_flyer", "planar")


def motion_subspace(kind: str, axis: Array, axis2: Array, pitch: float = 0.0) -> Array:
    """Motion subspace of a joint in its own frame, one row a velocity coordinate, (nv, 6), linear first.

    That of "spherical_zyx" and "universal" changes with the position; this is the one at zero.

    Args:
        kind: a key of `KINDS`.
        axis, axis2: unit axes in the joint's frame, for the types that have them.
        pitch: metres per radian of a helical joint.
    """
    identity = np.eye(6)
    rows = {
        "universe": np.zeros((0, 6)),
        "free_flyer": identity,
        "planar": identity[[0, 1, 5]],
        "spherical": identity[3:],
        "spherical_zyx": identity[[5, 4, 3]],
        "translation": identity[:3],
        "universal": np.concatenate([np.zeros((2, 3)), [axis, axis2]], axis=1),
        "prismatic": np.concatenate([axis, np.zeros(3)])[None],
        "helical": np.concatenate([pitch * axis, axis])[None],
    }
    return rows[kind] if kind in rows else np.concatenate([np.zeros(3), axis])[None]


@dataclass(frozen=True)
class Mimic:
    """The joint that another follows: position = multiplier * leader's position + offset."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class Joint:
    """One joint of a model. Joint 0 is the universe, which does not move.

    Attributes:
        name: unique among the joints of the model.
        index: position in `model.joints`; `parent` is that of the joint before it (-1: none).
        kind: a key of `KINDS`: "revolute", "prismatic", "continuous", "free_flyer", "planar", ...
        idx_q, idx_v: first entry in q and in v; nq, nv: how many entries.
        placement: of the joint's frame in the parent joint's frame, at the neutral configuration.
        axis: unit vector (3,) in the joint's frame; zero for types that have none.
        axis2: second axis of a universal joint, in its frame after the first has turned; zero for others.
        pitch: metres per radian of a helical joint.
        lower, upper: position limits (nq,), radians or metres, infinite where there is none.
        velocity_limit, effort_limit: (nv,), rad/s or m/s and N m or N, infinite where there is none.
        damping: viscous coefficient (nv,), N m s/rad or N s/m; friction: dry friction (nv,), N m or N.
        armature: rotor inertia seen by each velocity coordinate (nv,), kg m^2 or kg.
        mimic: the leader that the robot's description names, or None. The coordinate stays independent.
    """

    name: str
    index: int
    kind: str
    parent: int
    idx_q: int
    idx_v: int
    placement: SE3
    axis: Array
    axis2: Array
    pitch: float
    lower: Array
    upper: Array
    velocity_limit: Array
    effort_limit: Array
    damping: Array
    friction: Array
    armature: Array
    mimic: Mimic | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value = value.copy()
                value.flags.writeable = False
                object.__setattr__(self, field.name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        # Arrays come out of a pickle writable; going through the constructor locks them again.
        return Joint, tuple(getattr(self, field.name) for field in fields(self))

    @property
    def nq(self) -> int:
        """Number of position coordinates."""
        return KINDS[self.kind].nq

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""
        return KINDS[self.kind].nv

    @property
    def code(self) -> int:
        """The integer that kernels know this type by."""
        return KINDS[self.kind].code

    @property
    def motion_subspace(self) -> Array:
        """One row a velocity coordinate, (nv, 6), linear first, in the joint's own frame."""
        return motion_subspace(self.kind, self.axis, self.axis2, self.pitch)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the velocity coordinates, nv of them: "elbow", or "root_joint/vx" and so on."""
        return tuple(self.name + suffix for suffix in KINDS[self.kind].coordinates)

    def __repr__(self) -> str:
        return f"Joint({self.index}, {self.name!r}, {self.kind})"


def universe_joint() -> Joint:
    """Joint 0 of every model."""
    n, o = np.zeros(0), np.zeros(3)
    return Joint("universe", 0, "universe", -1, 0, 0, SE3.Identity(), o, o, 0.0, n, n, n, n, n, n, n)


def make_joint(
    name: str,
    index: int,
    kind: str,
    parent: int,
    placement: SE3,
    axes: Sequence[Sequence[float] | Array | None],
    pitch: float,
    mimic: Mimic | None,
    arrays: Mapping[str, Values],
) -> Joint:
    """A joint from checked parameters, ModelError otherwise; keys of `arrays` are attributes of Joint."""
    if kind not in KINDS or kind == "universe":
        allowed = tuple(key for key in KINDS if key != "universe")
        raise ModelError(f"joint {name!r}: unknown type {kind!r}; known: {', '.join(allowed)}", kind, allowed)
    what, nq, nv = f"joint {name!r}", KINDS[kind].nq, KINDS[kind].nv
    sizes_and_defaults = {"lower": (nq, -np.inf), "upper": (nq, np.inf)}
    sizes_and_defaults.update(dict.fromkeys(("velocity_limit", "effort_limit"), (nv, np.inf)))
    sizes_and_defaults.update(dict.fromkeys(("damping", "friction", "armature"), (nv, 0.0)))
    values = {
        key: _per_coordinate(arrays.get(key), size, default, f"{what}, {key.replace('_', ' ')}")
        for key, (size, default) in sizes_and_defaults.items()
    }
    if not np.isfinite(pitch):
        raise ModelError(f"{what}: pitch {pitch} is not finite", pitch, "a finite number")
    crossed = np.flatnonzero(values["lower"] > values["upper"])
    if crossed.size:
        low, high = values["lower"][crossed[0]], values["upper"][crossed[0]]
        message = f"{what}: lower limit {low:g} is above upper limit {high:g}"
        raise ModelError(message, (low, high), "lower <= upper")
    first, second = (
        _unit_axis(given, kind, what) if i < KINDS[kind].axes else np.zeros(3) for i, given in enumerate(axes)
    )
    return Joint(
        name, index, kind, parent, 0, 0, placement, first, second, float(pitch), mimic=mimic, **values
    )


def _per_coordinate(value: Values, size: int, default: float, what: str) -> Array:
    """`value` as `size` numbers, one number repeated, `default` for None; NaN and wrong sizes are refused."""
    if value is None:
        return np.full(size, default)
    array = np.array(value, dtype=np.float64)
    if array.ndim == 0:
        array = np.full(size, float(array))
    if array.shape != (size,):
        raise ModelError(f"{what}: expected one number or {size}, given shape {array.shape}", value, size)
    if np.isnan(array).any():
        raise ModelError(f"{what}: not a number in {array.tolist()}", value, "numbers")
    return array


def _unit_axis(axis: Sequence[float] | Array | None, kind: str, what: str) -> Array:
    """The axis as a unit vector (3,); ModelError if it has no direction."""
    if axis is None:
        needs = "two axes" if KINDS[kind].axes == 2 else "an axis"
        raise ModelError(f"{what}: a {kind} joint needs {needs}", None, "vectors of three numbers")
    vector = np.array(axis, dtype=np.float64)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        message = f"{what}: axis has to be three finite numbers, given {axis}"
        raise ModelError(message, axis, "three finite numbers")
    largest = np.abs(vector).max()
    if largest == 0.0:
        raise ModelError(f"{what}: axis is zero, a {kind} joint needs a direction", axis, "a direction")
    # Scaled first: the square of a tiny entry would underflow.
    vector /= largest
    return vector / np.sqrt(vector @ vector)
