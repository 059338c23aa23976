"""How fast the increment u of q exp(u) has to change for q exp(u) to move with the velocity w.

That is the inverse right Jacobian of exp at u times w, here as its series up to second order,
w + [u, w] / 2 + [u, [u, w]] / 12: the next term is of fourth order in u, below what a step of
fourth order sees (Iserles et al. 2000, "Lie-group methods", section 2; Munthe-Kaas 1998). Being a
polynomial it has simple derivatives. On joints whose motions commute it is w.
"""

from __future__ import annotations

from typing import Any

from .engine import inline, kernel
from .kinds import FREE_FLYER, PLANAR, SPHERICAL
from .motion import cross_motion
from .sizes import check_square, check_v
from .vector import add, scale

_ZERO = (0.0, 0.0, 0.0)


@inline
def has_bracket(kind: int) -> bool:
    """Whether the motions of a joint type do not commute."""
    return kind == FREE_FLYER or kind == PLANAR or kind == SPHERICAL


@inline
def get_motion(kind: int, x: Any, d: int) -> Any:
    """The motion (linear, angular) that a joint's coordinates from d stand for."""
    if kind == FREE_FLYER:
        lin, ang = (x[d], x[d + 1], x[d + 2]), (x[d + 3], x[d + 4], x[d + 5])
    elif kind == PLANAR:
        lin, ang = (x[d], x[d + 1], 0.0), (0.0, 0.0, x[d + 2])
    else:
        lin, ang = _ZERO, (x[d], x[d + 1], x[d + 2])
    return lin, ang


@inline
def get_unit(kind: int, k: int) -> Any:
    """The motion of coordinate k alone, at unit rate."""
    if kind == SPHERICAL or (kind == PLANAR and k == 2):
        k += 3
    lin = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
    ang = (1.0 if k == 3 else 0.0, 1.0 if k == 4 else 0.0, 1.0 if k == 5 else 0.0)
    return lin, ang


@inline
def coordinate(kind: int, k: int, lin: Any, ang: Any) -> Any:
    """Coordinate k of a motion."""
    if kind == SPHERICAL or (kind == PLANAR and k == 2):
        k += 3
    return lin[k] if k < 3 else ang[k - 3]


@inline
def series(first: Any, half: Any, twelfth: Any) -> Any:
    """first + half / 2 + twelfth / 12 of pairs (linear, angular)."""
    lin = add(first[0], add(scale(0.5, half[0]), scale(1.0 / 12.0, twelfth[0])))
    ang = add(first[1], add(scale(0.5, half[1]), scale(1.0 / 12.0, twelfth[1])))
    return lin, ang


@inline
def bracket(a: Any, b: Any) -> Any:
    """[a, b] of pairs (linear, angular)."""
    return cross_motion(a[0], a[1], b[0], b[1])


@kernel("joints", "vector", "vector", "vector")
def log_rate(joints: Any, u: Any, w: Any, out: Any) -> None:
    """out = w + [u, w] / 2 + [u, [u, w]] / 12, joint by joint."""
    check_v(joints, u)
    check_v(joints, w)
    check_v(joints, out)
    for k in range(out.shape[0]):
        out[k] = w[k]
    for i in range(1, joints.shape[0]):
        kind, d = joints[i].kind, joints[i].idx_v
        if has_bracket(kind):
            at, rate = get_motion(kind, u, d), get_motion(kind, w, d)
            once = bracket(at, rate)
            lin, ang = series(rate, once, bracket(at, once))
            for k in range(joints[i].nv):
                out[d + k] = coordinate(kind, k, lin, ang)


@kernel("joints", "vector", "vector", "matrix", "matrix")
def log_rate_derivatives(joints: Any, u: Any, w: Any, by_u: Any, by_w: Any) -> None:
    """The derivatives (nv, nv) of `log_rate` with respect to u and w."""
    check_v(joints, u)
    check_v(joints, w)
    check_square(joints, by_u)
    check_square(joints, by_w)
    for r in range(by_u.shape[0]):
        for c in range(by_u.shape[1]):
            by_u[r, c] = 0.0
            by_w[r, c] = 1.0 if r == c else 0.0
    for i in range(1, joints.shape[0]):
        kind, d = joints[i].kind, joints[i].idx_v
        if has_bracket(kind):
            at, rate = get_motion(kind, u, d), get_motion(kind, w, d)
            swept = bracket(at, rate)
            for c in range(joints[i].nv):
                axis = get_unit(kind, c)
                once = bracket(at, axis)
                lin, ang = series(axis, once, bracket(at, once))
                moved = bracket(axis, rate)
                a, b = bracket(axis, swept), bracket(at, moved)
                lin_u, ang_u = series((_ZERO, _ZERO), moved, (add(a[0], b[0]), add(a[1], b[1])))
                for r in range(joints[i].nv):
                    by_w[d + r, d + c] = coordinate(kind, r, lin, ang)
                    by_u[d + r, d + c] = coordinate(kind, r, lin_u, ang_u)
