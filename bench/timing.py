"""Timing two statements against each other, so that a drift of the machine's speed hits both alike."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from timeit import Timer


@dataclasses.dataclass(frozen=True)
class Budget:
    """How much to measure: repetitions, each a block of calls that takes about `block` seconds.

    `rest` are seconds before each block: a peer's threads may keep a core busy for a while after its call.
    """

    repetitions: int
    block: float
    rest: float = 0.0


def calls_per_block(timer: Timer, block: float) -> int:
    """How many calls fill a block; the first call, which may compile, does not count."""
    timer.timeit(1)
    count = 1
    while count < 1 << 20:
        seconds = timer.timeit(count)
        if seconds >= 0.2 * block:
            return max(1, round(count * block / seconds)) if seconds > 0.0 else count
        count *= 2
    return count


def interleave(
    ours: Timer, theirs: Timer, budget: Budget, before: Callable[[int], None]
) -> tuple[list[float], list[float]]:
    """Seconds per call of both, repetition by repetition, each going first in every other one.

    Args:
        ours, theirs: what to time.
        before: called with the number of the repetition, to lay out the same inputs for both.
    """
    before(0)
    counts = {timer: calls_per_block(timer, budget.block) for timer in (ours, theirs)}
    seconds: dict[Timer, list[float]] = {ours: [], theirs: []}
    for repetition in range(budget.repetitions):
        before(repetition)
        for timer in (ours, theirs) if repetition % 2 else (theirs, ours):
            time.sleep(budget.rest)
            seconds[timer].append(timer.timeit(counts[timer]) / counts[timer])
    return seconds[ours], seconds[theirs]
