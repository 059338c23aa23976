"""What hypothesis draws: rotation vectors near and far from the awkward angles, and values made of them."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from dyn_node.spatial import SE3, SO3, Force, Inertia, Motion

finite = st.floats(-10.0, 10.0, allow_subnormal=False)
vectors = st.tuples(finite, finite, finite).map(np.array)
directions = (
    st.tuples(*3 * [st.floats(-1.0, 1.0)])
    .map(np.array)
    .filter(lambda a: np.linalg.norm(a) > 0.1)
    .map(lambda a: a / np.linalg.norm(a))
)
small = st.floats(-300.0, -1.0).map(lambda exponent: 10.0**exponent)
#: Angles up to pi, with both ends visited often.
angles = st.one_of(
    st.floats(0.0, 3.1), small, st.floats(-15.0, -1.0).map(lambda exponent: np.pi - 10.0**exponent)
)
rotation_vectors = st.builds(lambda angle, axis: angle * axis, angles, directions)
rotations = rotation_vectors.map(SO3.exp)
placements = st.builds(lambda turn, p: SE3(SO3.exp(turn), p), rotation_vectors, vectors)
twists = st.builds(lambda v, w: np.concatenate([v, w]), vectors, rotation_vectors)
motions = st.builds(Motion, vectors, vectors)
forces = st.builds(Force, vectors, vectors)
bodies = st.integers(0, 2**32 - 1).map(lambda seed: Inertia.Random(np.random.default_rng(seed)))
