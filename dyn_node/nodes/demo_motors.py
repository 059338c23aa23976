"""The demo robot's motors and brakes, and its position servo. Free of rclpy."""

from __future__ import annotations

import enum

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


class Mode(enum.Enum):
    """What holds or moves the joints."""

    BRAKED = "braked"  # every joint is locked, motors give nothing
    DRIVEN = "driven"  # motors give the commanded effort plus the servo's
    LIMP = "limp"  # no brakes, no torque: the robot falls


class Motors:
    """Decides between brakes and motors, as an arm's controller cabinet does.

    The brakes are on until the first effort arrives. When efforts stop coming for `timeout` seconds
    the brakes lock again (or, with `fall`, the motors go limp) until efforts come back. The two
    switches stand above that: `brake` before `powered`.

    Attributes:
        command: (n,) the last effort that was received.
        brake: True locks the joints.
        powered: False makes the motors give nothing while the brakes stay off.
    """

    def __init__(self, n: int, timeout: float, fall: bool) -> None:
        self.command = np.zeros(n)
        self.brake = False
        self.powered = True
        self._timeout = timeout
        self._after = Mode.LIMP if fall else Mode.BRAKED
        self._silence: float | None = None

    def receive(self, effort: Array) -> None:
        """Take a new effort (n,)."""
        self.command[:] = effort
        self._silence = 0.0

    def wait(self, duration: float) -> None:
        """Count `duration` seconds in which messages could have been received."""
        if self._silence is not None:
            self._silence += duration

    @property
    def mode(self) -> Mode:
        """What holds now."""
        if self.brake:
            return Mode.BRAKED
        if not self.powered:
            return Mode.LIMP
        if self._silence is None:
            return Mode.BRAKED
        return Mode.DRIVEN if self._silence <= self._timeout else self._after


class Servo:
    """A PD position servo on each joint that follows a path through given points, at rest in each.

    It knows nothing of gravity: alone, it would hold the robot below its reference by the gravity
    torque over the stiffness. Gravity comes only from the effort that the robot is sent.

    Between two points the reference runs along the fifth-order polynomial with zero velocity and
    acceleration at both ends (minimum jerk).
    """

    def __init__(self, n: int, frequency: float) -> None:
        self._n, self._frequency = n, frequency
        self._times: Array = np.zeros(0)
        self._points: Array = np.zeros((0, n))
        self._stiffness = self._damping = np.zeros(n)

    @property
    def active(self) -> bool:
        """Whether there is a path to follow."""
        return self._times.size > 0

    def follow(self, start: Array, points: Array, times: Array, now: float, inertia: Array) -> None:
        """Follow a path from now on.

        Args:
            start: (n,) reference at `now`.
            points: (k, n) positions to pass, (k,) `times` after now in seconds, increasing, above 0.
            inertia: (n,) what each motor feels, which sets the gains.
        """
        self._points = np.vstack([start, points])
        self._times = now + np.concatenate([[0.0], times])
        self.tune(inertia)

    def tune(self, inertia: Array) -> None:
        """Set the gains for motors that feel this inertia (n,): a foot was set down or lifted."""
        self._stiffness = inertia * self._frequency**2
        self._damping = 2.0 * inertia * self._frequency

    def release(self) -> None:
        """Stop acting."""
        self._times, self._points = np.zeros(0), np.zeros((0, self._n))

    def reference(self, now: float) -> tuple[Array, Array]:
        """Reference position and velocity at `now`, (n,) each. Only while active."""
        i = int(np.searchsorted(self._times, now, side="right"))
        if i >= self._times.size:
            return self._points[-1], np.zeros(self._n)
        i = max(i, 1)
        span = self._times[i] - self._times[i - 1]
        s = (now - self._times[i - 1]) / span
        blend = s**3 * (10.0 - 15.0 * s + 6.0 * s * s)
        slope = 30.0 * (s * (1.0 - s)) ** 2 / span
        step = self._points[i] - self._points[i - 1]
        return self._points[i - 1] + blend * step, slope * step

    def effort(self, position: Array, velocity: Array, now: float) -> Array:
        """Effort (n,) to add to the motors' command. Only while active."""
        target, rate = self.reference(now)
        return self._stiffness * (target - position) + self._damping * (rate - velocity)
