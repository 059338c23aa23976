"""Joint types: what `addJoint` takes and `model.joints` holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..model.joint import Joint, SubJoint, universe_joint
from ..model.joint_parameters import make_joint
from ..spatial import SE3 as CoreSE3
from .placement import SE3
from .values import Array, numbers

_X, _Y, _Z = np.eye(3)


class JointModel:
    """A joint: its type, and once it is in a model its place there.

    Attributes:
        shape: kind, axes, pitch and parts, as the library describes them.
        id: index in the model; idx_q, idx_v: first entry in q and in v.
    """

    def __init__(self, shape: SubJoint) -> None:
        self.shape = shape
        self._joint = make_joint("", 0, 0, CoreSE3.Identity(), shape, None, {})
        self.id, self.idx_q, self.idx_v = 0, -1, -1

    @classmethod
    def _of_joint(cls, joint: Joint) -> JointModel:
        """The joint model of a joint that is in a model."""
        self = object.__new__(cls)
        self.shape = SubJoint(joint.kind, axis=joint.axis, pitch=joint.pitch, parts=joint.parts)
        self._joint = joint
        self.setIndexes(joint.index, joint.idx_q, joint.idx_v)
        return self

    @property
    def nq(self) -> int:
        """Number of entries in q."""
        return self._joint.nq

    @property
    def nv(self) -> int:
        """Number of entries in v."""
        return self._joint.nv

    def joint(self, name: str, index: int, parent: int, placement: CoreSE3) -> Joint:
        """The library's joint of this type, without limits."""
        return replace(self._joint, name=name, index=index, parent=parent, placement=placement)

    def shortname(self) -> str:
        """Name of the type."""
        return type(self).__name__

    @classmethod
    def classname(cls) -> str:
        """Name of the type."""
        return cls.__name__

    def setIndexes(self, id: int, idx_q: int, idx_v: int) -> None:
        """Put it in a place."""
        self.id, self.idx_q, self.idx_v = id, idx_q, idx_v

    def hasSameIndexes(self, other: JointModel) -> bool:
        """Whether both are in the same place."""
        return (self.id, self.idx_q, self.idx_v) == (other.id, other.idx_q, other.idx_v)

    def hasConfigurationLimit(self) -> list[bool]:
        """For each entry of q whether a limit can apply: not to quaternions and (cos, sin)."""
        turning = {i for part in self._joint.directions for i in range(part.start, part.stop)}
        return [i not in turning for i in range(self.nq)]

    def hasConfigurationLimitInTangent(self) -> list[bool]:
        """For each entry of v whether a limit can apply: not to rotations without one."""
        limited = [[True] * kind.nv for kind in self._joint._kinds]
        for flags, kind in zip(limited, self._joint._kinds, strict=True):
            turning = kind.direction.stop - (kind.direction.start or 0)
            count = {0: 0, 2: 1, 4: 3}[turning]
            flags[kind.nv - count :] = [False] * count
        return [flag for flags in limited for flag in flags]

    def copy(self) -> JointModel:
        """An independent copy."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JointModel):
            return NotImplemented
        own, others = self._joint.elements, other._joint.elements
        return (
            type(self) is type(other)
            and self.hasSameIndexes(other)
            and len(own) == len(others)
            and all(_same(a, b) for a, b in zip(own, others, strict=True))
        )

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return (
            f"{self.shortname()}\n  index: {self.id}\n  index q: {self.idx_q}\n  index v: {self.idx_v}\n"
            f"  nq: {self.nq}\n  nv: {self.nv}\n"
        )

    __repr__ = __str__


def _same(a: SubJoint, b: SubJoint) -> bool:
    return (
        a.kind == b.kind
        and bool((a.axis == b.axis).all())
        and a.pitch == b.pitch
        and a.placement == b.placement
    )


class _AlongAxis(JointModel):
    """A joint along one of the three axes of its frame."""

    kind, axis = "revolute", _X

    def __init__(self, pitch: float = 0.0) -> None:
        super().__init__(SubJoint(self.kind, axis=self.axis, pitch=pitch))

    def getMotionAxis(self) -> Array:
        """The axis, (3,)."""
        return self.shape.axis.copy()


class _Unaligned(JointModel):
    """A joint along any axis: given as one vector or three numbers."""

    kind = "revolute"

    def __init__(self, *axis: Any) -> None:
        super().__init__(SubJoint(self.kind, axis=numbers("axis", _vector(axis, _X), (3,))))

    def getMotionAxis(self) -> Array:
        """The axis, (3,)."""
        return self.shape.axis.copy()


class JointModelHelicalUnaligned(JointModel):
    """Turns about an axis and slides along it, `pitch` metres a radian: (axis, pitch) or four numbers."""

    def __init__(self, *given: Any) -> None:
        *axis, pitch = given or (_X, 0.0)
        super().__init__(SubJoint("helical", axis=numbers("axis", _vector(axis, _X), (3,)), pitch=pitch))


class JointModelUniversal(JointModel):
    """Turns about a first axis, then about a second: two vectors or six numbers."""

    def __init__(self, *given: Any) -> None:
        first, second = np.asarray(given or (_X, _Y), dtype=np.float64).reshape(2, 3)
        super().__init__(SubJoint("universal", axis=first, axis2=second))


class JointModelComposite(JointModel):
    """Several joints as one: `JointModelComposite(joint, placement)`, then `addJoint(joint, placement)`."""

    def __init__(self, joint: JointModel | int | None = None, placement: SE3 | None = None) -> None:
        self.joints: list[JointModel] = []
        self.jointPlacements: list[SE3] = []
        self.id, self.idx_q, self.idx_v = 0, -1, -1
        self.shape, self._joint = SubJoint("composite"), universe_joint()
        if isinstance(joint, JointModel):
            self.addJoint(joint, placement)

    @property
    def njoints(self) -> int:
        """How many joints it is made of."""
        return len(self.joints)

    def addJoint(
        self, joint: JointModel, placement: SE3 | None = None, name: str = ""
    ) -> JointModelComposite:
        """Hang a joint on those before."""
        self.joints.append(joint)
        self.jointPlacements.append(SE3.Identity() if placement is None else placement.copy())
        parts = tuple(
            replace(part.shape, placement=where.value)
            for part, where in zip(self.joints, self.jointPlacements, strict=True)
        )
        self.shape = SubJoint("composite", parts=parts)
        self._joint = make_joint("", 0, 0, CoreSE3.Identity(), self.shape, None, {})
        return self


class JointModelMimic(JointModel):
    """A joint that follows another; only models that were read with `mimic=True` have them."""

    def __init__(self, *given: Any) -> None:
        raise TypeError("JointModelMimic cannot be made here: read the robot with mimic=True")

    @property
    def scaling(self) -> float:
        """What the leader's position is multiplied by."""
        return self._joint.mimic.multiplier if self._joint.mimic else 1.0

    @property
    def offset(self) -> float:
        """What is added to it."""
        return self._joint.mimic.offset if self._joint.mimic else 0.0


