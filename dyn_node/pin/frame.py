"""Frames of a model."""

from __future__ import annotations

from typing import Any

from .enums import FrameType
from .inertia import Inertia
from .placement import SE3

#: What the library calls each type of frame.
KINDS = {
    FrameType.OP_FRAME: "operational",
    FrameType.JOINT: "joint",
    FrameType.FIXED_JOINT: "fixed_joint",
    FrameType.BODY: "body",
    FrameType.SENSOR: "operational",
}
TYPES = {
    "universe": FrameType.FIXED_JOINT,
    "joint": FrameType.JOINT,
    "fixed_joint": FrameType.FIXED_JOINT,
    "body": FrameType.BODY,
    "operational": FrameType.OP_FRAME,
}


class Frame:
    """A named place on a joint's body.

    `Frame(name, parent_joint, parent_frame, placement, type, inertia)`, the parent frame and the
    inertia may be left out; or `Frame(other)`.

    Attributes:
        name, type, parentJoint, parentFrame: as given.
        placement: in the frame of the parent joint; assigning copies.
        inertia: of the body that the frame carries.
    """

    name: str
    type: FrameType
    parentJoint: int
    parentFrame: int

    def __init__(self, *args: Any) -> None:
        if len(args) == 1 and isinstance(args[0], Frame):
            other = args[0]
            args = (
                other.name,
                other.parentJoint,
                other.parentFrame,
                other.placement,
                other.type,
                other.inertia,
            )
        elif not args:
            args = ("", 0, 0, SE3.Identity(), FrameType.OP_FRAME)
        elif len(args) > 2 and isinstance(args[2], SE3):
            args = (*args[:2], 0, *args[2:])
        name, joint, frame, placement, kind, *inertia = args
        self.name, self.type = str(name), FrameType(kind)
        self.parentJoint, self.parentFrame = int(joint), int(frame)
        self._placement = placement.copy()
        self._inertia = inertia[0].copy() if inertia else Inertia.Zero()

    @property
    def placement(self) -> SE3:
        """In the frame of the parent joint."""
        return self._placement

    @placement.setter
    def placement(self, value: SE3) -> None:
        self._placement.assign(value)

    @property
    def inertia(self) -> Inertia:
        """Of the body that the frame carries."""
        return self._inertia

    @inertia.setter
    def inertia(self, value: Inertia) -> None:
        self._inertia.assign(value)

    @property
    def parent(self) -> int:
        """The parent joint: the older name."""
        return self.parentJoint

    @property
    def previousFrame(self) -> int:
        """The parent frame: the older name."""
        return self.parentFrame

    def assign(self, other: Frame) -> None:
        """Become like another frame."""
        self.name, self.type = other.name, other.type
        self.parentJoint, self.parentFrame = other.parentJoint, other.parentFrame
        self.placement, self.inertia = other.placement, other.inertia

    def copy(self) -> Frame:
        """An independent copy."""
        return Frame(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Frame):
            return NotImplemented
        return (
            (self.name, self.type, self.parentJoint, self.parentFrame)
            == (other.name, other.type, other.parentJoint, other.parentFrame)
            and self.placement == other.placement
            and self.inertia == other.inertia
        )

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return (
            f"Frame name: {self.name} paired to (parent joint/ parent frame)"
            f"({self.parentJoint}/{self.parentFrame})\nwith relative placement wrt parent joint:\n"
            f"{self.placement}containing inertia:\n{self.inertia}\n"
        )

    __repr__ = __str__
