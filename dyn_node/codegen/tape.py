"""Scalars that write down what is done to them.

Numbers stay numbers: an operation is written down only where its result depends on an input. What is
known at that point (x + 0, 1 x, 0 x, twice the same) is settled there and then, so that the zeros and
ones of one robot cost nothing. 0 x is 0 here also for an x that is not finite: programs look at their
inputs first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

#: Operations, and how many operands each has; "input" has its number in place of an operand.
OPERATIONS = {"input": 1, "+": 2, "-": 2, "*": 2, "/": 2, "neg": 1, "sqrt": 1, "sin": 1, "cos": 1}

_FUNCTIONS: dict[str, Callable[[float], float]] = {"sqrt": math.sqrt, "sin": math.sin, "cos": math.cos}
_UFUNCS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "true_divide": "/"}


class NotStraightError(Exception):
    """An algorithm does something for which there is no straight line: it branches on a value, say."""


class Tape:
    """What was done, in order.

    Attributes:
        steps: (operation, operands): operands are Values or floats; of an input, its number.
    """

    def __init__(self, limit: int) -> None:
        """Steps above `limit` raise NotStraightError."""
        self.steps: list[tuple[Any, ...]] = []
        self._limit = limit
        self._known: dict[tuple[Any, ...], Value] = {}

    def input(self, number: int) -> Value:
        """An input."""
        return self._step("input", number)

    def _step(self, *step: Any) -> Value:
        key = tuple(x.index if type(x) is Value else (x,) for x in step)
        value = self._known.get(key)
        if value is None:
            if len(self.steps) >= self._limit:
                raise NotStraightError(f"more than {self._limit} steps")
            value = self._known[key] = Value(self, len(self.steps))
            self.steps.append(step)
        return value

    def operation_of(self, value: Any) -> str:
        """The operation that gave a value; of a number, empty."""
        return self.steps[value.index][0] if type(value) is Value else ""

    def negative(self, x: Any) -> Any:
        """-x."""
        if type(x) is not Value:
            return -x
        if self.operation_of(x) == "neg":
            return self.steps[x.index][1]
        return self._step("neg", x)

    def sum(self, a: Any, b: Any) -> Any:
        """a + b."""
        if type(a) is not Value:
            a, b = b, a
        if type(b) is not Value and b == 0.0:
            return a
        if self.operation_of(b) == "neg":
            return self.difference(a, self.steps[b.index][1])
        if self.operation_of(a) == "neg":
            return self.difference(b, self.steps[a.index][1])
        if type(b) is Value and b.index < a.index:
            a, b = b, a
        return self._step("+", a, b)

    def difference(self, a: Any, b: Any) -> Any:
        """a - b."""
        if type(b) is not Value:
            return a if b == 0.0 else self._step("+", a, -b)
        if a is b:
            return 0.0
        if type(a) is not Value and a == 0.0:
            return self.negative(b)
        if self.operation_of(b) == "neg":
            return self.sum(a, self.steps[b.index][1])
        return self._step("-", a, b)

    def product(self, a: Any, b: Any) -> Any:
        """a b."""
        if type(a) is not Value:
            a, b = b, a
        if type(b) is not Value:
            if b == 0.0:
                return 0.0
            if abs(b) == 1.0:
                return a if b == 1.0 else self.negative(a)
            if self.operation_of(a) == "neg":
                return self._step("*", self.steps[a.index][1], -b)
            return self._step("*", a, b)
        signs = (self.operation_of(a) == "neg", self.operation_of(b) == "neg")
        a, b = (self.steps[x.index][1] if sign else x for x, sign in zip((a, b), signs, strict=True))
        if b.index < a.index:
            a, b = b, a
        product = self._step("*", a, b)
        return self.negative(product) if signs[0] != signs[1] else product

    def quotient(self, a: Any, b: Any) -> Any:
        """a / b."""
        if type(b) is not Value:
            return self.product(a, 1.0 / b) if b else self._step("/", a, b)
        if type(a) is not Value and a == 0.0:
            return 0.0
        return self._step("/", a, b)

    def function(self, name: str, x: Any) -> Any:
        """sqrt, sin or cos."""
        return self._step(name, x) if type(x) is Value else _FUNCTIONS[name](x)


class Value:
    """The result of a step, with the arithmetic of a number."""

    __slots__ = ("index", "tape")

    def __init__(self, tape: Tape, index: int) -> None:
        self.tape, self.index = tape, index

    def __add__(self, other: Any) -> Any:
        return self.tape.sum(self, _operand(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self.tape.difference(self, _operand(other))

    def __rsub__(self, other: Any) -> Any:
        return self.tape.difference(_operand(other), self)

    def __mul__(self, other: Any) -> Any:
        return self.tape.product(self, _operand(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self.tape.quotient(self, _operand(other))

    def __rtruediv__(self, other: Any) -> Any:
        return self.tape.quotient(_operand(other), self)

    def __neg__(self) -> Any:
        return self.tape.negative(self)

    def __bool__(self) -> bool:
        raise NotStraightError("a branch on a value")

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __float__ = __bool__  # type: ignore[assignment]
    __hash__ = object.__hash__

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        name = ufunc.__name__
        operands = [_operand(x) for x in inputs]
        if method == "__call__" and not options and name in _FUNCTIONS:
            return self.tape.function(name, operands[0])
        if method == "__call__" and not options and name in _UFUNCS:
            a, b = operands
            act = {"+": self.tape.sum, "-": self.tape.difference, "*": self.tape.product}
            return act.get(_UFUNCS[name], self.tape.quotient)(a, b)
        raise NotStraightError(f"numpy.{name} of a value")


def _operand(x: Any) -> Any:
    if type(x) is Value:
        return x
    if isinstance(x, (float, int, np.floating, np.integer)):
        return float(x)
    raise NotStraightError(f"arithmetic with {type(x).__name__}")
