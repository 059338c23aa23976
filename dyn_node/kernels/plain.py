"""The kernels' source once more, uncompiled: for symbols, complex steps and whatever else has + and *.

`plain("rnea")` is kernels/rnea.py, executed again as a module of its own in which `inline` and
`kernel` leave functions as they are. The compiled kernels stay untouched beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from .again import again


def _unchanged(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def plain(name: str) -> ModuleType:
    """The kernel module of this name with uncompiled functions."""
    return again(name, f"{__package__}_plain", _unchanged)


def with_objects(dtype: Any) -> Any:
    """A record type of the same fields whose numbers, but not whose integers, may be any objects."""
    fields = []
    for name in dtype.names:
        field = dtype.fields[name][0]
        base, shape = field.subdtype if field.subdtype else (field, ())
        fields.append((name, object if base.kind == "f" else base, shape))
    return fields
