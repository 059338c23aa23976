"""Kernels on one state or on a batch of them: arrays with one more axis, in front.

The functions that users call hand their arguments to a kernel as they are. It refuses a batch as it
refuses whatever is not one state in order, and only then they come here. So one state costs nothing
for there being batches.

A batch of q is (N, nq), of v (N, nv), of forces (N, njoints, 6), of points (N, 3). What has not got
the axis is shared by all states. Results have it first: tau (N, nv), M (N, nv, nv), every array of a
tuple; numbers become arrays (N,), a Force (N, 6). N may be zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import ShapeError
from ..kernels.batch_loop import Chunk, loops
from ..kernels.engine import Kernel, _by_call, compile_kernel
from ..kernels.entry import AXES
from .arguments import output
from .threads import get_threads, parts_for, run_together

#: States times joints that are worth a thread of their own: some tenths of a millisecond.
_WORTH_A_THREAD = 4000
#: So few states are sooner done one by one than laid out for the loop in machine code.
_FEW = 16


def evaluate(
    compiled: Any,
    arguments: Sequence[Any],
    shapes: Sequence[tuple[int, ...]] = (),
    out: np.ndarray | None = None,
) -> list[Any]:
    """Call a kernel for one state, or for every state of a batch.

    Args:
        compiled: the kernel.
        arguments: all that it takes before what it writes: records, numbers, and arrays that were looked
            at. An array with an axis more than the kernel takes is a batch; what has none is shared by
            all states.
        shapes: of the arrays that it writes, for one state. They come last.
        out: the caller's array in place of the first of these.

    Returns:
        What was written, with the axis in front where there is a batch; and then, from a kernel that
        returns a number, that: (N,) of a batch.

    Raises:
        ShapeError: batches of different lengths, or an `out` of another shape.
        ValueError: the kernel refuses the sizes of its arguments.
    """
    kernel = _by_call[id(compiled)]
    batch = _length(kernel, arguments)
    wanted = [shape if batch is None else (batch, *shape) for shape in shapes]
    written = [np.empty(shape) for shape in (wanted if out is None else wanted[1:])]
    if out is not None:
        # A subclass, or float64 with a label on it: doors take the memory as what it is.
        written.insert(0, output(out, wanted[0]).view(np.ndarray).view(np.float64))
    results = written if out is None else [out, *written[1:]]
    returns = kernel.source.__annotations__.get("return", "None")
    if batch is None:
        compile_kernel(compiled)
        answer = compiled(*arguments, *written)
        return results if returns == "None" else [*results, answer]
    answers = np.empty(batch, np.float64 if returns == "float" else np.int64)
    if batch:
        compile_kernel(compiled)
        _run(kernel, [*arguments, *written], answers)
    return results if returns == "None" else [*results, answers]


def split(stack: np.ndarray, axes: int) -> np.ndarray:
    """A kernel's stack of results with that axis first: of a batch, which has so many axes, it is second."""
    return np.moveaxis(stack, 1, 0) if stack.ndim == axes else stack


def _batched(kind: str, value: Any) -> bool:
    return kind in AXES and value.ndim > AXES[kind]


def _length(kernel: Kernel, arguments: Sequence[Any]) -> int | None:
    """How many states the batch has; None where there is none."""
    lengths = {
        len(value) for kind, value in zip(kernel.kinds, arguments, strict=False) if _batched(kind, value)
    }
    if len(lengths) > 1:
        found = ", ".join(map(str, sorted(lengths)))
        raise ShapeError("batch", f"first axes of length {found}", "first axes (N) of one length")
    return lengths.pop() if lengths else None


def _run(kernel: Kernel, arguments: list[Any], answers: np.ndarray) -> None:
    batch = len(answers)
    # There is no loop without Numba, or where memory is laid out in another way.
    if batch <= _FEW or not loops(kernel):
        for k in range(batch):
            one = zip(kernel.kinds, arguments, strict=True)
            answer = kernel.call(*[value[k] if _batched(kind, value) else value for kind, value in one])
            if isinstance(answer, (int, float)):
                answers[k] = answer
        return
    threads = _threads_for(kernel, arguments, batch)
    parts = min(batch, parts_for(threads))
    bounds = [batch * k // parts for k in range(parts + 1)]
    chunks = [
        Chunk(kernel, arguments, range(bounds[k], bounds[k + 1]), answers, own=k == 0) for k in range(parts)
    ]
    run_together([chunk.run for chunk in chunks], threads)
    if any(chunk.refused for chunk in chunks):
        raise ValueError("the kernel refused the sizes of its arguments")


def _threads_for(kernel: Kernel, arguments: list[Any], batch: int) -> int:
    joints = len(arguments[0]) if kernel.kinds[0] == "joints" else 1
    return max(1, min(get_threads(), batch, batch * joints // _WORTH_A_THREAD))
