"""Look at a robot before a controller does.

    ros2 run dyn_node check robot.urdf
    python -m dyn_node check robot.urdf --root free_flyer

Exit code 0 if a controller may trust the robot; 1 if not, because it cannot be read or because of a
finding marked severe; 2 for a wrong command line.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence

from dyn_node.errors import DynNodeError, ModelWarning
from dyn_node.model import load_urdf
from dyn_node.model.urdf import ROOTS

from .check_report import Report, make_report
from .check_view import print_plain


def main(arguments: Sequence[str] | None = None) -> int:
    """Check a robot and print what was found; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        with warnings.catch_warnings():
            # They are among the findings.
            warnings.simplefilter("ignore", ModelWarning)
            model = load_urdf(options.robot, root=options.root, mimic=not options.no_mimic)
    except DynNodeError as error:
        print(f"check: {error}", file=sys.stderr)
        return 1
    report = make_report(model)
    _show(report, options.plain, not options.no_color and "NO_COLOR" not in os.environ)
    return 0 if report.trusted else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="check",
        description="Look at a robot: tree, masses, limits, and whether a controller should trust it.",
        epilog="Exit code 0: trustworthy; 1: not, or not readable; 2: wrong command line.",
    )
    parser.add_argument("robot", help="path of a URDF, or of a xacro file where xacro is installed")
    parser.add_argument("--root", default="fixed", choices=ROOTS, help="what carries it (default: fixed)")
    parser.add_argument(
        "--no-mimic", action="store_true", help="let joints with a <mimic> move by themselves"
    )
    parser.add_argument("--plain", action="store_true", help="plain text, also on a terminal")
    parser.add_argument("--no-color", action="store_true", help="no colours")
    return parser


def _show(report: Report, plain: bool, color: bool) -> None:
    if not plain and sys.stdout.isatty():
        try:
            from .check_live import print_rich
        except ImportError:
            print("rich is not installed: plain output. Add it with `pip install rich`.")
        else:
            print_rich(report, color)
            return
    print_plain(report)


if __name__ == "__main__":
    sys.exit(main())
