"""Pinocchio's enumerations."""

from __future__ import annotations

from enum import IntEnum, IntFlag

from ..algorithms.reference import LOCAL, LOCAL_WORLD_ALIGNED, WORLD, ReferenceFrame


class ArgumentPosition(IntEnum):
    """Which argument a derivative is taken with respect to."""

    ARG0 = 0
    ARG1 = 1
    ARG2 = 2
    ARG3 = 3
    ARG4 = 4


class FrameType(IntFlag):
    """What a frame is."""

    OP_FRAME = 1
    JOINT = 2
    FIXED_JOINT = 4
    BODY = 8
    SENSOR = 16


class KinematicLevel(IntEnum):
    """How many time derivatives of the kinematics are meant."""

    POSITION = 0
    VELOCITY = 1
    ACCELERATION = 2


class Convention(IntEnum):
    """Frames in which an algorithm computes. Results are the same; it is accepted and ignored here."""

    WORLD = 0
    LOCAL = 1


ARG0, ARG1, ARG2, ARG3, ARG4 = ArgumentPosition
OP_FRAME, JOINT, FIXED_JOINT, BODY, SENSOR = FrameType
POSITION, VELOCITY, ACCELERATION = KinematicLevel
ANY_FRAME = OP_FRAME | JOINT | FIXED_JOINT | BODY | SENSOR

__all__ = [
    "ACCELERATION",
    "ARG0",
    "ARG1",
    "ARG2",
    "ARG3",
    "ARG4",
    "BODY",
    "FIXED_JOINT",
    "JOINT",
    "LOCAL",
    "LOCAL_WORLD_ALIGNED",
    "OP_FRAME",
    "POSITION",
    "SENSOR",
    "VELOCITY",
    "WORLD",
    "ArgumentPosition",
    "Convention",
    "FrameType",
    "KinematicLevel",
    "ReferenceFrame",
]
