"""Batches: every algorithm on arrays of one axis more gives what it gives state by state, to the last bit."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from algorithms.batch_cases import (
    CASES,
    COUNT,
    SUMMED_BY_NUMPY,
    WITH_OUT,
    WITHOUT,
    check,
    draw_batch,
    fields,
)
from algorithms.mixed import MAKERS
from algorithms.states import relative
from tolerances import ROUNDING

import dyn_node
from dyn_node import algorithms
from dyn_node.algorithms import batch
from dyn_node.errors import InvalidValueError, ShapeError, UnknownFrameError
from dyn_node.kernels.aba import aba

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module", params=list(MAKERS))
def robot(request: pytest.FixtureRequest) -> tuple[str, Any, Any]:
    """(name, model, data)."""
    model = MAKERS[request.param]()
    return request.param, model, model.create_data()


@pytest.fixture(autouse=True)
def _in_machine_code(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Small as they are, the batches of these tests go through the loop in machine code."""
    monkeypatch.setattr(batch, "_FEW", 0)
    yield
    dyn_node.set_threads(None)


def test_every_algorithm_is_among_the_cases() -> None:
    functions = {name for name in algorithms.__all__ if inspect.isfunction(getattr(algorithms, name))}
    covered = {case.partition(",")[0] for case in CASES}
    missing = functions - covered - set(WITHOUT)
    assert not missing, f"no batch of them is tested: {', '.join(sorted(missing))}"
    assert not set(WITHOUT) & covered, "exempt and tested"
    assert set(WITHOUT) <= functions, f"no algorithms: {set(WITHOUT) - functions}"


