"""A floating robot with a joint of every kind: composites, which are chains of records, and a follower."""

from __future__ import annotations

import numpy as np

import dyn_node
from dyn_node.model import Mimic, Model, ModelBuilder, SubJoint


def mixed_tree(follower: bool = True) -> Model:
    """One joint of every kind on a free-flyer, two branches, bodies, rotors; with a follower on request."""
    rng = np.random.default_rng(5)
    builder = ModelBuilder("mixed")

    def hang(parent: int, kind: str, **shape) -> int:
        axes = (
            {}
            if kind not in ("revolute", "prismatic", "continuous", "helical")
            else {"axis": (0.6, 0.0, 0.8)}
        )
        joint = builder.add_joint(parent, kind, dyn_node.SE3.Random(rng), kind, **axes, **shape)
        builder.append_body(joint, dyn_node.Inertia.Random(rng))
        return joint

    base = hang(0, "free_flyer")
    arm = hang(hang(base, "spherical_zyx"), "revolute", armature=0.3)
    hang(hang(hang(arm, "helical", pitch=0.2), "spherical"), "continuous")
    leg = hang(hang(base, "universal", axis=(1, 0, 0), axis2=(0, 1, 0)), "prismatic", armature=0.1)
    parts = SubJoint("revolute", axis=np.array([0.0, 1.0, 0.0])), SubJoint("translation")
    hang(hang(hang(leg, "composite", parts=parts), "planar"), "translation")
    if follower:
        joint = builder.add_joint(
            leg,
            "revolute",
            name="follower",
            axis=(0, 1, 0),
            armature=0.2,
            mimic=Mimic("revolute", -1.5, 0.2),
        )
        builder.append_body(joint, dyn_node.Inertia.Random(rng))
    return builder.build()
