"""What doors know of CPython and NumPy: how objects lie in memory, and how compiled code asks for more.

Everything here is an address or an offset. `usable` tries on real objects that they are right: the layout
of PyObject on builds with the global interpreter lock, that of PyArrayObject (data, nd, dimensions, strides,
base, descr, flags, weakreflist), which NumPy has not changed since 1.7, slots of classes, and the place of
PyArray_NewFromDescr in NumPy's table of functions. The functions at the end are for Numba to compile into
doors (`entry`, `program_entry`).
"""

from __future__ import annotations

import ctypes
import functools
import sys
import sysconfig
import weakref
from typing import Any

import numpy as np

try:
    import numba
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic
except ImportError:
    numba = None

_POINTER = ctypes.sizeof(ctypes.c_void_p)
#: Offsets in bytes: the count of references, 32 bits of it, and what follows.
COUNT = 0
TYPE, DATA, NDIM, SHAPE, DESCR, FLAGS, WEAK = 8, 16, 24, 32, 56, 64, 72
#: In a class: the size of its objects, and its flags, of which one says that Python code defined it.
_BASIC_SIZE, _CLASS_FLAGS, _DEFINED = 32, 168, 1 << 9
#: In an object of a class with slots: the first of them.
SLOTS = 16
#: Index of PyArray_NewFromDescr in NumPy's table of functions, the same in 1.x and 2.x.
_NEW_FROM_DESCR = 94
#: NumPy's C_CONTIGUOUS, ALIGNED and WRITEABLE.
READY = 0x0001 | 0x0100 | 0x0400

_FLOAT64 = np.dtype(np.float64)

#: What stands in the table that every door has for its `self`.
_NAMES = (
    "PyErr_SetString", "PyErr_Occurred", "PyLong_AsLongLong", "PyFloat_AsDouble",
    "PyLong_FromLongLong", "PyFloat_FromDouble", "PyBool_FromLong", "Py_IncRef", "Py_DecRef",
    "PyType_GenericAlloc",
)  # fmt: skip
_REFUSED_TYPE, _REFUSED_VALUE = (
    ctypes.c_char_p(b"the kernel takes other arguments"),
    ctypes.c_char_p(b"the kernel refused the sizes of its arguments"),
)

#: How many results are remembered (`remembered`), of values and of arrays.
REMEMBERED = 16
#: Of each kind the place whose turn it is to be forgotten, and the results.
_rings = np.zeros(1 + REMEMBERED, np.int64), np.zeros(1 + REMEMBERED, np.int64)


def _new_from_descr() -> int:
    """The address of NumPy's PyArray_NewFromDescr."""
    core = getattr(np, "_core", None) or np.core
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    functions: int = get(core._multiarray_umath._ARRAY_API, None)
    return ctypes.c_int64.from_address(functions + _POINTER * _NEW_FROM_DESCR).value


def addresses() -> np.ndarray:
    """Of the functions and objects that doors need, in the order of `PLACE`: other ones in each process."""
    functions = [ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for name in _NAMES]
    functions.append(_new_from_descr())
    objects = [id(TypeError), id(ValueError), id(None), id(np.ndarray), id(_FLOAT64), id(type)]
    texts = [ctypes.cast(text, ctypes.c_void_p).value for text in (_REFUSED_TYPE, _REFUSED_VALUE)]
    return np.array([*functions, *objects, *texts, *(ring.ctypes.data for ring in _rings)], dtype=np.int64)


_OBJECTS = (
    "TypeError", "ValueError", "None", "ndarray", "float64", "type", "type text", "value text",
    "values", "arrays",
)  # fmt: skip
PLACE = {name: index for index, name in enumerate((*_NAMES, "PyArray_NewFromDescr", *_OBJECTS))}


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

        shape = [word(8 * k, at=word(SHAPE)) for k in range(seen.ndim)]
        ready = word(FLAGS, ctypes.c_int32) & READY
        expected = (0x0001 if seen.flags.c_contiguous else 0) | 0x0500
        if (
            word(TYPE) != id(np.ndarray)
            or word(DATA) != seen.__array_interface__["data"][0]
            or word(NDIM, ctypes.c_int32) != seen.ndim
            or shape != list(seen.shape)
            or word(DESCR) != id(seen.dtype)
            or ready != expected
            or [word(WEAK), (weakref.ref(seen), word(WEAK))[1]].count(0) != 1
        ):
            return False
    return _counts_references() and _makes_arrays() and _has_slots_in_a_row(_Probe)


class _Probe:
    """A class such as the value types are."""

    __slots__ = ("first", "second")


def _counts_references() -> bool:
    """Whether an object counts those who hold it where doors look for that."""
    count = ctypes.c_int32.from_address(id(held := _Probe()) + COUNT)
    alone = count.value
    holders = [held]
    return (alone, count.value, len(holders)) == (1, 2, 1)


