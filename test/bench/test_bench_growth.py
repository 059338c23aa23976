"""The part growth: rows for every call and size, on chains that are what they say."""

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
    assert [(row.subject, row.name) for row in rows] == [("30 joints", name) for name in growth.CALLS]
    assert [row for row in rows if not row.is_sound()] == []


def test_forward_dynamics_undoes_inverse_dynamics_on_a_chain() -> None:
    space = growth.namespace(100)
    model, data, q, v, a = (space[name] for name in ("model", "data", "q", "v", "a"))
    tau = dyn_node.rnea(model, data, q, v, a)
    assert np.allclose(dyn_node.aba(model, data, q, v, tau), a, atol=1e-6)
