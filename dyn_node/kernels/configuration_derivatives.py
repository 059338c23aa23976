"""Derivatives of `integrate` and `difference` with respect to tangent vectors, block by joint.

For x = q exp(v): moving q by a tangent vector d moves x by Ad(exp(-v)) d; moving v by d moves x by
the right Jacobian of exp at v times d. The way back has the inverse Jacobians of log
(Sola, Deray and Atchuthan 2018, "A micro Lie theory", section II).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .configuration import difference_joint, quaternion_at
from .engine import inline, kernel
from .kinds import CONTINUOUS, FREE_FLYER, PLANAR, SPHERICAL
from .lie import (
    exp3_quaternion,
    exp6,
    jexp3,
    jexp3_inverse,
    jexp6,
    jexp6_inverse,
    quaternion_conjugate,
    quaternion_rotate,
    quaternion_to_matrix,
)
from .sizes import check_q, check_shape, check_square, check_v
from .vector import cross

#: Which of a pair of arguments a derivative is taken with respect to.
FIRST, SECOND = 0, 1


@inline
def unit_vector(k: int) -> Any:
    """The k-th axis of three."""
    return (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)


@inline
def put_inverse_action(out: Any, quat: Any, p: Any) -> None:
    """out = the 6x6 action on motions of the inverse of a placement."""
    back = quaternion_conjugate(quat)
    for k in range(3):
        axis = unit_vector(k)
        turned = quaternion_rotate(back, axis)
        shifted = quaternion_rotate(back, cross(axis, p))
        for r in range(3):
            out[r, k] = turned[r]
            out[3 + r, k] = 0.0
            out[r, 3 + k] = shifted[r]
            out[3 + r, 3 + k] = turned[r]


@inline
def put_planar(out: Any, d: int, block: Any) -> None:
    """Rows and columns of a planar joint (vx, vy, wz) from a 6x6 block."""
    for r in range(3):
        for c in range(3):
            out[d + r, d + c] = block[r if r < 2 else 5, c if c < 2 else 5]


@inline
def clear(J: Any) -> None:
    """J = 0."""
    for r in range(J.shape[0]):
        for c in range(J.shape[1]):
            J[r, c] = 0.0


@inline
def d_integrate_joint(joint: Any, v: Any, argument: int, out: Any, block: Any) -> None:
    """One joint's block of d_integrate; `block` is (6, 6) scratch."""
    kind, d = joint.kind, joint.idx_v
    if kind in (FREE_FLYER, PLANAR):
        if kind == FREE_FLYER:
            lin, ang = (v[d], v[d + 1], v[d + 2]), (v[d + 3], v[d + 4], v[d + 5])
        else:
            lin, ang = (v[d], v[d + 1], 0.0), (0.0, 0.0, v[d + 2])
        if argument == FIRST:
            quat, p = exp6(lin, ang)
            put_inverse_action(block, quat, p)
        else:
            jexp6(block, lin, ang, -1.0)
        if kind == FREE_FLYER:
            out[d : d + 6, d : d + 6] = block
        else:
            put_planar(out, d, block)
    elif kind == SPHERICAL:
        ang = (v[d], v[d + 1], v[d + 2])
        if argument == FIRST:
            quaternion_to_matrix(block, quaternion_conjugate(exp3_quaternion(ang)))
        else:
            jexp3(block, ang, -1.0)
        out[d : d + 3, d : d + 3] = block[0:3, 0:3]
    else:
        for r in range(joint.nv):
            out[d + r, d + r] = 1.0


@kernel("joints", "vector", "vector", "int", "matrix", result=("nv", "nv"))
def d_integrate(joints: Any, q: Any, v: Any, argument: int, out: Any) -> None:
    """Derivative of integrate(q, v) with respect to q (argument 0) or v (argument 1)."""
    check_q(joints, q)
    check_v(joints, v)
    check_square(joints, out)
    clear(out)
    block = np.zeros((6, 6))
    for i in range(1, joints.shape[0]):
        d_integrate_joint(joints[i], v, argument, out, block)


