"""Placements, velocities and accelerations of several frames straight from q, v and a.

The joints' are left in `work`: the kinematics that a Data holds for its caller stay as they are.
"""

from __future__ import annotations

from typing import Any

from .engine import inline, kernel
from .frames import check_reference, express, is_turned, triple
from .joints import place_joint, subspace_times
from .kinematics import accelerate_joint, move_joint, place_in_world
from .sizes import check_q, check_scratch, check_shape, check_v
from .vector import add, cross, put, put6, rotate, unrotate

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


@inline
def put_homogeneous(out: Any, x: Any, frame: Any) -> None:
    """World placement of a frame as a (4, 4) matrix; all is read before anything is written."""
    p = add(x.p, rotate(x.R, frame.p))
    row0, row1, row2 = triple(x.R[0]), triple(x.R[1]), triple(x.R[2])
    # Most frames of a robot are joints and bodies, which are not turned in their joint's frame.
    if is_turned(frame.R):
        row0, row1, row2 = unrotate(frame.R, row0), unrotate(frame.R, row1), unrotate(frame.R, row2)
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = row0[0], row0[1], row0[2], p[0]
    out[1, 0], out[1, 1], out[1, 2], out[1, 3] = row1[0], row1[1], row1[2], p[1]
    out[2, 0], out[2, 1], out[2, 2], out[2, 3] = row2[0], row2[1], row2[2], p[2]
    out[3, 0], out[3, 1], out[3, 2], out[3, 3] = 0.0, 0.0, 0.0, 1.0


@kernel("joints", "work", "frames", "vector", "stack", result=("len(2)", 4, 4))
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
        put_homogeneous(out[k], work[frames[k].joint], frames[k])


@kernel("joints", "work", "frames", "vector", "vector", "int", "matrix", result=("len(2)", 6))
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


@kernel(
    "joints",
    "work",
    "frames",
    "vector",
    "vector",
    "vector",
    "int",
    "int",
    "matrix",
    result=("len(2)", 6),
)
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
