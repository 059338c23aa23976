"""The types of joint: coordinates, neutral position, motion subspace."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ..kernels import kinds

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class JointKind:
    """A type of joint: its coordinates and what describes it.

    A chain is made of several elementary joints, one after the other; `Joint.parts` has them, and
    with them the coordinates.

    Attributes:
        code: the integer of `dyn_node.kernels.kinds` that kernels branch on; None for a chain.
        neutral: the position of no displacement.
        coordinates: suffix of each velocity coordinate's name; one empty suffix means that the
            joint's own name is enough.
        axes: how many axes describe it.
        turns: whether its only motion is a rotation about that axis (and along it, if helical).
        direction: the entries of the position that are a unit quaternion or a (cos, sin).
    """

    name: str
    code: int | None
    neutral: tuple[float, ...] = ()
    coordinates: tuple[str, ...] = ()
    axes: int = 0
    turns: bool = False
    # A factory: Python 3.11 takes a slice, which has no hash there, for a mutable default.
    direction: slice = field(default_factory=lambda: slice(0))

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
        JointKind("universe", kinds.UNIVERSE),
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
        JointKind("translation", kinds.TRANSLATION, (0.0, 0.0, 0.0), _LINEAR),
        JointKind("spherical_zyx", None),
        JointKind("universal", None, axes=2),
        JointKind("composite", None),
    )
}

#: Types whose coordinates can be a floating base.
FLOATING = ("free_flyer", "planar")


def motion_subspace(kind: str, axis: Array, pitch: float = 0.0) -> Array:
    """Motion subspace of an elementary joint in its own frame, (nv, 6), linear first: a row a coordinate.

    Args:
        kind: a key of `KINDS` that is no chain.
        axis: unit axis in the joint's frame, for the types that have one.
        pitch: metres per radian of a helical joint.
    """
    identity = np.eye(6)
    rows = {
        "universe": np.zeros((0, 6)),
        "free_flyer": identity,
        "planar": identity[[0, 1, 5]],
        "spherical": identity[3:],
        "translation": identity[:3],
        "prismatic": np.concatenate([axis, np.zeros(3)])[None],
        "helical": np.concatenate([pitch * axis, axis])[None],
    }
    return rows[kind] if kind in rows else np.concatenate([np.zeros(3), axis])[None]
