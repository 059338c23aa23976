"""The nodes' entry on /diagnostics, once a second."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue

from .state import RobotState

if TYPE_CHECKING:
    from .robot_node import RobotNode


#: Entries that make the status a warning when they are not empty.
WORRYING = (
    "saturated",
    "effort_command stopped",
    "not published",
    "unsupported",
    "feet that would have to pull",
)

#: Beyond a limit by this much (rad or m): encoders round.
_LIMIT_TOLERANCE = 1e-4


class CallbackTimes:
    """The last thousand durations of a callback."""

    def __init__(self) -> None:
        self._ring = np.zeros(1000)
        self.count = 0

    def add(self, seconds: float) -> None:
        """Note one duration."""
        self._ring[self.count % len(self._ring)] = seconds
        self.count += 1

    def summary(self) -> dict[str, str]:
        """Median and maximum in milliseconds; empty before the first."""
        known = self._ring[: min(self.count, len(self._ring))]
        if not len(known):
            return {}
        return {
            "callback median ms": f"{1e3 * np.median(known):.3f}",
            "callback maximum ms": f"{1e3 * known.max():.3f}",
        }


def state_values(state: RobotState, now: int, timeout: float) -> dict[str, str]:
    """What can be said of the intake: missing, stale, ages, counts, reasons."""
    stale, ages = state.stale(now, timeout), state.ages(now)
    values = {
        "missing": ", ".join(state.missing()),
        "stale": ", ".join(stale),
        "oldest s": f"{max(ages.values()):.3f}" if ages else "",
        "joint_states used": str(state.joints.accepted),
    }
    values.update(
        {f"joint_states refused: {why}": str(count) for why, count in state.joints.rejected.items()}
    )
    for name, part in (("base", state.base), ("imu", state.gravity)):
        if part is not None:
            values[f"{name} messages used"] = str(part.accepted)
            values.update({f"{name} refused: {why}": str(count) for why, count in part.rejected.items()})
    values["last refusals"] = "; ".join(f"{topic}: {why}" for topic, why in state.refusals().items())
    values["jumps"] = str(state.joints.scrutiny.count)
    return values


def outside_limits(state: RobotState) -> list[str]:
    """Names of joints whose known position is outside the URDF's limits (such positions are still used)."""
    joints, limits = state.joints, state.map
    low, high = limits.lower - _LIMIT_TOLERANCE, limits.upper + _LIMIT_TOLERANCE
    outside = joints.known & ((joints.position < low) | (joints.position > high))
    return [limits.names[slot] for slot in np.flatnonzero(outside)]


class Diagnostics:
    """Publishes one DiagnosticStatus for a node."""

    def __init__(self, node: RobotNode) -> None:
        self._node = node
        self._publisher = node.create_publisher(DiagnosticArray, "/diagnostics", 10)
        self._status = DiagnosticStatus(name=f"{node.get_fully_qualified_name()[1:]}: state", hardware_id="")
        self._message = DiagnosticArray(status=[self._status])
        self._last: dict[str, tuple[float, int]] = {}

    def publish(self, problem: str, concerns: dict[str, str]) -> None:
        """Publish; `problem` is why there is no output, `concerns` what is wrong otherwise, by its entry."""
        node, status = self._node, self._status
        values = {"model": "" if node.model is None else node.model.name}
        if node.source.refused:
            values["robot_description refused"] = f"{node.source.refused}: {node.source.reason}"
        if node.state is not None:
            values.update(state_values(node.state, node.now(), node.settings.state_timeout))
            inputs = {"joint_states": node.state.joints, "base": node.state.base, "imu": node.state.gravity}
            for name, intake in inputs.items():
                if intake is not None:
                    values[f"{name} rate Hz"] = f"{self._rate(name, intake.accepted):.1f}"
        values.update(concerns)
        values.update(node.report())
        warned = any(concerns.values()) or any(values.get(key) for key in WORRYING)
        level = (
            DiagnosticStatus.ERROR if problem else DiagnosticStatus.WARN if warned else DiagnosticStatus.OK
        )
        # Somebody has switched it off: nothing is wrong.
        status.level = level if node.active else DiagnosticStatus.OK
        status.message = problem or ("running, with warnings" if warned else "running")
        status.values = [KeyValue(key=key, value=value) for key, value in values.items()]
        self._message.header.stamp = node.get_clock().now().to_msg()
        self._publisher.publish(self._message)

    def _rate(self, name: str, count: int) -> float:
        now = time.monotonic()
        before, self._last[name] = self._last.get(name, (now - 1.0, 0)), (now, count)
        # A new model starts counting anew.
        return max(0, count - before[1]) / max(1e-6, now - before[0])
