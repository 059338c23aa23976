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
def keep_planar(block: Any) -> None:
    """block[:3, :3] = rows and columns (vx, vy, wz) of a 6x6 block."""
    block[0, 2], block[1, 2] = block[0, 5], block[1, 5]
    block[2, 0], block[2, 1], block[2, 2] = block[5, 0], block[5, 1], block[5, 5]


@inline
def has_block(kind: int) -> bool:
    """Whether derivatives of a joint of this kind are more than ones on the diagonal."""
    return kind in (FREE_FLYER, PLANAR, SPHERICAL)


@inline
def twist_of(joint: Any, v: Any) -> Any:
    """The velocity of a joint with a block, linear and angular."""
    d = joint.idx_v
    if joint.kind == FREE_FLYER:
        return (v[d], v[d + 1], v[d + 2]), (v[d + 3], v[d + 4], v[d + 5])
    if joint.kind == PLANAR:
        return (v[d], v[d + 1], 0.0), (0.0, 0.0, v[d + 2])
    return (0.0, 0.0, 0.0), (v[d], v[d + 1], v[d + 2])


@inline
def put_block(out: Any, d: int, count: int, block: Any) -> None:
    """Rows and columns of a joint in a matrix."""
    for r in range(count):
        for c in range(count):
            out[d + r, d + c] = block[r, c]


@inline
def clear(J: Any) -> None:
    """J = 0."""
    for r in range(J.shape[0]):
        for c in range(J.shape[1]):
            J[r, c] = 0.0


@inline
def integrate_block(joint: Any, v: Any, argument: int, block: Any) -> None:
    """block[:nv, :nv] = a joint's part of d_integrate; block is (6, 6)."""
    lin, ang = twist_of(joint, v)
    if joint.kind == SPHERICAL:
        if argument == FIRST:
            quaternion_to_matrix(block, quaternion_conjugate(exp3_quaternion(ang)))
        else:
            jexp3(block, ang, -1.0)
        return
    if argument == FIRST:
        quat, p = exp6(lin, ang)
        put_inverse_action(block, quat, p)
    else:
        jexp6(block, lin, ang, -1.0)
    if joint.kind == PLANAR:
        keep_planar(block)


@kernel("joints", "vector", "vector", "int", "matrix", result=("nv", "nv"))
def d_integrate(joints: Any, q: Any, v: Any, argument: int, out: Any) -> None:
    """Derivative of integrate(q, v) with respect to q (argument 0) or v (argument 1)."""
    check_q(joints, q)
    check_v(joints, v)
    check_square(joints, out)
    clear(out)
    for d in range(out.shape[0]):
        out[d, d] = 1.0
    block = np.empty((6, 6))
    for i in range(1, joints.shape[0]):
        if has_block(joints[i].kind):
            integrate_block(joints[i], v, argument, block)
            put_block(out, joints[i].idx_v, joints[i].nv, block)


@kernel("joints", "vector", "vector", "matrix", "int", "matrix")
def transport(joints: Any, q: Any, v: Any, J: Any, argument: int, out: Any) -> None:
    """out = d_integrate(q, v) J; the two are different arrays."""
    check_q(joints, q)
    check_v(joints, v)
    check_shape(J, joints[0].nv, J.shape[1])
    check_shape(out, J.shape[0], J.shape[1])
    for r in range(J.shape[0]):
        for c in range(J.shape[1]):
            out[r, c] = J[r, c]
    block = np.empty((6, 6))
    for i in range(1, joints.shape[0]):
        if has_block(joints[i].kind):
            integrate_block(joints[i], v, argument, block)
            multiply_rows(out, block, J, joints[i].idx_v, joints[i].nv)


@inline
def multiply_rows(out: Any, block: Any, J: Any, d: int, count: int) -> None:
    """Rows d, d + 1, ... of out = block times those of J."""
    for r in range(count):
        for c in range(J.shape[1]):
            out[d + r, c] = block[r, 0] * J[d, c]
        for k in range(1, count):
            for c in range(J.shape[1]):
                out[d + r, c] += block[r, k] * J[d + k, c]


@inline
def difference_block(joint: Any, v: Any, argument: int, block: Any) -> None:
    """block[:nv, :nv] = a joint's part of d_difference, at the difference v; block is (6, 6)."""
    sign, side = (1.0, -1.0) if argument == SECOND else (-1.0, 1.0)
    lin, ang = twist_of(joint, v)
    if joint.kind == SPHERICAL:
        jexp3_inverse(block, ang, side)
    else:
        jexp6_inverse(block, lin, ang, side)
        if joint.kind == PLANAR:
            keep_planar(block)
    for r in range(joint.nv):
        for c in range(joint.nv):
            block[r, c] *= sign


@kernel("joints", "vector", "vector", "int", "matrix", result=("nv", "nv"))
def d_difference(joints: Any, q0: Any, q1: Any, argument: int, out: Any) -> None:
    """Derivative of difference(q0, q1) with respect to q0 (argument 0) or q1 (argument 1)."""
    check_q(joints, q0)
    check_q(joints, q1)
    check_square(joints, out)
    clear(out)
    for d in range(out.shape[0]):
        out[d, d] = 1.0 if argument == SECOND else -1.0
    block = np.empty((6, 6))
    for i in range(1, joints.shape[0]):
        joint = joints[i]
        if has_block(joint.kind):
            # Until the block is there, its first row has room for the difference.
            way = out[joint.idx_v]
            difference_joint(joint, q0, q1, way)
            difference_block(joint, way, argument, block)
            put_block(out, joint.idx_v, joint.nv, block)


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
