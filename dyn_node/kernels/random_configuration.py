"""A configuration from numbers that are uniform on [0, 1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .configuration import put_quaternion
from .engine import inline, kernel
from .ik_seeds import put_angle, uniform_quaternion
from .kinds import CONTINUOUS, FREE_FLYER, PLANAR, SPHERICAL
from .sizes import check_q, check_shape


@inline
def stretch(limits: Any, width: float, q: Any, start: int, stop: int) -> bool:
    """Entries, uniform on [0, 1), become so between their limits; False where a limit is missing.

    Without one, a finite width >= 0 takes its place: the range is as wide as twice that.
    """
    for r in range(start, stop):
        low, high = limits[0, r], limits[1, r]
        if not (low > -np.inf and high < np.inf):
            if not (0.0 <= 2.0 * width < np.inf):
                return False
            if not low > -np.inf:
                low = high - 2.0 * width if high < np.inf else -width
            if not high < np.inf:
                high = low + 2.0 * width
        # Neither limit is passed by rounding, and no range is too wide to be a number.
        q[r] = max(low, min((1.0 - q[r]) * low + q[r] * high, high))
    return True


@kernel("joints", "matrix", "float", "vector")
def spread(joints: Any, limits: Any, width: float, q: Any) -> bool:
    """Make of q, uniform numbers, a configuration: between limits, rotations over their whole group.

    A circle needs one number of its two, a quaternion three of its four (K. Shoemake 1992, "Uniform
    random rotations", Graphics Gems III). False where an entry has no limits; q is then half done.
    """
    check_q(joints, q)
    check_shape(limits, 2, q.shape[0])
    done = 0
    for i in range(1, joints.shape[0]):
        kind, stop = joints[i].kind, joints[i].idx_q + joints[i].nq
        if kind in (CONTINUOUS, FREE_FLYER, PLANAR, SPHERICAL):
            turning = stop - (2 if kind == CONTINUOUS or kind == PLANAR else 4)
            # Whatever lies between two that turn is on a line.
            if not stretch(limits, width, q, done, turning):
                return False
            if stop - turning == 2:
                put_angle(q, turning, q[turning])
            else:
                put_quaternion(q, turning, uniform_quaternion(q[turning], q[turning + 1], q[turning + 2]))
            done = stop
    return stretch(limits, width, q, done, q.shape[0])
