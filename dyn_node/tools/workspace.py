"""Map where a robot's frame can be brought.

    python -m dyn_node workspace robot.urdf --frame tool0 --out map.npz --plot map.png
    python -m dyn_node workspace robot.urdf --frame tool0 --orientations 50 --resolution 0.1
    python -m dyn_node workspace robot.urdf --frame tool0 --orientation 1 0 0 0    # the tool points down
    python -m dyn_node workspace robot.urdf --frame tool0 --avoid-collisions --srdf robot.srdf

Without orientations a point counts where the frame's origin gets there, however it is turned. Exit code 0;
1 if the robot cannot be read or something that is asked for is not there; 2 for a wrong command line.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dyn_node.collision import CollisionChecker
from dyn_node.errors import DynNodeError, ModelWarning
from dyn_node.ik import WorkspaceMap, map_workspace, spread_orientations
from dyn_node.ik.chain import middle
from dyn_node.model import Model, load_urdf
from dyn_node.model.urdf import ROOTS

Progress = Callable[[int, int], None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Map a robot's workspace, print what was found, write and plot it; returns the exit code."""
    options = _options(arguments)
    try:
        if options.plot:
            from .workspace_plot import require_matplotlib, write_plot

            require_matplotlib()  # before the work, not after it
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)
            model = load_urdf(options.robot, root=options.root)
        checker = _checker(options, model)
        began = time.perf_counter()
        with _progress() as progress:
            found = map_workspace(
                model,
                options.frame,
                resolution=options.resolution,
                box=np.reshape(options.box, (2, 3)) if options.box else None,
                orientations=_orientations(options),
                max_restarts=options.restarts,
                progress=progress,
                collision=checker,
            )
        print("\n".join(summary(found, time.perf_counter() - began, checker)))
        if options.out:
            found.save(options.out)
            print(f"written: {options.out}")
        if options.plot:
            write_plot(found, options.plot)
            print(f"written: {options.plot}")
    except (DynNodeError, OSError) as error:
        print(f"workspace: {error}", file=sys.stderr)
        return 1
    return 0


def summary(found: WorkspaceMap, seconds: float, checker: CollisionChecker | None = None) -> list[str]:
    """What a map says, in lines; and which links were asked not to touch."""
    count, reached = found.reached.size, found.reached > 0.0
    lines = [
        f"{found.robot}, {found.frame}: {count} points {found.resolution:g} m apart, "
        f"{_asked(found)} at each, in {seconds:.1f} s",
        *_collisions(checker),
        f"reached: {np.count_nonzero(reached)} points, {found.volume:.3g} m^3",
    ]
    if not reached.any():
        return [*lines, "nothing is reached: is the box where the robot is?"]
    for name, axis, others in (("x", found.x, (1, 2)), ("y", found.y, (0, 2)), ("z", found.z, (0, 1))):
        inside = axis[reached.any(axis=others)]
        lines.append(f"  {name} from {inside.min():.3g} to {inside.max():.3g} m")
    if len(found.orientations) > 1:
        whole = np.count_nonzero(found.reached == 1.0)
        share = 100.0 * found.reached[reached].mean()
        lines.append(
            f"orientations: all at {whole} points; {share:.0f} % of them where any is reached, on average"
        )
    best = np.unravel_index(np.nanargmax(found.manipulability), found.reached.shape)
    at = [round(axis[k], 9) + 0.0 for axis, k in zip((found.x, found.y, found.z), best, strict=True)]
    place = ", ".join(f"{value:.3g}" for value in at)
    lines.append(f"manipulability: {found.manipulability[best]:.3g} at its best, at ({place}) m")
    return lines


def _asked(found: WorkspaceMap) -> str:
    count = len(found.orientations)
    return "any orientation" if not count else f"{count} orientation{'s' * (count > 1)}"


