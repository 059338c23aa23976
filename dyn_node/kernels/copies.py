"""Copies of arrays, entry by entry.

Numba's own assignment of one array to another brings the text of its error along, formatted, which takes two
seconds to compile; sizes are checked where a kernel begins.
"""

from __future__ import annotations

from typing import Any

from .engine import inline


@inline
def copy_entries(source: Any, out: Any) -> None:
    """out = source, vectors."""
    for k in range(out.shape[0]):
        out[k] = source[k]


@inline
def copy_rows(source: Any, out: Any) -> None:
    """out = source, matrices."""
    for r in range(out.shape[0]):
        for c in range(out.shape[1]):
            out[r, c] = source[r, c]
