"""How the rows of constraints between frames change with q and v, at a given acceleration.

In world axes about one point (see `kernels.world`), where the subtree of a joint is displaced as a whole
by the joint's columns. The acceleration meets the rows, r = 0: what turns the axes that r is given in
turns zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .constraint_rows import POINT, place_end, rigid_error
from .engine import inline
from .frames import LOCAL, triple
from .lie import jexp6_inverse
from .motion import cross_motion
from .vector import add, angular, cross, linear, rotate, scale, sub, unrotate


@inline
def twist_of(x: Any) -> Any:
    """Velocity and acceleration of a body, as tuples."""
    return triple(x.v_lin), triple(x.v_ang), triple(x.a_lin), triple(x.a_ang)


@inline
def column_rates(x: Any, up: Any, d: int, body: Any) -> Any:
    """What coordinate d of a joint does to a body that it carries: (linear, angular) pairs.

    Returns its column J, and the derivatives of the body's velocity along q, of its acceleration along q,
    and of its acceleration by v. The column displaces what the body moves by beyond the joint's parent.
    """
    v_lin, v_ang, a_lin, a_ang = body
    J = linear(x.J[d]), angular(x.J[d])
    past_lin, past_ang = sub(v_lin, up.v_lin), sub(v_ang, up.v_ang)
    by_q = cross_motion(J[0], J[1], past_lin, past_ang)
    psi = cross_motion(up.v_lin, up.v_ang, J[0], J[1])
    turned = cross_motion(J[0], J[1], sub(a_lin, up.a_lin), sub(a_ang, up.a_ang))
    carried = cross_motion(psi[0], psi[1], past_lin, past_ang)
    rate_q = add(turned[0], carried[0]), add(turned[1], carried[1])
    drift = cross_motion(x.v_lin, x.v_ang, J[0], J[1])
    return J, by_q, rate_q, (add(by_q[0], drift[0]), add(by_q[1], drift[1]))


@inline
def at(motion: Any, p: Any) -> Any:
    """The linear half of a motion at the point p."""
    return add(motion[0], cross(motion[1], p))


@inline
def put_rows(out: Any, row: int, column: int, axes: Any, local: bool, sign: float, a: Any) -> None:
    """Add three entries of a column, in the constraint's axes."""
    if local:
        a = unrotate(axes, a)
    for r in range(3):
        out[row + r, column] += sign * a[r]


@inline
def point_rates(
    joints: Any,
    work: Any,
    body: int,
    sign: float,
    end: Any,
    axes: Any,
    gains: Any,
    row: int,
    by_q: Any,
    by_v: Any,
) -> None:
    """Add what moves one end of a point constraint to the derivatives of its rows."""
    own, p = twist_of(work[body]), triple(end[3])
    local, kp, kd = int(gains[1]) == LOCAL, gains[2], gains[3]
    w, alpha = own[1], own[3]
    u = add(own[0], cross(w, p))
    i = body
    while i > 0:
        x = work[i]
        for d in range(joints[i].nv):
            column = joints[i].idx_v + d
            J, v_q, a_q, a_v = column_rates(x, work[joints[i].parent], d, own)
            moved = at(J, p)
            du = add(at(v_q, p), cross(w, moved))
            rate = add(add(at(a_q, p), cross(alpha, moved)), add(cross(v_q[1], u), cross(w, du)))
            rate = add(rate, add(scale(kd, du), scale(kp, moved)))
            put_rows(by_q, row, column, axes, local, sign, rate)
            rate = add(add(at(a_v, p), cross(J[1], u)), add(cross(w, moved), scale(kd, moved)))
            put_rows(by_v, row, column, axes, local, sign, rate)
        i = joints[i].parent


@inline
def pair_sum(a: Any, b: Any) -> Any:
    """Sum of two motions."""
    return add(a[0], b[0]), add(a[1], b[1])


@inline
def pair_scale(s: float, a: Any) -> Any:
    """A motion times a number."""
    return scale(s, a[0]), scale(s, a[1])


