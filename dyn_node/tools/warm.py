"""Compile what would else be compiled at the first call, which takes minutes once a machine.

    python -m dyn_node warm                                  every kernel
    python -m dyn_node warm robot.urdf --root free_flyer     and what dyn_node.compile gives for this robot
    python -m dyn_node warm robot.urdf --only rnea crba      these alone

Exit code 0; 1 if the robot cannot be read or a name is not known; 2 for a wrong command line.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import dyn_node
from dyn_node.codegen.algorithms import ALGORITHMS
from dyn_node.errors import DynNodeError, InvalidValueError, ModelWarning
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
            _kernels(options.only, options.jobs)
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
        "--jobs", type=int, metavar="N", help="processes that compile kernels (default: one a core)"
    )
    parser.add_argument(
        "--only", nargs="+", default=(), metavar="NAME", help="these kernels or functions alone"
    )
    return parser


def _kernels(only: Sequence[str], jobs: int | None) -> None:
    names = kernel_names()
    unknown = [name for name in only if name not in names]
    if unknown:
        raise InvalidValueError(
            f"no kernel named {', '.join(unknown)}; all: {', '.join(names)}", unknown, names
        )
    warm_together(only or names, lambda name, seconds: print(f"  {name} ({seconds:.1f} s)", flush=True), jobs)


def warm_together(
    names: Sequence[str], report: Callable[[str, float], None], jobs: int | None = None
) -> None:
    """Load kernels from disk; what has to be compiled is shared with other processes.

    Args:
        names: of the kernels.
        report: called with the name and the seconds of each that was compiled here.
        jobs: processes that compile, this one included; by default as many as cores.
    """
    left, busy = list(names), []

    def compiled(name: str, seconds: float) -> None:
        busy.append(name)
        report(name, seconds)

    while left and not busy:  # as long as they are on disk, no other process is worth its start
        dyn_node.warm(left.pop(0), report=compiled)
    with _helpers(left, jobs or os.cpu_count() or 1) as own:
        for name in own:
            dyn_node.warm(name, report=report)
    for name in left:
        dyn_node.warm(name, report=report)


@contextlib.contextmanager
def _helpers(names: Sequence[str], jobs: int) -> Iterator[Sequence[str]]:
    """Processes that compile their shares; the share of this one."""
    jobs = min(jobs, len(names)) if cache_base() else 1
    command = [sys.executable, "-m", "dyn_node", "warm", "--jobs", "1", "--only"]
    here = str(Path(dyn_node.__file__).resolve().parents[1])
    path = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH", "")]))
    helpers = [
        subprocess.Popen(
            [*command, *names[k::jobs]],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for k in range(1, jobs)
    ]  # fmt: skip
    try:
        yield names[:: max(1, jobs)]
        for helper in helpers:
            helper.wait()  # whatever became of it: what it did not compile is compiled here
    finally:
        for helper in helpers:
            helper.kill()
            helper.wait()


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
