"""Batches of what is not one kernel: each state by itself, in Python, on the caller's thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import ShapeError


def batch_length(arguments: Sequence[tuple[np.ndarray | None, int]]) -> int | None:
    """How many states the batch has; None where there is none.

    Args:
        arguments: arrays that were looked at, or None, each with the number of axes of one state's.

    Raises:
        ShapeError: batches of different lengths.
    """
    lengths = {len(value) for value, axes in arguments if value is not None and value.ndim > axes}
    if len(lengths) > 1:
        found = ", ".join(map(str, sorted(lengths)))
        raise ShapeError("batch", f"first axes of length {found}", "first axes (N) of one length")
    return lengths.pop() if lengths else None


def each_state(
    call: Callable[..., tuple[Any, ...]],
    arguments: Sequence[tuple[np.ndarray | None, int]],
    shapes: Sequence[tuple[int, ...]],
) -> tuple[Any, ...]:
    """What `call` gives for one state, or for every state of a batch, stacked.

    Args:
        call: takes the arrays of one state, returns a tuple.
        arguments: see `batch_length`; an array without the axis is shared by all states.
        shapes: of what is returned for one state; () for a number.

    Raises:
        ShapeError: batches of different lengths.
    """
    count = batch_length(arguments)
    if count is None:
        return call(*[value for value, _ in arguments])
    rows = [
        call(*[value if value is None or value.ndim == axes else value[k] for value, axes in arguments])
        for k in range(count)
    ]
    stacks = [np.array([row[i] for row in rows]) for i in range(len(shapes))]
    return tuple(stack.reshape(count, *shape) for stack, shape in zip(stacks, shapes, strict=True))
