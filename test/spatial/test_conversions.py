"""Other libraries' conventions, against MuJoCo itself where it is installed."""

from __future__ import annotations

import numpy as np
import pytest

from dyn_node.errors import InvalidValueError, ShapeError
from dyn_node.spatial import (
    SE3,
    SO3,
    Inertia,
    Motion,
    exp_quaternion,
    free_flyer_from_mujoco,
    free_flyer_to_mujoco,
    log_quaternion,
    swap_blocks,
    swap_halves,
    wxyz_from_xyzw,
    xyzw_from_wxyz,
)

RNG = np.random.default_rng(11)


def test_quaternion_orders() -> None:
    np.testing.assert_array_equal(xyzw_from_wxyz([1, 2, 3, 4]), [2, 3, 4, 1])
    np.testing.assert_array_equal(wxyz_from_xyzw([2, 3, 4, 1]), [1, 2, 3, 4])
    many = RNG.normal(size=(5, 4))
    np.testing.assert_array_equal(wxyz_from_xyzw(xyzw_from_wxyz(many)), many)
    with pytest.raises(ShapeError, match="quaternion: "):
        xyzw_from_wxyz([1, 2, 3])


def test_six_vector_orders() -> None:
    np.testing.assert_array_equal(swap_halves(Motion([1, 2, 3], [4, 5, 6])), [4, 5, 6, 1, 2, 3])
    jacobian = RNG.normal(size=(6, 7))
    np.testing.assert_array_equal(swap_halves(jacobian, axis=0)[:3], jacobian[3:])
    with pytest.raises(ShapeError, match="six entries along axis -1"):
        swap_halves(jacobian)


def test_six_by_six_orders_agree_with_the_vectors() -> None:
    M, m, body = SE3.Random(RNG), Motion.Random(RNG), Inertia.Random(RNG)
    np.testing.assert_allclose(swap_blocks(M.action) @ swap_halves(m), swap_halves(M.act(m)), atol=1e-15)
    np.testing.assert_allclose(swap_blocks(body.matrix) @ swap_halves(m), swap_halves(body * m), atol=1e-14)
    # Modern Robotics, equation 3.20: the adjoint of (R, p) is [[R, 0], [p^ R, R]], angular first.
    np.testing.assert_array_equal(swap_blocks(M.action)[:3, 3:], 0.0)


def test_quaternion_exp_and_log() -> None:
    w = np.array([0.3, -1.0, 0.5])
    np.testing.assert_allclose(exp_quaternion(w), SO3.exp(w).quaternion, rtol=0, atol=1e-15)
    np.testing.assert_allclose(log_quaternion(exp_quaternion(w)), w, rtol=0, atol=1e-15)
    np.testing.assert_allclose(log_quaternion(-exp_quaternion(w)), w, rtol=0, atol=1e-15)


def test_free_joint_round_trip() -> None:
    q = np.concatenate([RNG.normal(size=3), SO3.Random(RNG).quaternion])
    v = RNG.normal(size=6)
    back_q, back_v = free_flyer_from_mujoco(*free_flyer_to_mujoco(q, v))
    np.testing.assert_array_equal(back_q, q)
    np.testing.assert_allclose(back_v, v, rtol=0, atol=1e-15)
    with pytest.raises(InvalidValueError, match="quaternion"):
        free_flyer_to_mujoco(np.zeros(7), v)


def test_free_joint_moves_as_mujoco_moves_it() -> None:
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    q = np.concatenate([RNG.normal(size=3), SO3.Random(RNG).quaternion])
    v, step = RNG.normal(size=6), 1e-6
    qpos, qvel = free_flyer_to_mujoco(q, v)
    moved = qpos.copy()
    mujoco.mj_integratePos(model, moved, qvel, step)
    mujoco_q, _ = free_flyer_from_mujoco(moved, qvel)
    before, after = (SE3.from_quaternion(x[3:], x[:3]) for x in (q, mujoco_q))
    np.testing.assert_allclose(before.act_inv(after).log().vector / step, v, rtol=0, atol=1e-5)


def test_body_velocity_is_what_mujoco_measures() -> None:
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    q = np.concatenate([RNG.normal(size=3), SO3.Random(RNG).quaternion])
    v = RNG.normal(size=6)
    data.qpos[:], data.qvel[:] = free_flyer_to_mujoco(q, v)
    mujoco.mj_forward(model, data)
    measured = np.empty(6)
    mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, 1, measured, 1)
    np.testing.assert_allclose(swap_halves(measured), v, rtol=0, atol=1e-14)
