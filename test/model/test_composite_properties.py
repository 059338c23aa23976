"""A composite joint is its parts hung one after the other, whatever they are."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.states import relative
from hypothesis import given, settings
from hypothesis import strategies as st
from tolerances import IDENTITY, MANIFOLD

import dyn_node
from dyn_node.model import Mimic, ModelBuilder, SubJoint
from dyn_node.model.joint_kinds import KINDS
from dyn_node.spatial import SE3, Inertia

ELEMENTARY = tuple(kind for kind in KINDS if KINDS[kind].code)
lists_of_kinds = st.lists(st.sampled_from(ELEMENTARY), min_size=1, max_size=4)
seeds = st.integers(0, 2**16)


def both(kinds, seed):
    """A robot with one composite joint between two others, and one with its parts as joints."""
    rng = np.random.default_rng(seed)
    parts = [
        SubJoint(kind, SE3.Random(rng), rng.standard_normal(3), pitch=0.3 * (kind == "helical"))
        for kind in kinds
    ]
    bodies, before, after = [Inertia.Random(rng) for _ in range(3)], SE3.Random(rng), SE3.Random(rng)
    models = []
    for composite in (True, False):
        builder = ModelBuilder()
        last = builder.add_joint(0, "revolute", axis=(0, 0, 1))
        builder.append_body(last, bodies[0])
        if composite:
            last = builder.add_joint(last, "composite", before, parts=parts)
        else:
            for k, part in enumerate(parts):
                placement = before * part.placement if k == 0 else part.placement
                last = builder.add_joint(last, part.kind, placement, axis=part.axis, pitch=part.pitch)
        builder.append_body(last, bodies[1], name="middle")
        last = builder.add_joint(last, "prismatic", after, axis=(1, 0, 0))
        builder.append_body(last, bodies[2], name="tip")
        models.append(builder.build())
    return models, rng


@given(lists_of_kinds, seeds)
@settings(max_examples=30)
def test_a_composite_is_the_chain_of_its_parts(kinds, seed):
    (whole, chain), rng = both(kinds, seed)
    assert (whole.nq, whole.nv, whole.njoints) == (chain.nq, chain.nv, 4)
    q = dyn_node.integrate(whole, whole.neutral, rng.standard_normal(whole.nv))
    v, a = rng.standard_normal((2, whole.nv))
    data, other = whole.create_data(), chain.create_data()
    results = {
        "neutral": (whole.neutral, chain.neutral),
        "rnea": (dyn_node.rnea(whole, data, q, v, a), dyn_node.rnea(chain, other, q, v, a)),
        "crba": (dyn_node.crba(whole, data, q), dyn_node.crba(chain, other, q)),
        "frame_jacobian": (
            dyn_node.frame_jacobian(whole, data, q, "tip"),
            dyn_node.frame_jacobian(chain, other, q, "tip"),
        ),
    }
    if np.linalg.cond(results["crba"][0]) < 1e6:  # more than six freedoms without mass between are singular
        results["aba"] = dyn_node.aba(whole, data, q, v, a), dyn_node.aba(chain, other, q, v, a)
    for field, (mine, reference) in results.items():
        assert relative(mine, reference) <= IDENTITY, f"{kinds}: {field}"
    f_ext, f_chain = rng.standard_normal((4, 6)), np.zeros((chain.njoints, 6))
    f_chain[[1, -2, -1]] = f_ext[1:]
    mine = dyn_node.rnea(whole, data, q, v, a, f_ext)
    assert relative(mine, dyn_node.rnea(chain, other, q, v, a, f_chain)) <= IDENTITY, f"{kinds}: f_ext"


@given(lists_of_kinds, seeds)
@settings(max_examples=30)
def test_difference_undoes_integrate(kinds, seed):
    (whole, _), rng = both(kinds, seed)
    q = dyn_node.integrate(whole, whole.neutral, rng.standard_normal(whole.nv))
    v = rng.uniform(-1.0, 1.0, whole.nv)
    moved = dyn_node.integrate(whole, q, v)
    assert relative(dyn_node.difference(whole, q, moved), v) <= MANIFOLD, kinds
    assert dyn_node.is_normalized(whole, moved)


numbers = st.floats(-5.0, 5.0)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=5), numbers)
def test_followers_of_followers(steps, position):
    """Walking from follower to leader and on gives what the model says in one step."""
    builder = ModelBuilder()
    builder.add_joint(0, "prismatic", name="0", axis=(1, 0, 0))
    expected = position
    for k, (multiplier, offset) in enumerate(steps, 1):
        builder.add_joint(
            0, "prismatic", name=str(k), axis=(1, 0, 0), mimic=Mimic(str(k - 1), multiplier, offset)
        )
        expected = multiplier * expected + offset
    model = builder.build()
    data = model.create_data()
    dyn_node.forward_kinematics(model, data, [position])
    found = data.oMi[str(len(steps))].translation[0]
    assert found == pytest.approx(expected, rel=IDENTITY, abs=IDENTITY * 5.0 ** len(steps))
