"""Moving six-vectors and inertias between a joint's frame and its parent's.

A placement (R, p) takes child coordinates to parent coordinates. Vectors come and leave as pairs
(linear, angular) of three-tuples.
"""

from __future__ import annotations

from typing import Any

from .engine import inline
from .vector import add, cross, rotate, sub, unrotate


@inline
def motion_to_child(R: Any, p: Any, lin: Any, ang: Any) -> Any:
    """A motion of the parent's frame, in the child's."""
    return unrotate(R, sub(lin, cross(p, ang))), unrotate(R, ang)


@inline
def motion_to_parent(R: Any, p: Any, lin: Any, ang: Any) -> Any:
    """A motion of the child's frame, in the parent's."""
    turned = rotate(R, ang)
    return add(rotate(R, lin), cross(p, turned)), turned


@inline
def force_to_parent(R: Any, p: Any, lin: Any, ang: Any) -> Any:
    """A force of the child's frame, in the parent's."""
    turned = rotate(R, lin)
    return turned, add(rotate(R, ang), cross(p, turned))


@inline
def cross_motion(lin: Any, ang: Any, lin2: Any, ang2: Any) -> Any:
    """(lin, ang) x (lin2, ang2) for motions."""
    return add(cross(ang, lin2), cross(lin, ang2)), cross(ang, ang2)


@inline
def cross_force(lin: Any, ang: Any, f: Any, n: Any) -> Any:
    """(lin, ang) x* (f, n): the rate of a force that moves with the motion."""
    return cross(ang, f), add(cross(ang, n), cross(lin, f))


@inline
def inertia_times(mass: Any, h: Any, inertia: Any, lin: Any, ang: Any) -> Any:
    """Spatial inertia about the frame's origin times a motion: (force, moment)."""
    f = sub((mass * lin[0], mass * lin[1], mass * lin[2]), cross(h, ang))
    return f, add(rotate(inertia, ang), cross(h, lin))


@inline
def body_force(body: Any, v_lin: Any, v_ang: Any, a_lin: Any, a_ang: Any) -> Any:
    """I a + v x* I v of a joint's body: what must act on it for this velocity and acceleration."""
    f, n = inertia_times(body.mass, body.h, body.I, a_lin, a_ang)
    m_lin, m_ang = inertia_times(body.mass, body.h, body.I, v_lin, v_ang)
    g, k = cross_force(v_lin, v_ang, m_lin, m_ang)
    return add(f, g), add(n, k)
