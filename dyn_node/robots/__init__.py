"""Robots that ship with the package: a Panda arm, a UR5e arm and a Go2 quadruped.

Small URDFs written for dyn_node: primitive shapes, no mesh files, every number's source in the
file's first comment. They are what the demo, the tests and the first lines of a tutorial use.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from dyn_node.errors import UnknownNameError
from dyn_node.model import Model, load_urdf

_FOLDER = Path(__file__).resolve().parent


class UnknownRobotError(UnknownNameError):
    """A robot that does not ship with the package."""

    kind = "robot"


@dataclass(frozen=True)
class Robot:
    """What has to be known about a shipped robot besides its URDF.

    Attributes:
        name: the file's name without its ending.
        root: the root joint that the robot has in the world: "fixed" or "free_flyer".
        base_frame: the root link.
        tool: the frame to look at: the arm's tool, or the front left foot.
        home: a posture well inside the limits: joint name to position (rad).
        base_height: height of the base in the world in that posture (m): on its feet for a
            legged robot, 0 for an arm.
        feet: the frames that touch the ground in that posture; none for an arm.
    """

    name: str
    root: str
    base_frame: str
    tool: str
    home: dict[str, float] = field(hash=False)
    base_height: float = 0.0
    feet: tuple[str, ...] = ()


def _leg(prefix: str, hip: float) -> dict[str, float]:
    return {f"{prefix}_hip_joint": hip, f"{prefix}_thigh_joint": 0.8, f"{prefix}_calf_joint": -1.5}


_ROBOTS = {
    robot.name: robot
    for robot in (
        # The posture that the arm's own software calls "ready".
        Robot(
            name="panda",
            root="fixed",
            base_frame="panda_link0",
            tool="panda_hand_tcp",
            home={
                f"panda_joint{i}": position
                for i, position in enumerate((0.0, -0.7854, 0.0, -2.3562, 0.0, 1.5708, 0.7854), start=1)
            },
        ),
        Robot(
            name="ur5e",
            root="fixed",
            base_frame="base_link",
            tool="tool0",
            home={
                "shoulder_pan_joint": 0.0,
                "shoulder_lift_joint": -1.2,
                "elbow_joint": 1.6,
                "wrist_1_joint": -1.9,
                "wrist_2_joint": -1.5708,
                "wrist_3_joint": 0.0,
            },
        ),
        Robot(
            name="go2",
            root="free_flyer",
            base_frame="base",
            tool="FL_foot",
            home=_leg("FL", 0.0) | _leg("FR", 0.0) | _leg("RL", 0.0) | _leg("RR", 0.0),
            base_height=0.3333,
            feet=("FL_foot", "FR_foot", "RL_foot", "RR_foot"),
        ),
    )
}


def names() -> tuple[str, ...]:
    """Names of the robots that ship with the package."""
    return tuple(_ROBOTS)


def describe(name: str) -> Robot:
    """What the package knows about the robot `name` besides its URDF.

    Raises:
        UnknownRobotError: no such robot; lists those that there are.
    """
    try:
        return _ROBOTS[name]
    except (KeyError, TypeError):
        raise UnknownRobotError(name, names(), "the robots that ship with dyn_node") from None


def path(name: str) -> Path:
    """Path of the URDF of the robot `name`.

    Raises:
        UnknownRobotError: no such robot; lists those that there are.
    """
    return _FOLDER / f"{describe(name).name}.urdf"


def load(
    name: str, root: str | None = None, gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
) -> Model:
    """Model of the robot `name`.

    Args:
        name: one of `names()`.
        root: "fixed", "free_flyer" or "planar"; the robot's own root joint when left out.
        gravity: acceleration of gravity in world axes (m/s^2).

    Raises:
        UnknownRobotError: no such robot; lists those that there are.
    """
    robot = describe(name)
    return load_urdf(path(name), root=robot.root if root is None else root, gravity=gravity)
