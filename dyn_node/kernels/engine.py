"""How a kernel is compiled: by Numba where it is installed, and not at all where it is not.

A kernel is a plain function of scalar arithmetic over records and arrays. `inline` marks helpers
that only other kernels call; `kernel` marks the ones that Python calls, with the types of their
arguments by name. Nothing is compiled at import: the first call of a kernel fails inside the
door (`entry`), `algorithms.arguments` then calls `compile_kernel` and tries again. So the happy path
is one call of the compiled function, and a wrong argument type can never start a compilation.

Compiled code is kept (`native`) in folders named by the contents of the kernel's file and of all that
it imports: whatever of these changes, code of the old ones is not found.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from .again import again
from .cpython import usable
from .entry import ENTRY_SIGNATURE, Result, entry_function, make_door, open_door
from .native import OPTIONS, Native, is_kept, settings, why_no_numba
from .records import FRAME, JOINT, KINEMATICS, WORK

F = TypeVar("F", bound=Callable[..., Any])

_RECORDS = {"joints": JOINT, "kinematics": KINEMATICS, "work": WORK, "frames": FRAME}
_source = Path(__file__).parent
_IMPORT = re.compile(r"^ *from \.(\w+) import", re.MULTILINE)


class Kernel:
    """One kernel: its source, the types of its arguments, and what Python calls.

    Attributes:
        name: of the function.
        kinds: names of its arguments' types.
        source: the plain function.
        result: what it writes last, where a caller may leave the making of that to it.
        call: what Python calls. It raises TypeError until `compile` has run.
        from_cache: whether the compiled code came from disk; None until then.
    """

    def __init__(
        self, source: Callable[..., Any], kinds: tuple[str, ...], result: Result | None = None
    ) -> None:
        self.name, self.kinds, self.source, self.result = source.__name__, kinds, source, result
        self.from_cache: bool | None = None
        if not compiles():
            self.call: Any = self.uncompiled
            self.from_cache = False
        elif has_doors():
            self.call, self._method = make_door(self.name, source.__doc__ or "")
        else:
            self._dispatcher: Any = _closed
            self.call = _making(lambda *arguments: self._dispatcher(*arguments), result)

    @property
    def compiled(self) -> bool:
        """Whether `call` leads to the algorithm."""
        return self.from_cache is not None

    def compile(self) -> None:
        """Compile, or load from the cache."""
        if hasattr(self, "_method"):
            self._open_door()
        else:
            with _cache_for(self.source) as cached:
                self._compile_dispatcher(cached)

    @functools.cached_property
    def uncompiled(self) -> Any:
        """What Python calls of the source itself. Records have to be as `numpy.recarray` has them."""
        return _making(_guarded(self.source, self.kinds), self.result)

    def is_kept(self) -> bool:
        """Whether its compiled code is on disk."""
        module = self.source.__module__.rpartition(".")[2]
        return is_kept(f"{self.name}_entry", ENTRY_SIGNATURE, _folder(module))

    def _compilable(self) -> Any:
        """The kernel as Numba compiles it into callers."""
        module = self.source.__module__.rpartition(".")[2]
        return getattr(again(module, f"{__package__}_compiled", _njit), self.name)

    def _entry(self) -> Any:
        returns = str(self.source.__annotations__.get("return", "None"))
        return entry_function(self._compilable(), self.name, self.kinds, returns, _RECORDS, self.result)

    def _open_door(self) -> None:
        module = self.source.__module__.rpartition(".")[2]
        entry = compiled_function(f"{self.name}_entry", self._entry, ENTRY_SIGNATURE, module)
        open_door(self._method, entry)
        self.from_cache = entry.from_cache

    def _compile_dispatcher(self, cached: bool) -> None:
        import numba

        dispatcher = numba.njit(**OPTIONS)(self._compilable().py_func)
        if cached:
            with contextlib.suppress(RuntimeError, OSError):
                dispatcher.enable_caching()
        with settings():
            dispatcher.compile(tuple(_numba_type(name) for name in self.kinds))
        dispatcher._can_compile = False  # another type raises TypeError
        self.from_cache = sum(dispatcher.stats.cache_hits.values()) > 0
        self._dispatcher = dispatcher


def _closed(*arguments: Any) -> Any:
    raise TypeError("not compiled yet")


def _njit(function: Callable[..., Any]) -> Any:
    """What Numba compiles into its callers."""
    import numba

    # Without the wrappers for callers outside compiled code: a sixth of the compile time.
    return numba.njit(**OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


_registry: dict[str, Kernel] = {}
_by_call: dict[int, Kernel] = {}


def _numba_type(name: str) -> Any:
    """The Numba type of an argument type's name."""
    import numba

    if name in _RECORDS:
        return numba.from_dtype(_RECORDS[name])[::1]
    f8 = numba.float64
    return {
        "int": numba.int64,
        "float": f8,
        "vector": f8[::1],
        "matrix": f8[:, ::1],
        "stack": f8[:, :, ::1],
    }[name]


