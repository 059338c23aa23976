"""Scalars that write down what is done to them: what is known is settled, what is not is written once."""

from __future__ import annotations

import numpy as np
import pytest

from dyn_node.codegen.tape import NotStraightError, Tape


@pytest.fixture
def tape() -> Tape:
    return Tape(100)


def test_what_is_known_is_settled(tape: Tape) -> None:
    x, y = tape.input(0), tape.input(1)
    assert x + 0.0 is x
    assert 0 + x is x
    assert x - 0.0 is x
    assert 1.0 * x is x
    assert x * 0.0 == 0.0 * x
    assert type(0.0 * x) is float
    assert x - x == 0.0
    assert 0.0 - (-x) is x
    assert 0.0 - x is -x
    assert x + -y is x - y
    assert 0.0 / x == 0.0
    assert np.float64(1.0) * x is x
    assert np.sin(0.0) + x is x


def test_the_same_is_written_once(tape: Tape) -> None:
    x, y = tape.input(0), tape.input(1)
    assert x * y is y * x
    assert x + y is y + x
    assert (-x) * (-y) is x * y
    assert np.sin(x) is np.sin(x)
    assert x * 2.0 is 2 * x
    before = len(tape.steps)
    assert (x * y) + np.sqrt(x * y) is (y * x) + np.sqrt(y * x)
    assert len(tape.steps) == before + 2


def test_division_by_a_number_and_by_zero(tape: Tape) -> None:
    x = tape.input(0)
    assert x / 2.0 is x * 0.5
    assert tape.operation_of(x / 0.0) == "/"


def branch(x: object) -> object:
    return 1.0 if x else 2.0


@pytest.mark.parametrize(
    "act",
    [
        branch,
        lambda x: 1.0 if x > 0.0 else 2.0,
        lambda x: x == 0.0,
        lambda x: np.arctan2(x, 1.0),
        lambda x: float(x),
        lambda x: x + "1",
        lambda x: np.add(x, 1.0, where=False),
    ],
)
def test_what_has_no_straight_line_says_so(tape: Tape, act) -> None:
    with pytest.raises((NotStraightError, TypeError)):
        act(tape.input(0))


def test_an_end_to_the_length() -> None:
    tape = Tape(3)
    x = tape.input(0)
    square = x * x
    assert x + square is square + x
    with pytest.raises(NotStraightError, match="3 steps"):
        np.sin(square)
