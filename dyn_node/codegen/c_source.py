"""A program as C: one function, no dependency but math.h."""

from __future__ import annotations

import re
from typing import Any

from ..errors import InvalidValueError
from .program import Program

_NAME = re.compile(r"[A-Za-z_]\w*")


def c_source(program: Program, name: str) -> str:
    """C99 of `void name(const double *x0, ..., double *out)`.

    The vectors come in the order of the algorithm's, the result row by row; nothing is allocated. Unlike
    compiled functions it looks at no input: what is not finite may give numbers where a factor is zero.

    Args:
        program: of a compiled function, `fast.program("rnea")`.
        name: of the C function.

    Raises:
        InvalidValueError: a name that C does not allow.
    """
    if not _NAME.fullmatch(name):
        raise InvalidValueError(f"name: expected a C identifier, given {name!r}", name, "letters, digits, _")
    parameters = ", ".join([*(f"const double *x{k}" for k in range(len(program.sizes))), "double *out"])
    lines = ["#include <math.h>", "", f"void {name}({parameters})", "{"]
    lines += [
        f"    const double t{k} = {_expression(program, *step)};" for k, step in enumerate(program.steps)
    ]
    lines += [f"    out[{k}] = {_operand(x)};" for k, x in enumerate(program.results)]
    return "\n".join([*lines, "}", ""])


def _operand(x: Any) -> str:
    return f"t{x}" if isinstance(x, int) else f"({x!r})"


def _expression(program: Program, operation: str, *operands: Any) -> str:
    if operation == "input":
        number = operands[0]
        for which, size in enumerate(program.sizes):
            if number < size:
                return f"x{which}[{number}]"
            number -= size
    if operation == "neg":
        return f"-{_operand(operands[0])}"
    if len(operands) == 1:
        return f"{operation}({_operand(operands[0])})"
    return f" {operation} ".join(_operand(x) for x in operands)
