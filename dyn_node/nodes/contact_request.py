"""The contacts of a request: frames that do not accelerate, and what the ground does. Free of rclpy."""

from __future__ import annotations

from typing import Any

import numpy as np
from dyn_node_msgs.msg import FrameWrench, ResultCode

from dyn_node.algorithms.constraint_set import ConstraintSet
from dyn_node.algorithms.constraints import PointConstraint, RigidConstraint

from .answers import RefusedError
from .conversions import fill_six
from .request_parts import Array, Context, frame_index

#: By the request's constants POINT and RIGID.
_KINDS = (PointConstraint, RigidConstraint)
#: From this acceleration on (m/s^2, rad/s^2) contacts contradict each other; below it is rounding.
CONTRADICTION = 1e-6


def contacts(context: Context, request: Any) -> ConstraintSet | None:
    """The contacts that a request names, in the world's axes; None without any.

    Raises:
        UnknownFrameError: no such frame.
        RefusedError: kinds that do not fit the frames.
        InvalidValueError: a frame that does not move.
    """
    frames, kinds = list(request.contact_frames), list(request.contact_kinds)
    if kinds and len(kinds) != len(frames):
        raise RefusedError(
            ResultCode.INVALID_GOAL_CONSTRAINTS,
            f"contact_kinds has {len(kinds)} entries for {len(frames)} contact_frames; "
            "it must have as many, or none",
            len(kinds),
            (0, len(frames)),
        )
    wrong = [kind for kind in kinds if kind >= len(_KINDS)]
    if wrong:
        raise RefusedError(
            ResultCode.INVALID_GOAL_CONSTRAINTS,
            f"contact_kinds has {wrong[0]}; it must be 0 (POINT) or 1 (RIGID)",
            wrong[0],
            (0, 1),
        )
    if not frames:
        return None
    chosen = kinds or [0] * len(frames)
    return ConstraintSet(
        context.model,
        [
            _KINDS[kind](frame_index(context, name), reference="LOCAL_WORLD_ALIGNED")
            for name, kind in zip(frames, chosen, strict=True)
        ],
    )


def contact_wrenches(frames: list[str], ties: ConstraintSet, multipliers: Array) -> list[FrameWrench]:
    """What each contact exerts on the robot, in the order of the request."""
    answer = []
    # Locks and couplings, which would come out of order, are none of a request's.
    for name, part in zip(frames, ties.split(multipliers), strict=True):
        message = FrameWrench(frame=name, reference="LOCAL_WORLD_ALIGNED")
        fill_six(message.wrench.force, message.wrench.torque, np.pad(part, (0, 6 - len(part))))
        answer.append(message)
    return answer


def holds(ties: ConstraintSet, rank: int, residual: float) -> str:
    """A note where contacts hold the robot more than once, or contradict each other; empty otherwise.

    Args:
        rank: how many motions the contacts hold; residual: the largest acceleration that they leave.
    """
    note = ""
    if rank < ties.rows:
        note += (
            f"; the contacts hold {rank} motions with {ties.rows} forces and moments: "
            "of the many that fit the smallest are given"
        )
    if residual > CONTRADICTION:
        note += (
            f"; the contacts contradict each other: met by least squares, which leaves up to {residual:.3g} "
            "m/s^2 or rad/s^2"
        )
    return note


def supports(context: Context, rank: int) -> str:
    """A note where contacts cannot hold a base in every direction; empty otherwise.

    Args:
        rank: how many of the base's motions they can act on.
    """
    root = context.model.root_joint
    if root is None or rank >= root.nv:
        return ""
    return (
        f"; the contacts act on {rank} of the base's {root.nv} motions: base_wrench is what they leave, in "
        "the least-squares sense"
    )
