"""A part in a process of its own: libraries that bring their own build of something clash in one process."""

from __future__ import annotations

import importlib
import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from .options import Options
from .results import Row

#: Parts that import what Pinocchio is not imported beside.
ALONE = ("mujoco", "drake")


def rows_of(part: str, options: Options) -> Iterator[Row]:
    """The rows of a part, as they come; those of parts `ALONE` come together.

    Raises:
        MissingPeerError: it needs something that is not installed.
    """
    if part not in ALONE:
        yield from importlib.import_module(f"bench.{part}").run(options)
        return
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        yield from process.submit(_all, part, options).result()


def _all(part: str, options: Options) -> list[Row]:
    return list(importlib.import_module(f"bench.{part}").run(options))
