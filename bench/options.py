"""What a run is asked to do."""

from __future__ import annotations

import dataclasses

from .robots import ROBOTS, Robot
from .startup_probe import CALLS
from .timing import Budget


@dataclasses.dataclass(frozen=True)
class Options:
    """How much of everything is measured.

    Attributes:
        robots: those that calls are measured on; start-up, only the first and the last.
        calls: of each call.
        starts: processes started for each figure of the start-up; cold_starts: with an empty kernel cache.
        first_calls: the algorithms that a fresh process calls, of startup_probe.CALLS; the first of them
            makes it ready.
        blocks: alternations between our node and the echo node.
        round_trips: of each node in a block.
        load_time: how long (s) a node is sent messages at a rate.
        searches: for each node's highest rate.
    """

    robots: tuple[Robot, ...]
    calls: Budget
    starts: int
    cold_starts: int
    first_calls: tuple[str, ...]
    blocks: int
    round_trips: int
    load_time: float
    searches: int


_ALL = tuple(ROBOTS.values())
_FIRST = tuple(CALLS)

#: What may be quoted.
FULL = Options(_ALL, Budget(60, 2e-3), 7, 2, _FIRST, blocks=8, round_trips=500, load_time=2.0, searches=3)

#: A look at everything; too few samples to quote.
QUICK = Options(
    _ALL, Budget(15, 5e-4), 2, 1, _FIRST[:2], blocks=2, round_trips=200, load_time=1.0, searches=1
)
