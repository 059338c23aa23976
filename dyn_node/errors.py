"""The exceptions of dyn_node: one hierarchy, so that `except DynNodeError` catches all of it.

Every error says what was given and what would have been allowed, in its message and as the
attributes `given` and `allowed`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class DynNodeError(Exception):
    """Base of every error that dyn_node raises on purpose.

    Attributes:
        given: the offending value or name.
        allowed: what would have been accepted in its place (text, or a tuple of names).
    """

    def __init__(self, message: str, given: Any = None, allowed: Any = None) -> None:
        super().__init__(message)
        self.given = given
        self.allowed = allowed

    def __reduce__(self) -> tuple[Any, ...]:
        # Exception pickles `args` alone; an error that crosses a process boundary keeps the rest.
        return (_rebuild, (type(self), str(self), self.__dict__.copy()))


def _rebuild(kind: type[DynNodeError], message: str, attributes: dict[str, Any]) -> DynNodeError:
    error = kind.__new__(kind)
    Exception.__init__(error, message)
    error.__dict__.update(attributes)
    return error


class InvalidValueError(DynNodeError, ValueError):
    """A value of the right type that cannot be used: not finite, out of range, not a rotation."""


class ShapeError(DynNodeError, ValueError):
    """An array whose shape or type is not the one that the algorithm needs.

    `given` and `allowed` are the shapes; `argument` is the name of the parameter.
    """

    def __init__(self, argument: str, given: Any, allowed: Any, hint: str = "") -> None:
        message = f"{argument}: expected {allowed}, given {given}"
        super().__init__(f"{message}; {hint}" if hint else message, given, allowed)
        self.argument = argument


class NotComputedError(DynNodeError, RuntimeError):
    """A result was asked for before the algorithm that fills it has run on this Data."""


class UnknownNameError(DynNodeError, KeyError):
    """A name that the model does not have. `closest` lists the most similar names that it has."""

    kind = "name"

    def __init__(self, given: str, allowed: Iterable[str], where: str = "the model") -> None:
        names = tuple(allowed)
        self.closest = tuple(difflib.get_close_matches(str(given), names, n=3, cutoff=0.4))
        shown = names if len(names) <= 12 else (*names[:12], f"... {len(names) - 12} more")
        message = f"no {self.kind} named {given!r} in {where}"
        if self.closest:
            message += f"; closest: {', '.join(self.closest)}"
        message += f"; all: {', '.join(shown)}" if names else f"; {where} has none"
        super().__init__(message, given, names)

    def __str__(self) -> str:
        # KeyError would print the repr of its argument.
        return str(self.args[0])


class UnknownFrameError(UnknownNameError):
    """A frame that the model does not have."""

    kind = "frame"


class UnknownJointError(UnknownNameError):
    """A joint that the model does not have."""

    kind = "joint"


class ModelError(DynNodeError, ValueError):
    """A robot that cannot be built: the message names the joint, link or frame at fault."""


class UrdfError(ModelError):
    """A URDF that cannot be read as a robot: the message names the element at fault."""


class MissingDependencyError(DynNodeError, ImportError):
    """An optional package is needed for this call; the message says how to install it."""


class ModelWarning(UserWarning):
    """A robot that can be used, but whose numbers look wrong: the message names them and the link."""
