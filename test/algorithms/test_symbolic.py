"""One source for numbers, complex steps and symbols: all give the same values."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from algorithms.mixed_tree import mixed_tree
from algorithms.states import relative, states
from tolerances import IDENTITY

import dyn_node
from dyn_node.errors import InvalidValueError, ShapeError

ROBOTS = ("panda", "go2")
STEP = 1e-30


@pytest.fixture(scope="module", params=ROBOTS)
def robot(request):
    model = dyn_node.robots.load(request.param)
    return model, model.create_data()


@pytest.fixture(scope="module")
def sym(robot):
    pytest.importorskip("casadi", reason="CasADi (pip install casadi) is optional")
    return dyn_node.symbolic(robot[0])


def numbers(model, data, q, v, a, tau) -> dict[str, tuple[tuple, np.ndarray]]:
    """What each algorithm gives in numbers, with its arguments."""
    return {
        "rnea": ((q, v, a), dyn_node.rnea(model, data, q, v, a)),
        "generalized_gravity": ((q,), dyn_node.generalized_gravity(model, data, q)),
        "nonlinear_effects": ((q, v), dyn_node.nonlinear_effects(model, data, q, v)),
        "crba": ((q,), dyn_node.crba(model, data, q)),
        "aba": ((q, v, tau), dyn_node.aba(model, data, q, v, tau)),
        "kinetic_energy": ((q, v), np.array([dyn_node.kinetic_energy(model, data, q, v)])),
        "potential_energy": ((q,), np.array([dyn_node.potential_energy(model, data, q)])),
    }


def test_symbols_give_the_numbers(robot, sym) -> None:
    model, data = robot
    q, v, a, tau, _ = states(model, 1)[0]
    for name, (arguments, expected) in numbers(model, data, q, v, a, tau).items():
        value = np.array(sym.function(name)(*arguments)).reshape(expected.shape)
        assert relative(value, expected) < 1e2 * IDENTITY, f"{model.name}, {name}"


def test_symbolic_frames_give_the_numbers(robot, sym) -> None:
    model, data = robot
    q, v, *_ = states(model, 1)[0]
    frame = model.frames[-1].name
    dyn_node.forward_kinematics(model, data, q, v)
    placement = dyn_node.frame_placement(model, data, frame).homogeneous
    assert relative(np.array(sym.function("frame_placement", frame)(q)), placement) < IDENTITY
    for reference in ("LOCAL", "WORLD", "LOCAL_WORLD_ALIGNED"):
        J = dyn_node.frame_jacobian(model, data, q, frame, reference)
        assert relative(np.array(sym.function("frame_jacobian", frame, reference)(q)), J) < IDENTITY, (
            reference
        )
        twist = dyn_node.frame_velocity(model, data, frame, reference).vector
        value = np.array(sym.function("frame_velocity", frame, reference)(q, v)).ravel()
        assert relative(value, twist) < IDENTITY, reference


def test_symbolic_derivative_of_efforts_by_velocity(robot, sym) -> None:
    """The Jacobian of the expression against central differences."""
    casadi = pytest.importorskip("casadi")
    model, data = robot
    q, v, a, *_ = states(model, 1)[0]
    exact = casadi.Function("d", [sym.q, sym.v, sym.a], [casadi.jacobian(sym.rnea(), sym.v)])(q, v, a)
    step = 1e-6
    for k in range(model.nv):
        e = step * np.eye(model.nv)[k]
        up, down = dyn_node.rnea(model, data, q, v + e, a), dyn_node.rnea(model, data, q, v - e, a)
        assert relative(np.array(exact)[:, k], (up - down) / (2 * step)) < 1e-7, f"{model.name}, column {k}"


def test_generated_c_code_gives_the_numbers(robot, sym, tmp_path: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    model, data = robot
    q, v, a, *_ = states(model, 1)[0]
    source = sym.codegen(tmp_path / "robot.c", ["rnea", "crba"])
    includes = {line.split()[1] for line in source.read_text().splitlines() if line.startswith("#include")}
    assert includes <= {"<math.h>", '"robot.h"'}, "the generated file depends on something"
    library = tmp_path / "robot.so"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", str(source), "-o", str(library), "-lm"], check=True)
    function = ctypes.CDLL(str(library)).rnea
    tau = np.zeros(model.nv)
    pointer = ctypes.POINTER(ctypes.c_double)
    inputs = (pointer * 3)(*(x.ctypes.data_as(pointer) for x in (q, v, a)))
    outputs = (pointer * 1)(tau.ctypes.data_as(pointer))
    scratch, integers = np.zeros(100_000), (ctypes.c_longlong * 1000)()
    assert function(inputs, outputs, integers, scratch.ctypes.data_as(pointer), 0) == 0
    assert relative(tau, dyn_node.rnea(model, data, q, v, a)) < IDENTITY
    casadi = pytest.importorskip("casadi")
    loaded = casadi.external("rnea", str(library))
    assert relative(np.array(loaded(q, v, a)).ravel(), tau) < IDENTITY, "as CasADi loads it"


def test_forward_dynamics_with_a_follower() -> None:
    pytest.importorskip("casadi")
    model = mixed_tree(follower=True)
    data, sym = model.create_data(), dyn_node.symbolic(model)
    q, v, _, tau, _ = states(model, 1)[0]
    found = np.array(sym.function("aba")(q, v, tau)).ravel()
    assert relative(found, dyn_node.aba(model, data, q, v, tau)) < IDENTITY


def test_a_complex_step_is_the_derivative() -> None:
    model = dyn_node.robots.load("panda")
    data, scalars = model.create_data(), dyn_node.with_scalars(model)
    q, v, a, tau, _ = states(model, 1)[0]
    step = 1e-6
    for name in ("rnea", "aba"):
        third = a if name == "rnea" else tau
        for k in range(model.nv):
            e = np.eye(model.nv)[k]
            exact = [x.imag / STEP for x in getattr(scalars, name)(list(q + STEP * 1j * e), v, third)]
            call = getattr(dyn_node, name)
            up, down = (call(model, data, q + sign * step * e, v, third) for sign in (1, -1))
            assert relative(exact, (up - down) / (2 * step)) < 1e-6, f"{name}, column {k}"


def test_a_wrong_name_or_size_is_answered() -> None:
    scalars = dyn_node.with_scalars(dyn_node.robots.load("panda"))
    with pytest.raises(ShapeError, match=r"^v: expected 7 entries"):
        scalars.nonlinear_effects([0.0] * 7, [0.0] * 6)
    pytest.importorskip("casadi", reason="CasADi (pip install casadi) is optional")
    with pytest.raises(InvalidValueError, match="generalized_gravity"):
        dyn_node.symbolic(scalars.model).function("gravity")