def _collisions(checker: CollisionChecker | None) -> list[str]:
    """What was and what was not looked at."""
    if checker is None:
        return []
    count = len(checker.pairs)
    lines = [f"self-collisions excluded: {count} pair{'s' * (count != 1)} of links looked at"]
    if checker.left_out:
        pairs = ", ".join(f"{first} with {second}" for first, second in checker.left_out)
        lines.append(f"  left out, as they touch in the middle of the limits: {pairs}")
    return lines


def _checker(options: argparse.Namespace, model: Model) -> CollisionChecker | None:
    """What links must not touch; without an SRDF those that touch in the middle of the limits may."""
    if not options.avoid_collisions:
        return None
    rest = None if options.srdf else middle(model)
    return CollisionChecker(model, options.robot, options.srdf, package_dirs=options.package_dir, rest=rest)


def _orientations(options: argparse.Namespace) -> np.ndarray | None:
    if options.orientation:
        return np.array(options.orientation)
    return spread_orientations(options.orientations) if options.orientations else None


@contextlib.contextmanager
def _progress() -> Iterator[Progress]:
    """A bar on a terminal that has rich, a line for every tenth elsewhere; on standard error."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    except ImportError:
        yield _lines()
        return
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines()
        return
    columns = TextColumn("poses"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("")
        yield lambda done, count: bar.update(task, completed=done, total=count)


def _lines() -> Progress:
    told = [0]

    def tell(done: int, count: int) -> None:
        tenths = 10 * done // count
        if tenths > told[0]:
            told[0] = tenths
            print(f"{10 * tenths} % of {count} poses", file=sys.stderr)

    return tell


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = _parser()
    options = parser.parse_args(arguments)
    for name, given in (("--srdf", options.srdf), ("--package-dir", options.package_dir)):
        if given and not options.avoid_collisions:
            parser.error(f"{name} is of use only with --avoid-collisions: add it")
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="workspace",
        description="Map where a frame of a robot can be brought, by inverse kinematics on a grid.",
        epilog="The .npz holds x, y, z and, for each point, reached (part of the orientations) and "
        "manipulability; collisions says whether --avoid-collisions was given.",
    )
    add: Any = parser.add_argument
    add("robot", help="path of a URDF, or of a xacro file where xacro is installed")
    add("--frame", required=True, help="the frame that is brought there: a link or a joint")
    add("--root", default="fixed", choices=ROOTS, help="what carries the robot, which stays (default: fixed)")
    add("--resolution", type=_metres, default=0.05, metavar="M", help="metres between points (default: 0.05)")
    add(
        "--box", type=float, nargs=6, metavar=("X0", "Y0", "Z0", "X1", "Y1", "Z1"),
        help="corners of the grid in the world, metres (default: what random configurations reach)",
    )  # fmt: skip
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--orientation", type=float, nargs=4, action="append", metavar=("QX", "QY", "QZ", "QW"),
        help="a quaternion that is asked for at each point; may be given several times",
    )  # fmt: skip
    which.add_argument(
        "--orientations", type=_count, metavar="N", help="so many, spread evenly over all there are"
    )
    add("--restarts", type=_count, default=10, metavar="N", help="of the search at each pose (default: 10)")
    add("--avoid-collisions", action="store_true", help="count only what no links touch in; needs coal")
    add(
        "--srdf", type=Path, metavar="FILE",
        help="which links may touch (default: neighbours, and what does in the middle of the limits)",
    )  # fmt: skip
    add(
        "--package-dir", type=Path, action="append", default=[], metavar="DIR",
        help="where package://name/file is name/file; may be given several times",
    )  # fmt: skip
    add("--out", type=Path, metavar="FILE.npz", help="where to write the map")
    add("--plot", type=Path, metavar="FILE.png", help="where to draw it; needs matplotlib")
    return parser


def _metres(text: str) -> float:
    value = float(text)
    if not 0.0 < value < np.inf:
        raise argparse.ArgumentTypeError(f"{text}: expected metres above 0")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected at least 1")
    return value


if __name__ == "__main__":
    sys.exit(main())
