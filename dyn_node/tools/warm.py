"""Compile what would else be compiled at the first call, which takes minutes once a machine.

    python -m dyn_node warm                                  every kernel
    python -m dyn_node warm robot.urdf --root free_flyer     and what dyn_node.compile gives for this robot
    python -m dyn_node warm robot.urdf --only rnea crba      these alone

Exit code 0; 1 if the robot cannot be read or a name is not known; 2 for a wrong command line.
"""

from __future__ import annotations

import argparse
import functools
import sys
import time
import warnings
from collections.abc import Callable, Sequence

import dyn_node
from dyn_node.codegen.algorithms import ALGORITHMS
from dyn_node.errors import DynNodeError, ModelWarning
from dyn_node.kernels.engine import cache_base, compiles, kernel_names
from dyn_node.model.urdf import ROOTS


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile, a line for whatever took its time; returns the exit code."""
    options = _parser().parse_args(arguments)
    if not compiles():
        print("nothing to compile: Numba is not installed (pip install numba)", file=sys.stderr)
        return 1
    began = time.perf_counter()
    try:
        fast = None if options.robot is None else _read(options.robot, options.root)
        if fast is None or not options.only:
            _kernels(options.only)
        if fast is not None:
            for name in options.only or ALGORITHMS:
                _said(f"{fast.model.name}: {name}", functools.partial(fast.warm, name))
    except DynNodeError as error:
        print(f"warm: {error}", file=sys.stderr)
        return 1
    kept = cache_base()
    where = (
        f"kept in {kept}" if kept else "kept nowhere: no folder may be written (DYN_NODE_CACHE_DIR names one)"
    )
    print(f"ready after {time.perf_counter() - began:.1f} s; {where}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dyn_node warm", description="Compile ahead of the first call."
    )
    parser.add_argument(
        "robot", nargs="?", help="URDF file: also the functions of dyn_node.compile for this robot"
    )
    parser.add_argument(
        "--root", choices=ROOTS, default="fixed", help="how the root link is held (default: fixed)"
    )
    parser.add_argument(
        "--only", nargs="+", default=(), metavar="NAME", help="these kernels or functions alone"
    )
    return parser


def _kernels(only: Sequence[str]) -> None:
    names = kernel_names()
    unknown = [name for name in only if name not in names]
    if unknown:
        raise dyn_node.errors.InvalidValueError(
            f"no kernel named {', '.join(unknown)}; all: {', '.join(names)}", unknown, names
        )
    for k, name in enumerate(only or names, 1):
        _said(f"{k} of {len(only or names)}: {name}", functools.partial(dyn_node.warm, name))


def _read(robot: str, root: str) -> dyn_node.CompiledModel:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return dyn_node.compile(dyn_node.load_urdf(robot, root=root))


def _said(what: str, act: Callable[[], object]) -> None:
    """Do it, and say what took more than a moment: the rest came from disk."""
    began = time.perf_counter()
    act()
    seconds = time.perf_counter() - began
    if seconds > 0.3:
        print(f"  {what} ({seconds:.1f} s)", flush=True)


if __name__ == "__main__":
    sys.exit(main())
