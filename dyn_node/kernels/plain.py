"""The kernels' source once more, uncompiled: for symbols, complex steps and whatever else has + and *.

`plain("rnea")` is kernels/rnea.py, executed again as a module of its own in which `inline` and
`kernel` leave functions as they are. The compiled kernels stay untouched beside it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

_PACKAGE = f"{__package__}_plain"


def _inline(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def _kernel(*types: str, **_: Any) -> Callable[..., Any]:
    return _inline


def plain(name: str) -> ModuleType:
    """The kernel module of this name with uncompiled functions."""
    if _PACKAGE not in sys.modules:
        package = ModuleType(_PACKAGE)
        package.__path__ = [str(Path(__file__).parent)]
        engine = ModuleType(f"{_PACKAGE}.engine")
        engine.inline, engine.kernel = _inline, _kernel  # type: ignore[attr-defined]
        sys.modules[engine.__name__] = engine
        sys.modules[_PACKAGE] = package
    return importlib.import_module(f"{_PACKAGE}.{name}")


def with_objects(dtype: Any) -> Any:
    """A record type of the same fields whose numbers, but not whose integers, may be any objects."""
    fields = []
    for name in dtype.names:
        field = dtype.fields[name][0]
        base, shape = field.subdtype if field.subdtype else (field, ())
        fields.append((name, object if base.kind == "f" else base, shape))
    return fields
