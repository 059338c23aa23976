"""The door to a program (`codegen`): one for each number of vectors and axes of the result.

Unlike a kernel's door it is not made for one function: the address of the code and the sizes of its
arrays are in the table of its owner, behind what all doors need (`entry`). And it raises nothing: what
it does not take as it is, it hands on to a Python function, as it came.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from .cpython import DATA, PLACE, addresses
from .engine import compiled_function
from .entry import FASTCALL, MethodDef
from .native import Native
from .once import once

_KEYWORDS = 0x0002
#: In a tuple: its length, and its first entry.
_LENGTH, _FIRST = 16, 24
#: Words of a table, behind those of all doors.
_CODE, _VECTORCALL, _OTHER, _OUT, _SIZES = range(len(PLACE), len(PLACE) + 5)
_out = sys.intern("out")


def _caller(count: int) -> Any:
    """An intrinsic that calls what is at an address with so many words."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    word = ir.IntType(64)

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = ir.FunctionType(word, [word] * count)
        return builder.call(builder.inttoptr(args[0], function.as_pointer()), args[1:])

    signature = types.int64(*[types.int64] * (count + 1))
    names = ", ".join(f"x{k}" for k in range(count + 1))
    scope: dict[str, Any] = {"signature": signature, "emit": emit}
    exec(f"def call(context, {names}):\n    return signature, emit", scope)
    return intrinsic(scope["call"])


def _source(vectors: int, axes: int) -> str:
    """The door: vectors that are looked at, and perhaps `out`."""

    def at(place: int) -> str:
        return f"word(table + {8 * place})"

    other = f"return call_other({at(_VECTORCALL)}, {at(_OTHER)}, args, count, names)"
    lines = [
        f"table, out = word(owner + {DATA}), 0",
        f"if count != {vectors} or {at(_CODE)} == 0: {other}",
        "if names != 0:",
        f"    if word(names + {_LENGTH}) != 1 or word(names + {_FIRST}) != {at(_OUT)}: {other}",
        f"    out = word(args + {8 * vectors})",
    ]
    for k in range(vectors):
        lines.append(f"a{k} = word(args + {8 * k})")
        lines.append(f"if not is_numbers(a{k}, table, 1) or size(a{k}, 0) != {at(_SIZES + k)}: {other}")
    lengths = [at(_SIZES + vectors + k) for k in range(axes)]
    right = " and ".join(f"size(out, {k}) == {length}" for k, length in enumerate(lengths))
    handed = ", ".join(f"word(a{k} + {DATA})" for k in range(vectors))
    lines += [
        "fresh = out == 0 or is_none(out, table)",
        "if fresh:",
        f"    out = result_array(table, {axes}, {', '.join([*lengths, '0', '0'][:3])})",
        "    if out == 0: return 0",
        f"elif not (is_numbers(out, table, {axes}) and {right}): {other}",
        f"if call_code({at(_CODE)}, {handed}, word(out + {DATA})) != 0:",
        "    if fresh: dropped(out, table)",
        f"    {other}",
        "return out if fresh else kept(out, table)",
    ]
    return "\n".join([f"def door_{vectors}_{axes}(owner, args, count, names):", *(f"    {x}" for x in lines)])


def _function(vectors: int, axes: int) -> Any:
    """The door as a Python function that Numba can compile."""
    from .calls import dropped, is_none, is_numbers, kept, size, word
    from .remembered import result_array

    names = {f.__name__: f for f in (dropped, is_none, is_numbers, kept, result_array, size)}
    names.update({"word": word, "call_code": _caller(vectors + 1), "call_other": _caller(4)})
    exec(compile(_source(vectors, axes), __file__, "exec"), names)
    return names[f"door_{vectors}_{axes}"]


@once
def _door(vectors: int, axes: int) -> Native:
    """The compiled door: PyObject *(self, PyObject *const *args, Py_ssize_t count, PyObject *names)."""
    name, make = f"door_{vectors}_{axes}", functools.partial(_function, vectors, axes)
    return compiled_function(name, make, "int64(int64, int64, int64, int64)", "program_entry")


class _Owner(np.ndarray):
    """A door's table, which keeps alive what the door needs."""

    needs: tuple[Any, ...]

    def __reduce__(self) -> Any:
        raise TypeError(
            "a compiled function belongs to its process; pickle the model, and call dyn_node.compile there"
        )


class ProgramDoor:
    """A door and the way to open it.

    Attributes:
        call: what Python calls, `call(x, ..., out=None)`; hands on to the other function until it is open.
    """

    def __init__(
        self, name: str, sizes: tuple[int, ...], shape: tuple[int, ...], other: Callable[..., Any], doc: str
    ) -> None:
        """A closed door.

        Args:
            name, doc: of the function.
            sizes: of the vectors; shape: of the result.
            other: is called with whatever the door does not take.
        """
        vectorcall = ctypes.cast(ctypes.pythonapi.PyObject_Vectorcall, ctypes.c_void_p).value
        words = [*addresses().tolist(), 0, vectorcall, id(other), id(_out), *sizes, *shape]
        self._table = np.array(words, dtype=np.int64).view(_Owner)
        flags = FASTCALL | _KEYWORDS
        address = _door(len(sizes), len(shape)).address
        method = MethodDef(name.encode(), address, flags, doc.encode())
        self._table.needs = (other, method)
        create = ctypes.pythonapi.PyCFunction_NewEx
        create.restype = ctypes.py_object
        create.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
        self.call = create(ctypes.addressof(method), self._table, None)

    def open(self, address: int, owner: object) -> None:
        """Let it lead to code, `int64 code(x, ..., out)`, 0 for success, which lives as long as its owner."""
        self._table.needs = (*self._table.needs, owner)
        self._table[_CODE] = address
