"""The robots of the comparison, each loaded by this library and by Pinocchio."""

from __future__ import annotations

import dataclasses
import sys
import warnings
from pathlib import Path
from typing import Any

from .peers import MissingPeerError, need


@dataclasses.dataclass(frozen=True)
class Robot:
    """A robot of example-robot-data.

    Attributes:
        name: its short name; urdf: path in the package's folder of robots.
        root: how its root link is held; tool: the frame whose velocity and Jacobian are asked for.
        feet: frames that stand on the ground; flat: whether these are soles, and not points.
    """

    name: str
    urdf: str
    root: str
    tool: str
    feet: tuple[str, ...] = ()
    flat: bool = False

    def path(self) -> Path:
        """Where its URDF is installed."""
        return robots_folder() / self.urdf


ROBOTS = {
    robot.name: robot
    for robot in (
        Robot("panda", "panda_description/urdf/panda.urdf", "fixed", "panda_hand_tcp"),
        Robot("ur5", "ur_description/urdf/ur5_robot.urdf", "fixed", "tool0"),
        Robot(
            "anymal",
            "anymal_b_simple_description/robots/anymal.urdf",
            "free_flyer",
            "RH_FOOT",
            feet=("LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"),
        ),
        Robot("go2", "go2_description/urdf/go2.urdf", "free_flyer", "RR_foot"),
        Robot(
            "talos",
            "talos_data/robots/talos_reduced.urdf",
            "free_flyer",
            "gripper_left_base_link",
            feet=("left_sole_link", "right_sole_link"),
            flat=True,
        ),
    )
}


def robots_folder() -> Path:
    """Where example-robot-data is installed.

    Raises:
        MissingPeerError: it is not.
    """
    # Found by its place: the package's Python module would import a viewer.
    for entry in map(Path, sys.path):
        folder = entry / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
        if folder.is_dir():
            return folder
    raise MissingPeerError("the robots' URDFs are not installed: pip install example-robot-data")


def load_ours(robot: Robot) -> Any:
    """This library's model of it; every joint moves by itself, as in Pinocchio's reader."""
    import dyn_node
    from dyn_node.errors import ModelWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return dyn_node.load_urdf(robot.path(), root=robot.root, mimic=False)


def load_pin(robot: Robot) -> Any:
    """Pinocchio's model of it."""
    pin = need("pinocchio")
    path = str(robot.path())
    if robot.root == "fixed":
        return pin.buildModelFromUrdf(path)
    return pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer())
