"""Model: built and changed in place as in Pinocchio, an immutable `dyn_node.Model` behind it."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..errors import InvalidValueError
from ..model import Model as CoreModel
from .containers import Owned, StdVec
from .enums import ANY_FRAME, BODY, FIXED_JOINT, JOINT, FrameType
from .frame import Frame
from .inertia import Inertia
from .joint_models import JointModel, joint_model_of
from .model_memory import Memory
from .model_parts import Limits, bodies_of, core_model, frames_of, limits_of, own_coefficients, universe
from .placement import SE3
from .sixvectors import Motion
from .values import Array, numbers

if TYPE_CHECKING:
    from .data import Data


class Model:
    """A robot. `Model()` is empty, `Model(other)` a copy.

    Everything can be changed in place. The library's own model, `core`, is made when an algorithm
    needs it, and made anew after each change of a placement, an inertia, a frame, gravity or armature.

    Attributes:
        name, names, joints, jointPlacements, inertias, frames, parents, children, subtrees, supports,
        nqs, nvs, idx_qs, idx_vs, gravity, armature, referenceConfigurations: as in Pinocchio.
        lowerPositionLimit and the other limits: arrays; the largest number where there is no limit.
    """

    # Set by name from `Limits`; the last three are older names of others.
    lowerPositionLimit: Array
    upperPositionLimit: Array
    positionLimitMargin: Array
    lowerEffortLimit: Array
    upperEffortLimit: Array
    lowerVelocityLimit: Array
    upperVelocityLimit: Array
    damping: Array
    lowerDryFrictionLimit: Array
    upperDryFrictionLimit: Array
    effortLimit: Array
    velocityLimit: Array
    friction: Array

    gravity981: ClassVar[Array] = np.array([0.0, 0.0, -9.81])

    def __init__(self, other: Model | None = None) -> None:
        if other is None:
            self._take(universe())
        else:
            self._take(other.core, other.frames)
            self._set(other._settings())

    @classmethod
    def _from_core(cls, core: CoreModel) -> Model:
        self = cls.__new__(cls)
        self._take(core)
        return self

    def _take(self, core: CoreModel, frames: Iterable[Frame] | None = None) -> None:
        """Become a model of the library; `frames` without those that the library needs beside them."""
        self.name = core.name
        self.names = StdVec(core.joint_names)
        self.joints = StdVec(joint_model_of(joint) for joint in core.joints)
        self.jointPlacements = Owned(SE3._from_core(joint.placement).copy() for joint in core.joints)
        self.inertias = Owned(Inertia._from_core(inertia) for inertia in core.inertias)
        self.frames = Owned(frames_of(core) if frames is None else (frame.copy() for frame in frames))
        self.parents = StdVec(max(joint.parent, 0) for joint in core.joints)
        self.referenceConfigurations: dict[str, Array] = {}
        self._gravity = Motion(core.gravity, np.zeros(3))
        self._armature = own_coefficients(core, "armature")
        self._parts = list(core.joints)
        for name, values in limits_of(core).items():
            setattr(self, name, values)
        self.rotorInertia, self.rotorGearRatio = np.zeros(core.nv), np.ones(core.nv)
        self._bodies = 1 + bodies_of(core)
        self._index()
        self._memory = Memory(self)
        self._core: CoreModel | None = core

    def _settings(self) -> dict[str, Any]:
        """What the library's model does not know."""
        return copy.deepcopy({name: getattr(self, name) for name in _SETTINGS})

    def _set(self, settings: dict[str, Any]) -> None:
        for name, value in settings.items():
            setattr(self, name, value)

    def _index(self) -> None:
        """Sizes and relations, after a joint came."""
        count = len(self._parts)
        self.nq, self.nv = (sum(getattr(part, size) for part in self._parts) for size in ("nq", "nv"))
        self.nqs, self.nvs = (StdVec(getattr(p, size) for p in self._parts) for size in ("nq", "nv"))
        self.idx_qs, self.idx_vs = (StdVec(getattr(p, i) for p in self._parts) for i in ("idx_q", "idx_v"))
        self.children = StdVec(StdVec() for _ in range(count))
        self.supports = StdVec([StdVec([0])])
        for i in range(1, count):
            self.children[self.parents[i]].append(i)
            self.supports.append(StdVec([*self.supports[self.parents[i]], i]))
        self.subtrees = StdVec(
            StdVec(j for j in range(max(i, 1), count) if i in self.supports[j]) for i in range(count)
        )

    @property
    def core(self) -> CoreModel:
        """The library's model of what this one is now."""
        if self._core is None or self._memory.changed():
            self._core = core_model(self)
            self._memory = Memory(self)
        return self._core

    def renamed_core(self) -> CoreModel:
        """The same with the names that joints and frames have now, which algorithms do not look at."""
        self._core = None
        return self.core

    @property
    def njoints(self) -> int:
        """Number of joints, the universe included."""
        return len(self._parts)

    @property
    def nframes(self) -> int:
        """Number of frames, the universe included."""
        return len(self.frames)

    @property
    def nbodies(self) -> int:
        """Number of bodies, the universe included."""
        return self._bodies

    @property
    def gravity(self) -> Motion:
        """Acceleration of gravity; its linear part can be written to."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: Motion) -> None:
        self._gravity.assign(value)

    @property
    def armature(self) -> Array:
        """Rotor inertia seen by each velocity coordinate, (nv,): a view that can be written to."""
        return self._armature

    @armature.setter
    def armature(self, value: Any) -> None:
        self._armature[:] = numbers("armature", value, (self.nv,))

    def addJoint(
        self, parent_id: int, joint_model: JointModel, joint_placement: SE3, joint_name: str, *limits: Any
    ) -> int:
        """Hang a joint on another; returns its index. It gets no frame: see `addJointFrame`.

        Args:
            limits: nothing; or max effort, max velocity, min and max configuration; or min and max
                effort, min and max velocity, min and max configuration, (margin of the
                configuration,) min and max friction, damping.
        """
        index = len(self._parts)
        self._check_joint(parent_id)
        part = joint_model.joint(joint_name, index, parent_id, joint_placement.value)
        object.__setattr__(part, "idx_q", self.nq)
        object.__setattr__(part, "idx_v", self.nv)
        self._parts.append(part)
        model = joint_model.copy()
        model.setIndexes(index, self.nq, self.nv)
        self.joints.append(model)
        self.names.append(joint_name)
        self.jointPlacements.append(joint_placement.copy())
        self.inertias.append(Inertia.Zero())
        self.parents.append(parent_id)
        Limits(part.nq, part.nv, limits).append_to(self)
        self._armature = np.append(self._armature, np.zeros(part.nv))
        self._index()
        self._core = None
        return index

    def appendBodyToJoint(
        self, joint_id: int, body_inertia: Inertia, body_placement: SE3 | None = None
    ) -> None:
        """Fix a body to what a joint moves."""
        self._check_joint(joint_id)
        placed = body_inertia if body_placement is None else body_placement.act(body_inertia)
        self.inertias[joint_id] += placed
        self._bodies += 1

    def addFrame(self, frame: Frame, append_inertia: bool = True) -> int:
        """Add a frame; returns its index, or that of the frame that has its name and type already."""
        self._check_joint(frame.parentJoint)
        if self.existFrame(frame.name, frame.type):
            return self.getFrameId(frame.name, frame.type)
        self.frames.append(frame.copy())
        if append_inertia:
            self.inertias[frame.parentJoint] += frame.placement.act(frame.inertia)
        self._core = None
        return len(self.frames) - 1

    def addJointFrame(self, joint_id: int, frame_id: int = -1) -> int:
        """Add the frame of a joint, after `frame_id` or else after its parent joint's frame."""
        self._check_joint(joint_id)
        before = frame_id
        if before < 0:
            before = self.getFrameId(self.names[self.parents[joint_id]], JOINT | FIXED_JOINT)
        return self.addFrame(Frame(self.names[joint_id], joint_id, before, SE3.Identity(), JOINT))

    def addBodyFrame(
        self, body_name: str, parentJoint: int, body_placement: SE3, previous_frame: int = -1
    ) -> int:
        """Add the frame of a body, after `previous_frame` or else after its joint's frame."""
        before = previous_frame
        if before < 0:
            before = self.getFrameId(self.names[parentJoint], JOINT | FIXED_JOINT)
        return self.addFrame(Frame(body_name, parentJoint, before, body_placement, BODY))

    def _check_joint(self, joint: int) -> None:
        if not 0 <= joint < len(self._parts):
            raise InvalidValueError(
                f"joint {joint} does not exist; the model has 0 to {len(self._parts) - 1}",
                joint,
                self.njoints,
            )

    def _matching(self, name: str, type: int) -> list[int]:
        return [i for i, frame in enumerate(self.frames) if frame.name == name and frame.type & type]

    def getFrameId(self, name: str, type: FrameType = ANY_FRAME) -> int:
        """Index of a frame; the number of frames where there is none of this name.

        Raises:
            InvalidValueError: several frames have this name: give their type.
        """
        found = self._matching(name, type)
        if len(found) > 1:
            kinds = [self.frames[i].type.name for i in found]
            raise InvalidValueError(
                f"several frames are named {name!r} ({', '.join(kinds)}): give the type", name, kinds
            )
        return found[0] if found else len(self.frames)

    def existFrame(self, name: str, type: FrameType = ANY_FRAME) -> bool:
        """Whether there is a frame of this name and type."""
        return bool(self._matching(name, type))

    def getBodyId(self, name: str) -> int:
        """Index of a body's frame; the number of frames where there is none of this name."""
        return self.getFrameId(name, BODY)

    def existBodyName(self, name: str) -> bool:
        """Whether a body's frame has this name."""
        return self.existFrame(name, BODY)

    def getJointId(self, name: str) -> int:
        """Index of a joint; the number of joints where there is none of this name."""
        return self.names.index(name) if name in self.names else len(self.names)

    def existJointName(self, name: str) -> bool:
        """Whether a joint has this name."""
        return name in self.names

    def getChildJoints(self, joint_id: int) -> StdVec:
        """Joints that hang on a joint."""
        return self.children[joint_id]

    def hasConfigurationLimit(self) -> StdVec:
        """For each entry of q whether a limit can apply."""
        return StdVec(flag for joint in self.joints[1:] for flag in joint.hasConfigurationLimit())

    def hasConfigurationLimitInTangent(self) -> StdVec:
        """For each entry of v whether a limit can apply."""
        return StdVec(flag for joint in self.joints[1:] for flag in joint.hasConfigurationLimitInTangent())

    def createData(self) -> Data:
        """A Data for this model."""
        from .data import Data

        return Data(self)

    def check(self, data: Data) -> bool:
        """Whether a data belongs to a model of this structure."""
        return data.fits(self)

    def copy(self) -> Model:
        """An independent copy."""
        return Model(self)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return Model(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.core, list(self.frames), self._settings())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        lists = ("names", "joints", "jointPlacements", "inertias", "frames", "parents")
        arrays = (*Limits.NAMES, "armature")
        return (
            self.name == other.name
            and all(list(getattr(self, n)) == list(getattr(other, n)) for n in lists)
            and all(np.array_equal(getattr(self, n), getattr(other, n)) for n in arrays)
            and self.gravity == other.gravity
        )

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        lines = [f"Nb joints = {self.njoints} (nq={self.nq},nv={self.nv})"]
        lines += [
            f"  Joint {i} {name}: parent={parent}"
            for i, (name, parent) in enumerate(zip(self.names, self.parents, strict=True))
        ]
        return "\n".join(lines) + "\n"

    __repr__ = __str__


_SETTINGS = (*Limits.NAMES, "rotorInertia", "rotorGearRatio", "referenceConfigurations", "names", "_bodies")


def _unpickled(core: CoreModel, frames: list[Frame], settings: dict[str, Any]) -> Model:
    model = Model.__new__(Model)
    model._take(core, frames)
    model._set(settings)
    return model


def _other_name(name: str, of: str) -> property:
    def read(self: Model) -> Array:
        return getattr(self, of)

    def write(self: Model, value: Any) -> None:
        setattr(self, of, value)

    return property(read, write, doc=f"The older name of `{of}`.")


for _name, _of in (
    ("effortLimit", "upperEffortLimit"),
    ("velocityLimit", "upperVelocityLimit"),
    ("friction", "upperDryFrictionLimit"),
):
    setattr(Model, _name, _other_name(_name, _of))
