"""The door between Python and a compiled kernel: a C function of our own in place of Numba's dispatcher.

Numba's dispatcher works out the type of every argument of every call, which for a small robot costs
more than the algorithm. A kernel knows what it takes, so its door only has to check: Numba compiles
(`cfunc`) a function of CPython's METH_FASTCALL shape that looks at each argument's memory, refuses
whatever is not exactly what the kernel was compiled for, and otherwise calls the kernel.

What it relies on, and `usable` verifies before any door is made: the layout of PyObject on builds with
the global interpreter lock, and that of PyArrayObject (data, nd, dimensions, strides, base, descr,
flags), which NumPy has not changed since 1.7. Elsewhere kernels go through Numba's dispatcher.

A door exists before its kernel is compiled; until then it raises TypeError (PyErr_BadArgument).
"""

from __future__ import annotations

import ctypes
import functools
import sys
import sysconfig
from typing import Any

import numpy as np

try:
    import numba
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic
except ImportError:
    numba = None

_POINTER = ctypes.sizeof(ctypes.c_void_p)
#: Offsets in bytes.
_TYPE, _DATA, _NDIM, _SHAPE, _DESCR, _FLAGS = 8, 16, 24, 32, 56, 64
#: NumPy's C_CONTIGUOUS, ALIGNED and WRITEABLE.
_READY = 0x0001 | 0x0100 | 0x0400
_FASTCALL = 0x0080

_FLOAT64 = np.dtype(np.float64)

#: Slots of the table of addresses that every door has for its `self`.
_NAMES = (
    "PyErr_SetString", "PyErr_Occurred", "PyLong_AsLongLong", "PyFloat_AsDouble",
    "PyLong_FromLongLong", "PyFloat_FromDouble", "PyBool_FromLong", "Py_IncRef",
)  # fmt: skip
_REFUSED_TYPE, _REFUSED_VALUE = (
    ctypes.c_char_p(b"the kernel takes other arguments"),
    ctypes.c_char_p(b"the kernel refused the sizes of its arguments"),
)


def _table() -> np.ndarray:
    """Addresses of the functions and objects that doors need: they differ from process to process."""
    functions = [ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for name in _NAMES]
    objects = [id(TypeError), id(ValueError), id(None), id(np.ndarray), id(_FLOAT64)]
    texts = [ctypes.cast(text, ctypes.c_void_p).value for text in (_REFUSED_TYPE, _REFUSED_VALUE)]
    return np.array([*functions, *objects, *texts], dtype=np.int64)


_SLOT = {
    name: index
    for index, name in enumerate(
        (*_NAMES, "TypeError", "ValueError", "None", "ndarray", "float64", "type text", "value text")
    )
}


@functools.cache
def usable() -> bool:
    """Whether memory here is laid out as doors expect it: tried on arrays, not assumed."""
    if numba is None or sys.implementation.name != "cpython" or _POINTER != 8:
        return False
    if sysconfig.get_config_var("Py_GIL_DISABLED") or hasattr(sys, "gettotalrefcount"):
        return False
    for array in (np.zeros((3, 5)), np.zeros(7)[::2], np.zeros(4, np.float32)):
        seen = array.view(np.ndarray)

        def word(offset: int, kind: Any = ctypes.c_int64, at: int = id(seen)) -> Any:
            return kind.from_address(at + offset).value

        shape = [word(8 * k, at=word(_SHAPE)) for k in range(seen.ndim)]
        ready = word(_FLAGS, ctypes.c_int32) & _READY
        expected = (0x0001 if seen.flags.c_contiguous else 0) | 0x0500
        if (
            word(_TYPE) != id(np.ndarray)
            or word(_DATA) != seen.__array_interface__["data"][0]
            or word(_NDIM, ctypes.c_int32) != seen.ndim
            or shape != list(seen.shape)
            or word(_DESCR) != id(seen.dtype)
            or ready != expected
        ):
            return False
    return True


