"""The tree laid out in world axes about one point that all its bodies share.

That point is the origin of joint 1 as it stands (kept in `work[0].p`), not the world's: sums of
moments about a far-off origin would lose digits. `p`, `J` and what is made from them are relative
to it; it does not move while a kernel runs. Six-vectors in the joints' own frames stay there.
"""

from __future__ import annotations

from typing import Any

from .engine import inline
from .joints import place_joint
from .motion import cross_motion, motion_to_parent
from .vector import add, angular, linear, multiply, put, put6, rotate, scale, sub

_ZERO = (0.0, 0.0, 0.0)


@inline
def start_at_rest(work: Any) -> None:
    """The universe: at rest, without gravity, and with nothing summed up yet."""
    x = work[0]
    put(x.p, _ZERO)
    put(x.v_lin, _ZERO)
    put(x.v_ang, _ZERO)
    put(x.a_lin, _ZERO)
    put(x.a_ang, _ZERO)
    x.mass = 0.0
    put(x.h, _ZERO)


@inline
def place_about(joints: Any, work: Any, i: int, q: Any) -> None:
    """Placement of joint i in world axes, relative to the common point."""
    joint, x = joints[i], work[i]
    up = work[joint.parent]
    place_joint(joint, q, x)
    if joint.parent == 0:
        if i == 1:
            put(up.p, x.li_p)
        for r in range(3):
            for c in range(3):
                x.R[r, c] = x.li_R[r, c]
        put(x.p, sub(x.li_p, up.p))
    else:
        multiply(x.R, up.R, x.li_R)
        put(x.p, add(up.p, rotate(up.R, x.li_p)))


@inline
def place_columns(joint: Any, x: Any) -> None:
    """The joint's motion subspace in world axes, about the common point."""
    for d in range(joint.nv):
        own = x.S[d]
        lin, ang = motion_to_parent(x.R, x.p, linear(own), angular(own))
        put6(x.J[d], lin, ang)


@inline
def columns_times(joint: Any, x: Any, v: Any) -> Any:
    """J v of one joint."""
    lin, ang = _ZERO, _ZERO
    for d in range(joint.nv):
        rate = v[joint.idx_v + d]
        lin = add(lin, scale(rate, linear(x.J[d])))
        ang = add(ang, scale(rate, angular(x.J[d])))
    return lin, ang


@inline
def move_about(joint: Any, up: Any, x: Any, v: Any) -> Any:
    """Spatial velocity about the common point; returns the joint's own part J v."""
    lin, ang = columns_times(joint, x, v)
    put(x.v_lin, add(up.v_lin, lin))
    put(x.v_ang, add(up.v_ang, ang))
    return lin, ang


@inline
def accelerate_about(joint: Any, up: Any, x: Any, own_lin: Any, own_ang: Any, a: Any) -> None:
    """Spatial acceleration about the common point; (own_lin, own_ang) is what `move_about` gave."""
    lin, ang = columns_times(joint, x, a)
    c_lin, c_ang = cross_motion(x.v_lin, x.v_ang, own_lin, own_ang)
    put(x.a_lin, add(up.a_lin, add(lin, c_lin)))
    put(x.a_ang, add(up.a_ang, add(ang, c_ang)))


@inline
def place_mass(joint: Any, x: Any) -> None:
    """Mass and first moment of the joint's body about the common point."""
    x.mass = joint.mass
    put(x.h, add(rotate(x.R, joint.h), scale(joint.mass, x.p)))


@inline
def add_mass(up: Any, x: Any) -> None:
    """Mass and first moment of a subtree join its parent's."""
    up.mass += x.mass
    for r in range(3):
        up.h[r] += x.h[r]


@inline
def centre(x: Any) -> Any:
    """Centre of mass of a subtree whose mass and first moment are summed up."""
    return (x.h[0] / x.mass, x.h[1] / x.mass, x.h[2] / x.mass)
