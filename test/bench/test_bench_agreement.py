"""Results are compared before anything is timed."""

from __future__ import annotations

import numpy as np
import pytest

import dyn_node
from bench import agreement
from bench.peers import DisagreementError


def test_equal_results_pass():
    agreement.check("here", [1.0, 2.0], np.array([1.0, 2.0 + 1e-12]))


@pytest.mark.parametrize(
    ("ours", "theirs", "what"),
    [
        ([1.0, 2.0], [1.0, 2.1], "differ by"),
        ([1.0, float("nan")], [1.0, 2.0], "differ by nan"),
        ([1.0, 2.0], [[1.0, 2.0]], "shapes"),
        ([], [], "shapes"),
    ],
)
def test_others_are_refused_with_the_place(ours, theirs, what):
    with pytest.raises(DisagreementError, match=f"panda rnea.*{what}"):
        agreement.check("panda rnea", ours, theirs)


def test_placements_and_motions_are_numbers():
    assert agreement.numbers([dyn_node.SE3.Identity()] * 2).shape == (2, 4, 4)
    assert agreement.numbers(dyn_node.Motion.from_vector(np.arange(6.0))).tolist() == [0, 1, 2, 3, 4, 5]
