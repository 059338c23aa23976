"""One compiled kernel for many states: a loop in machine code, outside the global interpreter lock.

The loop calls the kernel through its door (`entry`), the very code that Python calls for one state, so
that no kernel is compiled twice and results are the same to the last bit. A door reads its arguments
from memory laid out as Python's objects are. Here that memory is no Python object but a header of the
same layout, whose data pointer the loop moves along the batch; and what the door would ask of CPython
(raise an error, convert a number, count a reference) is answered by functions that touch nothing of it.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from typing import Any

import numpy as np

from .cpython import DATA, DESCR, FLAGS, NDIM, PLACE, READY, SHAPE, TYPE, addresses
from .engine import Kernel, compiled_function
from .entry import AXES

try:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    from .cpython import store, word
except ImportError:  # nothing here is then called
    types = None

#: What a door reads of an array, in words of 64 bits; halves are read at the lower address.
_HEADER = 10
_PLACES = [offset // 8 for offset in (TYPE, DATA, NDIM, SHAPE, DESCR, FLAGS)]
#: A header and a shape.
_ARRAY = _HEADER + 3
#: What the loop reads.
_PLAN = 9
#: Kinds of arguments that a kernel writes its intermediate results into: each thread needs its own.
_SCRATCH = ("work", "kinematics")
#: What a door asks of CPython, and gets its own argument back from here.
_CONVERSIONS = "PyErr_Occurred", "PyLong_AsLongLong", "PyLong_FromLongLong", "PyBool_FromLong", "Py_IncRef"

if types is not None:
    _i64, _f64 = ir.IntType(64), ir.DoubleType()

    @intrinsic
    def enter(context: Any, address: Any, owner: Any, args: Any, count: Any) -> Any:
        """Call the door at an address."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            function = ir.FunctionType(_i64, [_i64] * 3)
            return builder.call(builder.inttoptr(args[0], function.as_pointer()), args[1:])

        return types.int64(*[types.int64] * 4), emit

    @intrinsic
    def bits(context: Any, value: Any) -> Any:
        """The bits of a float as an integer."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.bitcast(args[0], _i64)

        return types.int64(types.float64), emit

    @intrinsic
    def unbits(context: Any, value: Any) -> Any:
        """The float that an integer holds the bits of."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.bitcast(args[0], _f64)

        return types.float64(types.int64), emit


def _same(value: int) -> int:
    """In place of what converts integers or counts references; and, called with 0, PyErr_Occurred."""
    return value


def _refused(flag: int, text: int) -> int:
    """In place of PyErr_SetString: the table has the flag's address where the exception's class was."""
    return store(flag, 1)


def _float_bits(value: float) -> int:
    """In place of PyFloat_FromDouble."""
    return bits(value)


def _bits_float(value: int) -> float:
    """In place of PyFloat_AsDouble."""
    return unbits(value)


def _loop(plan: int) -> int:
    """Call a door for each state; the number of states done, less than all where it refused one."""
    door, owner, args, count = word(plan), word(plan + 8), word(plan + 16), word(plan + 24)
    states, flag, answers = word(plan + 32), word(plan + 40), word(plan + 48)
    moves, moving = word(plan + 56), word(plan + 64)
    for k in range(states):
        answer = enter(door, owner, args, count)
        if word(flag) != 0:
            return k
        store(answers + 8 * k, answer)
        for j in range(moving):
            place = word(moves + 16 * j)
            store(place, word(place) + word(moves + 16 * j + 8))
    return states


@functools.cache
def _machinery() -> tuple[Any, list[int], list[Any]]:
    """The loop as ctypes calls it (without the lock), the table for doors, and what they point to."""
    i8, f8 = types.int64, types.float64
    functions: dict[Any, Any] = {
        _same: i8(i8),
        _refused: i8(i8, i8),
        _float_bits: i8(f8),
        _bits_float: f8(i8),
        _loop: i8(i8),
    }
    made = [compiled_function(function, signature, __name__) for function, signature in functions.items()]
    same, refused, from_float, to_float, loop = made
    table = addresses().tolist()
    for name in _CONVERSIONS:
        table[PLACE[name]] = same.address
    table[PLACE["PyErr_SetString"]] = refused.address
    table[PLACE["PyFloat_FromDouble"]] = from_float.address
    table[PLACE["PyFloat_AsDouble"]] = to_float.address
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(loop.address)
    return call, table, made


