"""Forward kinematics of all joints: placements, velocities, accelerations (Featherstone 2008, 4.1).

Velocities and accelerations are spatial, in each joint's own frame; gravity plays no part.
"""

from __future__ import annotations

from typing import Any

from .engine import inline, kernel
from .joints import place_joint, subspace_times
from .motion import cross_motion, motion_to_child
from .sizes import check_q, check_scratch, check_v
from .vector import add, multiply, put, rotate


@inline
def place_in_world(joint: Any, up: Any, x: Any) -> None:
    """World placement of a joint whose li_R, li_p are set, from its parent's."""
    if joint.parent == 0:  # the universe: spares a product with the identity
        for r in range(3):
            for c in range(3):
                x.R[r, c] = x.li_R[r, c]
        put(x.p, x.li_p)
    else:
        multiply(x.R, up.R, x.li_R)
        put(x.p, add(up.p, rotate(up.R, x.li_p)))


@inline
def move_joint(joint: Any, up: Any, x: Any, v: Any) -> Any:
    """Velocity of a joint whose placement is set; returns its own part S v."""
    own_lin, own_ang = subspace_times(joint, x, v)
    lin, ang = motion_to_child(x.li_R, x.li_p, up.v_lin, up.v_ang)
    put(x.v_lin, add(lin, own_lin))
    put(x.v_ang, add(ang, own_ang))
    return own_lin, own_ang


@inline
def accelerate_joint(joint: Any, up: Any, x: Any, own_lin: Any, own_ang: Any, a_lin: Any, a_ang: Any) -> None:
    """Acceleration of a joint: its parent's, its own part (a_lin, a_ang) and what velocity adds."""
    lin, ang = motion_to_child(x.li_R, x.li_p, up.a_lin, up.a_ang)
    c_lin, c_ang = cross_motion(x.v_lin, x.v_ang, own_lin, own_ang)
    put(x.a_lin, add(add(lin, a_lin), c_lin))
    put(x.a_ang, add(add(ang, a_ang), c_ang))


@kernel("joints", "kinematics", "vector")
def forward_kinematics_0(joints: Any, kinematics: Any, q: Any) -> None:
    """World placements of all joints."""
    check_scratch(joints, kinematics)
    check_q(joints, q)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], kinematics[i]
        place_joint(joint, q, x)
        place_in_world(joint, kinematics[joint.parent], x)
    kinematics[0].order = 0


@kernel("joints", "kinematics", "vector", "vector")
def forward_kinematics_1(joints: Any, kinematics: Any, q: Any, v: Any) -> None:
    """World placements and velocities of all joints."""
    check_scratch(joints, kinematics)
    check_q(joints, q)
    check_v(joints, v)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], kinematics[i]
        up = kinematics[joint.parent]
        place_joint(joint, q, x)
        place_in_world(joint, up, x)
        move_joint(joint, up, x, v)
    kinematics[0].order = 1


@kernel("joints", "kinematics", "vector", "vector", "vector")
def forward_kinematics_2(joints: Any, kinematics: Any, q: Any, v: Any, a: Any) -> None:
    """World placements, velocities and accelerations of all joints."""
    check_scratch(joints, kinematics)
    check_q(joints, q)
    check_v(joints, v)
    check_v(joints, a)
    for i in range(1, joints.shape[0]):
        joint, x = joints[i], kinematics[i]
        up = kinematics[joint.parent]
        place_joint(joint, q, x)
        place_in_world(joint, up, x)
        own_lin, own_ang = move_joint(joint, up, x, v)
        a_lin, a_ang = subspace_times(joint, x, a)
        accelerate_joint(joint, up, x, own_lin, own_ang, a_lin, a_ang)
    kinematics[0].order = 2