@inline
def d_difference_joint(joint: Any, v: Any, argument: int, out: Any, block: Any) -> None:
    """One joint's block of d_difference, at the difference v."""
    kind, d = joint.kind, joint.idx_v
    sign, side = (1.0, -1.0) if argument == SECOND else (-1.0, 1.0)
    if kind in (FREE_FLYER, PLANAR):
        if kind == FREE_FLYER:
            jexp6_inverse(block, (v[d], v[d + 1], v[d + 2]), (v[d + 3], v[d + 4], v[d + 5]), side)
            for r in range(6):
                for c in range(6):
                    out[d + r, d + c] = sign * block[r, c]
        else:
            jexp6_inverse(block, (v[d], v[d + 1], 0.0), (0.0, 0.0, v[d + 2]), side)
            put_planar(out, d, block)
            for r in range(3):
                for c in range(3):
                    out[d + r, d + c] *= sign
    elif kind == SPHERICAL:
        jexp3_inverse(block, (v[d], v[d + 1], v[d + 2]), side)
        for r in range(3):
            for c in range(3):
                out[d + r, d + c] = sign * block[r, c]
    else:
        for r in range(joint.nv):
            out[d + r, d + r] = sign


@kernel("joints", "vector", "vector", "int", "matrix", result=("nv", "nv"))
def d_difference(joints: Any, q0: Any, q1: Any, argument: int, out: Any) -> None:
    """Derivative of difference(q0, q1) with respect to q0 (argument 0) or q1 (argument 1)."""
    check_q(joints, q0)
    check_q(joints, q1)
    check_square(joints, out)
    clear(out)
    block, v = np.zeros((6, 6)), np.zeros(out.shape[0])
    for i in range(1, joints.shape[0]):
        difference_joint(joints[i], q0, q1, v)
        d_difference_joint(joints[i], v, argument, out, block)


@inline
def put_rate_of_quaternion(J: Any, k: int, d: int, quat: Any) -> None:
    """Rows k..k+3 of a quaternion, columns d..d+2 of its body's angular velocity."""
    x, y, z, w = 0.5 * quat[0], 0.5 * quat[1], 0.5 * quat[2], 0.5 * quat[3]
    J[k, d], J[k, d + 1], J[k, d + 2] = w, -z, y
    J[k + 1, d], J[k + 1, d + 1], J[k + 1, d + 2] = z, w, -x
    J[k + 2, d], J[k + 2, d + 1], J[k + 2, d + 2] = -y, x, w
    J[k + 3, d], J[k + 3, d + 1], J[k + 3, d + 2] = -x, -y, -z


@kernel("joints", "vector", "matrix", result=("nq", "nv"))
def integrate_coefficient_jacobian(joints: Any, q: Any, J: Any) -> None:
    """dq/dt = J v for the entries of q."""
    check_q(joints, q)
    check_shape(J, q.shape[0], joints[0].nv)
    clear(J)
    for i in range(1, joints.shape[0]):
        kind, k, d = joints[i].kind, joints[i].idx_q, joints[i].idx_v
        if kind == FREE_FLYER:
            quat = quaternion_at(q, k + 3)
            quaternion_to_matrix(J[k : k + 3, d : d + 3], quat)
            put_rate_of_quaternion(J, k + 3, d + 3, quat)
        elif kind == PLANAR:
            c, s = q[k + 2], q[k + 3]
            J[k, d], J[k, d + 1], J[k + 1, d], J[k + 1, d + 1] = c, -s, s, c
            J[k + 2, d + 2], J[k + 3, d + 2] = -s, c
        elif kind == SPHERICAL:
            put_rate_of_quaternion(J, k, d, quaternion_at(q, k))
        elif kind == CONTINUOUS:
            J[k, d], J[k + 1, d] = -q[k + 1], q[k]
        else:
            for r in range(joints[i].nq):  # none of a follower's
                J[k + r, d + r] = 1.0
