"""Wall-clock stamps for times of the steady clock. Free of rclpy."""

from __future__ import annotations

import time


class WallClock:
    """Turns `time.monotonic()` seconds into nanoseconds since the epoch.

    Two stamps differ by exactly what their steady times differ by, unless the wall clock was set
    in between: reading both clocks anew for every stamp would add the pause between the readings.
    """

    #: A wall clock that is off by more than this was set, or has been slewed that far.
    TOLERANCE_NS = 1_000_000
    #: Two readings of the steady clock further apart than this do not date the one between them.
    LONGEST_READING = 1e-4

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def nanoseconds(self, steady: float) -> int:
        """The wall clock's reading (ns) at `steady` seconds of the steady clock."""
        before = time.monotonic_ns()
        wall = time.time_ns()
        after = time.monotonic_ns()
        offset = wall - (before + after) // 2
        if after - before < self.LONGEST_READING * 1e9 and abs(offset - self._offset) > self.TOLERANCE_NS:
            self._offset = offset
        return int(steady * 1e9) + self._offset
