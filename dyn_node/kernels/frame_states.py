"""Placements, velocities and accelerations of several frames straight from q, v and a.

The joints' are left in `work`: the kinematics that a Data holds for its caller stay as they are.
"""

from __future__ import annotations

from typing import Any

from .engine import inline, kernel
from .frames import check_reference, express, triple
from .joints import place_joint, subspace_times
from .kinematics import accelerate_joint, move_joint, place_in_world
from .sizes import check_q, check_scratch, check_shape, check_v
from .vector import add, cross, multiply, put, put6, rotate

_ZERO = (0.0, 0.0, 0.0)


@inline
def place_universe(work: Any) -> None:
    """The universe stands at the origin, at rest."""
    x = work[0]
    for r in range(3):
        for c in range(3):
            x.R[r, c] = 1.0 if r == c else 0.0
    put(x.p, _ZERO)
    put(x.v_lin, _ZERO)
    put(x.v_ang, _ZERO)
    put(x.a_lin, _ZERO)
    put(x.a_ang, _ZERO)


@kernel("joints", "work", "frames", "vector", "stack")
def frame_placements(joints: Any, work: Any, frames: Any, q: Any, out: Any) -> None:
    """World placements of frames, homogeneous: (frames, 4, 4)."""
    check_scratch(joints, work)
    check_q(joints, q)
    if out.shape[0] != frames.shape[0] or out.shape[1] != 4 or out.shape[2] != 4:
        raise ValueError("size of a stack")
    place_universe(work)
    for i in range(1, joints.shape[0]):
        place_joint(joints[i], q, work[i])
        place_in_world(joints[i], work[joints[i].parent], work[i])
    for k in range(frames.shape[0]):
        frame, x = frames[k], work[frames[k].joint]
        multiply(out[k], x.R, frame.R)
        p = add(x.p, rotate(x.R, frame.p))
        for r in range(3):
            out[k, r, 3] = p[r]
            out[k, 3, r] = 0.0
        out[k, 3, 3] = 1.0


@kernel("joints", "work", "frames", "vector", "vector", "int", "matrix")
def frame_velocities(joints: Any, work: Any, frames: Any, q: Any, v: Any, reference: int, out: Any) -> None:
    """Spatial velocities of frames, linear first: (frames, 6)."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_reference(reference)
    check_shape(out, frames.shape[0], 6)
    place_universe(work)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        place_joint(joint, q, x)
        place_in_world(joint, up, x)
        move_joint(joint, up, x, v)
    for k in range(frames.shape[0]):
        frame, x = frames[k], work[frames[k].joint]
        lin, ang = express(x, frame, triple(x.v_lin), triple(x.v_ang), reference)
        put6(out[k], lin, ang)


@kernel("joints", "work", "frames", "vector", "vector", "vector", "int", "int", "matrix")
def frame_accelerations(
    joints: Any,
    work: Any,
    frames: Any,
    q: Any,
    v: Any,
    a: Any,
    reference: int,
    classical: int,
    out: Any,
) -> None:
    """Accelerations of frames, spatial or classical, linear first: (frames, 6)."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_v(joints, a)
    check_reference(reference)
    check_shape(out, frames.shape[0], 6)
    place_universe(work)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        place_joint(joint, q, x)
        place_in_world(joint, up, x)
        own_lin, own_ang = move_joint(joint, up, x, v)
        a_lin, a_ang = subspace_times(joint, x, a)
        accelerate_joint(joint, up, x, own_lin, own_ang, a_lin, a_ang)
    for k in range(frames.shape[0]):
        frame, x = frames[k], work[frames[k].joint]
        lin, ang = express(x, frame, triple(x.a_lin), triple(x.a_ang), reference)
        if classical == 1:
            v_lin, v_ang = express(x, frame, triple(x.v_lin), triple(x.v_ang), reference)
            lin = add(lin, cross(v_ang, v_lin))
        put6(out[k], lin, ang)
