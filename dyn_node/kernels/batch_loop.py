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
from typing import Any

import numpy as np

from .engine import Kernel, _cache_for
from .entry import _AXES, _DATA, _DESCR, _FLAGS, _NDIM, _READY, _SHAPE, _SLOT, _TYPE, _table

try:
    import numba
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    from .entry import word
except ImportError:  # nothing here is then called
    numba = None

#: What a door reads of an array.
_HEADER = np.dtype(
    {
        "names": ["type", "data", "ndim", "shape", "descr", "flags"],
        "formats": [np.int64, np.int64, np.int32, np.int64, np.int64, np.int32],
        "offsets": [_TYPE, _DATA, _NDIM, _SHAPE, _DESCR, _FLAGS],
        "itemsize": 80,
    }
)
#: Kinds of arguments that a kernel writes its intermediate results into: each thread needs its own.
_SCRATCH = ("work", "kinematics")
#: What a door asks of CPython, and gets its own argument back from here.
_CONVERSIONS = "PyErr_Occurred", "PyLong_AsLongLong", "PyLong_FromLongLong", "PyBool_FromLong", "Py_IncRef"

if numba is not None:
    _i64, _f64 = ir.IntType(64), ir.DoubleType()

    @intrinsic
    def store(context: Any, address: Any, value: Any) -> Any:
        """Write a 64-bit integer to an address; the integer."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.store(args[1], builder.inttoptr(args[0], _i64.as_pointer()))
            return args[1]

        return types.int64(types.int64, types.int64), emit

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
        if answers != 0:
            store(answers + 8 * k, answer)
        for j in range(moving):
            place = word(moves + 16 * j)
            store(place, word(place) + word(moves + 16 * j + 8))
    return states


def _compiled(function: Any, signature: Any) -> Any:
    make = functools.partial(numba.cfunc, signature, error_model="numpy")
    with _cache_for(function) as cached:
        try:
            return make(cache=cached)(function)
        except (RuntimeError, OSError):  # no usable place: compile in memory
            return make()(function)


@functools.cache
def _machinery() -> tuple[Any, np.ndarray, list[Any]]:
    """The loop as ctypes calls it (without the lock), the table for doors, and what they point to."""
    i8, f8 = types.int64, types.float64
    same, refused = _compiled(_same, i8(i8)), _compiled(_refused, i8(i8, i8))
    from_float, to_float = _compiled(_float_bits, i8(f8)), _compiled(_bits_float, f8(i8))
    loop = _compiled(_loop, i8(i8))
    table = _table()
    for name in _CONVERSIONS:
        table[_SLOT[name]] = same.address
    table[_SLOT["PyErr_SetString"]] = refused.address
    table[_SLOT["PyFloat_FromDouble"]] = from_float.address
    table[_SLOT["PyFloat_AsDouble"]] = to_float.address
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(loop.address)
    return call, table, [same, refused, from_float, to_float, loop]


class Chunk:
    """A run of a batch's states, laid out for the loop.

    Attributes:
        refused: whether the kernel refused a state, once `run` has returned.
    """

    def __init__(
        self, kernel: Kernel, arguments: list[Any], part: range, answers: np.ndarray | None, own: bool
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
        self._table, self._part, self.refused = table.copy(), part, False
        count = len(kernel.kinds)
        self._headers, self._args = np.zeros(count + 1, _HEADER), np.zeros(count, np.int64)
        self._shapes, self._flag = np.zeros((count, 3), np.int64), np.zeros(1, np.int64)
        self._table[_SLOT["TypeError"]] = self._table[_SLOT["ValueError"]] = self._flag.ctypes.data
        self._moves: list[tuple[int, int]] = []
        self._kept = [
            value.copy() if kind in _SCRATCH and not own else value
            for kind, value in zip(kernel.kinds, arguments, strict=True)
        ]
        for k, (kind, value) in enumerate(zip(kernel.kinds, self._kept, strict=True)):
            self._lay(k, kind, value)
        self._lay_plan(kernel, answers)

    def _lay(self, k: int, kind: str, value: Any) -> None:
        """Argument k: a number as it is, an array as a header."""
        if kind == "int":
            self._args[k] = value
            return
        if kind == "float":
            self._args[k : k + 1] = np.array([value], np.float64).view(np.int64)
            return
        axes, step, data = _AXES.get(kind, 1), 0, value.ctypes.data
        if value.ndim > axes:
            step = value.strides[0]
            data += self._part.start * step
        self._shapes[k, :axes] = value.shape[value.ndim - axes :]
        header = self._headers[k]
        header["type"], header["descr"] = self._table[_SLOT["ndarray"]], self._table[_SLOT["float64"]]
        header["data"], header["ndim"], header["flags"] = data, axes, _READY
        header["shape"] = self._shapes[k].ctypes.data
        self._args[k] = self._headers[k:].ctypes.data
        if step:
            self._moves.append((int(self._args[k]) + _DATA, step))

    def _lay_plan(self, kernel: Kernel, answers: np.ndarray | None) -> None:
        owner = self._headers[-1:]
        owner["data"] = self._table.ctypes.data
        self._steps = np.array(self._moves, np.int64).reshape(-1, 2)
        self._plan = np.array(
            [
                kernel._method.function,
                owner.ctypes.data,
                self._args.ctypes.data,
                len(self._args),
                len(self._part),
                self._flag.ctypes.data,
                0 if answers is None else answers.ctypes.data + 8 * self._part.start,
                self._steps.ctypes.data,
                len(self._steps),
            ],
            np.int64,
        )

    def run(self) -> None:
        """All states of this chunk. Other Python threads run meanwhile."""
        self.refused = self._call(self._plan.ctypes.data) < len(self._part)
