"""The door between Python and a compiled kernel: a C function of our own in place of Numba's dispatcher.

Numba's dispatcher works out the type of every argument of every call, which for a small robot costs
more than the algorithm. A kernel knows what it takes, so its door only has to check: Numba compiles
(`cfunc`) a function of CPython's METH_FASTCALL shape that looks at each argument's memory, refuses
whatever is not exactly what the kernel was compiled for, and otherwise calls the kernel. Where objects
lie in memory in another way than doors expect (`cpython`), kernels go through Numba's dispatcher.

A kernel that states the shape of its result may be handed None in the result's place: the door makes
the array and returns it. One whose result is the content of a value type (SE3, Motion, ...) may be
handed the class, and returns an object of it. Making and unmaking these takes as long as a small robot's
algorithm, so doors remember the last few results that they made, and fill one again that nobody else
holds any more: one whose only reference is theirs.

A door exists before its kernel is compiled; until then it raises TypeError (PyErr_BadArgument).
"""

from __future__ import annotations

import ctypes
import re
from typing import Any, NamedTuple

import numpy as np

from .cpython import DATA, SLOTS, addresses

FASTCALL = 0x0080
#: Axes of a kernel's array arguments, by the name of their type.
AXES = {"vector": 1, "matrix": 2, "stack": 3}


class MethodDef(ctypes.Structure):
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


def make_door(name: str, doc: str) -> tuple[Any, MethodDef]:
    """A closed door: a builtin function that raises TypeError, and the record that `open_door` changes."""
    if not _shared_table:
        _shared_table.append(addresses())
    closed = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p)
    method = MethodDef(name.encode(), closed, FASTCALL, doc.encode())
    create = ctypes.pythonapi.PyCFunction_NewEx
    create.restype = ctypes.py_object
    create.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    _kept.append(method)
    return create(ctypes.addressof(method), _shared_table[0], None), method


def open_door(method: MethodDef, function: Any) -> None:
    """Let a door lead to a compiled kernel's entry (a Numba cfunc)."""
    _kept.append(function)
    method.function = function.address


def _take(k: int, kind: str) -> tuple[list[str], str]:
    """Lines that look at argument k, and the expression that is handed to the kernel."""
    if kind in ("int", "float"):
        return [
            f"x{k} = to_{kind}(a{k}, table)",
            f"if x{k} == -1 and failed(table): return 0",
        ], f"x{k}"
    ndim = AXES.get(kind, 1)
    check = "is_numbers" if kind in AXES else "is_array"
    shape = ", ".join(f"size(a{k}, {axis})" for axis in range(ndim))
    dtype = "float64" if kind in AXES else f"dtype_{kind}"
    return (
        [f"if not {check}(a{k}, table, {ndim}): return refuse_type(table)"],
        f"carray(pointer(word(a{k} + {DATA})), ({shape},), {dtype})",
    )


class Result(NamedTuple):
    """What a kernel writes last: the arrays' shapes, and whether it is a value type's content.

    An axis is a length, or arithmetic on "nq" and "nv" of the model whose records come first and on
    "len(k)", the length of argument k.
    """

    shapes: tuple[tuple[int | str, ...], ...]
    value: bool = False

    def lengths(self, record: str, length: str) -> list[list[str]]:
        """The axes of each as expressions in that model's first record, and of arguments' lengths."""
        named, counted = re.compile(r"\bn[qv]\b"), re.compile(r"\blen\((\d)\)")
        return [
            [counted.sub(length, named.sub(rf"{record}.\g<0>", str(axis))) for axis in shape]
            for shape in self.shapes
        ]


def _results(first: int, result: Result) -> list[str]:
    """Lines that leave what is to be filled in a{first} and on, and in `maker` what asked for it, or 0.

    Of a value type they leave in `value` the object that is filled again, or 0.
    """
    asks = f"is_value_class(asked, table, {len(result.shapes)})" if result.value else "is_none(asked, table)"
    arrays = range(first, first + len(result.shapes))
    lines = [
        f"maker, value, asked = 0, 0, word(args + {8 * first})",
        f"if count == {first + 1} and {asks}: maker = asked",
        f"elif count != {arrays.stop}: return refuse_type(table)",
    ]
    lengths = dict(zip(arrays, result.lengths("x0[0]", r"size(a\1, 0)"), strict=True))
    # An array in a value is remembered with the value.
    make = "new_array" if result.value else "result_array"
    if result.value:
        lines += _filled_again(lengths)
    for k, axes in lengths.items():
        shape = ", ".join([*axes, "0", "0"][:3])
        lines += [
            "if maker == 0:",
            f"    a{k} = word(args + {8 * k})",
            f"    if not is_numbers(a{k}, table, {len(axes)}): return refuse_type(table)",
            "elif value == 0:",
            f"    a{k} = {make}(table, {len(axes)}, {shape})",
            f"    if a{k} == 0: return {_dropping(range(first, k))}",
        ]
    return lines


