"""What compiled code does with Python's objects: looks at them, makes them, raises errors.

Functions for Numba to compile into doors (`entry`, `program_entry`). `cpython` knows addresses and offsets.
"""

from __future__ import annotations

import functools
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .cpython import (
    BASE,
    BASIC_SIZE,
    CLASS_FLAGS,
    COUNT,
    DEFINED,
    DESCR,
    FLAGS,
    NDIM,
    OWNS,
    PLACE,
    READY,
    SHAPE,
    SLOTS,
    TYPE,
    WEAK,
)

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
        and word(value + BASIC_SIZE) == SLOTS + 8 * slots
        and word(value + CLASS_FLAGS) & DEFINED != 0
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
def is_as_made(value: int, table: int, ndim: int) -> bool:
    """An array of float64 that has one reference, no weak ones, and memory of its own."""
    return (
        is_alone(value)
        and is_numbers(value, table, ndim)
        and half(value + FLAGS) & OWNS != 0
        and word(value + BASE) == 0
        and word(value + WEAK) == 0
    )


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
