"""Inverse and factors of M, and the Coriolis matrix: against Pinocchio, and by identities."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.mixed import mixed_model, robot  # noqa: F401 - robot is a fixture
from algorithms.pairs import CASES, full, pair, pin
from algorithms.states import Comparison, relative, states
from tolerances import DIFFERENCES, IDENTITY, REL

import dyn_node
from dyn_node import SE3, Inertia, ModelBuilder
from dyn_node.errors import DynNodeError, ShapeError
from dyn_node.kernels import minverse as kernels
from dyn_node.kernels.engine import compile_kernel
from dyn_node.model import Mimic


@pytest.mark.parametrize(("name", "root"), CASES)
def test_against_pinocchio(name: str, root: str) -> None:
    model, data, theirs, reference = pair(name, root)
    compare = Comparison(name, root)
    for q, v, *_ in states(model, 20):
        inverse = full(pin.computeMinverse(theirs, reference, q))
        compare.add("minverse", dyn_node.minverse(model, data, q), inverse)
        compare.add("cholesky inverse", dyn_node.cholesky(model, data, q).inverse(), inverse)
        C = pin.computeCoriolisMatrix(theirs, reference, q, v)
        compare.add("coriolis_matrix", dyn_node.coriolis_matrix(model, data, q, v), C)
    compare.check(REL)


def test_inverse_times_matrix_is_one(robot) -> None:  # noqa: F811
    model, data = robot
    for q, *_ in states(model, 5):
        M, Minv = dyn_node.crba(model, data, q), dyn_node.minverse(model, data, q)
        assert relative(Minv @ M, np.eye(model.nv)) < 1e2 * IDENTITY, f"{model.name}, minverse"
        assert np.array_equal(Minv, Minv.T), f"{model.name}, minverse"


def test_the_sweeps_give_the_same_inverse() -> None:
    model = mixed_model(followers=False)
    data, Minv = model.create_data(), np.full((model.nv, model.nv), np.nan)
    compile_kernel(kernels.minverse_deep)
    for q, *_ in states(model, 5):
        kernels.minverse_deep(model.records, data.work, q, Minv)
        assert relative(Minv, dyn_node.minverse(model, data, q)) < 1e2 * IDENTITY, "minverse_deep"


def test_the_sweeps_refuse_followers() -> None:
    model = mixed_model(followers=True)
    compile_kernel(kernels.minverse_deep)
    with pytest.raises(ValueError):
        kernels.minverse_deep(
            model.records, model.create_data().work, dyn_node.neutral(model), np.empty((model.nv, model.nv))
        )


def test_a_robot_of_many_joints_may_have_followers() -> None:
    builder = ModelBuilder("many")
    joint: int | str = 0
    for k in range(30):
        mimic = Mimic("joint_1", 0.5, 0.1) if k == 20 else None
        where = SE3(np.eye(3), [0.1, 0.0, 0.0])
        joint = builder.add_joint(joint, "revolute", where, axis=np.eye(3)[k % 3], mimic=mimic)
        builder.append_body(joint, Inertia(1.0, [0.05, 0.0, 0.0], 0.01 * np.eye(3)))
    model = builder.build()
    data, q = model.create_data(), np.linspace(-1.0, 1.0, model.nq)
    M, Minv = dyn_node.crba(model, data, q), dyn_node.minverse(model, data, q)
    assert relative(Minv @ M, np.eye(model.nv)) < 1e-8, "followers, minverse"


def test_a_long_chain_goes_by_the_sweeps() -> None:
    builder = ModelBuilder("chain")
    joint: int | str = 0
    for k in range(80):
        axis = np.eye(3)[k % 3]
        joint = builder.add_joint(joint, "revolute", SE3(np.eye(3), [0.1, 0.0, 0.0]), axis=axis)
        builder.append_body(joint, Inertia(1.0, [0.05, 0.0, 0.0], 0.01 * np.eye(3)))
    model = builder.build()
    data, q = model.create_data(), np.linspace(-1.0, 1.0, 80)
    M, Minv = dyn_node.crba(model, data, q), dyn_node.minverse(model, data, q)
    assert relative(Minv @ M, np.eye(80)) < 1e-8


def test_factors_multiply_to_the_matrix(robot) -> None:  # noqa: F811
    model, data = robot
    rng = np.random.default_rng(2)
    for q, *_ in states(model, 5):
        M, factor = dyn_node.crba(model, data, q), dyn_node.cholesky(model, data, q)
        assert relative(factor.L.T @ np.diag(factor.D) @ factor.L, M) < IDENTITY, f"{model.name}, cholesky"
        b, B = rng.standard_normal(model.nv), rng.standard_normal((model.nv, 3))
        assert relative(M @ factor.solve(b), b) < 1e2 * IDENTITY, f"{model.name}, solve"
        assert relative(M @ factor.solve(B), B) < 1e2 * IDENTITY, f"{model.name}, solve"
        assert relative(factor.log_determinant(), np.linalg.slogdet(M)[1]) < IDENTITY, model.name


def test_factors_are_as_sparse_as_the_tree() -> None:
    model = dyn_node.robots.load("go2", root="free_flyer")
    L = dyn_node.cholesky(model, model.create_data(), dyn_node.neutral(model)).L
    legs = [model.joints[model.joint_id(f"{leg}_calf_joint")].idx_v for leg in ("FL", "FR")]
    assert L[max(legs), min(legs)] == 0.0
    assert np.count_nonzero(L) < model.nv * (model.nv + 1) / 2


def test_a_right_hand_side_of_the_wrong_size_is_refused() -> None:
    model = dyn_node.robots.load("panda")
    factor = dyn_node.cholesky(model, model.create_data(), dyn_node.neutral(model))
    with pytest.raises(ShapeError, match="b"):
        factor.solve(np.zeros(model.nv + 1))


def test_coriolis_matrix_and_its_transpose_sum_to_the_rate_of_the_inertia_matrix(robot) -> None:  # noqa: F811
    model, data = robot
    step = 1e-6
    for q, v, *_ in states(model, 5):
        C = dyn_node.coriolis_matrix(model, data, q, v)
        after = dyn_node.crba(model, data, dyn_node.integrate(model, q, step * v))
        before = dyn_node.crba(model, data, dyn_node.integrate(model, q, -step * v))
        rate = (after - before) / (2.0 * step)
        assert relative(C + C.T, rate) < DIFFERENCES, f"{model.name}, coriolis_matrix"
        efforts = dyn_node.nonlinear_effects(model, data, q, v) - dyn_node.generalized_gravity(model, data, q)
        assert relative(C @ v, efforts) < IDENTITY, f"{model.name}, coriolis_matrix"


def test_out_receives_the_result_and_bad_arguments_are_refused() -> None:
    model = dyn_node.robots.load("panda")
    data, q = model.create_data(), dyn_node.neutral(model)
    out = np.empty((model.nv, model.nv))
    assert dyn_node.minverse(model, data, list(q), out=out) is out
    assert dyn_node.coriolis_matrix(model, data, q, q, out=out) is out
    with pytest.raises(ShapeError, match="out"):
        dyn_node.minverse(model, data, q, out=out[1:])
    with pytest.raises(ShapeError, match="v"):
        dyn_node.coriolis_matrix(model, data, q, q[1:])
    with pytest.raises(DynNodeError, match="data"):
        dyn_node.minverse(model, dyn_node.robots.load("ur5e").create_data(), q)
