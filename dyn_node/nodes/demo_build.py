"""From the demo robot's parameters to the robot that is simulated. Free of rclpy."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np

import dyn_node
from dyn_node import robots
from dyn_node.errors import UnknownJointError
from dyn_node.spatial import SE3

from .demo_physics import RobotPhysics, home_positions
from .demo_settings import DemoSettings
from .demo_standing import StandingPhysics


@dataclasses.dataclass(frozen=True)
class DemoBuild:
    """The robot that the settings ask for.

    Attributes:
        body: what moves.
        base: where the base is in the world at the start, or None for a robot whose base is bolted down.
        base_frame: the link whose pose odom gives.
        command_index: model index of each number on effort_command.
    """

    body: RobotPhysics | StandingPhysics
    base: SE3 | None
    base_frame: str
    command_index: list[int]


def build(settings: DemoSettings) -> DemoBuild:
    """The robot that `settings` ask for. Raises a DynNodeError that says what cannot be."""
    shipped = None if settings.robot_description else robots.describe(settings.robot)
    source = settings.robot_description or robots.path(settings.robot)
    root = settings.root_joint or (shipped.root if shipped else "fixed")
    if settings.feet:  # a base that is fixed by request has been refused
        root = "free_flyer"
    pose = _base_pose(settings, shipped)
    body = (
        _standing(settings, source, pose, shipped)
        if settings.feet
        else _held(settings, source, pose, shipped)
    )
    body.check_step(1.0 / (settings.rate * settings.substeps))
    return DemoBuild(
        body=body,
        base=None if root == "fixed" else pose,
        base_frame=settings.base_frame or body.base_link,
        command_index=_command_index(settings.command_joints, body.names),
    )


def _standing(
    settings: DemoSettings, source: str | Path, pose: SE3, shipped: robots.Robot | None
) -> StandingPhysics:
    model = dyn_node.load_urdf(source, root="free_flyer", gravity=settings.gravity)
    home = shipped.home if shipped else {}
    start = np.array(
        [np.clip(home.get(j.name, 0.0), j.lower[0], j.upper[0]) for j in model.actuated_joints], dtype=float
    )
    if settings.initial_positions:
        start = np.array(settings.initial_positions)
    body = StandingPhysics(model, pose, start, settings.feet, settings.friction_rate)
    body.check_servo(1.0 / (settings.rate * settings.substeps), settings.servo_frequency)
    return body


def _held(
    settings: DemoSettings, source: str | Path, pose: SE3, shipped: robots.Robot | None
) -> RobotPhysics:
    # The base does not move: gravity, turned into its axes, is all that it sees of the world.
    gravity = pose.rotation.T @ np.array(settings.gravity)
    model = dyn_node.load_urdf(source, root="fixed", gravity=tuple(gravity))
    start = home_positions(model, shipped.home if shipped else {})
    if settings.initial_positions:
        start = np.array(settings.initial_positions)
    return RobotPhysics(model, start, settings.friction_rate)


def _base_pose(settings: DemoSettings, shipped: robots.Robot | None) -> SE3:
    if settings.base_pose:
        x, y, z, *quaternion = settings.base_pose
        norm = float(np.linalg.norm(quaternion))
        return SE3.from_quaternion(np.array(quaternion) / norm, np.array([x, y, z]))
    return SE3(np.eye(3), np.array([0.0, 0.0, shipped.base_height if shipped else 0.0]))


def _command_index(wanted: tuple[str, ...], names: tuple[str, ...]) -> list[int]:
    for name in wanted:
        if name not in names:
            raise UnknownJointError(name, names, "the demo robot (parameter command_joints)")
    return [names.index(name) for name in wanted or names]
