"""The derivative of a frame's Jacobian along the tangent of q: its kinematic Hessian.

With J_j and J_k two columns of the Jacobian, (v, w) each, in the reference frame, H[:, j, k] is the
derivative of column j along coordinate k:

              where k carries j, or moves with it     where j carries k
    WORLD     J_k x J_j                               0
    LOCAL     0                                       J_j x J_k
    aligned   (w_k x v_j, w_k x w_j)                  (w_j x v_k, 0)

because the motion subspaces stand still in their joints: moving along k carries all that k carries, and in
LOCAL and aligned axes also the frame itself, from which the columns are seen.
"""

from __future__ import annotations

from typing import Any

from .engine import inline, kernel
from .frame_rates import to_reference
from .frames import LOCAL, WORLD, check_frame, check_reference, place_support
from .motion import cross_motion, motion_to_child
from .sizes import check_q, check_scratch, check_shape
from .vector import angular, cross, linear, put6


@inline
def add_entry(H: Any, column: int, along: int, lin: Any, ang: Any) -> None:
    """Add to the derivative of one column along one coordinate."""
    for r in range(3):
        H[r, column, along] += lin[r]
        H[3 + r, column, along] += ang[r]


@inline
def add_pair(H: Any, upper: int, above: Any, lower: int, below: Any, same: bool, reference: int) -> None:
    """What two columns of the Jacobian do to each other; `above` belongs to the joint nearer the world."""
    lin, ang = cross_motion(linear(above), angular(above), linear(below), angular(below))
    if reference == WORLD:
        add_entry(H, lower, upper, lin, ang)
    elif reference == LOCAL:
        if not same:
            add_entry(H, upper, lower, lin, ang)
    else:
        lin = cross(angular(above), linear(below))
        add_entry(H, lower, upper, lin, ang)
        if not same:
            add_entry(H, upper, lower, lin, (0.0, 0.0, 0.0))


@inline
def place_columns(joints: Any, work: Any, frame: Any, q: Any, reference: int) -> None:
    """Columns of the Jacobian, in the reference frame, into the records of the joints that carry it."""
    place_support(joints, work, frame, q)
    i = frame.joint
    while i > 0:
        joint, x = joints[i], work[i]
        for d in range(joint.nv):
            lin, ang = motion_to_child(x.R, x.p, linear(x.S[d]), angular(x.S[d]))
            lin, ang = to_reference(work[0], lin, ang, reference)
            put6(x.J[d], lin, ang)
        i = joint.parent


@kernel("joints", "work", "frames", "vector", "int", "int", "stack", result=(6, "nv", "nv"))
def frame_hessian(joints: Any, work: Any, frames: Any, q: Any, frame: int, reference: int, H: Any) -> None:
    """H[:, j, k]: derivative of column j of the Jacobian of a frame along coordinate k."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_frame(frames, frame)
    check_reference(reference)
    nv = joints[0].nv
    if H.shape[0] != 6:
        raise ValueError("size of a Hessian")
    check_shape(H[0], nv, nv)
    for r in range(6):
        for j in range(nv):
            for k in range(nv):
                H[r, j, k] = 0.0
    place_columns(joints, work, frames[frame], q, reference)
    lower = frames[frame].joint
    while lower > 0:
        upper = lower
        while upper > 0:
            above, below = joints[upper], joints[lower]
            for d in range(below.nv):
                for e in range(above.nv):
                    column, along = below.idx_v + d, above.idx_v + e
                    add_pair(H, along, work[upper].J[e], column, work[lower].J[d], upper == lower, reference)
            upper = above.parent
        lower = joints[lower].parent
