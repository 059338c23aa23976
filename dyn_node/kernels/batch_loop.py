"""One compiled kernel for many states: a loop in machine code, outside the global interpreter lock.

The loop calls the kernel through its door (`entry`), the very code that Python calls for one state, so
that no kernel is compiled twice and results are the same to the last bit. A door reads its arguments
from memory laid out as Python's objects are. Here that memory is no Python object but a header of the
same layout, whose data pointer the loop moves along the batch; and what the door would ask of CPython
(raise an error, convert a number, count a reference) is answered by functions that touch nothing of it.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np

from .cpython import DATA, DESCR, FLAGS, NDIM, PLACE, READY, SHAPE, TYPE, addresses
from .engine import Kernel, compiled_function
from .entry import AXES
from .native import Native
from .once import once

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
#: The functions of `batch_code`, and their types.
_FUNCTIONS = {
    "same": "int64(int64)",
    "refused": "int64(int64, int64)",
    "float_bits": "int64(float64)",
    "bits_float": "float64(int64)",
    "loop": "int64(int64)",
}


def _compiled(name: str, signature: str) -> Native:
    def function() -> Any:
        from . import batch_code

        return getattr(batch_code, name)

    return compiled_function(name, function, signature, "batch_code")


@once
def _machinery() -> tuple[Any, list[int], list[Any]]:
    """The loop as ctypes calls it (without the lock), the table for doors, and what they point to."""
    made = [_compiled(name, signature) for name, signature in _FUNCTIONS.items()]
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
        through: whether `run` has returned.
        refused: whether the kernel refused a state, then.
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
        self._count, self.refused, self.through = len(part), False, False
        self._answers = answers  # whoever runs this may outlast whoever made it
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
        at_answers, at_moves = self._answers.ctypes.data + 8 * part.start, at_arrays + 8 * len(arrays)
        plan = [kernel._method.function, at_owner, at_args, count, len(part), at_flag]
        plan += [at_answers, at_moves, len(moves) // 2]
        words = [*plan, *table, 0, *args, *_header(at_table, 1, 0, table), *arrays, *moves]
        self._words = np.array(words, np.int64)

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
        """All states of this chunk, as often as it is called. Other Python threads run meanwhile."""
        self._block[: len(self._words)] = self._words  # the loop moves on in it
        self.refused = self._call(self._block.ctypes.data) < self._count
        self.through = True
