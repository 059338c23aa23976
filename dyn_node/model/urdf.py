"""load_urdf: a Model from a URDF."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import InvalidValueError, ModelError, ModelWarning, UrdfError
from ..kernels.engine import few_calls
from ..spatial import SE3
from .builder import STANDARD_GRAVITY, ModelBuilder
from .checks import suspicious
from .joint_kinds import Array
from .model import Model
from .urdf_tree import UrdfJoint, UrdfTree, read_tree
from .urdf_xml import read_robot_element

#: What can carry the root link.
ROOTS = ("fixed", "free_flyer", "planar")
ROOT_JOINT = "root_joint"
UNIVERSE = "universe"


def load_urdf(
    source: str | os.PathLike[str],
    root: str = "fixed",
    gravity: Sequence[float] | Array = STANDARD_GRAVITY,
    mimic: bool = True,
) -> Model:
    """Read a robot.

    Siblings are visited depth first in alphabetical order of the joint names. Fixed joints make no
    coordinate: their frames stay, their links' inertia goes to the joint that moves them. A planar
    joint moves in the xy plane of its origin.

    A joint with a `<mimic>` follows its leader and has no coordinate of its own, as on the robot; its
    mass and effort are felt by the leader. (Pinocchio's reader leaves the tag out unless told otherwise.)

    Args:
        source: path of a URDF (or xacro, where `xacro` is installed), or XML text. At most 32 MiB;
            entities are refused.
        root: "fixed" to the world, or carried by a joint `root_joint`, "free_flyer" or "planar".
        gravity: (3,), m/s^2, world axes.
        mimic: False leaves `<mimic>` tags out, so that every joint moves by itself.

    Raises:
        UrdfError: names what cannot be read and why; of a mimic that cannot be, both joints.
        InvalidValueError: unknown `root`.
        MissingDependencyError: a xacro file without `xacro`.

    Warns:
        ModelWarning: an inertia that no body can have, a joint that moves no mass.
    """
    if root not in ROOTS:
        raise InvalidValueError(f"root: {root!r} is not one of {', '.join(ROOTS)}", root, ROOTS)
    # A robot is read in less time than the placements' kernels take to compile.
    with few_calls():
        tree = read_tree(read_robot_element(source))
        builder = ModelBuilder(tree.name)
        _fill(builder, tree, root, mimic)
        try:
            model = builder.build(gravity)
        except ModelError as error:
            hint = "; mimic=False leaves <mimic> tags out" if "follow" in str(error) else ""
            raise UrdfError(f"{error}{hint}", error.given, error.allowed) from error
    for message in suspicious(model):
        warnings.warn(message, ModelWarning, stacklevel=2)
    return model


@dataclass(frozen=True)
class _Carrier:
    """What a link hangs on: a joint of the builder, the place in its frame, the frame before."""

    joint: int
    placement: SE3
    frame: int


def _fill(builder: ModelBuilder, tree: UrdfTree, root: str, mimic: bool) -> None:
    carrier = _Carrier(0, SE3.Identity(), 0)
    _check_reserved(tree, root)
    if root != "fixed":
        joint = builder.add_joint(0, root, SE3.Identity(), ROOT_JOINT)
        carrier = _Carrier(joint, SE3.Identity(), builder.joint_frame(joint))
    carrier = _add_link(builder, tree, tree.root, carrier)
    # A stack of its own: a chain may be longer than Python's is deep.
    stack = [(joint, carrier) for joint in reversed(tree.children[tree.root])]
    while stack:
        joint_element, before = stack.pop()
        moved = _add_joint(builder, joint_element, before, mimic)
        carrier = _add_link(builder, tree, joint_element.child, moved)
        stack.extend((joint, carrier) for joint in reversed(tree.children[joint_element.child]))


def _check_reserved(tree: UrdfTree, root: str) -> None:
    names = {joint.name for joints in tree.children.values() for joint in joints}
    if root != "fixed" and ROOT_JOINT in names:
        raise UrdfError(
            f"joint {ROOT_JOINT!r}: the floating base needs this name", ROOT_JOINT, "another name"
        )
    if UNIVERSE in names:
        raise UrdfError(f"joint {UNIVERSE!r}: this is the world's name", UNIVERSE, "another name")


def _add_link(builder: ModelBuilder, tree: UrdfTree, name: str, carrier: _Carrier) -> _Carrier:
    frame = builder.append_body(
        carrier.joint, tree.links[name], carrier.placement, name, parent_frame=carrier.frame
    )
    assert frame is not None
    return _Carrier(carrier.joint, carrier.placement, frame)


def _add_joint(builder: ModelBuilder, joint: UrdfJoint, before: _Carrier, mimic: bool) -> _Carrier:
    placement = before.placement * joint.placement
    if joint.kind == "fixed":
        frame = builder.add_frame(
            joint.name, before.joint, placement, kind="fixed_joint", parent_frame=before.frame
        )
        return _Carrier(before.joint, placement, frame)
    number = builder.add_joint(
        before.joint,
        joint.kind,
        placement,
        joint.name,
        axis=joint.axis,
        lower=joint.lower,
        upper=joint.upper,
        velocity_limit=joint.velocity_limit,
        effort_limit=joint.effort_limit,
        damping=joint.damping,
        friction=joint.friction,
        mimic=joint.mimic if mimic else None,
        parent_frame=before.frame,
    )
    return _Carrier(number, SE3.Identity(), builder.joint_frame(number))
