"""How the value types call kernels, and how they take arrays from a caller.

The common case pays for as little as possible: `sized` looks at nothing but the shape, and the
kernel itself refuses any other type of memory, whereupon `run` converts it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidValueError, ShapeError
from ..kernels.engine import callable_now


def run(kernel: Any, *args: Any) -> Any:
    """Call a kernel, after compiling it or converting its inputs where that is what it lacked.

    Sizes are the caller's to check; outputs are fresh float64 arrays.
    """
    try:
        return kernel(*args)
    except TypeError:
        call = callable_now(kernel)
        return call(*(_plain(a) if isinstance(a, np.ndarray) else a for a in args))


def _plain(array: np.ndarray) -> np.ndarray:
    """The array itself where it is float64, contiguous and writable, else such a copy."""
    return np.require(real(array), np.float64, ("C", "W"))


def real(array: np.ndarray) -> np.ndarray:
    """The array, refused unless its numbers are real."""
    if array.dtype.kind in "cSUV":
        raise ShapeError("array", f"dtype {array.dtype}", "real numbers")
    return array


def sized(argument: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """An array of the given shape, for `run`: the caller's own where it already is one."""
    if type(given) is np.ndarray and given.shape == shape:
        return given
    return copied(argument, given, shape)


def copied(argument: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A new contiguous float64 array of the given shape; ShapeError names the argument."""
    try:
        array = np.array(real(np.asarray(given)), dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        hint = "" if isinstance(error, ShapeError) else str(error)
        raise ShapeError(argument, repr(given)[:80], f"numbers of shape {shape}", hint) from None
    if array.shape != shape:
        raise ShapeError(argument, f"shape {array.shape}", f"shape {shape}")
    return array


def finite(argument: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """As `copied`, and refuses NaN and infinity."""
    array = copied(argument, given, shape)
    if not np.isfinite(array).all():
        raise not_finite(argument, array)
    return array


def not_finite(argument: str, given: Any) -> InvalidValueError:
    """The error for NaN, infinity, or an angle whose square overflows."""
    array = np.asarray(given)
    numbers = array.tolist()
    if np.isfinite(array).all():
        allowed = "a rotation by less than 1e154 rad"
        return InvalidValueError(f"{argument}: expected {allowed}, given {numbers}", given, allowed)
    return InvalidValueError(f"{argument}: expected finite numbers, given {numbers}", given, "finite numbers")


def frozen(view: np.ndarray) -> np.ndarray:
    """The same view, made read-only; never pass an array that is kept."""
    view.setflags(write=False)
    return view


def side_sign(side: str) -> float:
    """The sign that kernels take for a left or right Jacobian."""
    if side == "right":
        return -1.0
    if side == "left":
        return 1.0
    raise InvalidValueError(f'side: expected "left" or "right", given {side!r}', side, ("left", "right"))
