"""The Jacobian columns of all joints at once, in the world's axes about its origin, and their rates."""

from __future__ import annotations

from typing import Any

from .engine import kernel
from .frame_rates import add_column, zero_rows
from .joints import place_joint
from .kinematics import move_joint, place_in_world
from .motion import cross_motion, motion_to_parent
from .sizes import check_q, check_scratch, check_shape, check_v
from .vector import angular, linear, put

_ZERO = (0.0, 0.0, 0.0)


@kernel("joints", "work", "vector", "matrix", result=(6, "nv"))
def joint_jacobians(joints: Any, work: Any, q: Any, J: Any) -> None:
    """Column k: the twist of coordinate k's unit velocity."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_shape(J, 6, joints[0].nv)
    zero_rows(J)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        place_joint(joint, q, x)
        place_in_world(joint, work[joint.parent], x)
        for d in range(joint.nv):
            lin, ang = motion_to_parent(x.R, x.p, linear(x.S[d]), angular(x.S[d]))
            add_column(J, joint.idx_v + d, lin, ang)


@kernel("joints", "work", "vector", "vector", "matrix", result=(6, "nv"))
def joint_jacobians_time_variation(joints: Any, work: Any, q: Any, v: Any, dJ: Any) -> None:
    """Column k: the rate of that twist."""
    check_scratch(joints, work)
    check_q(joints, q)
    check_v(joints, v)
    check_shape(dJ, 6, v.shape[0])
    zero_rows(dJ)
    put(work[0].v_lin, _ZERO)
    put(work[0].v_ang, _ZERO)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], work[i]
        up = work[joint.parent]
        place_joint(joint, q, x)
        place_in_world(joint, up, x)
        move_joint(joint, up, x, v)
        for d in range(joint.nv):
            lin, ang = cross_motion(x.v_lin, x.v_ang, linear(x.S[d]), angular(x.S[d]))
            lin, ang = motion_to_parent(x.R, x.p, lin, ang)
            add_column(dJ, joint.idx_v + d, lin, ang)
