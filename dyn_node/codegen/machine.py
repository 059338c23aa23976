"""Machine code of a program, for one state and for blocks of states side by side.

LLVM (through llvmlite, which Numba brings) only selects instructions: `program` has done the rest. A
block holds the same entry of `WIDTH` states in one register. What was compiled is kept on disk.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from ..kernels import machine_code as code
from .program import Program
from .trigonometry import LARGEST, intrinsic, sine_cosine

#: States of a block; two or one register of them where those are narrower.
WIDTH = 4
#: Functions of a module: for one state; for the states from one number up to another.
ONE, MANY = "one", "many"

_i64, _f64 = ir.IntType(64), ir.DoubleType()
_FLAGS = ("contract",)


class Code:
    """Compiled functions.

    Attributes:
        one: address of `int64 one(x, ..., out)`: 0, or 1 where an input is not finite or an angle
            above `trigonometry.LARGEST`; then nothing was written. alone: the same, as ctypes calls it.
        many: `many(x, ..., out, first, end)` over rows of arrays, as ctypes calls it, without the
            global interpreter lock: 0, or 1 where states were refused; their rows were not written.
    """

    def __init__(self, binary: bytes, vectors: int) -> None:
        self._linked = code.Linked(binary)
        self.one = self._linked.address(ONE)
        words = [ctypes.c_int64] * (vectors + 1)
        self.alone = ctypes.CFUNCTYPE(ctypes.c_int64, *words)(self.one)
        prototype = ctypes.CFUNCTYPE(ctypes.c_int64, *words, ctypes.c_int64, ctypes.c_int64)
        self.many = prototype(self._linked.address(MANY))


def compiled(make: Callable[[], Program], vectors: int, kept: Path | None) -> Code:
    """The code of a program, from a file where it is there, else made and put there.

    Args:
        make: gives the program.
        vectors: how many come in.
        kept: the file, or None.
    """
    binary = None if kept is None else code.found(kept)
    if binary is None:
        binary = assemble(make())
        if kept is not None:
            code.keep(kept, binary)
    return Code(binary, vectors)


def assemble(program: Program) -> bytes:
    """The object code of a program's two functions."""
    module = ir.Module()
    module.triple = llvm.get_default_triple()
    pointers = [_f64.as_pointer()] * (len(program.sizes) + 1)
    one = ir.Function(module, ir.FunctionType(_i64, pointers), ONE)
    Straight(program, one, 1).emit()
    block = ir.Function(module, ir.FunctionType(_i64, pointers), "block")
    block.linkage = "internal"
    block.attributes.add("noinline")  # in a loop its constants would be moved to registers ahead of it
    Straight(program, block, WIDTH).emit()
    _emit_many(program, module, one, block)
    parsed = llvm.parse_assembly(str(module))
    parsed.verify()
    return bytes(code.target().emit_object(parsed))


