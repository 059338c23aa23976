"""The libraries that are compared against or needed to compare, and what to do when one is not there."""

from __future__ import annotations

import importlib
from typing import Any

#: Import name to the pip package that brings it, where the two differ.
_PACKAGES = {
    "pinocchio": "pin",
    "pydrake": "drake",
    "rclpy": '"ros-jazzy-rclpy[fastrtps]"',
    "sensor_msgs": "ros-jazzy-sensor-msgs",
    "geometry_msgs": "ros-jazzy-geometry-msgs",
}

#: What `make setup` builds, and no package index carries.
_BUILT = {"dyn_node_msgs": "make setup"}


class MissingPeerError(Exception):
    """Something that a part of the benchmark needs is not installed; the message says how to get it."""


class DisagreementError(Exception):
    """Two peers gave different numbers: their speeds are not worth comparing."""


def need(module: str) -> Any:
    """Import a module.

    Raises:
        MissingPeerError: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        root = module.partition(".")[0]
        command = _BUILT.get(root, f"pip install {_PACKAGES.get(root, root)}")
        raise MissingPeerError(f"{root} cannot be imported ({error}): {command}") from error