def _filled_again(lengths: dict[int, list[str]]) -> list[str]:
    """Lines that look for an object that nobody holds, and whose arrays are as they were made."""
    lines = ["if maker != 0: value = unheld_value(maker, table)"]
    for slot, (k, axes) in enumerate(lengths.items()):
        right = [f"size(a{k}, {axis}) == {length}" for axis, length in enumerate(axes)]
        fits = " and ".join([f"is_as_made(a{k}, table, {len(axes)})", *right])
        lines += [
            f"a{k} = word(value + {SLOTS + 8 * slot}) if value != 0 else 0",
            f"if a{k} == 0 or not ({fits}): value = value and dropped(value, table)",
        ]
    return lines


def _dropping(arrays: range) -> str:
    """An expression that gives new arrays up; 0."""
    return " + ".join(["0", *(f"dropped(a{k}, table)" for k in arrays)])


def _answering(call: str, returns: str, result: Result | None, arrays: range) -> list[str]:
    """Lines that call the kernel and answer."""
    kept = "" if returns == "None" else "result = "
    lines = ["try:", f"    {kept}{call}", "except Exception:"]
    refuse = "    return refuse_value(table)"
    if result is None:
        answer = "from_none(table)" if returns == "None" else f"from_{returns}(result, table)"
        return [*lines, refuse, f"return {answer}"]
    lines += ["    if value != 0: dropped(value, table)", f"    elif maker != 0: {_dropping(arrays)}", refuse]
    lines += [f"if maker == 0: return kept(a{arrays[-1]}, table)"]
    if not result.value:
        return [*lines, f"return a{arrays[-1]}"]
    lines += ["if value != 0: return value"]
    lines += ["value = new_object(maker, table)", f"if value == 0: return {_dropping(arrays)}"]
    lines += [f"store(value + {SLOTS + 8 * slot}, a{k})" for slot, k in enumerate(arrays)]
    return [*lines, "return remembered_value(value, table)"]


def entry_source(name: str, kinds: tuple[str, ...], returns: str, result: Result | None = None) -> str:
    """Source of the function of METH_FASTCALL shape that checks the arguments and calls a kernel."""
    inputs = len(kinds) - (0 if result is None else len(result.shapes))
    lines, handed = [f"table = word(owner + {DATA})"], []
    least = len(kinds) if result is None else inputs + 1
    lines.append(f"if count {'!=' if result is None else '<'} {least}: return refuse_type(table)")
    looks: list[str] = []
    for k, kind in enumerate(kinds):
        checks, expression = _take(k, kind)
        handed.append(expression)
        if k < inputs:
            lines.append(f"a{k} = word(args + {8 * k})")
            # Numbers first: an object's own conversion may change an array that was looked at.
            (lines if kind in ("int", "float") else looks).extend(checks)
    lines += looks
    if result is not None:
        if kinds[0] == "joints":
            lines.append(f"x0 = {handed[0]}")
        lines += _results(inputs, result)
    lines += _answering(f"{name}({', '.join(handed)})", returns, result, range(inputs, len(kinds)))
    return "\n".join([f"def {name}_entry(owner, args, count):", *(f"    {line}" for line in lines)])


def entry_function(
    kernel: Any,
    name: str,
    kinds: tuple[str, ...],
    returns: str,
    dtypes: dict[str, Any],
    result: Result | None = None,
) -> Any:
    """The entry of a kernel as a Python function that Numba can compile."""
    import numba

    from . import calls
    from .remembered import remembered_value, result_array, unheld_value

    names = {key: value for key, value in vars(calls).items() if not key.startswith("__")}
    names.update({f.__name__: f for f in (remembered_value, result_array, unheld_value)})
    names.update({f"dtype_{key}": dtype for key, dtype in dtypes.items()})
    names.update({name: kernel, "carray": numba.carray, "float64": np.float64})
    names["__name__"] = kernel.py_func.__module__
    code = compile(entry_source(name, kinds, returns, result), kernel.py_func.__code__.co_filename, "exec")
    exec(code, names)
    return names[f"{name}_entry"]


#: PyObject *(PyObject *self, PyObject *const *args, Py_ssize_t nargs).
ENTRY_SIGNATURE = "int64(int64, int64, int64)"
