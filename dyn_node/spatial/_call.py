"""How the value types call kernels, and how they take arrays from a caller."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidValueError, ShapeError
from ..kernels.engine import compile_kernel


def run(kernel: Any, *args: Any) -> Any:
    """Call a kernel, compiling it the first time. Arrays are float64, C-contiguous and of the right size."""
    try:
        return kernel(*args)
    except TypeError:
        if not compile_kernel(kernel):
            raise
        return kernel(*args)


def copied(argument: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A new contiguous float64 array of the given shape; ShapeError names the argument."""
    try:
        array = np.array(given, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        kind = type(given).__name__
        raise ShapeError(argument, kind, f"numbers of shape {shape}", str(error)) from None
    if array.shape != shape:
        raise ShapeError(argument, array.shape, shape)
    return array


def finite(argument: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """As `copied`, and refuses NaN and infinity."""
    array = copied(argument, given, shape)
    if not np.isfinite(array).all():
        raise InvalidValueError(
            f"{argument}: every number must be finite, given {array.tolist()}", given, "finite numbers"
        )
    return array


def frozen(array: np.ndarray) -> np.ndarray:
    """A read-only view."""
    view = array[...]
    view.flags.writeable = False
    return view


def side_sign(side: str) -> float:
    """The sign that kernels take for a left or right Jacobian."""
    if side == "right":
        return -1.0
    if side == "left":
        return 1.0
    raise InvalidValueError(f'side: expected "left" or "right", given {side!r}', side, ("left", "right"))