def _vector(given: Any, default: Array) -> Any:
    return given[0] if len(given) == 1 else given or default


def _type(name: str, base: type[JointModel], **attributes: Any) -> type[JointModel]:
    names = {"__doc__": "A joint type.", "__module__": __name__, **attributes}
    return type(f"JointModel{name}", (base,), names)


def _plain(name: str, kind: str) -> type[JointModel]:
    def start(self: JointModel) -> None:
        JointModel.__init__(self, SubJoint(kind))

    return _type(name, JointModel, __init__=start, kind=kind)


_ALIGNED = {"revolute": "R", "prismatic": "P", "continuous": "RUB", "helical": "H"}
_UNALIGNED = {
    "revolute": "RevoluteUnaligned",
    "prismatic": "PrismaticUnaligned",
    "continuous": "RevoluteUnboundedUnaligned",
    "helical": "HelicalUnaligned",
}
_OTHERS = {
    "free_flyer": "FreeFlyer",
    "planar": "Planar",
    "spherical": "Spherical",
    "spherical_zyx": "SphericalZYX",
    "translation": "Translation",
}
_TYPES = [
    *(
        _type(prefix + letter, _AlongAxis, kind=kind, axis=axis)
        for kind, prefix in _ALIGNED.items()
        for letter, axis in zip("XYZ", (_X, _Y, _Z), strict=True)
    ),
    *(_type(name, _Unaligned, kind=kind) for kind, name in _UNALIGNED.items() if kind != "helical"),
    *(_plain(name, kind) for kind, name in _OTHERS.items()),
    JointModelHelicalUnaligned,
    JointModelUniversal,
    JointModelComposite,
    JointModelMimic,
]
TYPES: dict[str, Any] = {each.__name__: each for each in _TYPES}
globals().update(TYPES)


def _name_of(joint: Joint) -> str:
    if joint.mimic is not None:
        return "Mimic"
    if joint.kind not in _ALIGNED:
        return {**_OTHERS, "universal": "Universal", "composite": "Composite"}[joint.kind]
    letters = [letter for letter, axis in zip("XYZ", np.eye(3), strict=True) if (joint.axis == axis).all()]
    return _ALIGNED[joint.kind] + letters[0] if letters else _UNALIGNED[joint.kind]


def joint_model_of(joint: Joint) -> JointModel:
    """The joint model of a `dyn_node.Joint`, at its place. Pinocchio calls the universe's one RX."""
    return TYPES["JointModel" + ("RX" if joint.index == 0 else _name_of(joint))]._of_joint(joint)


__all__ = ["JointModel", *TYPES]
