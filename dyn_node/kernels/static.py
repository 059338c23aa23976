"""The efforts of a robot at rest, under gravity and external forces, and their derivatives.

The derivatives are those of kernels.rnea_derivatives without velocity (Carpentier and Mansard 2018),
worked in the axes and about the origin of each tree's first joint.
"""

from __future__ import annotations

from typing import Any

from .crba import place_in_tree
from .engine import inline, kernel
from .joints import place_joint, row_dot
from .motion import cross_force
from .rate import subtract_external
from .rnea import collect, start_from_gravity
from .sizes import check_q, check_scratch, check_shape, check_square, check_v
from .vector import add, angular, cross, dot, linear, put, put_sum, rotate, scale, sub, unrotate


@kernel("joints", "work", "vector", "matrix", "vector", result=("nv",))
def static_torque(joints: Any, work: Any, q: Any, f_ext: Any, tau: Any) -> None:
    """tau = g(q) - sum J^T f_ext; row i acts on joint i's body, in its frame."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_shape(f_ext, joints.shape[0], 6)
    check_v(joints, tau)
    for k in range(tau.shape[0]):
        tau[k] = 0.0
    start_from_gravity(joints, work)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_joint(joint, q, x)
        lift = unrotate(x.li_R, work[joint.parent].a_lin)
        put(x.a_lin, lift)
        put(x.f_lin, sub(scale(joint.mass, lift), (f_ext[i, 0], f_ext[i, 1], f_ext[i, 2])))
        put(x.f_ang, sub(cross(joint.h, lift), (f_ext[i, 3], f_ext[i, 4], f_ext[i, 5])))
    for i in range(joints.shape[0] - 1, 0, -1):
        collect(joints, work, i, tau)


@inline
def static_forward(joints: Any, work: Any, q: Any) -> None:
    """Placements, and the force that lifts each body."""
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        place_joint(joint, q, x)
        place_in_tree(joint, up, x)
        if joint.parent == 0:
            put(up.a_lin, scale(-1.0, unrotate(x.li_R, joints[0].gravity)))
        lift = (up.a_lin[0], up.a_lin[1], up.a_lin[2])
        put(x.a_lin, lift)
        x.mass = joint.mass
        put(x.h, add(rotate(x.R, joint.h), scale(joint.mass, x.p)))
        put(x.f_lin, scale(joint.mass, lift))
        put(x.f_ang, cross(x.h, lift))


@inline
def static_columns(joints: Any, work: Any, i: int, dq: Any) -> None:
    """Entries of joint i against itself and all its ancestors."""
    joint, x = joints[i], work[i]
    for d in range(joint.nv):
        n = joint.idx_v + d
        lin, ang = linear(x.J[d]), angular(x.J[d])
        m_lin = sub(scale(x.mass, lin), cross(x.h, ang))
        turned = cross(x.a_lin, ang)  # acceleration of the universe x J: it has no angular half
        f_lin, f_ang = cross_force(lin, ang, x.f_lin, x.f_ang)
        f_lin, f_ang = add(f_lin, scale(x.mass, turned)), add(f_ang, cross(x.h, turned))
        k = i
        while k > 0:
            first, y = joints[k].idx_v, work[k]
            for e in range(joints[k].nv):
                dq[n, first + e] += dot(m_lin, cross(x.a_lin, angular(y.J[e])))
                if k < i:
                    dq[first + e, n] += row_dot(y.J, e, f_lin, f_ang)
            k = joints[k].parent


@inline
def static_backward(joints: Any, work: Any, dq: Any) -> None:
    """All entries, from the leaves to the root."""
    for r in range(dq.shape[0]):
        for c in range(dq.shape[0]):
            dq[r, c] = 0.0
    for i in range(joints.shape[0] - 1, 0, -1):
        x = work[i]
        static_columns(joints, work, i, dq)
        if joints[i].parent > 0:
            up = work[joints[i].parent]
            up.mass += x.mass
            put_sum(up.h, x.h)
            put_sum(up.f_lin, x.f_lin)
            put_sum(up.f_ang, x.f_ang)


@kernel("joints", "work", "vector", "matrix", result=("nv", "nv"))
def gravity_derivatives(joints: Any, work: Any, q: Any, dq: Any) -> None:
    """dq = d g / dq."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_square(joints, dq)
    static_forward(joints, work, q)
    static_backward(joints, work, dq)


@kernel("joints", "work", "vector", "matrix", "matrix", result=("nv", "nv"))
def static_torque_derivatives(joints: Any, work: Any, q: Any, f_ext: Any, dq: Any) -> None:
    """dq = d (g - sum J^T f_ext) / dq under forces that stay the same in their joints' frames."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_shape(f_ext, joints.shape[0], 6)
    check_square(joints, dq)
    static_forward(joints, work, q)
    for i in range(1, joints.shape[0]):
        subtract_external(work[i], f_ext, i)
    static_backward(joints, work, dq)
