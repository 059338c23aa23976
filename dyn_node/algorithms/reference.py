"""The three reference frames in which velocities, accelerations and Jacobians are given."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from ..errors import InvalidValueError


class ReferenceFrame(IntEnum):
    """Where a spatial quantity of a frame is taken, and in which axes."""

    #: The point of the body that is at the world's origin, in the world's axes.
    WORLD = 0
    #: The frame's origin, in the frame's own axes.
    LOCAL = 1
    #: The frame's origin, in the world's axes.
    LOCAL_WORLD_ALIGNED = 2


WORLD = ReferenceFrame.WORLD
LOCAL = ReferenceFrame.LOCAL
LOCAL_WORLD_ALIGNED = ReferenceFrame.LOCAL_WORLD_ALIGNED

#: Member, number or name to the code that kernels take. Plain ints: Numba is slow on enumerations.
CODES: dict[Any, int] = {
    **{int(member): int(member) for member in ReferenceFrame},
    **{member.name: int(member) for member in ReferenceFrame},
}


def reference_code(reference: ReferenceFrame | str | int) -> int:
    """The kernel's code of a reference frame.

    Raises:
        InvalidValueError: for anything else; it lists the three names.
    """
    try:
        return CODES[reference]
    except (KeyError, TypeError):
        names = tuple(ReferenceFrame.__members__)
        raise InvalidValueError(
            f"reference: expected one of {', '.join(names)}, given {reference!r}", reference, names
        ) from None
