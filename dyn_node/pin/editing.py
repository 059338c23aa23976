"""New models out of old ones: joints locked, robots joined."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import InvalidValueError
from ..model import Model as CoreModel
from ..model.editing import append, reduce
from .model import Model
from .placement import SE3
from .values import numbers


def buildReducedModel(
    model: Model, list_of_joints_to_lock: Iterable[int], reference_configuration: Any
) -> Model:
    """The model with some joints, given by index, fixed where the configuration has them."""
    q = numbers("reference_configuration", reference_configuration, (model.nq,))
    core, locked = model.renamed_core(), {}
    for index in map(int, list_of_joints_to_lock):
        if not 0 < index < model.njoints:
            raise InvalidValueError(
                f"joint {index} cannot be locked; joints are 1 to {model.njoints - 1}", index, model.njoints
            )
        joint = core.joints[index]
        locked[joint.name] = q[joint.idx_q : joint.idx_q + joint.nq]
    reduced = _without_added_frames(reduce(core, locked), model)
    kept = [i for i, joint in enumerate(model.joints) if core.joints[i].name not in locked]
    entries = [
        k for i in kept for k in range(model.joints[i].idx_q, model.joints[i].idx_q + model.joints[i].nq)
    ]
    reduced.referenceConfigurations = {
        name: values[entries] for name, values in model.referenceConfigurations.items()
    }
    return reduced


def appendModel(modelA: Model, modelB: Model, frame_in_modelA: int, aMb: SE3) -> Model:
    """Two robots as one: the universe of B at a placement in a frame of A."""
    joined = append(modelA.renamed_core(), modelB.renamed_core(), int(frame_in_modelA), aMb.value)
    return _without_added_frames(joined, modelA, modelB)


def _without_added_frames(core: CoreModel, *sources: Model) -> Model:
    """Less the frames that the library gave joints for which the sources have none."""
    model = Model._from_core(core)
    known = {(frame.name, frame.type) for source in sources for frame in source.frames}
    joints = {name for source in sources for name in source.names[1:]}
    added = {
        i
        for i, f in enumerate(model.frames)
        if f.name in joints and not any(f.name == name for name, _ in known)
    }
    if added:
        _drop_frames(model, added)
    return model


def _drop_frames(model: Model, added: set[int]) -> None:
    number = {old: new for new, old in enumerate(i for i in range(model.nframes) if i not in added)}
    kept = [frame for i, frame in enumerate(model.frames) if i not in added]
    for frame in kept:
        before = frame.parentFrame
        while before in added:
            before = model.frames[before].parentFrame
        frame.parentFrame = number[before]
    model.frames = type(model.frames)(kept)
    model._core = None