class _MethodDef(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


#: What Python's objects point to has to outlive them.
_kept: list[Any] = []
_shared_table: list[np.ndarray] = []


def make_door(name: str, doc: str) -> tuple[Any, _MethodDef]:
    """A closed door: a builtin function that raises TypeError, and the record that `open_door` changes."""
    if not _shared_table:
        _shared_table.append(_table())
    closed = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p)
    method = _MethodDef(name.encode(), closed, _FASTCALL, doc.encode())
    create = ctypes.pythonapi.PyCFunction_NewEx
    create.restype = ctypes.py_object
    create.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    _kept.append(method)
    return create(ctypes.addressof(method), _shared_table[0], None), method


def open_door(method: _MethodDef, function: Any) -> None:
    """Let a door lead to a compiled kernel's entry (a Numba cfunc)."""
    _kept.append(function)
    method.function = function.address


if numba is not None:
    _i64, _i32, _f64 = ir.IntType(64), ir.IntType(32), ir.DoubleType()

    @intrinsic
    def word(context: Any, address: Any) -> Any:
        """The 64-bit integer at an address."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load(builder.inttoptr(args[0], _i64.as_pointer()))

        return types.int64(types.int64), emit

    @intrinsic
    def half(context: Any, address: Any) -> Any:
        """The 32-bit integer at an address."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            value = builder.load(builder.inttoptr(args[0], _i32.as_pointer()))
            return builder.sext(value, _i64)

        return types.int64(types.int64), emit

    @intrinsic
    def pointer(context: Any, address: Any) -> Any:
        """An address as what numba.carray takes."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], ir.IntType(8).as_pointer())

        return types.voidptr(types.int64), emit

    def _call(inputs: tuple[Any, ...], output: Any) -> Any:
        """An intrinsic that calls the C function at an address."""
        native = {types.int64: _i64, types.float64: _f64}

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            function = ir.FunctionType(native[output], [native[kind] for kind in inputs])
            return builder.call(builder.inttoptr(args[0], function.as_pointer()), args[1:])

        if len(inputs) == 1:

            @intrinsic
            def call(context: Any, address: Any, x: Any) -> Any:
                return output(types.int64, *inputs), emit

        else:

            @intrinsic
            def call(context: Any, address: Any, x: Any, y: Any) -> Any:
                return output(types.int64, *inputs), emit

        return call

    call_object = _call((types.int64,), types.int64)
    call_pair = _call((types.int64, types.int64), types.int64)
    call_to_float = _call((types.int64,), types.float64)
    call_from_float = _call((types.float64,), types.int64)

    def _slot(name: str) -> int:
        return 8 * _SLOT[name]

    _set, _occurred = _slot("PyErr_SetString"), _slot("PyErr_Occurred")
    _as_int, _as_float = _slot("PyLong_AsLongLong"), _slot("PyFloat_AsDouble")
    _int, _float, _bool = _slot("PyLong_FromLongLong"), _slot("PyFloat_FromDouble"), _slot("PyBool_FromLong")
    _keep, _none = _slot("Py_IncRef"), _slot("None")
    _array, _number = _slot("ndarray"), _slot("float64")
    _wrong_type, _type_text = _slot("TypeError"), _slot("type text")
    _wrong_value, _value_text = _slot("ValueError"), _slot("value text")
    _helper = functools.partial(numba.njit, no_cpython_wrapper=True, no_cfunc_wrapper=True)

    @_helper
    def refuse_type(table: int) -> int:
        """Raise TypeError."""
        call_pair(word(table + _set), word(table + _wrong_type), word(table + _type_text))
        return 0

    @_helper
    def refuse_value(table: int) -> int:
        """Raise ValueError."""
        call_pair(word(table + _set), word(table + _wrong_value), word(table + _value_text))
        return 0

    @_helper
    def is_array(value: int, table: int, ndim: int) -> bool:
        """A NumPy array itself, of this many axes, contiguous, aligned and writeable."""
        return (
            word(value + _TYPE) == word(table + _array)
            and half(value + _NDIM) == ndim
            and half(value + _FLAGS) & _READY == _READY
        )

    @_helper
    def is_numbers(value: int, table: int, ndim: int) -> bool:
        """Such an array of float64."""
        return is_array(value, table, ndim) and word(value + _DESCR) == word(table + _number)

    @_helper
    def size(value: int, axis: int) -> int:
        """Length of an array's axis."""
        return word(word(value + _SHAPE) + 8 * axis)

    @_helper
    def failed(table: int) -> bool:
        """Whether a Python error is set."""
        return call_object(word(table + _occurred), 0) != 0

    @_helper
    def to_int(value: int, table: int) -> int:
        """A Python integer's value; -1 with an error set where it has none."""
        return call_object(word(table + _as_int), value)

    @_helper
    def to_float(value: int, table: int) -> float:
        """A Python number's value; -1 with an error set where it has none."""
        return call_to_float(word(table + _as_float), value)

    @_helper
    def from_none(table: int) -> int:
        """None, as a new reference."""
        none = word(table + _none)
        call_object(word(table + _keep), none)
        return none

    @_helper
    def from_int(value: int, table: int) -> int:
        """A Python int."""
        return call_object(word(table + _int), value)

    @_helper
    def from_bool(value: bool, table: int) -> int:
        """True or False."""
        return call_object(word(table + _bool), 1 if value else 0)

    @_helper
    def from_float(value: float, table: int) -> int:
        """A Python float."""
        return call_from_float(word(table + _float), value)


