"""Kinetic and potential energy (Featherstone 2008, section 2.13)."""

from __future__ import annotations

from typing import Any

from .engine import inline, kernel
from .joints import place_joint
from .kinematics import move_joint, place_in_world
from .motion import inertia_times
from .sizes import check_q, check_scratch, check_v
from .vector import add, dot, put, rotate, scale

_ZERO = (0.0, 0.0, 0.0)


@inline
def twice_kinetic(joint: Any, x: Any, v: Any) -> Any:
    """v . I v of the joint's body and rotors; its velocity is set."""
    f, n = inertia_times(joint.mass, joint.h, joint.I, x.v_lin, x.v_ang)
    total = dot(x.v_lin, f) + dot(x.v_ang, n)
    for d in range(joint.nv):
        rate = v[joint.idx_v + d]
        total += joint.armature[d] * rate * rate
    return total


@inline
def weight_work(joints: Any, joint: Any, x: Any) -> Any:
    """Gravity times the first moment about the world's origin; its world placement is set."""
    return dot(joints[0].gravity, add(rotate(x.R, joint.h), scale(joint.mass, x.p)))


@kernel("joints", "work", "vector", "vector")
def kinetic_energy(joints: Any, work: Any, q: Any, v: Any) -> float:
    """v^T M(q) v / 2."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    put(work[0].v_lin, _ZERO)
    put(work[0].v_ang, _ZERO)
    total = 0.0
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_joint(joint, q, x)
        move_joint(joint, work[joint.parent], x, v)
        total += twice_kinetic(joint, x, v)
    return 0.5 * total


@kernel("joints", "work", "vector")
def potential_energy(joints: Any, work: Any, q: Any) -> float:
    """-sum m g . c, zero where the centre of mass is at the world's origin."""
    check_scratch(joints, work)
    check_q(joints, q)
    total = 0.0
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_joint(joint, q, x)
        place_in_world(joint, work[joint.parent], x)
        total -= weight_work(joints, joint, x)
    return total


@kernel("joints", "work", "vector", "vector")
def mechanical_energy(joints: Any, work: Any, q: Any, v: Any) -> float:
    """Kinetic plus potential energy."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    put(work[0].v_lin, _ZERO)
    put(work[0].v_ang, _ZERO)
    total = 0.0
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        place_joint(joint, q, x)
        place_in_world(joint, up, x)
        move_joint(joint, up, x, v)
        total += 0.5 * twice_kinetic(joint, x, v) - weight_work(joints, joint, x)
    return total
