"""What one comparison gives, and how it is kept."""

from __future__ import annotations

import dataclasses
import json
import math
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any


@dataclasses.dataclass(frozen=True)
class Row:
    """One quantity of this library and of a peer.

    Attributes:
        part: the part of the benchmark; subject: what it was measured on (a robot); name: what was measured.
        peer: whom it is compared with; unit: of `ours` and `theirs`.
        ours, theirs: medians; ours_min, theirs_min: minima.
        ratio: ours to theirs, from pairs measured right after each other; 1.0 is a draw, less is faster.
        ratio_min: of the minima: what a quiet machine would show.
        note: anything a reader has to know.
    """

    part: str
    subject: str
    name: str
    peer: str
    unit: str
    ours: float
    theirs: float
    ours_min: float
    theirs_min: float
    ratio: float
    ratio_min: float
    note: str = ""

    def is_sound(self) -> bool:
        """Whether every number is finite and positive."""
        numbers = [value for value in dataclasses.astuple(self) if isinstance(value, float)]
        return all(math.isfinite(value) and value > 0.0 for value in numbers)


def row_of(
    where: tuple[str, str, str],
    peer: str,
    samples: tuple[Sequence[float], Sequence[float]],
    unit: str = "s",
    note: str = "",
) -> Row:
    """The row of paired samples: entry k of both was measured at about the same time.

    Args:
        where: part, subject, name.
        peer: whom the second list belongs to.
        samples: ours and theirs, equally many.
    """
    ours, theirs = samples
    least, least_peer = min(ours), min(theirs)
    return Row(
        *where,
        peer,
        unit,
        statistics.median(ours),
        statistics.median(theirs),
        least,
        least_peer,
        statistics.median(a / b for a, b in zip(ours, theirs, strict=True)),
        least / least_peer,
        note,
    )


@dataclasses.dataclass
class Report:
    """All of a run: the machine, the rows, what could not be run, and optional parts without their peer."""

    machine: dict[str, str]
    rows: list[Row] = dataclasses.field(default_factory=list)
    failures: dict[str, str] = dataclasses.field(default_factory=dict)
    left_out: dict[str, str] = dataclasses.field(default_factory=dict)

    def part(self, name: str) -> list[Row]:
        """The rows of one part."""
        return [row for row in self.rows if row.part == name]

    def parts(self) -> list[str]:
        """The parts that have rows, in the order of the run."""
        return list(dict.fromkeys(row.part for row in self.rows))

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dataclasses.asdict(self)

    def write(self, path: Path) -> None:
        """Write the report as JSON."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self.as_dict(), indent=1) + "\n", encoding="utf-8")
