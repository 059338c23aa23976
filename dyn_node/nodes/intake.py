"""The joints' state by name, merged from whatever joint_states messages arrive. Free of rclpy.

A message may name any joints in any order. Each joint keeps the position, velocity, stamp and time
of receipt of the last message that named it. Times are integer nanoseconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .conversions import all_usable, usable
from .joint_map import Follower, JointMap
from .scrutiny import Scrutiny

Array = npt.NDArray[np.float64]
#: Told once per key about something a user should know; (key, sentence).
Notify = Callable[[str, str], None]
_MOST_PLANS = 64
#: Difference in rad or m at which a joint is said not to follow its leader.
_MIMIC_TOLERANCE = 0.01


class _Plan(NamedTuple):
    """What to do with messages of one list of names: entry source[k] goes to slot slots[k]."""

    names: list[str]
    source: npt.NDArray[np.intp]
    slots: npt.NDArray[np.intp]
    followers: list[tuple[int, Follower]]  # entries of joints that mimic another
    refusal: str  # why such messages are refused; empty when they are not


def ignore(key: str, text: str) -> None:
    """The notifier that tells nobody."""


class JointIntake:
    """What is known of every actuated joint of a robot.

    Attributes:
        position, velocity: (n,) by slot of the joint map; rad or m, rad/s or m/s.
        known: (n,) whether a joint has a state that may be used.
        stamps, receipts: (n,) header stamp and time of receipt, ns.
        accepted: messages used; rejected: messages refused, counted by reason.
        refusal: why the last message was refused; empty when it was used.
        disagreement: by name what joints that mimic another were last said to be instead.
        scrutiny: what looks wrong in positions that are used.
    """

    def __init__(
        self,
        joints: JointMap,
        nan_velocity: str = "zero",
        notify: Notify = ignore,
        max_jump: float = 0.0,
    ) -> None:
        count = len(joints.names)
        self.joints = joints
        self.position = np.zeros(count)
        self.velocity = np.zeros(count)
        self.known = np.zeros(count, dtype=bool)
        self.stamps = np.zeros(count, dtype=np.int64)
        self.receipts = np.zeros(count, dtype=np.int64)
        self.accepted = 0
        self.rejected: Counter[str] = Counter()
        self.refusal = ""
        self.disagreement: dict[str, str] = {}
        self.scrutiny = Scrutiny(joints, max_jump)
        self._nan_velocity = nan_velocity
        self._notify = notify
        self._plans: dict[tuple[str, ...], _Plan] = {}
        self._plan = self._make_plan(())

    def clear(self) -> None:
        """Forget the state, not the counts."""
        self.known[:] = False

    def update(
        self, names: Sequence[str], position: Array, velocity: Array, stamp: int, receipt: int
    ) -> bool:
        """Take one message; False when it was refused as a whole.

        Args:
            names: joint names; position, velocity: (len(names),), velocity may be empty (at rest).
            stamp: the message's stamp, ns; 0 stands for the time of receipt.
            receipt: time of receipt, ns.
        """
        if names != self._plan.names:
            self._plan = self._plan_for(tuple(names))
        plan = self._plan
        self.refusal = plan.refusal or self._wrong_length(len(names), position, velocity)
        if self.refusal:
            self.rejected[self.refusal] += 1
            return False
        slots = plan.slots
        new_position = position[plan.source]
        new_velocity = velocity[plan.source] if len(velocity) else np.zeros(len(slots))
        old_position = self.position[slots]
        if all_usable(new_position) and all_usable(new_velocity):
            self.scrutiny.see(slots, old_position, new_position, self.known[slots])
            self.known[slots] = True
        else:
            new_velocity = self._take_unusable(new_position, new_velocity)
            new_position = np.where(usable(new_position), new_position, old_position)
        self.position[slots] = new_position
        self.velocity[slots] = new_velocity
        self.stamps[slots] = stamp or receipt
        self.receipts[slots] = receipt
        if plan.followers:
            self._compare_followers(position)
        self.accepted += 1
        return True

    def _plan_for(self, names: tuple[str, ...]) -> _Plan:
        """The plan for a list of names, kept: several publishers take turns with lists of their own."""
        plan = self._plans.get(names)
        if plan is None:
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            plan = self._plans[names] = self._make_plan(names)
        return plan

    def _make_plan(self, names: tuple[str, ...]) -> _Plan:
        """Work out which entry of a message goes to which joint."""
        joints = self.joints
        ours = [(entry, joints.slot(name)) for entry, name in enumerate(names) if joints.has(name)]
        source, slots = (np.array([pair[k] for pair in ours], dtype=np.intp) for k in (0, 1))
        following = [(k, joints.followers[name]) for k, name in enumerate(names) if name in joints.followers]
        refusal = "" if ours or following else "names no joint of this robot"
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            refusal = "names a joint twice"
            self._notify("twice", f"joint_states names {', '.join(twice)} twice in one message: refused")
        extra = ", ".join(n for n in names if not joints.has(n) and n not in joints.followers)
        if extra:
            self._notify(
                f"extra {extra}", f"joint_states also names joints that this robot does not have: {extra}"
            )
        return _Plan(list(names), source, slots, following, refusal)

    def _wrong_length(self, count: int, position: Array, velocity: Array) -> str:
        """Why the arrays do not fit the number of names; empty when they do."""
        if len(velocity) == 0 and len(position) == count:
            self._notify("no velocity", "joint_states has no velocity: taken as zero")
            return ""
        for what, given in (("position", position), ("velocity", velocity)):
            if len(given) != count:
                refusal = f"{what} is {'shorter' if len(given) < count else 'longer'} than name"
                self._notify(
                    refusal, f"joint_states: {refusal} ({len(given)} entries, {count} names): message refused"
                )
                return refusal
        return ""

    def _take_unusable(self, position: Array, velocity: Array) -> Array:
        """Mark what is known where some entries are not finite; the velocities to keep."""
        slots = self._plan.slots
        fit_position, fit_velocity = usable(position), usable(velocity)
        self.known[slots] = fit_position & (fit_velocity | (self._nan_velocity != "reject"))
        if not fit_position.all():
            self.rejected["position of a joint is not finite"] += 1
            self._tell_not_finite("position", fit_position, "unknown until it is finite")
        if not fit_velocity.all():
            self.rejected["velocity of a joint is not finite"] += 1
            policy = {
                "zero": "taken as zero",
                "hold": "the last one is held",
                "reject": "the joint is unknown",
            }
            self._tell_not_finite("velocity", fit_velocity, policy[self._nan_velocity])
        instead = self.velocity[slots] if self._nan_velocity == "hold" else np.zeros(len(slots))
        return np.where(fit_velocity, velocity, instead)

    def _compare_followers(self, position: Array) -> None:
        """Note where a joint that mimics another is not where its leader puts it. The leader wins."""
        for entry, (name, leader, multiplier, offset) in self._plan.followers:
            expected = multiplier * self.position[leader] + offset
            if self.known[leader] and not abs(position[entry] - expected) <= _MIMIC_TOLERANCE:
                self.disagreement[name] = (
                    f"{name} is at {position[entry]:g}, but follows {self.joints.names[leader]} to "
                    f"{expected:g}, which is used"
                )
            elif self.disagreement:
                self.disagreement.pop(name, None)

    def _tell_not_finite(self, what: str, fit: npt.NDArray[np.bool_], then: str) -> None:
        names = ", ".join(self.joints.names[slot] for slot in self._plan.slots[~fit])
        self._notify(f"not finite {what}", f"joint_states: {what} of {names} is not finite: {then}")
