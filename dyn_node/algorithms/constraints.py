"""What can hold a robot besides its joints: contacts with the world, closed loops, locks and couplings.

A constraint is a description with names; `ConstraintSet` looks the names up in a model. Gains kp (1/s^2)
and kd (1/s) are Baumgarte's: where they are not zero, the constraint's acceleration is asked to be
-kd velocity - kp error instead of zero, so that errors of integration die out; kd = 2 sqrt(kp) is
critical damping.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ..errors import InvalidValueError
from ..spatial import SE3
from .reference import LOCAL, LOCAL_WORLD_ALIGNED, ReferenceFrame, reference_code


def finite(name: str, value: Any, least: float = -np.inf) -> float:
    """`value` as a float.

    Raises:
        InvalidValueError: not one finite number, or below `least`.
    """
    allowed = "a finite number" if least == -np.inf else f"a finite number of at least {least:g}"
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not (np.isfinite(number) and number >= least):
        raise InvalidValueError(f"{name}: expected {allowed}, given {value!r}", value, allowed)
    return number


def _check_gains(constraint: Any) -> None:
    for name in ("kp", "kd"):
        finite(f"{type(constraint).__name__}.{name}", getattr(constraint, name), 0.0)


@dataclass(frozen=True)
class FrameConstraint:
    """A frame of the robot tied to the world or to another of its frames.

    Attributes:
        frame: name or number of the frame at end 1.
        other: of the frame at end 2; the world where it is left out.
        placement: of end 1 in `frame`.
        other_placement: of end 2 in `other`, or in the world. A contact with the world that has no kp
            need not say where it is.
        reference: LOCAL for multipliers and rows in the axes of end 1, LOCAL_WORLD_ALIGNED for the world's.
        kp, kd: Baumgarte gains.
    """

    frame: int | str
    other: int | str = "universe"
    placement: SE3 = field(default_factory=SE3.Identity)
    other_placement: SE3 | None = None
    reference: ReferenceFrame | str = LOCAL
    kp: float = 0.0
    kd: float = 0.0

    rows: ClassVar[int] = 0
    code: ClassVar[int] = -1

    def __post_init__(self) -> None:
        _check_gains(self)
        if reference_code(self.reference) not in (LOCAL, LOCAL_WORLD_ALIGNED):
            allowed = ("LOCAL", "LOCAL_WORLD_ALIGNED")
            raise InvalidValueError(
                f"reference of a constraint: expected LOCAL or LOCAL_WORLD_ALIGNED, given {self.reference!r}",
                self.reference,
                allowed,
            )
        if self.kp and self.other in ("universe", 0) and self.other_placement is None:
            raise InvalidValueError(
                f"constraint of {self.frame!r}: kp = {self.kp:g} pulls to a place in the world, and none is"
                " given; give other_placement, or use ConstraintSet.anchored, which takes the present place",
                None,
                "an other_placement",
            )


@dataclass(frozen=True)
class PointConstraint(FrameConstraint):
    """The origins of two frames held together: three rows. A point foot; a ball joint that closes a loop."""

    rows: ClassVar[int] = 3
    code: ClassVar[int] = 0


@dataclass(frozen=True)
class RigidConstraint(FrameConstraint):
    """Two frames held together, axes and all: six rows. A flat foot, a hand on a bar, a weld."""

    rows: ClassVar[int] = 6
    code: ClassVar[int] = 1


@dataclass(frozen=True)
class JointLock:
    """A joint that stands still, as under its brake: a row for each of its velocities.

    Attributes:
        joint: name or number.
        position: where it stands, the joint's nq entries (one number where nq is 1); needed with kp only.
        kp, kd: Baumgarte gains.
    """

    joint: int | str
    position: Any = None
    kp: float = 0.0
    kd: float = 0.0

    def __post_init__(self) -> None:
        _check_gains(self)
        if self.kp and self.position is None:
            raise InvalidValueError(
                f"lock of {self.joint!r}: kp = {self.kp:g} pulls to a position, and none is given",
                None,
                "a position",
            )


@dataclass(frozen=True)
class JointCoupling:
    """Joints of one coordinate tied by gears or a cable: sum of coefficient times position = offset; one row.

    Attributes:
        coefficients: joint (name or number) to coefficient.
        offset: radians or metres times coefficient; counts with kp only.
        kp, kd: Baumgarte gains.
    """

    coefficients: Mapping[int | str, float]
    offset: float = 0.0
    kp: float = 0.0
    kd: float = 0.0

    def __post_init__(self) -> None:
        _check_gains(self)
        finite("offset of a coupling", self.offset)
        if not self.coefficients:
            raise InvalidValueError("coefficients of a coupling: none given", {}, "at least one joint")
        for joint, value in self.coefficients.items():
            if finite(f"coefficient of {joint!r}", value) == 0.0:
                raise InvalidValueError(f"coefficient of {joint!r}: zero ties nothing", 0.0, "not zero")


Constraint = FrameConstraint | JointLock | JointCoupling
