"""Compiled models give what the general functions give, for one state and for batches."""

from __future__ import annotations

import gc
import pickle
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import dyn_node
from dyn_node.codegen import function as functions
from dyn_node.codegen import program as programs
from dyn_node.codegen.algorithms import ALGORITHMS
from dyn_node.codegen.c_source import c_source
from dyn_node.errors import InvalidValueError, ShapeError, UnknownFrameError
from dyn_node.kernels import engine

sys.path.insert(0, str(Path(__file__).parents[1] / "algorithms"))
from mixed_tree import mixed_tree

#: Relative to the largest entry.
AGREE = 1e-12
COUNT = 9  # two blocks and one state

pytestmark = pytest.mark.skipif(not engine.has_doors(), reason="no Numba, or memory of another layout")


def state(model: dyn_node.Model, count: int | None = None, seed: int = 3) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    many = range(count or 1)
    q = np.array([dyn_node.random_configuration(model, rng, unbounded=2.0) for _ in many])
    vectors = {"q": q, **{name: rng.normal(size=(len(q), model.nv)) for name in ("v", "a", "tau")}}
    return vectors if count else {name: x[0] for name, x in vectors.items()}


def check(label: str, found: np.ndarray, expected: np.ndarray) -> None:
    assert found.shape == expected.shape, label
    error = np.abs(found - expected).max() / max(1.0, np.abs(expected).max())
    assert error < AGREE, f"{label}: {error:.1e}"


CASES = [
    *[("panda", name) for name in ALGORITHMS],
    *[(robot, name) for robot in ("go2", "mixed") for name in ("rnea", "crba", "aba", "forward_kinematics")],
    ("go2", "aba_derivatives"),  # the longest program that is one
]


@pytest.fixture(scope="module")
def compiled() -> dict[str, dyn_node.CompiledModel]:
    models = {
        "panda": dyn_node.robots.load("panda"),
        "go2": dyn_node.robots.load("go2"),
        "mixed": mixed_tree(),
    }
    return {name: dyn_node.compile(model) for name, model in models.items()}


@pytest.mark.parametrize(("robot", "name"), CASES)
def test_agrees_with_the_general_function(compiled, robot: str, name: str) -> None:
    fast, label = compiled[robot], f"{robot} {name}"
    model, algorithm, function = fast.model, ALGORITHMS[name], getattr(fast, name)
    one = [state(model)[x] for x in algorithm.vectors]
    expected = algorithm.general(model, model.create_data(), *one)
    check(label, function(*one), expected)
    check(f"{label}, lists", function(*[x.tolist() for x in one]), expected)
    out = np.full(expected.shape, np.nan)
    assert function(*one, out=out) is out
    assert not np.shares_memory(function(*one), function(*one, out=None))
    check(f"{label}, out", out, expected)
    many = [state(model, COUNT)[x] for x in algorithm.vectors]
    rows = algorithm.general(model, model.create_data(), *many)
    check(f"{label}, batch", function(*many), rows)
    with_shared = [many[0], *(x[0] for x in many[1:])]
    shared = algorithm.general(model, model.create_data(), *with_shared)
    check(f"{label}, shared", function(*with_shared), shared)


def test_most_of_it_is_straight(compiled) -> None:
    """What goes to the general functions instead would agree just as well."""
    straight = {name: compiled["panda"].is_straight(name) for name in ALGORITHMS}
    assert all(straight.values()), straight
    assert compiled["mixed"].is_straight("rnea")
    assert not compiled["mixed"].is_straight("aba"), "a follower: the recursion refuses it"


def test_threads_and_a_batch_of_none(compiled, monkeypatch) -> None:
    fast = compiled["panda"]
    monkeypatch.setattr(functions, "_WORTH_A_THREAD", 10)
    Q = state(fast.model, 101)["q"]
    expected = dyn_node.crba(fast.model, fast.model.create_data(), Q)
    for threads in (None, 1, 2, 3):
        check(f"{threads} threads", fast.crba(Q, threads=threads), expected)
    assert fast.crba(np.zeros((0, 7))).shape == (0, 7, 7)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 3e5])
def test_strange_states_get_what_the_general_function_gives(compiled, bad: float) -> None:
    fast = compiled["panda"]
    data = fast.model.create_data()
    vectors = state(fast.model)
    vectors["q"][2] = bad
    expected = dyn_node.rnea(fast.model, data, vectors["q"], vectors["v"], vectors["a"])
    assert np.isnan(expected).any() or bad == 3e5
    given = vectors["q"], vectors["v"], vectors["a"]
    assert np.allclose(fast.rnea(*given), expected, rtol=1e-9, atol=1e-9, equal_nan=True)
    Q = np.array([state(fast.model)["q"], vectors["q"]])
    rows = fast.rnea(Q, *given[1:])
    assert np.allclose(rows[1], expected, rtol=1e-9, atol=1e-9, equal_nan=True)
    assert np.isfinite(rows[0]).all()


