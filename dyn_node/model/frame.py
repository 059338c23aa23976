"""Frames and links: named places on the bodies of a model."""

from __future__ import annotations

from dataclasses import dataclass

from ..spatial import SE3, Inertia

#: What a frame can be. "operational" is one that a user added.
FRAME_KINDS = ("universe", "joint", "fixed_joint", "body", "operational")


@dataclass(frozen=True)
class Frame:
    """A named place that moves with a joint.

    Attributes:
        name: unique among the frames of its kind; a link and a joint may share a name.
        index: position in `model.frames`.
        kind: one of `FRAME_KINDS`.
        parent_joint: index of the joint that carries it.
        parent_frame: index of the frame before it in the tree.
        placement: of this frame in the frame of the parent joint.
    """

    name: str
    index: int
    kind: str
    parent_joint: int
    parent_frame: int
    placement: SE3

    def __repr__(self) -> str:
        return f"Frame({self.index}, {self.name!r}, {self.kind}, joint {self.parent_joint})"


@dataclass(frozen=True)
class Link:
    """A rigid body of the robot's description, before it is lumped with what is fixed to it.

    Attributes:
        name: the link's name; empty for a body that was added without one.
        frame: index in `model.frames` of its body frame; without a name, of its joint's frame.
        inertia: in the axes of that frame.
    """

    name: str
    frame: int
    inertia: Inertia