def _header(data: int, ndim: int, shape: int, table: list[int]) -> list[int]:
    words = [0] * _HEADER
    values = table[PLACE["ndarray"]], data, ndim, shape, table[PLACE["float64"]], READY
    for place, value in zip(_PLACES, values, strict=True):
        words[place] = value
    return words


def loops(kernel: Kernel) -> bool:
    """Whether a kernel has a door that the loop can enter."""
    return hasattr(kernel, "_method") and sys.byteorder == "little"


class Chunk:
    """A run of a batch's states, laid out for the loop.

    Attributes:
        refused: whether the kernel refused a state, once `run` has returned.
    """

    def __init__(
        self, kernel: Kernel, arguments: list[Any], part: range, answers: np.ndarray, own: bool
    ) -> None:
        """Lay out.

        Args:
            kernel: compiled, with a door.
            arguments: of the kernel; arrays of the batch have one axis more than it takes.
            part: the states.
            answers: what the kernel returns goes here, 64 bits for each state of the batch.
            own: whether scratch may be used as it is, or has to be copied.
        """
        self._call, table, _ = _machinery()
        self._count, self.refused = len(part), False
        self._kept = [
            value.copy() if kind in _SCRATCH and not own else value
            for kind, value in zip(kernel.kinds, arguments, strict=True)
        ]
        count = len(self._kept)
        # One block: plan, table, flag, arguments, owner, headers with shapes, moves.
        self._block = np.empty(_PLAN + len(table) + 1 + count + _HEADER + (_ARRAY + 2) * count, np.int64)
        start = self._block.ctypes.data
        at_table = start + 8 * _PLAN
        at_flag = at_table + 8 * len(table)
        at_args = at_flag + 8
        at_owner = at_args + 8 * count
        at_arrays = at_owner + 8 * _HEADER
        args, arrays, moves = self._lay(kernel, table, at_arrays, part.start)
        table = table.copy()
        table[PLACE["TypeError"]] = table[PLACE["ValueError"]] = at_flag
        at_answers, at_moves = answers.ctypes.data + 8 * part.start, at_arrays + 8 * len(arrays)
        plan = [kernel._method.function, at_owner, at_args, count, len(part), at_flag]
        plan += [at_answers, at_moves, len(moves) // 2]
        words = [*plan, *table, 0, *args, *_header(at_table, 1, 0, table), *arrays, *moves]
        self._block[: len(words)] = words

    def _lay(
        self, kernel: Kernel, table: list[int], at_arrays: int, first: int
    ) -> tuple[list[int], list[int], list[int]]:
        """Arguments as the door gets them, the headers that they point to, and what the loop moves."""
        args: list[int] = []
        arrays: list[int] = []
        moves: list[int] = []
        for kind, value in zip(kernel.kinds, self._kept, strict=True):
            if kind == "int":
                args.append(int(value))
            elif kind == "float":
                args.append(int(np.float64(value).view(np.int64)))
            else:
                axes, data, at = AXES.get(kind, 1), value.ctypes.data, at_arrays + 8 * len(arrays)
                if value.ndim > axes:
                    step = value.strides[0]
                    data += first * step
                    moves += [at + DATA, step]
                args.append(at)
                shape = value.shape[value.ndim - axes :]
                arrays += _header(data, axes, at + 8 * _HEADER, table)
                arrays += [*shape, *[0] * (3 - axes)]
        return args, arrays, moves

    def run(self) -> None:
        """All states of this chunk. Other Python threads run meanwhile."""
        self.refused = self._call(self._block.ctypes.data) < self._count
