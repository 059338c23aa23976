"""The record arrays that kernels read, made from the joints and frames of a model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..kernels.engine import as_records
from ..kernels.records import FRAME, JOINT
from ..spatial import Inertia
from ..spatial.inertia import skew
from .frame import Frame
from .joint import KINDS, Array, Joint


def last_of_subtree(joints: Sequence[Joint]) -> list[int]:
    """For each joint the index of the last joint of its subtree; joints have to be in depth-first order."""
    last = list(range(len(joints)))
    for joint in reversed(joints[1:]):
        last[joint.parent] = max(last[joint.parent], last[joint.index])
    return last


def joint_records(
    joints: Sequence[Joint], inertias: Sequence[Inertia], gravity: Array, stamp: int
) -> npt.NDArray[np.void]:
    """The JOINT records of a model, one a joint."""
    records = np.zeros(len(joints), dtype=JOINT)
    last = last_of_subtree(joints)
    for joint, inertia in zip(joints, inertias, strict=True):
        record = records[joint.index]
        record["kind"], record["parent"], record["last"] = joint.code, joint.parent, last[joint.index]
        record["idx_q"], record["idx_v"] = joint.idx_q, joint.idx_v
        record["nq"], record["nv"] = joint.nq, joint.nv
        record["R"], record["p"] = joint.placement.rotation, joint.placement.translation
        record["axis"], record["axis2"], record["pitch"] = joint.axis, joint.axis2, joint.pitch
        if KINDS[joint.kind].turns:
            record["R_cos"] = record["R"] @ (np.eye(3) - np.outer(joint.axis, joint.axis))
            record["R_sin"] = record["R"] @ skew(joint.axis)
        record["S"][: joint.nv] = joint.motion_subspace
        record["armature"][: joint.nv] = joint.armature
        record["mass"], record["h"], record["I"] = (
            inertia.mass,
            inertia.first_moment,
            inertia.inertia_at_origin,
        )
    records[0]["gravity"], records[0]["stamp"] = gravity, stamp
    return as_records(records)


def frame_records(frames: Sequence[Frame]) -> npt.NDArray[np.void]:
    """The FRAME records of a model, one a frame."""
    records = np.zeros(len(frames), dtype=FRAME)
    for frame in frames:
        record = records[frame.index]
        record["joint"] = frame.parent_joint
        record["R"], record["p"] = frame.placement.rotation, frame.placement.translation
    return as_records(records)
