"""What all tasks of inverse kinematics have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...algorithms.arguments import array
from ...errors import InvalidValueError
from ...kernels import ik_tasks as _k

if TYPE_CHECKING:
    from ...model import Model

Vector = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Task:
    """Something that inverse kinematics has to bring about.

    Attributes:
        objective: False: it has to be met; True: it is followed as far as the tasks that have to be met
            leave freedom.
        position_tolerance: metres; orientation_tolerance: radians.
    """

    kind: ClassVar[int]
    objective: bool = False
    position_tolerance: float = 1e-6
    orientation_tolerance: float = 1e-6

    def frames(self) -> tuple[int | str, ...]:
        """The frames that it moves; none where the whole robot counts."""
        return ()

    def row(self, model: Model) -> Vector:
        """The task as the kernel reads it.

        Raises:
            UnknownFrameError: a frame that the model does not have.
            ShapeError, InvalidValueError: a value that cannot be used.
        """
        row = np.zeros(_k.TASK)
        row[_k.KIND], row[_k.LEVEL] = self.kind, self.objective
        for entry, name in ((_k.METRES, "position_tolerance"), (_k.RADIANS, "orientation_tolerance")):
            row[entry] = value = float(getattr(self, name))
            if not 0.0 <= value < np.inf:
                allowed = "a finite number >= 0"
                raise InvalidValueError(f"{name}: expected {allowed}, given {value}", value, allowed)
        row[_k.WEIGHTS : _k.WEIGHTS + 6] = 1.0
        return row

    def posture(self, model: Model) -> Vector | None:
        """A configuration and its weights, (nq + nv,), of the tasks that have one."""
        return None


def weights(name: str, value: Any, size: int) -> Vector:
    """Numbers >= 0, one a direction; None for all one."""
    result = array(name, np.ones(size) if value is None else value, (size,), "one number a direction")
    if not (np.isfinite(result).all() and (result >= 0.0).all() and result.any()):
        allowed = f"{size} finite numbers >= 0, not all zero"
        raise InvalidValueError(f"{name}: expected {allowed}, given {result.tolist()}", value, allowed)
    return result


def point(name: str, value: Any) -> Vector:
    """Three finite numbers."""
    result = array(name, value, (3,), "a point or direction")
    if not np.isfinite(result).all():
        raise InvalidValueError(f"{name}: expected finite numbers, given {result.tolist()}", value, "finite")
    return result


def unit(name: str, value: Any) -> Vector:
    """A direction, of unit length."""
    result = point(name, value)
    length = float(np.linalg.norm(result))
    if length < 1e-9:
        allowed = "a direction, not zero"
        raise InvalidValueError(f"{name}: expected {allowed}, given {result.tolist()}", value, allowed)
    return result / length
