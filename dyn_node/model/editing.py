"""New models out of old ones: joints locked, parts removed, robots joined, payloads and frames added."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, SupportsIndex

import numpy as np

from ..errors import InvalidValueError, ModelError, ShapeError
from ..kernels.engine import compile_kernel
from ..kernels.kinematics import forward_kinematics_0
from ..spatial import SE3, Inertia
from .builder import ModelBuilder
from .joint import Joint
from .joint_kinds import Array
from .model import Model
from .transplant import Place, Transplant

#: How far the length of a given quaternion or (cos, sin) may be from one; it is then normalised.
_UNIT_TOLERANCE = 1e-3


def reduce(model: Model, locked: Mapping[str, Any] | Iterable[str]) -> Model:
    """The model with some joints locked in place.

    A locked joint becomes a fixed one: its coordinates go, what it moved is lumped into the joint
    before it, frames keep their names and order. Armature and friction of a locked joint go with it.
    The followers of a locked joint are locked where they stand.

    Args:
        model: the robot.
        locked: position of each joint to lock, by its name: a number, or nq numbers; for a continuous
            joint an angle or (cos, sin); None for the neutral position. Or just the names.
            Not a follower: lock its leader.

    Raises:
        UnknownJointError: no such joint.
        ModelError: the universe and followers cannot be locked.
        ShapeError, InvalidValueError: a position of the wrong size, not finite, or not of unit length.
    """
    values = dict(locked) if isinstance(locked, Mapping) else dict.fromkeys(locked)
    q = np.array(model.neutral)
    indices: list[int] = []
    for name, value in values.items():
        joint = model.joints[model.joint_id(name)]
        if joint.index == 0:
            raise ModelError("the universe does not move: it cannot be locked", name, model.joint_names[1:])
        if joint.mimic is not None:
            leader = joint.mimic.joint
            raise ModelError(f"joint {name!r} follows {leader!r}: lock {leader!r} instead", name, leader)
        q[joint.idx_q : joint.idx_q + joint.nq] = _position(joint, value)
        followers = [j.index for j in model.joints if j.mimic is not None and j.mimic.joint == joint.name]
        indices += [joint.index, *followers]
    builder = ModelBuilder(model.name)
    Transplant(builder, model, locked=_placements(model, q, indices)).run()
    return builder.build(model.gravity)


def append(
    model: Model, other: Model, frame: str | SupportsIndex, placement: SE3 | None = None, prefix: str = ""
) -> Model:
    """Two robots as one: `other` fixed to a frame of `model`, its world there.

    Args:
        model, other: the robots; gravity is that of `model`.
        frame: of `model`, that carries the other's world.
        placement: of the other's world in that frame; identity if left out.
        prefix: put before every name of `other`.

    Raises:
        UnknownFrameError: no such frame.
        ModelError: a name of `other` is in use in `model`: give a prefix.
    """
    placement = SE3.Identity() if placement is None else placement
    builder, base = _builder_of(model, frame)
    mount = Place(base.joint, base.placement * placement, base.frame)
    Transplant(builder, other, mount, prefix).run()
    return builder.build(model.gravity)


def remove(model: Model, frame: str | SupportsIndex) -> Model:
    """The model without a part and all that hangs on it.

    The part is named by its frame: a link, a fixed joint, a joint or a frame that was added.
    The links that go take their inertia with them. A joint whose leader goes moves by itself.

    Raises:
        UnknownFrameError: no such frame.
        ModelError: the universe cannot be removed.
    """
    first = model.frame_id(frame)
    if first == 0:
        raise ModelError("the universe cannot be removed", frame, [f.name for f in model.frames[1:]])
    gone = {first}
    for each in model.frames[1:]:
        if each.parent_frame in gone:
            gone.add(each.index)
    builder = ModelBuilder(model.name)
    Transplant(builder, model).run(gone)
    return builder.build(model.gravity)


def add_frame(model: Model, name: str, parent: str | SupportsIndex, placement: SE3 | None = None) -> Model:
    """The model with one more frame, the last, at a placement in the frame `parent`.

    Raises:
        UnknownFrameError: no such parent.
        ModelError: an added frame has this name already.
    """
    placement = SE3.Identity() if placement is None else placement
    builder, base = _builder_of(model, parent)
    builder.add_frame(name, base.joint, base.placement * placement, parent_frame=base.frame)
    return builder.build(model.gravity)


def add_payload(
    model: Model,
    frame: str | SupportsIndex,
    mass: float,
    com: Sequence[float] | Array = (0.0, 0.0, 0.0),
    inertia: Sequence[Sequence[float]] | Array | None = None,
    name: str | None = None,
) -> Model:
    """The model with a body fixed to a frame.

    Args:
        model: the robot.
        frame: that carries the payload, and whose axes it is given in.
        mass: kg; com: centre of mass (3,), m.
        inertia: (3, 3) about the centre of mass, kg m^2; a point mass if left out.
        name: of a link for it; without one no frame is added.

    Raises:
        UnknownFrameError: no such frame.
        InvalidValueError, ShapeError: negative mass, numbers that are not finite or too few.
        ModelError: a link has this name already.
    """
    body = Inertia(mass, com, np.zeros((3, 3)) if inertia is None else inertia)
    builder, base = _builder_of(model, frame)
    parent_frame = None if name is None else base.frame
    builder.append_body(base.joint, body, base.placement, name, parent_frame=parent_frame)
    return builder.build(model.gravity)


def subtree_masses(model: Model) -> Array:
    """Mass that each joint carries, kg, (njoints,): of its body and all after it; 0: of everything."""
    masses = np.array([inertia.mass for inertia in model.inertias])
    for joint in reversed(model.joints[1:]):
        masses[joint.parent] += masses[joint.index]
    return masses


def _position(joint: Joint, value: Any) -> Array:
    """A position of one joint, (nq,), from what the user of `reduce` gave."""
    what = f"position of joint {joint.name!r}"
    if value is None:
        return np.array(joint.neutral)
    position = np.array(value, dtype=np.float64)
    if position.ndim == 0 and joint.kind == "continuous":
        position = np.array([np.cos(position), np.sin(position)])
    if position.ndim == 0 and joint.nq == 1:
        position = position[None]
    if position.shape != (joint.nq,):
        raise ShapeError(what, f"shape {position.shape}", f"shape ({joint.nq},)")
    if not np.isfinite(position).all():
        raise InvalidValueError(f"{what}: {position.tolist()} is not finite", value, "finite numbers")
    for part in joint.directions:
        length = float(np.linalg.norm(position[part]))
        if abs(length - 1.0) > _UNIT_TOLERANCE:
            message = f"{what}: {position[part].tolist()} has length {length:.6g}, expected 1"
            raise InvalidValueError(message, value, f"length 1 within {_UNIT_TOLERANCE:g}")
        position[part] /= length
    return position


def _placements(model: Model, q: Array, indices: Iterable[int]) -> dict[int, SE3]:
    """Placements of joints in their parent joints at q."""
    data = model.create_data()
    compile_kernel(forward_kinematics_0)
    forward_kinematics_0(model.records, data.kinematics, q)
    records, placements = data.kinematics, {}
    for index in indices:
        last = model.joint_records[index]
        first = last + 1 - len(model.joints[index].elements)
        steps = [SE3(records["li_R"][k], records["li_p"][k]) for k in range(first, last + 1)]
        placements[index] = functools.reduce(operator.mul, steps)
    return placements


def _builder_of(model: Model, frame: str | SupportsIndex) -> tuple[ModelBuilder, Place]:
    """The model as a builder, and where a frame of the model is in it.

    The builder's numbers of joints follow the frames: an earlier edit that appended to one branch has
    put its joints before other branches whose frames are older, so they need not be the model's.
    """
    base = model.frames[model.frame_id(frame)]
    builder = ModelBuilder(model.name)
    copy = Transplant(builder, model)
    copy.run()
    carrier = copy.joints[base.parent_joint]
    return builder, Place(carrier.joint, base.placement, copy.frames[base.index])