_AXES = {"vector": 1, "matrix": 2, "stack": 3}


def _take(k: int, kind: str) -> tuple[list[str], str]:
    """Lines that look at argument k, and the expression that is handed to the kernel."""
    if kind in ("int", "float"):
        return [
            f"x{k} = to_{kind}(a{k}, table)",
            f"if x{k} == -1 and failed(table): return 0",
        ], f"x{k}"
    ndim = _AXES.get(kind, 1)
    check = "is_numbers" if kind in _AXES else "is_array"
    shape = ", ".join(f"size(a{k}, {axis})" for axis in range(ndim))
    dtype = "float64" if kind in _AXES else f"dtype_{kind}"
    return (
        [f"if not {check}(a{k}, table, {ndim}): return refuse_type(table)"],
        f"carray(pointer(word(a{k} + {_DATA})), ({shape},), {dtype})",
    )


def entry_source(name: str, kinds: tuple[str, ...], returns: str) -> str:
    """Source of the function of METH_FASTCALL shape that checks the arguments and calls a kernel."""
    lines = [
        f"def {name}_entry(owner, args, count):",
        f"    table = word(owner + {_DATA})",
        f"    if count != {len(kinds)}: return refuse_type(table)",
    ]
    handed = []
    for k, kind in enumerate(kinds):
        checks, expression = _take(k, kind)
        lines += [f"    a{k} = word(args + {8 * k})", *(f"    {line}" for line in checks)]
        handed.append(expression)
    call = f"{name}({', '.join(handed)})"
    answer = "from_none(table)" if returns == "None" else f"from_{returns}(result, table)"
    lines += [
        "    try:",
        f"        result = {call}" if returns != "None" else f"        {call}",
        "    except Exception:",
        "        return refuse_value(table)",
        f"    return {answer}",
    ]
    return "\n".join(lines)


def entry_function(
    kernel: Any, name: str, kinds: tuple[str, ...], returns: str, dtypes: dict[str, Any]
) -> Any:
    """The entry of a kernel as a Python function, ready for numba.cfunc.

    Its code claims to stand in the kernel's file: that is where Numba looks when it caches.
    """
    names = {key: value for key, value in globals().items() if not key.startswith("__")}
    names.update({f"dtype_{key}": dtype for key, dtype in dtypes.items()})
    names.update({name: kernel, "carray": numba.carray, "float64": np.float64})
    code = compile(entry_source(name, kinds, returns), kernel.py_func.__code__.co_filename, "exec")
    names["__name__"] = kernel.py_func.__module__
    exec(code, names)
    return names[f"{name}_entry"]


def entry_signature() -> Any:
    """PyObject *(PyObject *self, PyObject *const *args, Py_ssize_t nargs)."""
    return types.int64(types.int64, types.int64, types.int64)
