"""Functions that Numba compiles to C's way of being called; from disk where they were before.

Numba has a cache of its own, but whoever reads it first waits for all that Numba knows of types: half a
second, several times what a robot takes to load. What is kept here is object code, which LLVM links in
a millisecond or two.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba

from .machine_code import Linked, found, keep, machine

#: How kernels are compiled.
OPTIONS: dict[str, Any] = {"error_model": "numpy"}
#: What code that allocates arrays calls: Numba's runtime has to be up for it.
_ALLOCATES = "NRT_MemInfo_alloc", "NRT_MemInfo_new", "NRT_Allocate"
#: What LLVM may call without having been told to.
_IMPLIED = ("sin", "cos", "sincos", "atan2", "fmod", "pow", "exp", "log", "memset", "memcpy", "memmove")


class Native:
    """A compiled function.

    Attributes:
        address: of the function.
        from_cache: whether its code came from disk.
    """

    def __init__(self, function: Callable[..., Any], signature: Any, folder: Path | None) -> None:
        """Compile, or load.

        Args:
            function: of scalar arithmetic, as Numba takes it; its name is one of its own in the folder.
            signature: its Numba types.
            folder: where code of the same sources is kept, or None.
        """
        path = None if folder is None else folder / f"{function.__name__}-{_circumstances(str(signature))}.o"
        kept = None if path is None else found(path)
        self.from_cache = kept is not None and self._link(kept)
        if not self.from_cache:
            self._owner: Any = numba.cfunc(signature, **OPTIONS)(function)
            self.address: int = self._owner.address
            if path is not None:
                keep(path, _contents(self._owner))

    def _link(self, kept: bytes) -> bool:
        """Take what was kept into the process, if everything that it calls is there."""
        head, _, binary = kept.partition(b"\0")
        name, *called = head.decode().split("\n")
        if not _all_there(called):
            return False
        self._owner = Linked(binary)
        self.address = self._owner.address(name)
        return True


def _contents(compiled: Any) -> bytes:
    """What is kept of a cfunc: its name, what it calls, and the object code that Numba's cache would keep."""
    library = compiled._library
    _, _, (binary, _) = library.serialize_using_object_code()
    declared = (f.name for f in library._final_module.functions if f.is_declaration)
    called = sorted(name for name in declared if not name.startswith("llvm."))
    return "\n".join([compiled._wrapper_name, *called]).encode() + b"\0" + bytes(binary)


def _all_there(called: list[str]) -> bool:
    """Whether LLVM knows all of these functions; it would end the process where one is missing."""
    _tell_llvm()
    if any(name.startswith(_ALLOCATES) for name in called):
        _start_runtime()
    return all(llvm.address_of_symbol(name) for name in (*_IMPLIED, *called))


def _circumstances(signature: str) -> str:
    """A hash of what the code depends on, besides its source."""
    parts = [numba.__version__, sys.implementation.cache_tag, machine(), signature, repr(OPTIONS)]
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]


@functools.cache
def _tell_llvm() -> None:
    """Of the helpers that every function of Numba's refers to, whether it comes to call them or not."""
    from numba import _helperlib
    from numba.core.runtime import _nrt_python

    for prefix, module in (("numba_", _helperlib), ("NRT_", _nrt_python)):
        for name, address in vars(module)["c_helpers"].items():
            llvm.add_symbol(name if name.startswith("_") else prefix + name, address)


@functools.cache
def _start_runtime() -> None:
    from numba.core.registry import cpu_target
    from numba.core.runtime.nrt import rtsys

    rtsys.initialize(cpu_target.target_context)
