"""Size checks at the door of every kernel; `algorithms.arguments` turns a failure into words."""

from __future__ import annotations

from typing import Any

from .engine import inline


@inline
def check_scratch(joints: Any, scratch: Any) -> None:
    """The scratch records were made for this very model."""
    if scratch[0].stamp != joints[0].stamp:
        raise ValueError("data of another model")


@inline
def check_q(joints: Any, q: Any) -> None:
    """q has nq entries."""
    last = joints[joints.shape[0] - 1]
    if q.shape[0] != last.idx_q + last.nq:
        raise ValueError("size of q")


@inline
def check_v(joints: Any, v: Any) -> None:
    """v, or another tangent vector, has nv entries."""
    last = joints[joints.shape[0] - 1]
    if v.shape[0] != last.idx_v + last.nv:
        raise ValueError("size of a tangent vector")


@inline
def check_square(joints: Any, M: Any) -> None:
    """M is nv by nv."""
    last = joints[joints.shape[0] - 1]
    nv = last.idx_v + last.nv
    if M.shape[0] != nv or M.shape[1] != nv:
        raise ValueError("size of a matrix")


@inline
def check_shape(A: Any, rows: int, columns: int) -> None:
    """A has this shape."""
    if A.shape[0] != rows or A.shape[1] != columns:
        raise ValueError("size of a matrix")
