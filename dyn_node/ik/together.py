"""Restarts on several threads at once, with the answer that one thread would give.

Each thread does a stretch of the restart sequence; the stretches are looked at in their order, so that the
earliest solution counts, whichever thread was the first to find one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algorithms.threads import cores, run_together
from ..kernels import ik as _ik
from ..kernels.batch_loop import Chunk, loops
from ..kernels.engine import _by_call
from .chain import after_steps

Vector = NDArray[np.float64]

#: Seconds that one thread searches alone: in so short a time others find less than it costs to ask them.
ALONE = 5e-3
#: Seconds of a stretch: some times what it takes to wake a thread, and a part of what the search took so far.
_STRETCH, _PART = 1e-3, 0.25
#: However long the search takes: an interrupt waits for the stretch that is begun.
_LONGEST = 0.1
_NO_END = 2**62
#: Number of the descent that ends a thread's stretch.
_LAST = 2**40


def can_share(threads: int) -> bool:
    """Whether restarts can be shared out: more than one thread, and machine code that runs beside others."""
    return threads > 1 and loops(_by_call[id(_ik.search)])


def stretch_of(pace: float, spent: float, left: float, threads: int, descents: int) -> int:
    """How many descents each thread should do next; none where what is left is not worth to be shared.

    Args:
        pace: seconds of a descent; spent: the seconds that the search took so far; left: those that it may
            take. A stretch is planned for half of them at most: whoever loses its core is still in time.
        threads: how many share the descents that are left.
    """
    seconds = min(max(_STRETCH, _PART * spent), 0.5 * left, _LONGEST)
    return int(min(seconds / pace, descents // threads)) if seconds >= _STRETCH else 0


class SharedSearch:
    """A search that goes on by stretches of descents, one on each thread: `kernels.ik.search` on each."""

    def __init__(
        self, robot: Any, request: Any, at: Vector, mode: int, threads: int, start: float, end: float
    ) -> None:
        """Of a search that one thread has begun.

        Args:
            robot: records, scratch, frames and the frame's number; request: from target to number.
            at: the seed, inside the limits; mode: of the search.
            threads: how many, the caller's among them.
            start, end: of the search's time, of `time.perf_counter`.
        """
        self._arguments = robot, request, at, mode
        self._threads, self._start, self._end = threads, start, end
        self._pace = 0.0
        self._chunks: list[Chunk] = []

    def go_on(self, now: float, most: int, point: Vector, state: Vector, kept: Vector) -> bool:
        """Do one stretch on each thread; False where that is not worth it now, and nothing was done.

        A thread that has lost its core when the time is up is not waited for.

        Args:
            now: the time; most: descents that the search may take.
            point: where the restart sequence stands, moved on here.
            state: of the search; kept: (nq,), its best configuration.
        """
        spent = now - self._start
        if spent < ALONE:
            return False
        self._pace = self._pace or spent / state[_ik.DESCENTS]
        left = int(most - state[_ik.DESCENTS])
        # Threads that have to take turns are slower, the caller's among them.
        seconds = (self._end - now) * min(1.0, cores() / self._threads)
        stretch = stretch_of(self._pace, spent, seconds, self._threads, left)
        if stretch < 2:
            return False
        if not self._chunks:
            self._lay_out()
        self._begin(point, stretch)
        run_together([chunk.run for chunk in self._chunks], self._threads, self._end)
        self._gather(stretch, state, kept)
        return True

    def _lay_out(self) -> None:
        """What the threads work on."""
        robot, request, at, mode = self._arguments
        self._points = np.empty((self._threads, len(request[-2])))
        self._states = np.zeros((self._threads, _ik.STATE))
        self._found, answers = np.empty((self._threads, len(at))), np.empty(self._threads, np.int64)
        arguments = [*robot, *request, at, self._points, mode, _NO_END, _LAST, self._states, self._found]
        # None on the caller's own scratch, which is used again while a late thread still writes to its copy.
        self._chunks = [
            Chunk(_by_call[id(_ik.SEARCHES[mode])], arguments, range(k, k + 1), answers, own=False)
            for k in range(self._threads)
        ]

    def _begin(self, point: Vector, stretch: int) -> None:
        steps = self._arguments[1][-2]
        for k in range(self._threads):
            self._points[k] = after_steps(point, steps, k * stretch)
        point[:] = after_steps(point, steps, self._threads * stretch)
        # As if each had had all descents but these, the first from the seed, and nothing had come of them.
        self._states[:] = 0.0
        self._states[:, _ik.DESCENTS] = _LAST - stretch
        self._states[:, [_ik.METRES, _ik.RADIANS, _ik.SCORE]] = np.inf
        for chunk in self._chunks:
            chunk.through = False

    def _gather(self, stretch: int, state: Vector, kept: Vector) -> None:
        """Look at the stretches in their order, those that are through by now."""
        through = [chunk.through for chunk in self._chunks]  # a late one may be so at any moment
        if any(chunk.refused for chunk in self._chunks):
            raise ValueError("the kernel refused the sizes of its arguments")
        for other, q in zip(self._states[through], self._found[through], strict=True):
            state[_ik.DESCENTS] += other[_ik.DESCENTS] - (_LAST - stretch)
            state[_ik.ITERATIONS] += other[_ik.ITERATIONS]
            _keep(state, kept, other, q)
            if self._arguments[-1] == _ik.SPEED and state[_ik.SUCCESS]:
                state[_ik.DONE] = 1.0
                return


def _keep(state: Vector, kept: Vector, other: Vector, q: Vector) -> None:
    """What `kernels.ik.keep` does, for the best of a stretch."""
    if other[_ik.SUCCESS] != state[_ik.SUCCESS]:
        better = bool(other[_ik.SUCCESS])
    else:
        better = bool(other[_ik.SCORE] < state[_ik.SCORE])
    if better:
        kept[:] = q
        for entry in (_ik.METRES, _ik.RADIANS, _ik.SCORE, _ik.SUCCESS):
            state[entry] = other[entry]
