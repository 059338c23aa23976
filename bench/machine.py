"""Where and when a run took place, and keeping a process on one core."""

from __future__ import annotations

import contextlib
import datetime
import importlib.metadata
import os
import platform
from collections.abc import Iterator
from pathlib import Path

_PACKAGES = ("numpy", "numba", "pin", "mujoco", "drake", "example-robot-data", "ros-jazzy-rclpy")


def describe(*packages: str) -> dict[str, str]:
    """The machine, the versions (of more packages too) and the date, in words."""
    import dyn_node

    facts = {
        "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "processor": _processor(),
        "cores": f"{len(cores())} usable of {os.cpu_count()}",
        "load": " ".join(f"{load:.2f}" for load in os.getloadavg()),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "dyn_node": dyn_node.__version__,
    }
    return facts | {package: _version(package) for package in (*_PACKAGES, *packages)}


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def cores() -> list[int]:
    """The cores that this process may use; empty where the system does not tell."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


@contextlib.contextmanager
def pinned() -> Iterator[int | None]:
    """Keep this process on one core inside the block; gives its number, None where that is impossible."""
    before = cores()
    if not before:
        yield None
        return
    core = before[-1]  # the first one also serves most interrupts
    os.sched_setaffinity(0, {core})
    try:
        yield core
    finally:
        os.sched_setaffinity(0, before)
