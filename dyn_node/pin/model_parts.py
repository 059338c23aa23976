"""What a model is made of, from the library's model and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..errors import ModelError, ShapeError
from ..model import Frame as CoreFrame
from ..model import Joint, ModelBuilder
from ..model import Model as CoreModel
from ..model.frame import Link
from ..spatial import SE3 as CoreSE3
from .enums import FrameType
from .frame import KINDS, TYPES, Frame
from .inertia import Inertia
from .placement import SE3
from .values import Array, numbers

if TYPE_CHECKING:
    from .model import Model

#: Pinocchio's number for "no limit".
LARGEST = float(np.finfo(np.float64).max)
#: Pinocchio's limit of the entries of a continuous joint's (cos, sin).
CIRCLE_LIMIT = 1.01
EMPTY = np.zeros(0)


def universe() -> CoreModel:
    """A model of nothing but the universe."""
    return ModelBuilder("").build()


def _bounded(values: Array) -> Array:
    return np.clip(values, -LARGEST, LARGEST)


def limits_of(core: CoreModel) -> dict[str, Array]:
    """Every limit and coefficient under Pinocchio's name."""
    lower, upper = _bounded(core.lower_position_limit), _bounded(core.upper_position_limit)
    for joint in core.joints:
        if joint.kind == "continuous" and joint.nq:
            lower[joint.idx_q : joint.idx_q + 2] = -CIRCLE_LIMIT
            upper[joint.idx_q : joint.idx_q + 2] = CIRCLE_LIMIT
    effort, velocity = _bounded(core.effort_limit), _bounded(core.velocity_limit)
    return {
        "lowerPositionLimit": lower,
        "upperPositionLimit": upper,
        "positionLimitMargin": np.zeros(core.nq),
        "lowerEffortLimit": -effort,
        "upperEffortLimit": effort,
        "lowerVelocityLimit": -velocity,
        "upperVelocityLimit": velocity,
        "damping": own_coefficients(core, "damping"),
        "lowerDryFrictionLimit": -own_coefficients(core, "friction"),
        "upperDryFrictionLimit": own_coefficients(core, "friction"),
    }


class Limits:
    """The limits of one joint, as `addJoint` is given them."""

    #: Name, whether it has an entry for each of q (else of v), and what it is where nothing was given.
    FIELDS: ClassVar[dict[str, tuple[bool, float]]] = {
        "lowerPositionLimit": (True, -LARGEST),
        "upperPositionLimit": (True, LARGEST),
        "positionLimitMargin": (True, 0.0),
        "lowerEffortLimit": (False, -LARGEST),
        "upperEffortLimit": (False, LARGEST),
        "lowerVelocityLimit": (False, -LARGEST),
        "upperVelocityLimit": (False, LARGEST),
        "damping": (False, 0.0),
        "lowerDryFrictionLimit": (False, 0.0),
        "upperDryFrictionLimit": (False, 0.0),
    }
    NAMES = tuple(FIELDS)
    _SHORT = ("upperEffortLimit", "upperVelocityLimit", "lowerPositionLimit", "upperPositionLimit")
    _LONG = (
        "lowerEffortLimit",
        "upperEffortLimit",
        "lowerVelocityLimit",
        "upperVelocityLimit",
        "lowerPositionLimit",
        "upperPositionLimit",
        "positionLimitMargin",
        "lowerDryFrictionLimit",
        "upperDryFrictionLimit",
        "damping",
    )
    _LONG_WITHOUT_MARGIN = tuple(name for name in _LONG if name != "positionLimitMargin")

    def __init__(self, nq: int, nv: int, given: tuple[Any, ...]) -> None:
        self._nq, self._nv = nq, nv
        names = {len(n): n for n in ((), self._SHORT, self._LONG, self._LONG_WITHOUT_MARGIN)}
        if len(given) not in names:
            raise ShapeError("limits", f"{len(given)} of them", f"one of {sorted(names)}")
        self._given = dict(zip(names[len(given)], given, strict=True))
        if len(given) == len(self._SHORT):
            for name in ("EffortLimit", "VelocityLimit"):
                self._given[f"lower{name}"] = -np.asarray(self._given[f"upper{name}"])

    def append_to(self, model: Model) -> None:
        """Put the entries of this joint after those of the joints before."""
        for name, (of_q, default) in self.FIELDS.items():
            size = self._nq if of_q else self._nv
            own = np.full(size, default)
            if name in self._given:
                own = numbers(name, self._given[name], (size,))
            setattr(model, name, np.append(getattr(model, name), own))
        model.rotorInertia = np.append(model.rotorInertia, np.zeros(self._nv))
        model.rotorGearRatio = np.append(model.rotorGearRatio, np.ones(self._nv))