def _closure(module: str, found: set[str]) -> set[str]:
    """The files of this folder that a kernel's file is compiled from: itself and what it imports."""
    if module not in found:
        found.add(module)
        for imported in _IMPORT.findall((_source / f"{module}.py").read_text(encoding="utf-8")):
            _closure(imported, found)
    return found


@functools.cache
def _fingerprint(module: str) -> str:
    """A hash of every source that is compiled into the kernels of a file."""
    digest = hashlib.sha256()
    for name in sorted(_closure(module, set())):
        digest.update(name.encode())
        digest.update((_source / f"{name}.py").read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _cache_base() -> Path | None:
    """Where compiled kernels are kept: beside the source, else in the user's cache, else nowhere."""
    asked = os.environ.get("DYN_NODE_CACHE_DIR")
    if asked:
        folder = Path(asked).resolve()
        return folder if _writable(folder) else None
    beside = _source / "__pycache__"
    if _writable(beside):
        return beside
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if os.path.isabs(home) and _writable(Path(home) / "dyn_node"):
        return Path(home) / "dyn_node"
    return None


_base = _cache_base()
_no_numba = why_no_numba(_base)


def compiles() -> bool:
    """Whether Numba is there."""
    return not _no_numba


def has_doors() -> bool:
    """Whether kernels are compiled, and entered by doors."""
    return compiles() and usable()


def cache_base() -> Path | None:
    """The folder of compiled code; None where none may be written, or nothing is compiled."""
    return _base if compiles() else None


def _folder(module: str) -> Path | None:
    """Where the compiled code of a file of kernels is kept: another folder for other sources."""
    return None if _base is None else _base / f"dyn_node-{_fingerprint(module)}"


def compiled_function(name: str, function: Callable[[], Any], signature: str, module: str) -> Native:
    """A function compiled to C's way of being called, from disk if it is there.

    Args:
        name: of its own among those of the module.
        function: gives the Python function, as Numba takes it; called only to compile it.
        signature: its Numba types.
        module: the file of kernels that all of its source is in, with what that imports.
    """
    return Native(name, function, signature, _folder(module))


@contextlib.contextmanager
def _cache_for(function: Callable[..., Any]) -> Iterator[bool]:
    """Point Numba to a kernel's own cache folder while it picks one; whether there is any."""
    import numba

    folder = _folder(function.__module__.rpartition(".")[2])
    if folder is None:
        yield False
        return
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield True
    finally:
        numba.config.CACHE_DIR = before


def _guarded(function: F, types: tuple[str, ...]) -> Any:
    """The uncompiled kernel, as strict about its array arguments as the compiled one."""
    axes = {"vector": 1, "matrix": 2, "stack": 3}
    strict = [(index, axes[name]) for index, name in enumerate(types) if name in axes]

    @functools.wraps(function)
    def guarded(*arguments: Any) -> Any:
        for index, ndim in strict:
            array = arguments[index]
            if type(array) is not np.ndarray or array.dtype != np.float64 or array.ndim != ndim:
                raise TypeError(f"argument {index} is not a float64 array of {ndim} axes")
        with np.errstate(all="ignore"):  # compiled code warns of no overflow either
            return function(*arguments)

    return guarded


def _making(call: Callable[..., Any], result: Result | None) -> Any:
    """What doors do with results, for calls that do not go through one."""
    if result is None:
        return call

    lengths = result.lengths("given[0][0]", r"len(given[\1])")
    shapes = [eval(f"lambda given: ({', '.join(axes)},)") for axes in lengths]

    @functools.wraps(call)
    def making(*arguments: Any) -> Any:
        *given, maker = arguments
        if not (isinstance(maker, type) if result.value else maker is None):
            call(*arguments)
            return maker
        arrays = [np.empty(shape(given)) for shape in shapes]
        call(*given, *arrays)
        if not result.value:
            return arrays[-1]
        made: Any = object.__new__(maker)
        names = [name for kind in reversed(maker.__mro__) for name in kind.__dict__.get("__slots__", ())]
        for name, array in zip(sorted(names), arrays, strict=True):
            setattr(made, name, array)
        return made

    return making


def inline(function: F) -> F:
    """Mark a helper that only kernels call; it is compiled into its callers."""
    return function


def kernel(
    *types: str, result: Sequence[Any] | None = None, value: bool = False
) -> Callable[[Callable[..., Any]], Any]:
    """Mark a kernel that Python calls; `types` names the type of each argument.

    Args:
        types: "joints", "kinematics", "work", "frames" (record arrays), "vector", "matrix", "stack"
            (C-contiguous float64 arrays of one, two and three axes), "int", "float".
        result: shape of the last argument, where a caller may pass None for it and is given a new
            array: lengths, "nq", "nv", "len(k)" of argument k, and arithmetic on these. What it then
            returns is that array, in every case.
        value: instead of None a caller passes the class of a value type, and is given an object of it.
            The class has a slot for each result; several are given as a tuple of shapes, in the order
            of the slots' names.
    """
    shape = None
    if result is not None:
        shapes = tuple(result) if isinstance(result[0], tuple) else (tuple(result),)
        shape = Result(shapes, value)

    def mark(function: Callable[..., Any]) -> Any:
        made = Kernel(function, types, shape)
        _registry[made.name] = made
        _by_call[id(made.call)] = made
        return made.call

    return mark


def compile_kernel(call: Any) -> bool:
    """Compile a kernel, or load it from the cache; False when there was nothing left to do."""
    made = _by_call[id(call)]
    if made.compiled:
        return False
    made.compile()
    return True


_patience: ContextVar[bool] = ContextVar("patience", default=False)


@contextlib.contextmanager
def few_calls() -> Iterator[None]:
    """Inside, a kernel is called too seldom to be compiled for it: see `callable_now`."""
    token = _patience.set(True)
    try:
        yield
    finally:
        _patience.reset(token)


def callable_now(call: Any) -> Any:
    """A kernel without records as it can be called: compiled, or loaded from the cache.

    Inside `few_calls` it is its source where it was never compiled on this machine.
    """
    made = _by_call[id(call)]
    if not made.compiled:
        if _patience.get() and not made.is_kept():
            return made.uncompiled
        made.compile()
    return call


def kernel_call(name: str) -> Any:
    """What Python calls of the kernel of this name."""
    return _registry[name].call


def kernel_names() -> tuple[str, ...]:
    """The names of all kernels that `warm` can compile."""
    return tuple(sorted(_registry))


def warm(*names: str, report: Callable[[str, float], None] | None = None) -> float:
    """Compile the named kernels (all of them without a name) before they are needed.

    Args:
        names: kernel names, see `kernel_names`.
        report: called with the name and the seconds of each that had to be compiled; what the cache
            gave is not worth a line, however long the import of Numba before it took.

    Returns:
        Seconds spent. The first time on a machine a kernel takes a second or two; afterwards it
        comes from the cache in milliseconds.
    """
    start = time.perf_counter()
    for name in names or kernel_names():
        if name not in _registry:
            raise KeyError(f"no kernel named {name!r}; all: {', '.join(kernel_names())}")
        made, before = _registry[name], time.perf_counter()
        if compile_kernel(made.call) and not made.from_cache and report is not None:
            report(name, time.perf_counter() - before)
    return time.perf_counter() - start


def as_records(array: np.ndarray) -> np.ndarray:
    """The view of a record array that kernels can index by field name.

    Compiled kernels take the plain array; uncompiled Python needs `np.recarray`.
    """
    return array if compiles() else array.view(np.recarray)


@functools.cache
def slow_notice() -> None:
    """Say that kernels run uncompiled, the first time that it is called."""
    if not compiles():
        warnings.warn(
            f"{_no_numba}: dyn_node works, some hundred times slower. "
            "Add it with `pip install numba` or `apt install python3-numba`.",
            RuntimeWarning,
            stacklevel=3,
        )
