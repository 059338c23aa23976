"""The tree of velocity coordinates: which coordinate comes before which on the way to the root.

The entry (k, j) of M is zero unless one of the two is an ancestor of the other, and so are those
of its L^T D L factors (Featherstone 2008, section 6.4).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .engine import inline


@inline
def coordinate_parents(joints: Any) -> Any:
    """Number of the coordinate before each one, -1 at the roots.

    A follower couples branches: M is then taken as dense, every coordinate after the last.
    """
    nv = joints[0].nv
    parents = np.empty(nv, np.int64)
    if joints[0].followers > 0:
        for k in range(nv):
            parents[k] = k - 1
        return parents
    for i in range(1, joints.shape[0]):
        joint = joints[i]
        before = -1
        if joint.parent > 0:
            before = joints[joint.parent].idx_v + joints[joint.parent].nv - 1
        for d in range(joint.nv):
            parents[joint.idx_v + d] = before
            before = joint.idx_v + d
    return parents
