"""How one ROS parameter is described and checked. Free of rclpy."""

from __future__ import annotations

import dataclasses
import difflib
import math
from typing import Any

from dyn_node.errors import InvalidValueError

KINDS = ("bool", "integer", "double", "string", "doubles", "strings")


@dataclasses.dataclass(frozen=True)
class Spec:
    """One ROS parameter: its name, kind, default, meaning and what it may be."""

    name: str
    kind: str  # one of KINDS
    default: Any
    description: str
    minimum: float = -math.inf
    maximum: float = math.inf
    choices: tuple[str, ...] = ()
    lengths: tuple[int, ...] = ()  # allowed lengths of an array; () allows any
    live: bool = False  # may be changed while the node runs

    @property
    def allowed(self) -> str:
        """What the parameter may be, in words; empty when anything of its kind will do."""
        parts = []
        if self.choices:
            parts.append(
                f"one of {', '.join(self.choices)}"
                if self.kind == "string"
                else f"any of {', '.join(self.choices)}"
            )
        if self.lengths:
            parts.append(f"{' or '.join(map(str, self.lengths))} entries")
        if math.isfinite(self.minimum) or math.isfinite(self.maximum):
            parts.append(f"from {self.minimum:g} to {self.maximum:g}")
        return ", ".join(parts)


def parameter(kind: str, default: Any, description: str, *, name: str = "", **rules: Any) -> Any:
    """A dataclass field that is a ROS parameter; `name` where it differs from the field's."""
    spec = Spec(name, kind, default, " ".join(description.split()), **rules)
    return dataclasses.field(default=default, metadata={"spec": spec})


def check(spec: Spec, value: Any) -> Any:
    """The value as the settings keep it (arrays as tuples), or InvalidValueError that names it."""
    if spec.kind in ("doubles", "strings"):
        entries = tuple(value if value is not None else ())
        if spec.kind == "strings":
            entries = tuple(entry for entry in entries if entry)  # [''] is how ROS writes []
        if spec.lengths and len(entries) not in spec.lengths:
            _refuse(spec, entries)
        return tuple(_check_entry(spec, entry) for entry in entries)
    return _check_entry(spec, value)


def _check_entry(spec: Spec, value: Any) -> Any:
    """One number or string of a parameter."""
    if spec.kind in ("double", "doubles", "integer"):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            _refuse(spec, value, "a finite number")
        if not spec.minimum <= value <= spec.maximum:
            _refuse(spec, value)
        return int(value) if spec.kind == "integer" else float(value)
    if spec.kind in ("string", "strings"):
        if not isinstance(value, str):
            _refuse(spec, value, "text")
        if spec.choices and value not in spec.choices:
            _refuse(spec, value)
        return value
    if not isinstance(value, bool):
        _refuse(spec, value, "true or false")
    return value


def _refuse(spec: Spec, value: Any, allowed: str = "") -> None:
    allowed = ", ".join(part for part in (allowed, spec.allowed) if part)
    message = f"parameter {spec.name}: {value!r} is not allowed; it must be {allowed}"
    closest = difflib.get_close_matches(str(value), spec.choices, n=1)
    if closest:
        message += f"; did you mean {closest[0]}?"
    raise InvalidValueError(message, value, spec.choices or allowed)


def spec_of(field: dataclasses.Field[Any]) -> Spec:
    """The spec that a settings field carries, with its ROS name filled in."""
    spec: Spec = field.metadata["spec"]
    return spec if spec.name else dataclasses.replace(spec, name=field.name)