@pytest.mark.parametrize("case", CASES)
def test_a_batch_gives_what_its_states_give(robot, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, model, data = robot
    call = CASES[case][1]
    inputs = draw_batch(model, case)
    rows = [call(model, data, *[x[k] for x in inputs]) for k in range(COUNT)]
    exactly = case.partition(",")[0] not in SUMMED_BY_NUMPY
    check(f"{case} on {name}", call(model, data, *inputs), rows, exactly)
    monkeypatch.setattr(batch, "_FEW", COUNT)
    check(f"{case} on {name}, one by one", call(model, data, *inputs), rows, exactly)
    one = call(model, data, *[x[:1] for x in inputs])
    check(f"{case} on {name}, a batch of one", one, rows[:1], exactly)
    for empty, row in zip(fields(call(model, data, *[x[:0] for x in inputs])), fields(rows[0]), strict=True):
        assert empty.shape == (0, *row.shape), f"{case} on {name}, an empty batch"


@pytest.mark.parametrize("reference", list(dyn_node.ReferenceFrame))
def test_frames_move_as_after_forward_kinematics(robot, reference: dyn_node.ReferenceFrame) -> None:
    name, model, data = robot
    q, v, a = draw_batch(model, "rnea", 1)
    placements = dyn_node.frame_placements(model, data, q)
    velocities = dyn_node.frame_velocities(model, data, q, v, None, reference)
    kinds = {False: dyn_node.frame_acceleration, True: dyn_node.frame_classical_acceleration}
    accelerations = {
        kind: dyn_node.frame_accelerations(model, data, q, v, a, None, reference, classical=kind)
        for kind in kinds
    }
    dyn_node.forward_kinematics(model, data, q[0], v[0], a[0])
    for frame in model.frames:
        k, where = frame.index, f"{name}, {frame.name}"
        expected = dyn_node.frame_placement(model, data, k).homogeneous
        assert relative(placements[0, k], expected) <= ROUNDING, where
        expected = dyn_node.frame_velocity(model, data, k, reference).vector
        assert relative(velocities[0, k], expected) <= ROUNDING, where
        for kind, getter in kinds.items():
            expected = getter(model, data, k, reference).vector
            assert relative(accelerations[kind][0, k], expected) <= ROUNDING, f"{where}, classical: {kind}"


def test_some_frames_are_asked_for_by_number_or_name() -> None:
    model = MAKERS["panda"]()
    data = model.create_data()
    q, v, a = draw_batch(model, "rnea")
    every = dyn_node.frame_placements(model, data, q)
    names = [model.frames[k].name for k in (5, 2)]
    assert np.array_equal(dyn_node.frame_placements(model, data, q, names), every[:, [5, 2]])
    assert np.array_equal(dyn_node.frame_placements(model, data, q, 5), every[:, 5])
    assert np.array_equal(dyn_node.frame_placements(model, data, q[1], names[0]), every[1, 5])
    assert dyn_node.frame_placements(model, data, q, []).shape == (COUNT, 0, 4, 4)
    assert dyn_node.frame_velocities(model, data, q, v, names[0]).shape == (COUNT, 6)
    assert dyn_node.frame_accelerations(model, data, q[0], v, a, names).shape == (COUNT, 2, 6)
    with pytest.raises(UnknownFrameError, match="panda_hand"):
        dyn_node.frame_placements(model, data, q, ["panda_hnad"])
    with pytest.raises(ShapeError, match="frame_placements"):
        dyn_node.forward_kinematics(model, data, q)


@pytest.mark.parametrize("case", CASES)
def test_threads_change_nothing(robot, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, model, data = robot
    monkeypatch.setattr(batch, "_WORTH_A_THREAD", 1)
    inputs = draw_batch(model, case, 7)
    dyn_node.set_threads(1)
    alone = fields(CASES[case][1](model, data, *inputs))
    for count in (2, 3, 64):
        dyn_node.set_threads(count)
        together = fields(CASES[case][1](model, data, *inputs))
        for a, b in zip(alone, together, strict=True):
            assert np.array_equal(a, b, equal_nan=True), f"{case} on {name}, {count} threads"


@pytest.mark.parametrize("case", [case for case in CASES if " " in CASES[case][0]])
def test_inputs_without_the_axis_are_shared(robot, case: str) -> None:
    name, model, data = robot
    inputs = draw_batch(model, case)
    for k, given in enumerate(CASES[case][0].split()):
        mixed = [x[0] if j == k else x for j, x in enumerate(inputs)]
        repeated = [np.array([x[0]] * COUNT) if j == k else x for j, x in enumerate(inputs)]
        results = [fields(CASES[case][1](model, data, *x)) for x in (mixed, repeated)]
        for a, b in zip(*results, strict=True):
            assert np.array_equal(a, b, equal_nan=True), f"{case} on {name}, one {given} for all"


@pytest.mark.parametrize("case", CASES)
def test_errors_state_the_shapes(case: str) -> None:
    model = MAKERS["go2"]()
    data = model.create_data()
    inputs = draw_batch(model, case)
    for k, given in enumerate(CASES[case][0].split()):
        size = inputs[k].shape[1] + 1
        bad = list(inputs)
        bad[k] = np.zeros((COUNT, size, *inputs[k].shape[2:]))
        with pytest.raises(ShapeError, match=rf"^{given}: expected .*\(N, .*given shape \({COUNT}, {size}"):
            CASES[case][1](model, data, *bad)
        bad[k] = np.array([inputs[k]])
        with pytest.raises(ShapeError, match=rf"^{given}: "):
            CASES[case][1](model, data, *bad)
        if len(inputs) > 1:
            bad[k] = inputs[k][:-1]
            with pytest.raises(ShapeError, match=rf"batch.*{COUNT - 1}|batch of {COUNT}"):
                CASES[case][1](model, data, *bad)


@pytest.mark.parametrize("case", WITH_OUT)
def test_out_takes_a_batch(robot, case: str) -> None:
    name, model, data = robot
    inputs = draw_batch(model, case)
    expected = CASES[case][1](model, data, *inputs)
    out = np.full(expected.shape, np.nan)
    assert CASES[case][1](model, data, *inputs, out=out) is out, f"{case} on {name}"
    assert np.array_equal(out, expected), f"{case} on {name}"
    for bad in (out[0].copy(), out[:-1].copy(), np.zeros(expected.shape, np.float32)):
        with pytest.raises(ShapeError, match=r"^out: "):
            CASES[case][1](model, data, *inputs, out=bad)


def test_whatever_holds_the_numbers_is_taken() -> None:
    model = MAKERS["panda"]()
    data = model.create_data()
    (q,) = draw_batch(model, "crba")
    expected = dyn_node.crba(model, data, q)
    locked = q.copy()
    locked.flags.writeable = False
    wide = np.zeros((2 * COUNT, 14))
    wide[::2, ::2] = q
    for other in (q.tolist(), locked, np.asfortranarray(q), wide[::2, ::2], list(q)):
        assert np.array_equal(dyn_node.crba(model, data, other), expected)


def test_the_kinematics_that_data_hold_stay() -> None:
    model = MAKERS["go2"]()
    data = model.create_data()
    q, v, a = draw_batch(model, "rnea", 50)
    dyn_node.forward_kinematics(model, data, q[0], v[0])
    before = data.kinematics.copy()
    dyn_node.rnea(model, data, q, v, a)
    dyn_node.frame_placements(model, data, q)
    assert np.array_equal(before, data.kinematics)


def test_fractions_of_a_way_are_a_batch_too() -> None:
    model = MAKERS["go2"]()
    q0, q1 = (x[:4] for x in draw_batch(model, "difference"))
    u = np.array([0.0, 0.25, 1.0, 1.5])
    one_way = [dyn_node.interpolate(model, q0[0], q1[0], x) for x in u]
    assert np.array_equal(dyn_node.interpolate(model, q0[0], q1[0], u), one_way)
    each = [dyn_node.interpolate(model, q0[k], q1[k], u[k]) for k in range(4)]
    assert np.array_equal(dyn_node.interpolate(model, q0, q1, u), each)
    with pytest.raises(ShapeError, match=r"^u: .*\(4,\)"):
        dyn_node.interpolate(model, q0, q1, u[:3])
    with pytest.raises(ShapeError, match=r"^u: "):
        dyn_node.interpolate(model, q0, q1, u[None])
    with pytest.raises(InvalidValueError, match=r"^u: "):
        dyn_node.interpolate(model, q0, q1, u * np.nan)


def test_factors_of_a_batch_solve_for_each() -> None:
    model = MAKERS["go2"]()
    data = model.create_data()
    q, b = draw_batch(model, "kinetic_energy")
    factors = dyn_node.cholesky(model, data, q)
    alone = [dyn_node.cholesky(model, data, x) for x in q]
    for name in ("L", "D"):
        assert np.array_equal(getattr(factors, name), [getattr(x, name) for x in alone])
    assert np.array_equal(factors.solve(b), [x.solve(y) for x, y in zip(alone, b, strict=True)])
    assert np.array_equal(factors.solve(b[0]), [x.solve(b[0]) for x in alone])
    two = np.stack([b, 2.0 * b], axis=-1)
    assert np.array_equal(factors.solve(two), [x.solve(y) for x, y in zip(alone, two, strict=True)])
    assert np.array_equal(factors.inverse(), [x.inverse() for x in alone])
    assert np.array_equal(factors.log_determinant(), [x.log_determinant() for x in alone])
    for bad in (b[:-1], np.zeros(model.nv + 1), two[:, :-1]):
        with pytest.raises(ShapeError, match=r"^b: .*\(6, 18, k\)"):
            factors.solve(bad)


def test_one_body_after_the_other_has_a_regressor() -> None:
    v, a = np.random.default_rng(0).standard_normal((2, COUNT, 6))
    together = dyn_node.body_regressor(v, a)
    assert np.array_equal(together, [dyn_node.body_regressor(x, y) for x, y in zip(v, a, strict=True)])
    assert np.array_equal(dyn_node.body_regressor(v[0], a)[1], dyn_node.body_regressor(v[0], a[1]))


@pytest.mark.parametrize("kind", ["contacts", "dependent", "locks"])
@pytest.mark.parametrize("proximal", [None, dyn_node.Proximal()])
def test_constrained_states(kind: str, proximal: dyn_node.Proximal | None) -> None:
    """Contacts that are independent, contacts that are not, and locks, whose targets depend on q."""
    model = MAKERS["go2"]()
    data = model.create_data()
    feet = [dyn_node.PointConstraint(f"{leg}_foot", kd=3.0) for leg in ("FL", "FR", "RL", "RR")]
    ties = {
        "contacts": feet,
        "dependent": [*feet, feet[0]],
        "locks": [*feet[:2], dyn_node.JointLock("RL_hip_joint", 0.1, kp=5.0)],
    }[kind]
    inputs = draw_batch(model, "aba, forces", seed=3)
    q, v, tau, f_ext = inputs

    def call(q: Any, v: Any, tau: Any, f_ext: Any) -> Any:
        return dyn_node.constrained_forward_dynamics(model, data, q, v, tau, ties, f_ext, proximal=proximal)

    rows = [call(*[x[k] for x in inputs]) for k in range(COUNT)]
    check(kind, call(*inputs), rows, True)
    check(kind, call(q[0], v[0], tau, f_ext[0]), [call(q[0], v[0], x, f_ext[0]) for x in tau], True)
    assert call(*[x[:0] for x in inputs]).ddq.shape == (0, model.nv)
    moving = [dyn_node.constraint_motion(model, data, q[k], v[k], ties) for k in range(COUNT)]
    check(kind, dyn_node.constraint_motion(model, data, q, v, ties), moving, True)
    jacobians = [row.jacobian for row in moving]
    check(kind, dyn_node.constraint_jacobian(model, data, q, ties), jacobians, True)


def test_data_of_another_model_is_refused() -> None:
    model, twin = MAKERS["panda"](), MAKERS["panda"]()
    q, v, a = draw_batch(model, "rnea")
    with pytest.raises(InvalidValueError, match="data"):
        dyn_node.rnea(model, twin.create_data(), q, v, a)


def test_a_bad_state_is_named() -> None:
    model = MAKERS["go2"]()
    q = np.array([dyn_node.neutral(model)] * 3)
    q[1, 3:7] = 0.0
    with pytest.raises(InvalidValueError, match=r"q\[1\]: joint 'root_joint'"):
        dyn_node.normalize(model, q)


def test_threads_of_the_callers_run_side_by_side() -> None:
    """A batch gives the lock away: with a Data each, threads of the caller's disturb nobody."""
    model = MAKERS["panda"]()
    inputs = draw_batch(model, "rnea", 2000)
    expected = dyn_node.rnea(model, model.create_data(), *inputs)
    found: list[Any] = [None] * 4

    def work(k: int) -> None:
        data = model.create_data()
        for _ in range(5):
            found[k] = dyn_node.rnea(model, data, *inputs)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(found))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(result, expected) for result in found)