class Straight:
    """Emits a program as a straight line: for one state, or for `WIDTH` of them.

    Inputs are loaded and looked at first, results stored as soon as they are there, four
    entries of four states at a time: as many registers as possible stay free.
    """

    def __init__(self, program: Program, function: Any, width: int) -> None:
        self._program, self._width = program, width
        self._builder = ir.IRBuilder(function.append_basic_block())
        *self._inputs, self._out = function.args
        self._type = _f64 if width == 1 else ir.VectorType(_f64, width)
        self._values: list[Any] = []
        self._loaded: dict[int, Any] = {}
        self._turned: dict[Any, tuple[Any, Any]] = {}

    def constant(self, number: float) -> Any:
        """The number in every lane."""
        scalar = ir.Constant(_f64, number)
        return scalar if self._width == 1 else ir.Constant(self._type, [scalar] * self._width)

    def emit(self) -> None:
        """All of it."""
        self._leave_unless(self._look_at_inputs())
        waiting = list(_groups(self._program.results))
        self._store([group for group, last in waiting if last < 0])
        finished: dict[int, list[range]] = {}
        for group, last in waiting:
            finished.setdefault(last, []).append(group)
        for index, step in enumerate(self._program.steps):
            self._values.append(self._step(*step))
            self._store(finished.get(index, []))
        self._builder.ret(_i64(0))

    def _leave_unless(self, good: Any) -> None:
        """Return 1 before anything is stored: the result's array may be that of an input."""
        refused = self._builder.append_basic_block()
        rest = self._builder.append_basic_block()
        self._builder.cbranch(good, rest, refused)
        self._builder.position_at_end(refused)
        self._builder.ret(_i64(1))
        self._builder.position_at_end(rest)

    def _operand(self, x: int | float) -> Any:
        return self._values[x] if type(x) is int else self.constant(x)

    def _step(self, name: str, *operands: Any) -> Any:
        if name == "input":
            return self._input(operands[0])
        builder, values = self._builder, [self._operand(x) for x in operands]
        if name in ("sin", "cos"):
            if operands[0] not in self._turned:
                self._turned[operands[0]] = sine_cosine(builder, values[0], self.constant)
            return self._turned[operands[0]][name == "cos"]
        if name == "neg":
            return builder.fneg(values[0])
        if name == "sqrt":
            return intrinsic(builder, "sqrt", values[0])
        act = {"+": builder.fadd, "-": builder.fsub, "*": builder.fmul, "/": builder.fdiv}[name]
        return act(*values, flags=_FLAGS)

    def _look_at_inputs(self) -> Any:
        """Whether every input of every lane is finite and no angle too large, as one bit."""
        good = None
        for number in range(sum(self._program.sizes)):
            largest = LARGEST if number in self._program.angles else 1.7976931348623157e308
            size = intrinsic(self._builder, "fabs", self._input(number))
            fits = self._builder.fcmp_ordered("<=", size, self.constant(largest))
            good = fits if good is None else self._builder.and_(good, fits)
        if good is None:
            return ir.IntType(1)(1)
        if self._width == 1:
            return good
        whole = self._builder.bitcast(good, ir.IntType(self._width))
        return self._builder.icmp_unsigned("==", whole, ir.IntType(self._width)(2**self._width - 1))

    def _input(self, number: int) -> Any:
        if number not in self._loaded:
            first, which = 0, 0
            while number >= first + self._program.sizes[which]:
                first, which = first + self._program.sizes[which], which + 1
            self._load(which, number - first, first)
        return self._loaded[number]

    def _load(self, which: int, entry: int, first: int) -> None:
        """An entry of a vector, and those that are loaded along with it."""
        size, base = self._program.sizes[which], self._inputs[which]
        start = entry - entry % WIDTH
        if self._width == 1 or start + WIDTH > size:
            self._loaded[first + entry] = self._gathered(base, entry, size)
            return
        rows = [self._row(base, lane * size + start) for lane in range(WIDTH)]
        for k, column in enumerate(self._transposed(rows)):
            self._loaded[first + start + k] = column

    def _at(self, base: Any, place: int) -> Any:
        return self._builder.gep(base, [_i64(place)])

    def _row(self, base: Any, place: int) -> Any:
        pointer = self._builder.bitcast(self._at(base, place), self._type.as_pointer())
        return self._builder.load(pointer, align=8)

    def _gathered(self, base: Any, entry: int, size: int) -> Any:
        if self._width == 1:
            return self._builder.load(self._at(base, entry))
        vector = ir.Constant(self._type, ir.Undefined)
        for lane in range(WIDTH):
            number = self._builder.load(self._at(base, lane * size + entry))
            vector = self._builder.insert_element(vector, number, ir.IntType(32)(lane))
        return vector

    def _transposed(self, rows: list[Any]) -> list[Any]:
        """Four vectors of four, across."""

        def mixed(a: Any, b: Any, *places: int) -> Any:
            mask = ir.Constant(ir.VectorType(ir.IntType(32), 4), [ir.IntType(32)(p) for p in places])
            return self._builder.shuffle_vector(a, b, mask)

        even, odd = (mixed(rows[0], rows[1], *p) for p in ((0, 4, 2, 6), (1, 5, 3, 7)))
        even2, odd2 = (mixed(rows[2], rows[3], *p) for p in ((0, 4, 2, 6), (1, 5, 3, 7)))
        low, high = (0, 1, 4, 5), (2, 3, 6, 7)
        return [
            mixed(even, even2, *low),
            mixed(odd, odd2, *low),
            mixed(even, even2, *high),
            mixed(odd, odd2, *high),
        ]

    def _store(self, groups: list[range]) -> None:
        size = len(self._program.results)
        for group in groups:
            values = [self._operand(self._program.results[entry]) for entry in group]
            if self._width == 1:
                for entry, value in zip(group, values, strict=True):
                    self._builder.store(value, self._at(self._out, entry))
            elif len(group) == WIDTH:
                for lane, row in enumerate(self._transposed(values)):
                    place = self._at(self._out, lane * size + group[0])
                    self._builder.store(row, self._builder.bitcast(place, self._type.as_pointer()), align=8)
            else:
                for lane in range(WIDTH):
                    for entry, value in zip(group, values, strict=True):
                        number = self._builder.extract_element(value, ir.IntType(32)(lane))
                        self._builder.store(number, self._at(self._out, lane * size + entry))


def _groups(results: tuple[int | float, ...]) -> Iterator[tuple[range, int]]:
    """Entries of the result that are stored together, and the step after which they are there, or -1."""
    for start in range(0, len(results), WIDTH):
        group = range(start, min(start + WIDTH, len(results)))
        yield group, max((x for x in (results[k] for k in group) if isinstance(x, int)), default=-1)


def _emit_many(program: Program, module: Any, one: Any, block: Any) -> None:
    """many(x, ..., out, first, end): blocks as long as they are full, then the states that are left."""
    pointers = [_f64.as_pointer()] * (len(program.sizes) + 1)
    many = ir.Function(module, ir.FunctionType(_i64, [*pointers, _i64, _i64]), MANY)
    *arrays, first, end = many.args
    strides = [*program.sizes, math.prod(program.shape)]
    names = ("enter", "check", "blocks", "last", "ones", "done")
    enter, check, blocks, last, ones, done = (many.append_basic_block(name) for name in names)
    builder = ir.IRBuilder(enter)
    builder.branch(check)

    def loop(name: Any, body: Any, step: int, function: Any, after: Any, start: Any, came: Any) -> Any:
        builder.position_at_end(name)
        state = builder.phi(_i64)
        state.add_incoming(start, came)
        bad_before = builder.phi(_i64)
        following = builder.add(state, _i64(step))
        builder.cbranch(builder.icmp_signed("<=", following, end), body, after)
        builder.position_at_end(body)
        rows = [
            builder.gep(array, [builder.mul(state, _i64(stride))])
            for array, stride in zip(arrays, strides, strict=True)
        ]
        bad = builder.or_(bad_before, builder.call(function, rows))
        builder.branch(name)
        state.add_incoming(following, body)
        bad_before.add_incoming(bad, body)
        return state, bad_before

    state, bad = loop(check, blocks, WIDTH, block, last, first, enter)
    bad.add_incoming(_i64(0), enter)
    _, total = loop(last, ones, 1, one, done, state, check)
    total.add_incoming(bad, check)
    builder.position_at_end(done)
    builder.ret(total)
