"""The robot's state as both nodes see it: joints and base together, known and fresh or not. Free of rclpy."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from dyn_node.algorithms.configuration import neutral
from dyn_node.model.model import Model

from .base_intake import BaseIntake
from .conversions import NANOSECONDS
from .gravity_intake import GravityIntake
from .intake import JointIntake, Notify, ignore
from .joint_map import JointMap
from .settings import Settings

Array = npt.NDArray[np.float64]
#: What the base is called among the names of what is missing or stale.
BASE = "the base"
#: What gravity from a sensor is called there.
GRAVITY = "gravity (imu)"


@dataclass(frozen=True)
class Snapshot:
    """The robot's state at one moment, which no later message changes.

    Attributes:
        q, v: of the model; what is unknown stands at neutral and at rest and is listed.
        position: (n,) of the actuated joints as received: a continuous joint's turns are not in q.
        stamp: newest stamp among the parts used, ns; 0 when nothing is known.
        missing: joints (or BASE, GRAVITY) without a usable state; stale: age in s of those too old.
        clock_problem: why ages cannot be told; empty when they can.
        gravity: (3,) from the sensor, in the axes of the root link; None where a parameter gives it.
    """

    q: Array
    v: Array
    position: Array
    stamp: int = 0
    missing: tuple[str, ...] = ()
    stale: dict[str, float] = field(default_factory=dict)
    clock_problem: str = ""
    gravity: Array | None = None


class RobotState:
    """The state intake of one model.

    Attributes:
        joints: JointIntake; base: BaseIntake, None for a fixed base; map: JointMap.
        gravity: GravityIntake; None where a parameter gives gravity.
        q, v: filled by `refresh`; overwritten by the next one.
    """

    def __init__(self, model: Model, settings: Settings, notify: Notify = ignore) -> None:
        self.model = model
        self.map = JointMap(model)
        self.joints = JointIntake(self.map, settings.nan_velocity, notify, settings.max_jump)
        self.base = None
        if model.root_joint is not None:
            self.base = BaseIntake(
                model,
                settings.base_frame,
                settings.base_twist_frame,
                settings.base_pose_filter,
                settings.nan_velocity,
                notify,
            )
        self.gravity = None
        if settings.gravity_source == "imu":
            self.gravity = GravityIntake(model, settings.gravity, notify)
        self.q, self.v = neutral(model), np.zeros(model.nv)
        self._latest = 0
        self._worst_skew = 0

    def clear(self) -> None:
        """Forget the state."""
        for intake in (self.joints, self.base, self.gravity):
            if intake is not None:
                intake.clear()

    def follow(self, model: Model, settings: Settings) -> None:
        """The same robot under other settings."""
        self.model, self.joints.scrutiny.max_jump = model, settings.max_jump
        if self.gravity is not None:
            self.gravity.down = np.array(settings.gravity)

    def clock_is(self, now: int) -> bool:
        """Note the time; False, with the state cleared, when the clock has jumped back (a bag that loops)."""
        jumped = now < self._latest
        self._latest = now
        if jumped:
            self.clear()
        return not jumped

    def ready(self, now: int, timeout: float) -> bool:
        """Whether every joint and the base are known and no older than `timeout` seconds."""
        oldest = now - int(timeout * NANOSECONDS)
        base, joints = self.base, self.joints
        if base is not None and not (base.known and base.receipt >= oldest):
            return False
        gravity = self.gravity
        if gravity is not None and not (gravity.known and gravity.receipt >= oldest):
            return False
        # Lists: for a few joints quicker than NumPy's reductions, and this runs for every message.
        return False not in joints.known.tolist() and min(joints.receipts.tolist(), default=oldest) >= oldest

    def refresh(self) -> int:
        """Bring q and v up to the newest state; the newest stamp in it, ns."""
        joints = self.joints
        self.map.fill_q(self.q, joints.position)
        self.map.fill_v(self.v, joints.velocity)
        stamp = max(joints.stamps.tolist(), default=0)
        if self.base is not None:
            self.base.fill(self.q, self.v)
            self._worst_skew = max(self._worst_skew, abs(stamp - self.base.stamp) if stamp else 0)
            # A robot that streams joints is stamped by them; without joints the base is all there is.
            stamp = stamp or self.base.stamp
        return stamp

    def skew(self) -> float:
        """Longest time (s) between stamps of joints and base that were used together since the last call."""
        stamp = max(self.joints.stamps.tolist(), default=0)
        now = 0
        if self.base is not None and self.base.known and stamp:
            now = abs(stamp - self.base.stamp)
        worst, self._worst_skew = max(self._worst_skew, now), 0
        return worst / NANOSECONDS

    def missing(self) -> tuple[str, ...]:
        """Names of joints, BASE and GRAVITY, that have no usable state."""
        names = [self.map.names[slot] for slot in np.flatnonzero(~self.joints.known)]
        others = ((BASE, self.base), (GRAVITY, self.gravity))
        return (*(name for name, part in others if part is not None and not part.known), *names)

    def stale(self, now: int, timeout: float) -> dict[str, float]:
        """Age in seconds of what is known but older than `timeout` seconds."""
        ages = self.ages(now)
        return {name: age for name, age in ages.items() if age > timeout}

    def ages(self, now: int) -> dict[str, float]:
        """Age in seconds, since receipt, of everything known."""
        joints = self.joints
        ages = {
            self.map.names[slot]: (now - int(joints.receipts[slot])) / NANOSECONDS
            for slot in np.flatnonzero(joints.known)
        }
        for name, part in ((BASE, self.base), (GRAVITY, self.gravity)):
            if part is not None and part.known:
                ages[name] = (now - part.receipt) / NANOSECONDS
        return ages

    def snapshot(self, now: int, timeout: float) -> Snapshot:
        """A copy of the state with what is missing and what is stale in it."""
        missing, stale = self.missing(), self.stale(now, timeout)
        known = self.joints.known
        position, velocity = (
            np.where(known, self.joints.position, 0.0),
            np.where(known, self.joints.velocity, 0.0),
        )
        q, v = neutral(self.model), np.zeros(self.model.nv)
        self.map.fill_q(q, position)
        self.map.fill_v(v, velocity)
        stamps = self.joints.stamps[known]
        stamp = int(stamps.max()) if len(stamps) else 0
        if self.base is not None and self.base.known:
            self.base.fill(q, v)
            stamp = stamp or self.base.stamp
        gravity = None if self.gravity is None else self.gravity.vector
        return Snapshot(q, v, position, stamp, missing, stale, gravity=gravity)

    def why_not_ready(self, now: int, timeout: float) -> str:
        """A sentence about what keeps the state from being used; empty when nothing does."""
        missing, stale = self.missing(), self.stale(now, timeout)
        parts = []
        if missing:
            parts.append(f"no state yet of {', '.join(missing)}")
        if stale:
            parts.append("stale: " + ", ".join(f"{name} ({age:.2f} s)" for name, age in stale.items()))
        if parts:
            parts += [f"the last {what} was refused: {why}" for what, why in self.refusals().items()]
        return "; ".join(parts)

    def refusals(self) -> dict[str, str]:
        """Why the last message of an input was refused, by the kind of input."""
        inputs = {"joint_states": self.joints, "state of the base": self.base, "imu": self.gravity}
        return {
            name: intake.refusal for name, intake in inputs.items() if intake is not None and intake.refusal
        }
