"""What `batch_loop` compiles: the loop, and what answers a door in CPython's place."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .calls import store, word

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


def same(value: int) -> int:
    """In place of what converts integers or counts references; and, called with 0, PyErr_Occurred."""
    return value


def refused(flag: int, text: int) -> int:
    """In place of PyErr_SetString: the table has the flag's address where the exception's class was."""
    return store(flag, 1)


def float_bits(value: float) -> int:
    """In place of PyFloat_FromDouble."""
    return bits(value)


def bits_float(value: int) -> float:
    """In place of PyFloat_AsDouble."""
    return unbits(value)


def loop(plan: int) -> int:
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
