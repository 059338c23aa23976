"""Functions that Numba compiles to C's way of being called; from disk where they were before.

Numba takes half a second to import, and as long again to read its own cache for the first time: several
times what a robot takes to load. What is kept here is object code, which LLVM links in a millisecond or
two; a process whose kernels are all there needs no Numba.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

#: How kernels are compiled.
OPTIONS: dict[str, Any] = {"error_model": "numpy"}
#: What code that allocates arrays calls: Numba's runtime has to be up for it.
_ALLOCATES = "NRT_MemInfo_alloc", "NRT_MemInfo_new", "NRT_Allocate"
#: What all of Numba's code refers to, and calls only to raise an error or to free an array.
_HELPERS = "numba_", "NRT_"
#: What LLVM may call without having been told to.
_IMPLIED = ("sin", "cos", "sincos", "atan2", "fmod", "pow", "exp", "log", "memset", "memcpy", "memmove")


def why_no_numba(base: Path | None) -> str:
    """Why nothing can be compiled; empty where it can: found out by importing Numba, once for its version.

    Args:
        base: where that is noted down, or None.
    """
    if importlib.util.find_spec("numba") is None:
        return "Numba is not installed"
    mark = None if base is None else base / f"numba-{_versions()}"
    if mark is not None and mark.exists():
        return ""
    try:
        import numba  # noqa: F401
    except ImportError as error:  # as when it wants an older NumPy
        return f"Numba cannot be imported ({error})"
    if mark is not None:
        mark.touch()
    return ""


@functools.cache
def _versions() -> str:
    """A hash of whose work compiled code is. Numba's file of its version is read rather than imported."""
    spec = importlib.util.find_spec("numba")
    assert spec is not None
    assert spec.origin is not None
    digest = hashlib.sha256(Path(spec.origin).with_name("_version.py").read_bytes())
    digest.update(f"{np.__version__} {sys.implementation.cache_tag}".encode())
    return digest.hexdigest()[:16]


class Native:
    """A compiled function.

    Attributes:
        address: of the function.
        from_cache: whether its code came from disk.
    """

    def __init__(self, name: str, function: Callable[[], Any], signature: str, folder: Path | None) -> None:
        """Compile, or load.

        Args:
            name: of its own in the folder.
            function: gives the Python function, of scalar arithmetic, as Numba takes it.
            signature: its Numba types.
            folder: where code of the same sources is kept, or None.
        """
        path = None if folder is None else folder / f"{name}-{_circumstances(signature)}.o"
        self.from_cache = path is not None and self._link(path)
        if not self.from_cache:
            self._compile(function(), signature, path)

    def _link(self, path: Path) -> bool:
        """Take what was kept into the process, if it is there and everything that it calls."""
        from .machine_code import Linked, found

        kept = found(path)
        if kept is None:
            return False
        head, _, binary = kept.partition(b"\0")
        name, *called = head.decode().split("\n")
        if not _all_there(called):
            return False
        self._owner: Any = Linked(binary)
        self.address: int = self._owner.address(name)
        return True

    def _compile(self, function: Any, signature: str, path: Path | None) -> None:
        import numba

        from .machine_code import keep

        self._owner = numba.cfunc(signature, **OPTIONS)(function)
        self.address = self._owner.address
        if path is not None:
            # Numba's innards: a version that has others compiles anew in every process.
            with contextlib.suppress(AttributeError, TypeError, ValueError, RuntimeError):
                keep(path, _contents(self._owner))


def _contents(compiled: Any) -> bytes:
    """What is kept of a cfunc: its name, what it calls, and the object code that Numba's cache would keep."""
    library = compiled._library
    _, _, (binary, _) = library.serialize_using_object_code()
    module = library._final_module
    outside = [x.name for x in (*module.functions, *module.global_variables) if x.is_declaration]
    called = sorted(name for name in outside if not name.startswith("llvm."))
    return "\n".join([compiled._wrapper_name, *called]).encode() + b"\0" + bytes(binary)


def _all_there(called: list[str]) -> bool:
    """Whether LLVM knows all of these; it would end the process where one is missing."""
    from .machine_code import define, is_known

    if any(name.startswith(_ALLOCATES) for name in called):
        _start_runtime()
    for name in (*_IMPLIED, *called):
        if not is_known(name):
            if not name.startswith(_HELPERS):
                return False
            # Doors catch what kernels raise, and only what was allocated is freed: this is never called.
            # Numba puts its own function in this place when it starts, for what it compiles.
            define(name, _abort())
    return True


@functools.cache
def _abort() -> int:
    address = ctypes.cast(ctypes.CDLL(None).abort, ctypes.c_void_p).value
    assert address is not None
    return address


@functools.cache
def _start_runtime() -> None:
    from numba.core.registry import cpu_target
    from numba.core.runtime.nrt import rtsys

    rtsys.initialize(cpu_target.target_context)


@functools.cache
def _circumstances(signature: str) -> str:
    """A hash of what the code depends on, besides its source."""
    from .machine_code import machine

    parts = [_versions(), machine(), signature, repr(OPTIONS)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