def test_frames(compiled) -> None:
    fast = compiled["panda"]
    model, data, q = fast.model, fast.model.create_data(), state(fast.model)["q"]
    tool = model.frame_id("panda_hand_tcp")
    for frame in (tool, "panda_hand_tcp"):
        for reference in (dyn_node.LOCAL, dyn_node.WORLD, dyn_node.LOCAL_WORLD_ALIGNED, "WORLD"):
            expected = dyn_node.frame_jacobian(model, data, q, frame, reference)
            check(f"{frame} {reference}", fast.frame(frame, reference).jacobian(q), expected)
        placed = fast.frame(frame).placement(q)
        check(f"{frame}", placed, dyn_node.frame_placements(model, data, q, frame))
    assert fast.frame(tool) is fast.frame("panda_hand_tcp", "LOCAL")
    with pytest.raises(UnknownFrameError):
        fast.frame("panda_hand_tpc")
    with pytest.raises(InvalidValueError, match="reference"):
        fast.frame(tool, "LOKAL")


def test_errors_say_what_was_expected(compiled) -> None:
    fast = compiled["panda"]
    with pytest.raises(ShapeError, match=r"nq = 7"):
        fast.generalized_gravity(np.zeros(6))
    with pytest.raises(ShapeError, match="out"):
        fast.generalized_gravity(np.zeros(7), out=np.zeros(6))
    with pytest.raises(ShapeError, match="out"):
        fast.generalized_gravity(np.zeros((5, 7)), out=np.zeros((4, 7)))
    with pytest.raises(ShapeError, match="length"):
        fast.rnea(np.zeros((3, 7)), np.zeros((4, 7)), np.zeros(7))
    with pytest.raises(TypeError, match=r"takes q, v, a .* given 2 arrays"):
        fast.rnea(np.zeros(7), np.zeros(7))
    with pytest.raises(TypeError):
        fast.crba(np.zeros(7), ouy=np.zeros((7, 7)))
    with pytest.raises(InvalidValueError, match="rnea"):
        fast.warm("rnae")


def test_a_function_may_outlive_its_model_and_says_what_it_takes() -> None:
    function = dyn_node.compile(dyn_node.robots.load("ur5e")).generalized_gravity
    gc.collect()
    assert function([0.1] * 6).shape == (6,)
    assert function(np.full(6, 0.1)).shape == (6,)
    assert function.__doc__ == "generalized_gravity(q, *, out=None, threads=None)"
    before = sys.getrefcount(function)
    for _ in range(1000):
        function(np.zeros(6))
        with pytest.raises(ShapeError):
            function(np.zeros(5))
    assert abs(sys.getrefcount(function) - before) < 100


def test_threads_share_a_compiled_model(compiled) -> None:
    fast = compiled["mixed"]
    vectors = state(fast.model, 40)
    given = vectors["q"], vectors["v"], vectors["tau"]
    expected = dyn_node.aba(fast.model, fast.model.create_data(), *given)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(fast.aba, *given))
    check("aba, which the general function answers", np.array(found), expected)


def test_what_is_too_long_goes_to_the_general_function(monkeypatch) -> None:
    model = dyn_node.robots.load("ur5e")
    monkeypatch.setattr(programs, "LONGEST", 50)
    monkeypatch.setattr(functions.Function, "_file", lambda *_: None)
    fast, q = dyn_node.compile(model), state(model)["q"]
    check("ur5e crba", fast.crba(q), dyn_node.crba(model, model.create_data(), q))
    assert not fast.is_straight("crba")


def test_without_numba_the_general_functions_answer(monkeypatch) -> None:
    model = dyn_node.robots.load("ur5e")
    monkeypatch.setattr(engine, "has_doors", lambda: False)
    fast, q = dyn_node.compile(model), state(model)["q"]
    check("ur5e", fast.generalized_gravity(q), dyn_node.generalized_gravity(model, model.create_data(), q))
    check("ur5e", fast.crba(np.array([q, q])), dyn_node.crba(model, model.create_data(), np.array([q, q])))


def test_the_program_itself_and_its_c_source_give_the_numbers(compiled, tmp_path) -> None:
    fast = compiled["panda"]
    given = [state(fast.model)[x] for x in ("q", "v", "tau")]
    expected = fast.aba(*given)
    program = fast.program("aba")
    check("plain Python", program(*given), expected)
    with pytest.raises(InvalidValueError, match="identifier"):
        c_source(program, "panda-aba")
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    numbers = [f"{{{', '.join(map(repr, x.tolist()))}}}" for x in given]
    main = "\n".join([
        c_source(program, "panda_aba"), "#include <stdio.h>", "int main(void) {",
        *(f"const double x{k}[7] = {values};" for k, values in enumerate(numbers)),
        "double out[7]; panda_aba(x0, x1, x2, out);",
        'for (int k = 0; k < 7; ++k) { printf("%.17g\\n", out[k]); }', "return 0; }",
    ])  # fmt: skip
    (tmp_path / "aba.c").write_text(main)
    command = [compiler, "-std=c99", "-Wall", "-Werror", "-O1", "aba.c", "-lm", "-o", "aba"]
    subprocess.run(command, cwd=tmp_path, check=True)
    printed = subprocess.run([str(tmp_path / "aba")], capture_output=True, text=True, check=True).stdout
    check("C", np.array(printed.split(), dtype=float), expected)


