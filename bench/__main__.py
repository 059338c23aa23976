"""Runs the benchmark: `python -m bench`, or `make bench BENCH_ARGS=...`."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path

from . import machine
from .alone import rows_of
from .options import FULL, QUICK, Options
from .peers import MissingPeerError, need
from .results import Report
from .robots import ROBOTS

#: Each is a module of this package with a `run(options)` that yields rows.
PARTS = ("per_call", "compiled", "mujoco", "drake", "numpy_loop", "growth", "batch", "node", "startup")
#: Left out without a word of failure where its peer is not installed.
OPTIONAL = ("drake",)
_RESULTS = Path(__file__).resolve().parent / "results"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; 0 when every part was measured."""
    given = _parser().parse_args(arguments)
    try:
        need("rich")
    except MissingPeerError as error:
        print(error, file=sys.stderr)
        return 1
    from rich.console import Console

    options = QUICK if given.quick else FULL
    options = dataclasses.replace(options, robots=tuple(ROBOTS[name] for name in given.robots))
    report = Report(machine.describe())
    measure(report, given.parts, options, Console(stderr=True))
    return _publish(report, given)


def measure(report: Report, parts: Sequence[str], options: Options, console: object) -> None:
    """Run the parts one after the other; one that cannot run is noted, and the next one has its turn."""
    for part in parts:
        with console.status(f"{part} ...") as status:  # type: ignore[attr-defined]
            try:
                for row in rows_of(part, options):
                    report.rows.append(row)
                    status.update(f"{part}: {row.subject} {row.name}: {row.ratio:.2f}")
            except MissingPeerError as error:
                (report.left_out if part in OPTIONAL else report.failures)[part] = str(error)
            except Exception as error:
                report.failures[part] = f"{type(error).__name__}: {error}"


def _publish(report: Report, given: argparse.Namespace) -> int:
    """Tables to the terminal, JSON and picture to files; the exit code."""
    from rich.console import Console

    from . import plot, table

    console = Console(width=None if sys.stdout.isatty() else 160)
    table.show(report, console)
    writers = {"json": report.write, "plot": lambda path: plot.write(report, path)}
    for kind, ending in (("json", "json"), ("plot", "png")):
        path = _file(getattr(given, kind), report, ending)
        if path is None or not report.rows:
            continue
        try:
            writers[kind](path)
            console.print(f"written: {path}")
        except MissingPeerError as error:
            report.failures[kind] = str(error)
            console.print(f"{kind}: not written: {error}")
    return 1 if report.failures else 0


def _file(asked: str | None, report: Report, ending: str) -> Path | None:
    """Where to write: as asked, else a file named by the date; None for nowhere."""
    if asked == "none":
        return None
    stamp = report.machine["date"][:19].replace(":", "")
    return Path(asked) if asked else _RESULTS / f"bench-{stamp}.{ending}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="What dyn_node costs, as ratios to its peers measured in the same run.",
    )
    add = parser.add_argument
    parts, robots = ",".join(PARTS), ",".join(ROBOTS)
    files = f"(default: a new file in {_RESULTS.parent.name}/{_RESULTS.name}/; none: nowhere)"
    add("--parts", type=_part_names, default=PARTS, metavar="PART,...", help=f"of {parts} (default: all)")
    add("--robots", type=_robots, default=ROBOTS, metavar="ROBOT,...", help=f"of {robots} (default: all)")
    add("--quick", action="store_true", help="a look at everything; too few samples to quote")
    add("--json", metavar="FILE", help=f"where to write the figures {files}")
    add("--plot", metavar="FILE", help=f"where to write the picture {files}")
    return parser


def _names(text: str, allowed: Sequence[str]) -> tuple[str, ...]:
    """Comma-separated names, all of them known."""
    names = tuple(name for name in text.split(",") if name)
    unknown = [name for name in names if name not in allowed]
    if unknown or not names:
        given = ", ".join(unknown) or "nothing"
        raise argparse.ArgumentTypeError(f"{given}: expected some of {', '.join(allowed)}")
    return names


def _part_names(text: str) -> tuple[str, ...]:
    return _names(text, PARTS)


def _robots(text: str) -> tuple[str, ...]:
    return _names(text, tuple(ROBOTS))


if __name__ == "__main__":
    sys.exit(main())
