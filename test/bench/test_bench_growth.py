"""The part growth: rows for every call and size, on robots that are what they say."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import dyn_node
from bench import growth, options
from bench.timing import Budget

TINY = dataclasses.replace(options.QUICK, calls=Budget(2, 0.0))


def test_every_call_gives_a_sound_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "SIZES", (3, 30))
    rows = list(growth.run(TINY))
    assert [(row.subject, row.name) for row in rows] == [
        (f"30 joints, {shape}", name) for shape in growth.PARENTS for name in growth.CALLS
    ]
    assert [row for row in rows if not row.is_sound()] == []
    assert all(row.note.endswith("% off linear") for row in rows)


def test_a_tree_branches_and_a_chain_does_not() -> None:
    for shape, deepest in (("chain", 100), ("tree", 7)):
        model = growth.robot(shape, 100)
        depth = [0]
        for joint in model.joints[1:]:
            depth.append(depth[joint.parent] + 1)
        assert (model.nv, max(depth)) == (100, deepest), shape


@pytest.mark.parametrize("shape", growth.PARENTS)
def test_forward_dynamics_undoes_inverse_dynamics_on_it(shape: str) -> None:
    space = growth.namespace(shape, 100)
    model, data, q, v, a = (space[name] for name in ("model", "data", "q", "v", "a"))
    tau = dyn_node.rnea(model, data, q, v, a)
    assert np.allclose(dyn_node.aba(model, data, q, v, tau), a, atol=1e-6)
