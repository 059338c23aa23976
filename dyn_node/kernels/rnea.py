"""Inverse dynamics by the recursive Newton-Euler algorithm (Featherstone 2008, chapter 5).

Gravity enters as an acceleration of the universe by -g. Everything is in the joints' own frames.
"""

from __future__ import annotations

from typing import Any

from .engine import inline, kernel
from .joints import place_joint, row_dot, subspace_times
from .kinematics import accelerate_joint, move_joint
from .motion import body_force, force_to_parent
from .sizes import check_q, check_scratch, check_shape, check_v
from .vector import cross, put, put_sum, scale, sub, unrotate

_ZERO = (0.0, 0.0, 0.0)


@inline
def start_from_gravity(joints: Any, work: Any) -> None:
    """The universe at rest, accelerated by -g."""
    put(work[0].v_lin, _ZERO)
    put(work[0].v_ang, _ZERO)
    put(work[0].a_lin, scale(-1.0, joints[0].gravity))
    put(work[0].a_ang, _ZERO)


@inline
def clear(tau: Any) -> None:
    """tau = 0."""
    for k in range(tau.shape[0]):
        tau[k] = 0.0


@inline
def collect(joints: Any, work: Any, i: int, tau: Any) -> None:
    """Add the efforts of joint i, from the force it transmits, which joins its parent's."""
    joint, x = joints[i], work[i]
    for d in range(joint.nv):
        tau[joint.idx_v + d] += row_dot(x.S, d, x.f_lin, x.f_ang)
    if joint.parent > 0:
        f_lin, f_ang = force_to_parent(x.li_R, x.li_p, x.f_lin, x.f_ang)
        put_sum(work[joint.parent].f_lin, f_lin)
        put_sum(work[joint.parent].f_ang, f_ang)


@inline
def keep_armature(joint: Any, x: Any, a: Any) -> None:
    """u = the rotors' share of a joint's efforts; tau may be the memory of a, and is written afterwards."""
    for d in range(joint.nv):
        x.u[d] = joint.armature[d] * a[joint.idx_v + d]


@inline
def add_armature(joints: Any, work: Any, tau: Any) -> None:
    """Add what `keep_armature` kept."""
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        for d in range(joint.nv):
            tau[joint.idx_v + d] += x.u[d]


@inline
def rnea_forward(joints: Any, work: Any, q: Any, v: Any, a: Any) -> None:
    """Velocities, accelerations and the force that each body needs."""
    start_from_gravity(joints, work)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        place_joint(joint, q, x)
        own_lin, own_ang = move_joint(joint, up, x, v)
        a_lin, a_ang = subspace_times(joint, x, a)
        keep_armature(joint, x, a)
        accelerate_joint(joint, up, x, own_lin, own_ang, a_lin, a_ang)
        f_lin, f_ang = body_force(joint, x.v_lin, x.v_ang, x.a_lin, x.a_ang)
        put(x.f_lin, f_lin)
        put(x.f_ang, f_ang)


@kernel("joints", "work", "vector", "vector", "vector", "vector", result=("nv",))
def rnea(joints: Any, work: Any, q: Any, v: Any, a: Any, tau: Any) -> None:
    """tau = M(q) a + C(q, v) v + g(q)."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_v(joints, a)
    check_v(joints, tau)
    rnea_forward(joints, work, q, v, a)
    clear(tau)
    for i in range(joints.shape[0] - 1, 0, -1):
        collect(joints, work, i, tau)
    add_armature(joints, work, tau)


@kernel("joints", "work", "vector", "vector", "vector", "matrix", "vector", result=("nv",))
def rnea_external(joints: Any, work: Any, q: Any, v: Any, a: Any, f_ext: Any, tau: Any) -> None:
    """tau = M(q) a + C(q, v) v + g(q) - sum J^T f_ext; row i acts on joint i's body, its frame."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_v(joints, a)
    check_v(joints, tau)
    check_shape(f_ext, joints.shape[0], 6)
    rnea_forward(joints, work, q, v, a)
    clear(tau)
    for i in range(joints.shape[0] - 1, 0, -1):
        x = work[i]
        put(x.f_lin, sub(x.f_lin, (f_ext[i, 0], f_ext[i, 1], f_ext[i, 2])))
        put(x.f_ang, sub(x.f_ang, (f_ext[i, 3], f_ext[i, 4], f_ext[i, 5])))
        collect(joints, work, i, tau)
    add_armature(joints, work, tau)


@kernel("joints", "work", "vector", "vector", "vector", result=("nv",))
def nonlinear_effects(joints: Any, work: Any, q: Any, v: Any, tau: Any) -> None:
    """tau = C(q, v) v + g(q)."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_v(joints, tau)
    start_from_gravity(joints, work)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        place_joint(joint, q, x)
        own_lin, own_ang = move_joint(joint, up, x, v)
        accelerate_joint(joint, up, x, own_lin, own_ang, _ZERO, _ZERO)
        f_lin, f_ang = body_force(joint, x.v_lin, x.v_ang, x.a_lin, x.a_ang)
        put(x.f_lin, f_lin)
        put(x.f_ang, f_ang)
    clear(tau)
    for i in range(joints.shape[0] - 1, 0, -1):
        collect(joints, work, i, tau)


@kernel("joints", "work", "vector", "vector", result=("nv",))
def generalized_gravity(joints: Any, work: Any, q: Any, tau: Any) -> None:
    """tau = g(q). At rest every body only has to be lifted: f = -m g, n = -h x g."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, tau)
    start_from_gravity(joints, work)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_joint(joint, q, x)
        lift = unrotate(x.li_R, work[joint.parent].a_lin)
        put(x.a_lin, lift)
        put(x.f_lin, scale(joint.mass, lift))
        put(x.f_ang, cross(joint.h, lift))
    clear(tau)
    for i in range(joints.shape[0] - 1, 0, -1):
        collect(joints, work, i, tau)
