"""Restarts on several threads at once, with the answer that one thread would give.

Each thread does a stretch of the restart sequence; the stretches are looked at in their order, so that the
earliest solution counts, whichever thread was the first to find one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algorithms.threads import run_together
from ..kernels import ik as _ik
from ..kernels.batch_loop import Chunk, loops
from ..kernels.engine import _by_call

Vector = NDArray[np.float64]

#: Seconds that one thread searches alone: what is solved by then is solved sooner without others.
ALONE = 2e-3
#: Seconds of a stretch, some times what it takes to start a thread.
_STRETCH = 1e-3
_NO_END = 2**62


def can_share(threads: int) -> bool:
    """Whether restarts can be shared out: more than one thread, and machine code that runs beside others."""
    return threads > 1 and loops(_by_call[id(_ik.search)])


def stretch_of(state: Vector, spent: float, left: float, threads: int, most: int) -> int:
    """How many descents each thread should do next; none where there are too few left to share.

    Args:
        state: of the search; spent: the seconds that it took so far; left: those that it may take.
        most: descents that it may take.
    """
    done = state[_ik.DESCENTS]
    return int(min(done * min(_STRETCH, left) / spent, (most - done) // threads))


def search_together(
    robot: Any, request: Any, at: Vector, point: Vector, mode: int, threads: int, stretch: int,
    state: Vector, kept: Vector,
) -> None:  # fmt: skip
    """Go on with a search by a stretch of descents on each thread, as `kernels.ik.search` on each.

    Args:
        robot: records, scratch, frames and the frame's number; request: from target to number.
        at: the seed, inside the limits; point: where the restart sequence stands, moved on here.
        stretch: descents of each thread.
        state: of a search that has begun and has so many descents left; kept: (nq,), its best configuration.
    """
    steps = request[-2]
    points = np.empty((threads, len(point)))
    for row in points:
        row[:] = point
        for _ in range(stretch):
            point[:] = (point + steps) % 1.0
    states, found = np.zeros((threads, _ik.STATE)), np.empty((threads, len(kept)))
    # As if each had had its first descent, from the seed, and nothing had come of it.
    states[:, _ik.DESCENTS] = 1.0
    states[:, [_ik.METRES, _ik.RADIANS, _ik.SCORE]] = np.inf
    arguments = [*robot, *request, at, points, mode, _NO_END, 1 + stretch, states, found]
    answers, search = np.empty(threads, np.int64), _by_call[id(_ik.search)]
    chunks = [Chunk(search, arguments, range(k, k + 1), answers, own=k == 0) for k in range(threads)]
    run_together([chunk.run for chunk in chunks], len(chunks))
    if any(chunk.refused for chunk in chunks):
        raise ValueError("the kernel refused the sizes of its arguments")
    for other, q in zip(states, found, strict=True):
        state[_ik.DESCENTS] += other[_ik.DESCENTS] - 1.0
        state[_ik.ITERATIONS] += other[_ik.ITERATIONS]
        _keep(state, kept, other, q)
        if mode == _ik.SPEED and state[_ik.SUCCESS]:
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
