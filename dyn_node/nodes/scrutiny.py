"""What looks wrong in joint positions that are used all the same. Free of rclpy."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from .joint_map import JointMap

Array = npt.NDArray[np.float64]
Slots = npt.NDArray[np.intp]
#: Differences below this (rad or m) are never told of two publishers: both may measure the same joint.
_SAME = 0.01
#: A position counts as one that was there before if it is this much nearer to it than to the last one.
_BACK = 0.25
#: So many returns between two looks, which are a second apart, are no accident.
_RETURNS = 3


class Scrutiny:
    """Compares each position with the one before. `jumps` and `rivals` say what was seen since they last did.

    Attributes:
        max_jump: rad or m from one message to the next; 0 for any.
        several: whether there are several publishers, without which rivals are not looked for.
        count: jumps so far.
    """

    def __init__(self, joints: JointMap, max_jump: float = 0.0) -> None:
        self._joints = joints
        self.max_jump = max_jump
        self.several = False
        self.count = 0
        self._jumps: dict[str, float] = {}
        self._other = np.full(len(joints.names), np.nan)
        self._returns = np.zeros(len(joints.names), dtype=np.int64)

    def see(self, slots: Slots, before: Array, now: Array, known: npt.NDArray[np.bool_]) -> None:
        """Take the positions (k,) of `slots`, and those that were in their place if `known`."""
        moved = np.abs(now - before)
        if self.max_jump > 0.0 and max(moved.tolist(), default=0.0) > self.max_jump:
            self._note_jumps(slots, moved, known)
        if self.several:
            self._note_returns(slots, before, now, moved, known)

    def _note_jumps(self, slots: Slots, moved: Array, known: npt.NDArray[np.bool_]) -> None:
        # A continuous joint may be given in turns or within one: a whole turn is no movement.
        turned = np.abs(moved - math.tau * np.round(moved / math.tau))
        moved = np.where(self._joints.turning[slots], turned, moved)
        for k in np.flatnonzero(known & (moved > self.max_jump)):
            name = self._joints.names[slots[k]]
            self._jumps[name] = max(float(moved[k]), self._jumps.get(name, 0.0))
            self.count += 1

    def _note_returns(
        self, slots: Slots, before: Array, now: Array, moved: Array, known: npt.NDArray[np.bool_]
    ) -> None:
        """Count where a position goes back to the one that it has just left."""
        changed = known & (moved > _SAME)
        other = self._other[slots]
        self._returns[slots] += changed & (np.abs(now - other) < _BACK * moved)
        self._other[slots] = np.where(changed, before, other)

    def jumps(self) -> dict[str, float]:
        """Largest jump of each joint that jumped since the last call, rad or m."""
        jumps, self._jumps = self._jumps, {}
        return jumps

    def rivals(self) -> tuple[str, ...]:
        """Joints whose position went to and fro between two values since the last call."""
        names = tuple(self._joints.names[k] for k in np.flatnonzero(self._returns >= _RETURNS))
        self._returns[:] = 0
        return names