@pytest.mark.parametrize("bad", [None, np.nan, 3e5])
def test_the_result_may_take_the_place_of_an_input(compiled, bad: float | None) -> None:
    model = compiled["panda"].model
    for count in (None, COUNT):
        vectors = state(model, count)
        if bad is not None:
            vectors["q"].reshape(-1, 7)[0, 2] = bad
        given = [vectors[name] for name in ("q", "v", "a")]
        expected = dyn_node.rnea(model, model.create_data(), *given)
        for place in range(3):
            own = [x.copy() for x in given]
            found = compiled["panda"].rnea(*own, out=own[place])
            assert found is own[place]
            assert np.allclose(found, expected, rtol=1e-9, atol=1e-9, equal_nan=True), (count, place)
    shifted = np.zeros((COUNT + 1, 7))
    shifted[:] = state(model, COUNT + 1)["q"]
    expected = compiled["panda"].generalized_gravity(shifted[:-1].copy())
    assert np.allclose(compiled["panda"].generalized_gravity(shifted[:-1], out=shifted[1:]), expected)


def odd_models() -> dict[str, dyn_node.Model]:
    """Robots that divide by zero, have nothing to move, or have a joint that turns very fast."""
    body = dyn_node.Inertia(1.0, [0.1, 0.0, 0.0], np.eye(3) * 0.01)
    massless = dyn_node.ModelBuilder("massless tip")
    joint = massless.add_joint(0, "revolute", axis=(0, 0, 1))
    massless.append_body(joint, body)
    massless.add_joint(joint, "revolute", axis=(1, 0, 0))
    gears = dyn_node.ModelBuilder("gears")
    leader = gears.add_joint(0, "revolute", axis=(0, 0, 1), name="leader")
    gears.append_body(leader, body)
    follower = gears.add_joint(leader, "revolute", axis=(1, 0, 0), mimic=dyn_node.Mimic("leader", 1e5, 0.0))
    gears.append_body(follower, body)
    still = dyn_node.ModelBuilder("still")
    still.append_body(0, body)
    return {builder.name: builder.build() for builder in (massless, gears, still)}


@pytest.mark.parametrize("name", odd_models())
def test_odd_robots_get_what_the_general_functions_give(name: str) -> None:
    model = odd_models()[name]
    fast, vectors = dyn_node.compile(model), {"q": np.full(model.nq, 9e4)}
    vectors |= dict.fromkeys(("v", "a", "tau"), np.zeros(model.nv))
    fast.warm()
    for algorithm in ALGORITHMS.values():
        given = [vectors[x] for x in algorithm.vectors]
        try:
            expected = algorithm.general(model, model.create_data(), *given)
        except (ValueError, IndexError, np.linalg.LinAlgError):
            continue
        found = getattr(fast, algorithm.name)(*given)
        assert np.allclose(found, expected, rtol=1e-9, atol=1e-9, equal_nan=True), algorithm.name


def test_an_interrupted_compilation_is_tried_again(monkeypatch) -> None:
    from dyn_node.codegen import machine

    model = dyn_node.robots.load("ur5e")
    monkeypatch.setattr(functions.Function, "_file", lambda *_: None)
    fast = dyn_node.compile(model)

    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(machine, "assemble", interrupted)
        with pytest.raises(KeyboardInterrupt):
            fast.generalized_gravity(np.zeros(6))
    assert fast.is_straight("generalized_gravity")


def test_a_compiled_model_is_made_anew_where_it_is_unpickled(compiled) -> None:
    fast = pickle.loads(pickle.dumps(compiled["panda"]))
    assert fast.generalized_gravity(np.zeros(7)).shape == (7,)
    frame = pickle.loads(pickle.dumps(compiled["panda"].frame("panda_hand_tcp")))
    assert frame.placement(np.zeros(7)).shape == (4, 4)
    with pytest.raises(TypeError, match="belongs to its process"):
        pickle.dumps(compiled["panda"].rnea)


@pytest.mark.parametrize("threads", [0, -1, 2.5, "2", True])
def test_a_number_of_threads_that_is_none(compiled, threads: object) -> None:
    with pytest.raises(InvalidValueError, match="threads"):
        compiled["panda"].crba(np.zeros((3, 7)), threads=threads)


def test_what_is_no_model_is_refused() -> None:
    for given in (None, "panda", 3):
        with pytest.raises(InvalidValueError, match="expected a Model"):
            dyn_node.compile(given)