def frames_of(core: CoreModel) -> Iterator[Frame]:
    """The frames of a model; bodies that fixed joints carry are, as in Pinocchio, the joint's frame's."""
    inertias = {link.frame: link.inertia for link in core.links}
    carried = {
        frame.parent_frame: inertias[frame.index]
        for frame in core.frames
        if frame.index in inertias and core.frames[frame.parent_frame].kind == "fixed_joint"
    }
    # The root of a robot that is fixed to the world keeps its own.
    carried.update({i: inertia for i, inertia in inertias.items() if i and core.frames[i].parent_frame == 0})
    for frame in core.frames:
        placement = SE3._from_core(frame.placement)
        inertia = Inertia._from_core(carried[frame.index]) if frame.index in carried else Inertia.Zero()
        kind = TYPES[frame.kind]
        yield Frame(frame.name, frame.parent_joint, frame.parent_frame, placement, kind, inertia)


def bodies_of(core: CoreModel) -> int:
    """How many joints carry a body of their own; what a fixed joint hangs on them does not count."""
    own = [link for link in core.links if core.frames[core.frames[link.frame].parent_frame].kind == "joint"]
    return sum(link.inertia.mass > 0.0 for link in own)


def core_model(model: Model) -> CoreModel:
    """The library's model of a model as it is now."""
    _check_depth_first(model)
    joints, inertias = [], [inertia.value for inertia in model.inertias]
    for part, name, placement in zip(model._parts, model.names, model.jointPlacements, strict=True):
        own = {} if part.mimic else _coefficients(model, part)
        joints.append(replace(part, name=name, placement=_rotation_checked(placement, name), **own))
    frames = list(_core_frames(model))
    frame_of = {f.parent_joint: f.index for f in frames if f.kind in ("joint", "universe")}
    links = [Link("", frame_of[i], inertia) for i, inertia in enumerate(inertias)]
    return CoreModel(model.name, joints, inertias, frames, links, model.gravity.linear.copy())


def _coefficients(model: Model, part: Joint) -> dict[str, Any]:
    """Limits and coefficients of a joint, as the model has them now."""
    of_q, of_v = slice(part.idx_q, part.idx_q + part.nq), slice(part.idx_v, part.idx_v + part.nv)
    return {
        "lower": _unlimited(model.lowerPositionLimit[of_q]),
        "upper": _unlimited(model.upperPositionLimit[of_q]),
        "velocity_limit": _unlimited(model.velocityLimit[of_v]),
        "effort_limit": _unlimited(model.effortLimit[of_v]),
        "damping": model.damping[of_v],
        "friction": model.friction[of_v],
        "armature": model.armature[of_v],
    }


def own_coefficients(core: CoreModel, name: str) -> Array:
    """One entry a velocity coordinate: what followers make a leader feel is not in it, as in Pinocchio."""
    return np.concatenate([getattr(joint, name) for joint in core.joints if joint.mimic is None])


def _unlimited(values: Array) -> Array:
    return np.where(np.abs(values) >= LARGEST, np.copysign(np.inf, values), values)


def _rotation_checked(placement: SE3, name: str) -> CoreSE3:
    try:
        return CoreSE3(placement.rotation, placement.translation)
    except ValueError as error:
        raise ModelError(f"placement of joint {name!r}: {error}", placement, "a rotation") from None


def _core_frames(model: Model) -> Iterator[CoreFrame]:
    """Every frame of the model, then one for each joint that was given none."""
    framed = {0}
    for index, frame in enumerate(model.frames):
        kind = "universe" if index == 0 else KINDS[FrameType(frame.type)]
        if kind == "joint":
            kind = "joint" if frame.parentJoint not in framed else "operational"
            framed.add(frame.parentJoint)
        yield CoreFrame(frame.name, index, kind, frame.parentJoint, frame.parentFrame, frame.placement.value)
    index = len(model.frames)
    for joint in range(1, model.njoints):
        if joint not in framed:
            yield CoreFrame(model.names[joint], index, "joint", joint, 0, CoreSE3.Identity())
            index += 1


def _check_depth_first(model: Model) -> None:
    for joint in range(1, model.njoints):
        if model.parents[joint] not in model.supports[joint - 1]:
            raise ModelError(
                f"joint {model.names[joint]!r} was added after joint {model.names[joint - 1]!r}, which does "
                "not hang on the same branch: add the joints of a branch one after the other",
                model.names[joint],
                "joints in depth-first order",
            )
