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
    if q.shape[0] != joints[0].nq:
        raise ValueError("size of q")


@inline
def check_v(joints: Any, v: Any) -> None:
    """v, or another tangent vector, has nv entries."""
    if v.shape[0] != joints[0].nv:
        raise ValueError("size of a tangent vector")


@inline
def check_square(joints: Any, M: Any) -> None:
    """M is nv by nv."""
    nv = joints[0].nv
    if M.shape[0] != nv or M.shape[1] != nv:
        raise ValueError("size of a matrix")


@inline
def check_shape(A: Any, rows: int, columns: int) -> None:
    """A has this shape."""
    if A.shape[0] != rows or A.shape[1] != columns:
        raise ValueError("size of a matrix")


@inline
def check_independent(joints: Any) -> None:
    """No record shares an entry of v: elimination joint by joint needs that."""
    if joints[0].followers > 0:
        raise ValueError("joints that follow others")
