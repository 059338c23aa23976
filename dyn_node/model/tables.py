"""The record arrays that kernels read, made from the joints and frames of a model."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..kernels import kinds
from ..kernels.engine import as_records
from ..kernels.records import FRAME, JOINT
from ..spatial import SE3, Inertia
from ..spatial.inertia import skew
from .frame import Frame
from .joint import Joint, SubJoint
from .joint_kinds import KINDS, Array, motion_subspace


def last_records(joints: Sequence[Joint]) -> tuple[int, ...]:
    """Per joint the last of its records, which carries its body: its own index without composites."""
    return tuple(itertools.accumulate((len(joint.elements) for joint in joints[1:]), initial=0))


def joint_records(
    joints: Sequence[Joint], inertias: Sequence[Inertia], gravity: Array, stamp: int
) -> npt.NDArray[np.void]:
    """The JOINT records of a model: one a joint, or a chain of as many as it has parts."""
    carrier = last_records(joints)
    records = np.zeros(carrier[-1] + 1, dtype=JOINT)
    for joint, inertia in zip(joints, inertias, strict=True):
        last = carrier[joint.index]
        first = last + 1 - len(joint.elements)
        _fill_chain(records[first : last + 1], joint)
        records["parent"][first : last + 1] = range(first - 1, last)
        records["parent"][first] = carrier[joint.parent] if joint.index else -1
        records[last]["mass"] = inertia.mass
        records[last]["h"], records[last]["I"] = inertia.first_moment, inertia.inertia_at_origin
    _follow(records, joints, carrier)
    records["last"] = _last_of_subtree(records["parent"])
    records[0]["nq"] = sum(joint.nq for joint in joints)
    records[0]["nv"] = sum(joint.nv for joint in joints)
    records[0]["gravity"], records[0]["stamp"] = gravity, stamp
    return as_records(records)


def _last_of_subtree(parents: npt.NDArray[np.int64]) -> list[int]:
    """Per record the last one of its subtree; they have to be in depth-first order."""
    last = list(range(len(parents)))
    for i in range(len(parents) - 1, 0, -1):
        last[parents[i]] = max(last[parents[i]], last[i])
    return last


def _fill_chain(chain: npt.NDArray[np.void], joint: Joint) -> None:
    """What the records of one joint say of its parts."""
    idx_q, idx_v, first = joint.idx_q, joint.idx_v, 0
    for record, part in zip(chain, joint.elements, strict=True):
        kind = KINDS[part.kind]
        placement = joint.placement * part.placement if first == 0 else part.placement
        _fill_part(record, part, placement)
        record["idx_q"], record["idx_v"], record["nq"], record["nv"] = idx_q, idx_v, kind.nq, kind.nv
        record["armature"][: kind.nv] = joint.armature[first : first + kind.nv]
        idx_q, idx_v, first = idx_q + kind.nq, idx_v + kind.nv, first + kind.nv


def _fill_part(record: np.void, part: SubJoint, placement: SE3) -> None:
    kind, axis = KINDS[part.kind], part.axis
    assert kind.code is not None  # parts are elementary: joint_parameters took chains apart
    R = placement.rotation
    record["kind"], record["axis"], record["pitch"] = kind.code, axis, part.pitch
    record["R"], record["p"] = R, placement.translation
    if kind.turns:
        record["R_cos"] = R @ (np.eye(3) - np.outer(axis, axis))
        record["R_sin"] = R @ skew(axis)
    record["S"][: kind.nv] = motion_subspace(part.kind, axis, part.pitch)


def _follow(records: npt.NDArray[np.void], joints: Sequence[Joint], carrier: Sequence[int]) -> None:
    """Make followers of the records of joints that follow."""
    kind_of = {joint.name: joint.kind for joint in joints}
    for joint in joints:
        if joint.mimic is None:
            continue
        record, ratio = records[carrier[joint.index]], joint.mimic.multiplier
        circle = kind_of[joint.mimic.joint] == "continuous"
        record["kind"] = kinds.FOLLOWER_OF_CIRCLE if circle else kinds.FOLLOWER_OF_LINE
        record["nq"] = 0
        record["ratio"], record["offset"] = ratio, joint.mimic.offset
        record["S"] *= ratio
        record["armature"] *= ratio * ratio
        if joint.kind == "prismatic":
            record["pitch"] = 1.0
        records[0]["followers"] += 1


def frame_records(frames: Sequence[Frame], carrier: Sequence[int]) -> npt.NDArray[np.void]:
    """The FRAME records of a model, one a frame; `carrier` are its `last_records`."""
    records = np.zeros(len(frames), dtype=FRAME)
    for frame in frames:
        record = records[frame.index]
        record["joint"] = carrier[frame.parent_joint]
        record["R"], record["p"] = frame.placement.rotation, frame.placement.translation
    return as_records(records)
