"""The acceleration at the moment when a robot at rest begins to fall, from its joint states."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dyn_node.nodes.demo_telemetry import State

Array = npt.NDArray[np.float64]

#: A motion that starts at rest runs the same forwards and backwards in time: its velocities are odd
#: functions of the time since the start.
POWERS = (1, 3, 5)
#: Messages that fix one coefficient for each power and the moment itself, with some to spare.
FEWEST = 7
_ROUNDS = 6


def initial_acceleration(before: State, fall: list[State]) -> Array:
    """Acceleration (n,) at the moment when the torques went.

    The moment is not in the messages, of which some may be lost around it. It is found together with
    the velocities' odd polynomials by least squares (Gauss-Newton on the moment, the coefficients
    eliminated), starting from where a cubic through the fall leaves the velocity from before.

    Args:
        before: the last state with torques, at rest.
        fall: at least `FEWEST` states without, in order.
    """
    origin, span = fall[0].stamp, fall[-1].stamp - fall[0].stamp
    time = np.array([state.stamp - origin for state in fall]) / span
    velocity = np.array([state.velocity for state in fall]) - before.velocity
    earliest = (before.stamp - origin) / span
    moment, small = _cubic_start(time, velocity, earliest), 1e-4
    for _ in range(_ROUNDS):
        residual = _fit(time - moment, velocity)[1]
        slope = (_fit(time - moment - small, velocity)[1] - residual) / small
        moment = float(np.clip(moment - slope @ residual / max(float(slope @ slope), 1e-300), earliest, 0.0))
    return np.asarray(_fit(time - moment, velocity)[0][0] / span)


def _fit(time: Array, velocity: Array) -> tuple[Array, Array]:
    """Coefficients of the powers for each joint, and what is left over."""
    basis = np.stack([time**power for power in POWERS], axis=1)
    coefficients = np.asarray(np.linalg.lstsq(basis, velocity, rcond=None)[0], dtype=np.float64)
    return coefficients, (basis @ coefficients - velocity).ravel()


def _cubic_start(time: Array, velocity: Array, earliest: float) -> float:
    """Where a cubic through the fastest joint's velocities is zero, by Newton's method from time 0."""
    fastest = int(np.argmax(np.abs(velocity[-1])))
    cubic = np.polynomial.Polynomial.fit(time, velocity[:, fastest], 3).convert()
    moment = 0.0
    for _ in range(3):
        slope = float(cubic.deriv()(moment))
        moment -= float(cubic(moment)) / slope if slope else 0.0
    return float(np.clip(moment, earliest, 0.0))
