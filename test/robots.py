"""Real robots to test with: the URDFs of example-robot-data, loaded here and by the reference library.

ROBOTS              the six robots that every algorithm is compared on
ALL_URDFS           every URDF of the package, as a name relative to its folder of robots
robot_path(name)    path of one of either
our_model(name, root, mimic), pin_model(name, root, mimic)
                    cached; root is "fixed", "free_flyer" or "planar"; mimic whether joints follow others
"""

from __future__ import annotations

import functools
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

ROBOTS = {
    "panda": "panda_description/urdf/panda.urdf",
    "ur5": "ur_description/urdf/ur5_robot.urdf",
    "kinova": "kinova_description/robots/kinova.urdf",
    "anymal": "anymal_b_simple_description/robots/anymal.urdf",
    "go2": "go2_description/urdf/go2.urdf",
    "talos": "talos_data/robots/talos_reduced.urdf",
}

ROOTS = ("fixed", "free_flyer")


def _robots_folder() -> Path | None:
    # Found by its place: its Python module would import the reference library and a viewer.
    for entry in map(Path, sys.path):
        folder = entry / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
        if folder.is_dir():
            return folder
    return None


ROBOTS_FOLDER = _robots_folder()

ALL_URDFS: tuple[str, ...] = (
    tuple(sorted(str(path.relative_to(ROBOTS_FOLDER)) for path in ROBOTS_FOLDER.rglob("*.urdf")))
    if ROBOTS_FOLDER
    else ()
)


def robot_path(name: str) -> str:
    """Path of a robot's URDF, by its name in ROBOTS or ALL_URDFS; skips the test where it is missing."""
    if ROBOTS_FOLDER is None:
        pytest.skip("real robots' models are not installed: pip install example-robot-data")
    return str(ROBOTS_FOLDER / ROBOTS.get(name, name))


@functools.cache
def our_model(name: str, root: str = "fixed", mimic: bool = False) -> Any:
    """The dyn_node model of a robot."""
    from dyn_node.errors import ModelWarning
    from dyn_node.model import load_urdf

    with warnings.catch_warnings():
        # What real files get wrong is the subject of test/model; elsewhere it is noise.
        warnings.simplefilter("ignore", ModelWarning)
        return load_urdf(robot_path(name), root=root, mimic=mimic)


@functools.cache
def pin_model(name: str, root: str = "fixed", mimic: bool = False) -> Any:
    """The reference library's model of the same robot."""
    import pinocchio as pin

    joints = {"free_flyer": pin.JointModelFreeFlyer, "planar": pin.JointModelPlanar}
    if root == "fixed":
        return pin.buildModelFromUrdf(robot_path(name), mimic=mimic)
    return pin.buildModelFromUrdf(robot_path(name), joints[root](), mimic=mimic)
