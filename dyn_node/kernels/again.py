"""The kernels' source, executed once more with other decorators.

The functions of a kernel's file are plain Python. What `inline` and `kernel` make of them there, another
execution of the same file, as a module of another package, can make differently.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any


def again(name: str, package: str, decorate: Callable[[Callable[..., Any]], Any]) -> ModuleType:
    """The kernel module of this name in a package where both decorators are `decorate`.

    Args:
        name: of the file, such as "rnea".
        package: its name, one for each way to decorate.
    """
    if package not in sys.modules:
        root = ModuleType(package)
        root.__path__ = [str(Path(__file__).parent)]
        engine = ModuleType(f"{package}.engine")
        engine.inline = decorate  # type: ignore[attr-defined]
        engine.kernel = lambda *_, **__: decorate  # type: ignore[attr-defined]
        sys.modules[engine.__name__] = engine
        sys.modules[package] = root
    return importlib.import_module(f"{package}.{name}")
