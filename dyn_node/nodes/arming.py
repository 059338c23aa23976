"""Whether torques may be commanded, and how gently they begin. Free of rclpy. Times are integer ns.

A command starts only when somebody asks for it while the state is known, and it ends by itself: when
the state goes stale, when the robot's model changes, when the clock jumps back. It does not start again
by itself either, unless the parameter `arm_automatically` says so. Whatever starts or changes the
command, it moves there from the last command (zero at the start) within `start_ramp`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .conversions import NANOSECONDS

Array = npt.NDArray[np.float64]


class Arming:
    """The switch of `effort_command`.

    Attributes:
        armed: whether commands may be sent.
        reason: why they may not; empty when they may.
        stopped: whether something else than a request ended the last command.
        stops: how often that happened.
    """

    def __init__(self) -> None:
        self.armed = False
        self.reason = "not armed yet; call ~/enable"
        self.stopped = False
        self.stops = 0
        self.envelope = Envelope()
        self._usable = 0

    def arm(self, now: int) -> None:
        """Let commands through, from zero."""
        self.armed, self.stopped, self.reason = True, False, ""
        self._usable = now
        self.envelope = Envelope()

    def disarm(self, reason: str, asked: bool = False) -> None:
        """Let no more commands through; `asked` when a request, not a fault, is the reason."""
        if self.armed and not asked:
            self.stopped = True
            self.stops += 1
        if self.armed or asked:
            self.armed, self.reason = False, reason
            self.stopped = self.stopped and not asked

    def silence(self, now: int, timeout: float) -> float:
        """Note that the state is usable now; how long it was not (s), 0 below `timeout` seconds."""
        gap = (now - self._usable) / NANOSECONDS
        self._usable = now
        return gap if gap > timeout else 0.0


class Envelope:
    """Keeps a command from stepping: a ramp to where it shall be, a bound on its rate, a bound on its size.

    Attributes:
        rate_limited: places whose rate was bounded in the last call; cut: places whose size was.
    """

    def __init__(self) -> None:
        self._last: Array | None = None
        self._from: Array | None = None
        self._began = self._sent = 0
        self.rate_limited = self.cut = np.zeros(0, dtype=bool)

    def change(self) -> None:
        """Expect a step in what is wished, which is to be ramped: a parameter was changed."""
        self._from = None

    def shape(
        self, wish: Array, now: int, ramp: float, rate: Array | None, bound: Array, pause: float
    ) -> Array:
        """The command (n,) for the wish (n,).

        Args:
            ramp: seconds; rate, bound: (n,), rate None for none.
            pause: after that many seconds without a command the next one starts from zero again.
        """
        last = self._last
        if last is None or now - self._sent > pause * NANOSECONDS or now < self._sent:
            last, self._from, self._sent = np.zeros_like(wish), None, now
        if self._from is None:
            self._from, self._began = last, now
        elapsed = (now - self._began) / NANOSECONDS
        goal = wish if elapsed >= ramp else self._from + elapsed / ramp * (wish - self._from)
        slow = goal
        if rate is not None:
            reach = rate * ((now - self._sent) / NANOSECONDS)
            slow = np.minimum(np.maximum(goal, last - reach), last + reach)
        command = np.minimum(np.maximum(slow, -bound), bound)
        self.rate_limited, self.cut = slow != goal, command != slow
        self._last, self._sent = command, now
        return command

    def share(self, now: int, ramp: float) -> float:
        """How much of the ramp is done, 0 to 1."""
        if self._last is None or self._from is None:
            return 0.0
        return 1.0 if ramp <= 0.0 else min(1.0, max(0.0, (now - self._began) / NANOSECONDS / ramp))
