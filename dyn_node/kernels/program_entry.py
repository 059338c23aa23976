"""The door to a program (`codegen`): one for each number of vectors and axes of the result.

Unlike a kernel's door it is not made for one function: the address of the code and the sizes of its
arrays are in the table of its owner, behind what all doors need (`entry`).
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np

from .engine import _cache_for
from .entry import (
    _DATA,
    _FASTCALL,
    _SLOT,
    _kept,
    _MethodDef,
    _table,
    entry_signature,
)

try:
    import numba
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    from .entry import (  # noqa: F401 - names in the source of doors
        dropped,
        is_none,
        is_numbers,
        kept,
        new_array,
        refuse_type,
        refuse_value,
        size,
        word,
    )
except ImportError:
    numba = None

_CODE = 8 * len(_SLOT)

if numba is not None:
    _i64 = ir.IntType(64)

    def _caller(count: int) -> Any:
        """An intrinsic that calls the code at an address with so many more addresses."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            function = ir.FunctionType(_i64, [_i64] * count)
            return builder.call(builder.inttoptr(args[0], function.as_pointer()), args[1:])

        signature = types.int64(*[types.int64] * (count + 1))
        names = ", ".join(f"x{k}" for k in range(count + 1))
        scope: dict[str, Any] = {"signature": signature, "emit": emit}
        exec(f"def call(context, {names}):\n    return signature, emit", scope)
        return intrinsic(scope["call"])


def _source(vectors: int, axes: int) -> str:
    """The door: vectors that are looked at, then an array for the result, or None for a new one."""
    at_sizes = _CODE + 8
    lines = [f"table = word(owner + {_DATA})", f"if count != {vectors + 1}: return refuse_type(table)"]
    for k in range(vectors):
        lines += [
            f"a{k} = word(args + {8 * k})",
            f"if not is_numbers(a{k}, table, 1): return refuse_type(table)",
            f"if size(a{k}, 0) != word(table + {at_sizes + 8 * k}): return refuse_value(table)",
        ]
    lengths = [f"word(table + {at_sizes + 8 * (vectors + k)})" for k in range(axes)]
    shape = ", ".join([*lengths, "0", "0"][:3])
    right = " and ".join(f"size(out, {k}) == {length}" for k, length in enumerate(lengths))
    lines += [
        f"out, maker = word(args + {8 * vectors}), 0",
        "if is_none(out, table):",
        f"    out, maker = new_array(table, {axes}, {shape}), 1",
        "    if out == 0: return 0",
        f"elif not is_numbers(out, table, {axes}): return refuse_type(table)",
        f"elif not ({right}): return refuse_value(table)",
    ]
    handed = ", ".join(f"word(a{k} + {_DATA})" for k in range(vectors))
    lines += [
        f"if call(word(table + {_CODE}), {handed}, word(out + {_DATA})) != 0:",
        "    if maker == 1: dropped(out, table)",
        "    return refuse_value(table)",
        "return out if maker == 1 else kept(out, table)",
    ]
    return "\n".join(["def door(owner, args, count):", *(f"    {line}" for line in lines)])


@functools.cache
def _door(vectors: int, axes: int) -> Any:
    """The compiled door."""
    names = {key: value for key, value in globals().items() if not key.startswith("__")}
    names.update({"call": _caller(vectors + 1), "__name__": __name__})
    code = compile(_source(vectors, axes).replace("def door", f"def door_{vectors}_{axes}"), __file__, "exec")
    exec(code, names)
    function = names[f"door_{vectors}_{axes}"]
    make = functools.partial(numba.cfunc, entry_signature(), error_model="numpy")
    with _cache_for(function) as cached:
        try:
            return make(cache=cached)(function)
        except (RuntimeError, OSError):  # no usable place: compile in memory
            return make()(function)


def program_door(name: str, address: int, sizes: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """What Python calls: `door(x, ..., out)`, with None for a new array.

    It raises TypeError for other memory than contiguous float64, and ValueError for other sizes and for
    inputs that the code refuses.

    Args:
        name: of the function.
        address: of the code, `int64 code(x, ..., out)`, 0 for success.
        sizes: of the vectors; shape: of the result.
    """
    table = np.array([*_table().tolist(), address, *sizes, *shape], dtype=np.int64)
    method = _MethodDef(name.encode(), _door(len(sizes), len(shape)).address, _FASTCALL, b"")
    _kept.append(method)
    create = ctypes.pythonapi.PyCFunction_NewEx
    create.restype = ctypes.py_object
    create.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    return create(ctypes.addressof(method), table, None)
