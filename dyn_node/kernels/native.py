"""Functions that Numba compiles to C's way of being called; from disk where they were before.

Numba takes half a second to import, and as long again to read its own cache for the first time: several
times what a robot takes to load. What is kept here is object code, which LLVM links in some milliseconds;
a process whose kernels are all there needs no Numba.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

#: How kernels are compiled.
OPTIONS: dict[str, Any] = {"error_model": "numpy"}
#: Numba's settings for them. Loops over a robot's rows and columns are short: what LLVM adds to run them on
#: wide registers, checks before and rests after, costs up to a third of a kernel's time, and seldom wins.
SETTINGS = {"LOOP_VECTORIZE": 0}
#: How deep Python may go while Numba compiles.
_DEEP = 10_000
#: What all of Numba's code refers to, and calls only to raise an error or to free an array. Doors catch what
#: kernels raise, and only what was allocated is freed: without Numba these are never called.
_UNUSED = (
    "numba_do_raise", "numba_gil_ensure", "numba_gil_release", "numba_runtime_build_excinfo_struct",
    "numba_unpickle", "NRT_Free", "NRT_MemInfo_call_dtor",
)  # fmt: skip
#: What compiled code that makes arrays calls.
_ALLOCATING = "NRT_MemInfo_alloc"
#: Of Numba's settings those that do not change what it compiles.
_NO_MATTER = ("NUMBA_CACHE", "NUMBA_NUM_THREADS")
#: What LLVM may call without having been told to.
_IMPLIED = ("sin", "cos", "sincos", "atan2", "fmod", "pow", "exp", "log", "memset", "memcpy", "memmove")


def why_no_numba(base: Path | None) -> str:
    """Why nothing can be compiled; empty where it can: found out by importing Numba, once for its version.

    Args:
        base: where that is noted down, or None.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "NUMBA_DISABLE_JIT is set"
    if _version_file("numba") is None:
        return "Numba is not installed"
    mark = None if base is None else base / f"numba-{_versions()}"
    if mark is not None and mark.is_file():
        return ""
    try:
        import llvmlite.binding  # noqa: F401
        import numba  # noqa: F401
    except ImportError as error:  # as when it wants an older NumPy
        return f"Numba cannot be imported ({error})"
    if mark is not None:
        with contextlib.suppress(OSError):
            mark.touch()
    return ""


def _version_file(package: str) -> Path | None:
    """The file that says which version of a package is installed; None without one."""
    try:
        spec = importlib.util.find_spec(package)
    except ValueError:  # something else by this name
        return None
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).with_name("_version.py")
    return file if file.is_file() else Path(spec.origin)


@functools.cache
def _versions() -> str:
    """A hash of whose work compiled code is. Files of versions are read rather than packages imported."""
    digest = hashlib.sha256(f"{np.__version__} {sys.implementation.cache_tag}".encode())
    for file in map(_version_file, ("numba", "llvmlite")):
        digest.update(b"" if file is None else file.read_bytes())
    return digest.hexdigest()[:16]


def _path(name: str, signature: str, folder: Path | None) -> Path | None:
    """Where a function's code is kept."""
    return None if folder is None else folder / f"{name}-{_circumstances(signature)}.o"


def is_kept(name: str, signature: str, folder: Path | None) -> bool:
    """Whether code of a function is on disk; arguments as of `Native`."""
    path = _path(name, signature, folder)
    return path is not None and path.is_file()


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
        path = _path(name, signature, folder)
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

        with settings():
            self._owner = numba.cfunc(signature, **OPTIONS)(function)
        self.address = self._owner.address
        if path is not None:
            # Numba's innards: a version that has others compiles anew in every process.
            with contextlib.suppress(AttributeError, TypeError, ValueError, RuntimeError):
                keep(path, _contents(self._owner))


@contextlib.contextmanager
def settings() -> Iterator[None]:
    """Numba's settings as kernels are compiled, and then as they were.

    Older versions look at them when they make their compiler: that is made first, so that it is the user's.
    Numba follows a function's branches by recursion, and the door of many arguments has hundreds.
    """
    import numba
    from numba.core.registry import cpu_target

    cpu_target.target_context.codegen()
    before, depth = {name: getattr(numba.config, name) for name in SETTINGS}, sys.getrecursionlimit()
    try:
        vars(numba.config).update(SETTINGS)
        sys.setrecursionlimit(max(depth, _DEEP))
        yield
    finally:
        sys.setrecursionlimit(depth)
        vars(numba.config).update(before)


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

    if any(name.startswith(_ALLOCATING) for name in called):
        _give_memory()
    for name in called:
        # Numba puts its own function in this place when its compiler starts, for what it compiles.
        if name in _UNUSED and not is_known(name):
            define(name, _abort())
    if not all(is_known(name) for name in called):
        _start_runtime()
    return all(is_known(name) for name in (*_IMPLIED, *called))


@functools.cache
def _abort() -> int:
    address = ctypes.cast(ctypes.CDLL(None).abort, ctypes.c_void_p).value
    assert address is not None
    return address


@functools.cache
def _give_memory() -> None:
    """Let LLVM find the C functions that Numba's code gets memory from, without importing the rest of Numba.

    Numba's innards: where a version keeps them elsewhere, `_start_runtime` does it.
    """
    from .machine_code import define

    with contextlib.suppress(ImportError, AttributeError):
        for name, address in _memory_functions().items():
            define(name if name.startswith("_") else f"NRT_{name}", address)


def _memory_functions() -> dict[str, int]:
    """Addresses by name, of the extension module in Numba's folder."""
    package, name = _version_file("numba"), "_nrt_python"
    if package is None:
        raise ImportError("Numba is not installed")
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        file = package.parent / "core" / "runtime" / f"{name}{suffix}"
        if file.is_file():
            loader = importlib.machinery.ExtensionFileLoader(name, str(file))
            spec = importlib.util.spec_from_file_location(name, file, loader=loader)
            assert spec is not None
            module = importlib.util.module_from_spec(spec)
            loader.exec_module(module)
            helpers: dict[str, int] = module.c_helpers
            return helpers
    raise ImportError(f"no {name} beside {package}")


@functools.cache
def _start_runtime() -> None:
    from numba.core.registry import cpu_target
    from numba.core.runtime.nrt import rtsys

    rtsys.initialize(cpu_target.target_context)


@functools.cache
def _circumstances(signature: str) -> str:
    """A hash of what the code depends on, besides its source."""
    from .machine_code import machine

    of_user = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_"))
    of_user = [setting for setting in of_user if not setting.startswith(_NO_MATTER)]
    parts = [_versions(), machine(), signature, repr((OPTIONS, SETTINGS)), *of_user]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
