"""An objective of inverse kinematics: a frame away from its singularities.

The residual is manipulability^(-1/n), the inverse of the mean axis of the n directions' ellipsoid, so that
it is of the order of one for any robot. The gradient is that of `kernels.ik_dexterity`, here over the whole
tree's columns in world axes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .engine import inline
from .ik_dexterity import weighted_inverse
from .ik_step import gram_determinant
from .motion import cross_motion, motion_to_child
from .vector import angular, linear

#: Below this the gradient has no direction that means anything.
_SINGULAR = 1e-12


@inline
def own_motion(work: Any, i: int, d: int, pose: Any) -> Any:
    """What coordinate d of joint i does to a frame, in the frame's axes."""
    column = work[i].J[d]
    return motion_to_child(pose, pose[3], linear(column), angular(column))


@inline
def bracket_sum(
    joints: Any, work: Any, i: int, d: int, weights: Any, column: Any, pose: Any, Y: Any
) -> float:
    """Derivative of log(manipulability) by coordinate d of joint i, which moves columns nearer the root."""
    lin, ang = own_motion(work, i, d, pose)
    total, far = 0.0, joints[i].parent
    while far > 0:
        for k in range(joints[far].nv):
            c = column[joints[far].idx_v + k]
            if c >= 0:
                far_lin, far_ang = own_motion(work, far, k, pose)
                up, turn = cross_motion(far_lin, far_ang, lin, ang)
                row = 0
                for r in range(6):
                    if weights[r] > 0.0:
                        total += Y[row, c] * (up[r] if r < 3 else turn[r - 3])
                        row += 1
        far = joints[far].parent
    return total


@inline
def manipulability_rows(
    joints: Any, work: Any, frame: Any, weights: Any, strength: float, column: Any, pose: Any, own: Any,
    A: Any, Y: Any, J: Any, e: Any, first: int,
) -> None:  # fmt: skip
    """Rows of the objective: its residual and gradient, and m more that stand for its curvature.

    The curvature of the logarithm is taken as one, which keeps steps short where the gradient vanishes.

    Args:
        weights: (6,), directions of the frame that count where above zero; strength: factor of the rows.
        own: Jacobian of the frame in its own axes, (6, m), `pose` its pose; A (6, 6) and Y (6, m): scratch.
    """
    m, size = J.shape[1], 0
    for r in range(6):
        if weights[r] > 0.0:
            size += 1
    for r in range(first, first + 1 + m):
        e[r] = 0.0
        for c in range(m):
            J[r, c] = 0.0
    measure = gram_determinant(own, m, weights, A)
    e[first] = strength * np.exp(-np.log(max(measure, _SINGULAR)) / size)
    if measure > _SINGULAR:
        weighted_inverse(own, m, weights, A, Y)
        i = frame.joint
        while i > 0:
            for d in range(joints[i].nv):
                c = column[joints[i].idx_v + d]
                if c >= 0:
                    slope = bracket_sum(joints, work, i, d, weights, column, pose, Y)
                    J[first, c] += e[first] / size * slope
            i = joints[i].parent
        for c in range(m):
            J[first + 1 + c, c] = e[first] / np.sqrt(size)
