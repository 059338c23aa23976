"""What doors know of CPython and NumPy: how objects lie in memory, and how compiled code asks for more.

Everything here is an address or an offset. `usable` tries on real objects that they are right: the layout
of PyObject on builds with the global interpreter lock, that of PyArrayObject (data, nd, dimensions, strides,
base, descr, flags, weakreflist), which NumPy has not changed since 1.7, slots of classes, and the place of
PyArray_NewFromDescr in NumPy's table of functions. Compiled code makes use of it by `calls`.
"""

from __future__ import annotations

import ctypes
import functools
import sys
import sysconfig
import weakref
from typing import Any

import numpy as np

_POINTER = ctypes.sizeof(ctypes.c_void_p)
#: Offsets in bytes: the count of references, 32 bits of it, and what follows.
COUNT = 0
TYPE, DATA, NDIM, SHAPE, BASE, DESCR, FLAGS, WEAK = 8, 16, 24, 32, 48, 56, 64, 72
#: In a class: the size of its objects, and its flags, of which one says that Python code defined it.
BASIC_SIZE, CLASS_FLAGS, DEFINED = 32, 168, 1 << 9
#: In an object of a class with slots: the first of them.
SLOTS = 16
#: Index of PyArray_NewFromDescr in NumPy's table of functions, the same in 1.x and 2.x.
_NEW_FROM_DESCR = 94
#: NumPy's C_CONTIGUOUS, ALIGNED and WRITEABLE.
READY = 0x0001 | 0x0100 | 0x0400
#: NumPy's OWNDATA.
OWNS = 0x0004

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
    if sys.implementation.name != "cpython" or _POINTER != 8:
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
            or word(BASE) != id(seen.base)
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
    flags = i32.from_address(id(made) + FLAGS).value
    if i64.from_address(id(made) + BASE).value != 0 or not flags & OWNS:
        return False
    return type(made) is np.ndarray and made.shape == (3, 5) and made.dtype is _FLOAT64 and made.flags.carray


def _has_slots_in_a_row(kind: type) -> bool:
    """Whether objects of a class are laid out as doors fill them: in the order of the slots' names."""
    value, contents = kind(), (object(), object())
    value.first, value.second = contents  # type: ignore[attr-defined]
    size = ctypes.c_int64.from_address(id(kind) + BASIC_SIZE).value
    flags = [ctypes.c_int64.from_address(id(x) + CLASS_FLAGS).value & DEFINED for x in (kind, int)]
    found = [ctypes.c_int64.from_address(id(value) + SLOTS + 8 * k).value for k in range(2)]
    return size == SLOTS + 16 and flags == [DEFINED, 0] and found == [id(content) for content in contents]
