"""Machine code of small programs: every operation, one state and blocks, what it refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dyn_node.codegen.program import Program
from dyn_node.kernels import engine

if not engine.has_doors():
    pytest.skip("no Numba, or memory of another layout", allow_module_level=True)

from dyn_node.codegen import machine
from dyn_node.codegen.trigonometry import LARGEST
from dyn_node.kernels.program_entry import ProgramDoor

#: sin and cos differ from the C library's by at most this much.
LAST_BITS = 2.5e-16


def program(steps, results, sizes=(2,), angles=(), shape=None) -> Program:
    return Program(sizes, angles, tuple(steps), tuple(results), shape or (len(results),))


EVERYTHING = program(
    [
        ("input", 0), ("input", 1), ("+", 0, 1), ("-", 0, 1), ("*", 0, 1), ("/", 0, 1), ("neg", 0),
        ("*", 0, 3.0), ("+", 1, -0.5), ("-", 2.0, 0), ("/", 1.0, 1), ("*", 1, 1), ("sqrt", 11),
        ("sin", 0), ("cos", 0),
    ],
    [*range(14, 1, -1), 7.25, 0],
)  # fmt: skip


def handed_on(*vectors: object, **options: object) -> tuple[object, ...]:
    """In place of the general function."""
    return vectors, options


def opened(code: machine.Code, results: int) -> object:
    door = ProgramDoor("small", (2,), (results,), handed_on, "")
    assert isinstance(door.call(np.ones(2)), tuple), "it is closed"
    door.open(code.one, code)
    return door.call


def rows(code: machine.Code, inputs: np.ndarray, results: int, first: int = 0) -> np.ndarray:
    out = np.full((len(inputs), results), np.nan)
    assert code.many(inputs.ctypes.data, out.ctypes.data, first, len(inputs)) == 0
    return out


def test_every_operation_for_one_state_and_for_blocks() -> None:
    code = machine.compiled(lambda: EVERYTHING, 1, None)
    door = opened(code, 15)
    inputs = np.random.default_rng(1).uniform(0.1, 3.0, (11, 2))
    expected = np.array([EVERYTHING(x) for x in inputs])
    assert np.allclose([door(x) for x in inputs], expected, rtol=1e-15, atol=LAST_BITS)
    assert np.allclose(rows(code, inputs, 15), expected, rtol=1e-15, atol=LAST_BITS)
    part = rows(code, inputs, 15, first=3)
    assert np.isnan(part[:3]).all()
    assert np.allclose(part[3:], expected[3:], rtol=1e-15, atol=LAST_BITS)


def test_sine_and_cosine_to_the_last_bits() -> None:
    both = program([("input", 0), ("sin", 0), ("cos", 0)], [1, 2], sizes=(1,), angles=(0,))
    code = machine.compiled(lambda: both, 1, None)
    near = [k * math.pi / 4 + d for k in range(-16, 17) for d in (-1e-9, 0.0, 1e-9)]
    far = np.geomspace(1e-12, LARGEST, 4000)
    angles = np.array([*near, *far, *-far, 0.0]).reshape(-1, 1)
    expected = np.hstack([np.sin(angles), np.cos(angles)])
    assert np.abs(rows(code, angles, 2) - expected).max() < LAST_BITS
    assert np.abs(rows(code, angles[:3], 2) - expected[:3]).max() < LAST_BITS


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 2.0 * LARGEST])
def test_what_is_not_finite_or_turned_too_often_is_refused(bad: float) -> None:
    half = program([("input", 0), ("*", 0, 0.5), ("input", 1)], [1, 2], angles=(0,))
    code = machine.compiled(lambda: half, 1, None)
    door = opened(code, 2)
    assert isinstance(door(np.array([bad, 0.0])), tuple)
    assert isinstance(door(np.array([0.0, 0.0])), np.ndarray)
    for place in range(6):
        inputs = np.zeros((6, 2))
        inputs[place, 0] = bad
        out = np.zeros((6, 2))
        assert code.many(inputs.ctypes.data, out.ctypes.data, 0, 6) != 0, place
    assert door(np.array([0.0, 3.0 * LARGEST])).tolist() == [0.0, 3.0 * LARGEST], "no angle"


def test_what_the_door_does_not_take_is_handed_on_as_it_came() -> None:
    door, out, x = opened(machine.compiled(lambda: EVERYTHING, 1, None), 15), np.zeros(15), np.ones(2)
    assert door(x, out=out) is out
    assert out.any()
    assert type(door(x, out=None)) is np.ndarray
    for wrong in ([1.0, 1.0], np.ones(2, np.float32), np.ones(4)[::2], None, np.ones((2, 1)), np.ones(3)):
        vectors, options = door(wrong, out=out)
        assert vectors[0] is wrong
        assert options["out"] is out
    for wrong in (np.zeros(14), np.zeros((15, 1)), [0.0] * 15):
        assert door(x, out=wrong)[1]["out"] is wrong
    assert door() == ((), {})
    assert door(x, x) == ((x, x), {})
    assert door(x, threads=2) == ((x,), {"threads": 2})
    assert door(x, out=out, threads=2) == ((x,), {"out": out, "threads": 2})
    assert door(x=1) == ((), {"x": 1})


def test_what_the_other_function_raises_comes_through() -> None:
    def other(*_: object) -> None:
        raise KeyError("here")

    with pytest.raises(KeyError, match="here"):
        ProgramDoor("never", (2,), (2,), other, "").call(np.ones(2))


def test_code_is_kept_and_a_broken_file_replaced(tmp_path, monkeypatch) -> None:
    file = tmp_path / "folder" / "code.o"
    machine.compiled(lambda: EVERYTHING, 1, file)
    whole = file.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(machine, "assemble", lambda _: pytest.fail("compiled again"))
        machine.compiled(lambda: EVERYTHING, 1, file)
    for broken in (b"", whole[:100], whole[:-1], whole[:200] + b"x" + whole[201:]):
        file.write_bytes(broken)
        machine.compiled(lambda: EVERYTHING, 1, file)
        assert file.read_bytes() == whole
    code = machine.compiled(lambda: EVERYTHING, 1, file)
    assert len(file.read_bytes()) == len(whole)
    assert rows(code, np.ones((1, 2)), 15).shape == (1, 15)
    assert [x.name for x in file.parent.iterdir()] == ["code.o"], "nothing is left beside it"