def test_without_numba_batches_are_loops_in_python() -> None:
    program = (
        "import sys, warnings; sys.modules['numba'] = None; warnings.simplefilter('ignore')\n"
        "import numpy as np, dyn_node\n"
        "model = dyn_node.robots.load('panda'); data = model.create_data()\n"
        "q = np.linspace(-1.0, 1.0, 3 * 7).reshape(3, 7)\n"
        "print([dyn_node.generalized_gravity(model, data, q).tolist(),"
        " dyn_node.kinetic_energy(model, data, q, q[0]).tolist()])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    )
    torques, energies = ast.literal_eval(done.stdout)
    model = MAKERS["panda"]()
    data = model.create_data()
    q = np.linspace(-1.0, 1.0, 3 * 7).reshape(3, 7)
    assert relative(torques, dyn_node.generalized_gravity(model, data, q)) <= ROUNDING
    assert relative(energies, dyn_node.kinetic_energy(model, data, q, q[0])) <= ROUNDING


def test_what_a_kernel_refuses_is_an_error_from_every_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "_WORTH_A_THREAD", 1)
    model = MAKERS["followers"]()
    data = model.create_data()
    inputs = draw_batch(model, "aba")
    for count in (1, 3):
        dyn_node.set_threads(count)
        with pytest.raises(ValueError, match="refused"):
            batch.evaluate(aba, (model.records, data.work, *inputs), [(model.nv,)])


def test_the_number_of_threads() -> None:
    assert dyn_node.get_threads() >= 1
    dyn_node.set_threads(3)
    assert dyn_node.get_threads() == 3
    for bad in (0, -1, 1.5, "two", True):
        with pytest.raises(InvalidValueError, match="count"):
            dyn_node.set_threads(bad)
