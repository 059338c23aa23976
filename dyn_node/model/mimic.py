"""Joints that follow others: who leads whom, and by which multiplier and offset."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import ModelError
from .joint import Joint, Mimic
from .joint_kinds import KINDS


def resolve(joint: Joint, joints: Mapping[str, Joint], fixed: frozenset[str] = frozenset()) -> Mimic:
    """The joint that leads by itself at the end of a follower's chain of leaders.

    With p = m1 l1 + o1 and l1 = m2 l2 + o2, p = (m1 m2) l2 + (m1 o2 + o1).

    Args:
        joint: the follower.
        joints: every joint by name; fixed: names of joints that do not move.

    Raises:
        ModelError: no such leader, it does not move, it is not of one degree of freedom, a circle of
            followers, or the follower is not of one degree of freedom. It names both joints.
    """
    assert joint.mimic is not None
    _check_one_coordinate(joint, f"joint {joint.name!r} cannot follow {joint.mimic.joint!r}: it is")
    multiplier, offset, at, passed = 1.0, 0.0, joint, [joint.name]
    while at.mimic is not None:
        step = at.mimic
        multiplier, offset = multiplier * step.multiplier, multiplier * step.offset + offset
        follows = f"joint {at.name!r} follows {step.joint!r},"
        if step.joint in passed:
            circle = " -> ".join([*passed, step.joint])
            raise ModelError(
                f"{follows} which follows it in turn: {circle}", step.joint, "a joint that moves by itself"
            )
        if step.joint in fixed:
            raise ModelError(
                f"{follows} which is a fixed joint", step.joint, "a joint of one degree of freedom"
            )
        if step.joint not in joints or step.joint == "universe":
            raise ModelError(f"{follows} which does not exist", step.joint, tuple(joints)[1:])
        at = joints[step.joint]
        passed.append(at.name)
        _check_one_coordinate(at, f"{follows} which is")
    return Mimic(at.name, multiplier, offset)


def _check_one_coordinate(joint: Joint, sentence: str) -> None:
    if joint.parts or KINDS[joint.kind].nv != 1:
        raise ModelError(
            f"{sentence} a {joint.kind} joint; only joints of one degree of freedom lead and follow",
            joint.kind,
            tuple(kind.name for kind in KINDS.values() if kind.nv == 1),
        )