@inline
def put_six(out: Any, row: int, column: int, pose: Any, local: bool, sign: float, motion: Any) -> None:
    """Add the six entries of a motion about the common point: at end 1, in the constraint's axes."""
    put_rows(out, row, column, pose, local, sign, at(motion, triple(pose[3])))
    put_rows(out, row + 3, column, pose, local, sign, motion[1])


@inline
def put_error_rate(
    out: Any, row: int, column: int, pose: Any, local: bool, jlog: Any, kp: float, J: Any
) -> None:
    """Add kp times the derivative of the error of a rigid constraint, whose ends move apart by J."""
    lin, ang = unrotate(pose, at(J, triple(pose[3]))), unrotate(pose, J[1])
    for half in range(2):
        rate = (0.0, 0.0, 0.0)
        for c in range(3):
            top = (jlog[3 * half, c], jlog[3 * half + 1, c], jlog[3 * half + 2, c])
            low = (jlog[3 * half, 3 + c], jlog[3 * half + 1, 3 + c], jlog[3 * half + 2, 3 + c])
            rate = add(rate, add(scale(lin[c], top), scale(ang[c], low)))
        put_rows(out, row + 3 * half, column, pose, False, kp, rate if local else rotate(pose, rate))


@inline
def rigid_rates(
    joints: Any, work: Any, bodies: Any, pose: Any, jlog: Any, gains: Any, row: int, by_q: Any, by_v: Any
) -> None:
    """Derivatives of the rows of a rigid constraint: of A1 - A2 + V1 x V2 + kd (V1 - V2), seen from end 1.

    Moving end 1 also turns what sees it, the axes and the point of end 1.
    """
    one, two = twist_of(work[bodies[0]]), twist_of(work[bodies[1]])
    local, kp, kd = int(gains[1]) == LOCAL, gains[2], gains[3]
    V1, V2 = (one[0], one[1]), (two[0], two[1])
    seen = pair_sum((sub(one[2], two[2]), sub(one[3], two[3])), cross_motion(V1[0], V1[1], V2[0], V2[1]))
    seen = pair_sum(seen, pair_scale(kd, (sub(one[0], two[0]), sub(one[1], two[1]))))
    for side in range(2):
        sign, i = 1.0 - 2.0 * side, bodies[side]
        own, other = (one, V2) if side == 0 else (two, V1)
        while i > 0:
            for d in range(joints[i].nv):
                column = joints[i].idx_v + d
                J, v_q, a_q, a_v = column_rates(work[i], work[joints[i].parent], d, own)
                rate = pair_sum(pair_sum(a_q, pair_scale(kd, v_q)), cross_motion(v_q[0], v_q[1], *other))
                put_six(by_q, row, column, pose, local, sign, rate)
                rate = pair_sum(pair_sum(a_v, pair_scale(kd, J)), cross_motion(J[0], J[1], *other))
                put_six(by_v, row, column, pose, local, sign, rate)
                if side == 0:
                    put_six(by_q, row, column, pose, local, -1.0, cross_motion(J[0], J[1], *seen))
                if kp != 0.0:
                    put_error_rate(by_q, row, column, pose, local, jlog, sign * kp, J)
            i = joints[i].parent


@inline
def fill_rates(joints: Any, work: Any, ends: Any, settings: Any, by_q: Any, by_v: Any) -> None:
    """Derivatives of all rows between frames along q and by v, added to what is there."""
    poses, jlog, row = np.empty((2, 4, 3)), np.empty((6, 6)), 0
    for k in range(settings.shape[0]):
        one, two = ends[2 * k], ends[2 * k + 1]
        place_end(work, one, poses[0])
        place_end(work, two, poses[1])
        if int(settings[k, 0]) == POINT:
            point_rates(joints, work, one.joint, 1.0, poses[0], poses[0], settings[k], row, by_q, by_v)
            point_rates(joints, work, two.joint, -1.0, poses[1], poses[0], settings[k], row, by_q, by_v)
            row += 3
        else:
            if settings[k, 2] != 0.0:
                lin, ang = rigid_error(poses)
                jexp6_inverse(jlog, lin, ang, -1.0)
            bodies = one.joint, two.joint
            rigid_rates(joints, work, bodies, poses[0], jlog, settings[k], row, by_q, by_v)
            row += 6