def _makes_arrays() -> bool:
    """Whether the function found in NumPy's table is the one that makes arrays."""
    i64, i32 = ctypes.c_int64, ctypes.c_int
    prototype = ctypes.PYFUNCTYPE(ctypes.py_object, i64, i64, i32, i64, i64, i64, i32, i64)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_FLOAT64))  # the call takes a reference
    shape = (i64 * 2)(3, 5)
    made = prototype(_new_from_descr())(id(np.ndarray), id(_FLOAT64), 2, ctypes.addressof(shape), 0, 0, 0, 0)
    return type(made) is np.ndarray and made.shape == (3, 5) and made.dtype is _FLOAT64 and made.flags.carray


def _has_slots_in_a_row(kind: type) -> bool:
    """Whether objects of a class are laid out as doors fill them: in the order of the slots' names."""
    value, contents = kind(), (object(), object())
    value.first, value.second = contents  # type: ignore[attr-defined]
    size = ctypes.c_int64.from_address(id(kind) + _BASIC_SIZE).value
    flags = [ctypes.c_int64.from_address(id(x) + _CLASS_FLAGS).value & _DEFINED for x in (kind, int)]
    found = [ctypes.c_int64.from_address(id(value) + SLOTS + 8 * k).value for k in range(2)]
    return size == SLOTS + 16 and flags == [_DEFINED, 0] and found == [id(content) for content in contents]


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

    @intrinsic
    def store(context: Any, address: Any, value: Any) -> Any:
        """Write a 64-bit integer to an address; the integer."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.store(args[1], builder.inttoptr(args[0], _i64.as_pointer()))
            return args[1]

        return types.int64(types.int64, types.int64), emit

    @intrinsic
    def make_array(
        context: Any, function: Any, kind: Any, descr: Any, ndim: Any, d0: Any, d1: Any, d2: Any
    ) -> Any:
        """Call PyArray_NewFromDescr at an address for a shape of up to three axes."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            function, kind, descr, ndim, *lengths = args
            shape = cgutils.alloca_once(builder, _i64, size=3)
            for axis, length in enumerate(lengths):
                builder.store(length, builder.gep(shape, [_i32(axis)]))
            native = ir.FunctionType(_i64, [_i64, _i64, _i32, _i64.as_pointer(), _i64, _i64, _i32, _i64])
            call = builder.inttoptr(function, native.as_pointer())
            given = [kind, descr, builder.trunc(ndim, _i32), shape, _i64(0), _i64(0), _i32(0), _i64(0)]
            return builder.call(call, given)

        return types.int64(*[types.int64] * 7), emit

    call_object = _call((types.int64,), types.int64)
    call_pair = _call((types.int64, types.int64), types.int64)
    call_to_float = _call((types.int64,), types.float64)
    call_from_float = _call((types.float64,), types.int64)

    def _slot(name: str) -> int:
        return 8 * PLACE[name]

    _set, _occurred = _slot("PyErr_SetString"), _slot("PyErr_Occurred")
    _as_int, _as_float = _slot("PyLong_AsLongLong"), _slot("PyFloat_AsDouble")
    _int, _float, _bool = _slot("PyLong_FromLongLong"), _slot("PyFloat_FromDouble"), _slot("PyBool_FromLong")
    _keep, _drop, _none = _slot("Py_IncRef"), _slot("Py_DecRef"), _slot("None")
    _array, _number, _class = _slot("ndarray"), _slot("float64"), _slot("type")
    _allocate, _make = _slot("PyType_GenericAlloc"), _slot("PyArray_NewFromDescr")
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
            word(value + TYPE) == word(table + _array)
            and half(value + NDIM) == ndim
            and half(value + FLAGS) & READY == READY
        )

    @_helper
    def is_numbers(value: int, table: int, ndim: int) -> bool:
        """Such an array of float64."""
        return is_array(value, table, ndim) and word(value + DESCR) == word(table + _number)

    @_helper
    def size(value: int, axis: int) -> int:
        """Length of an array's axis."""
        return word(word(value + SHAPE) + 8 * axis)

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
    def is_none(value: int, table: int) -> bool:
        """None itself."""
        return value == word(table + _none)

    @_helper
    def is_value_class(value: int, table: int, slots: int) -> bool:
        """A class defined in Python whose objects are as large as with so many slots and nothing else."""
        return (
            word(value + TYPE) == word(table + _class)
            and word(value + _BASIC_SIZE) == SLOTS + 8 * slots
            and word(value + _CLASS_FLAGS) & _DEFINED != 0
        )

    @_helper
    def new_array(table: int, ndim: int, d0: int, d1: int, d2: int) -> int:
        """A new array of float64; 0 with an error set where there is no memory."""
        descr = word(table + _number)
        call_object(word(table + _keep), descr)  # the call takes a reference
        return make_array(word(table + _make), word(table + _array), descr, ndim, d0, d1, d2)

    @_helper
    def new_object(kind: int, table: int) -> int:
        """An object of a class, its slots empty; 0 with an error set where there is no memory."""
        return call_pair(word(table + _allocate), kind, 0)

    @_helper
    def is_alone(value: int) -> bool:
        """Whether there is one reference to an object."""
        return half(value + COUNT) == 1

    @_helper
    def kept(value: int, table: int) -> int:
        """An object, as a new reference."""
        call_object(word(table + _keep), value)
        return value

    @_helper
    def dropped(value: int, table: int) -> int:
        """Give a reference up; 0."""
        call_object(word(table + _drop), value)
        return 0

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
