"""What a wrong argument gets, and which unusual ones are taken."""

from __future__ import annotations

import numpy as np
import pytest

import dyn_node
from dyn_node.errors import (
    DynNodeError,
    InvalidValueError,
    NotComputedError,
    ShapeError,
    UnknownFrameError,
    UnknownJointError,
)


@pytest.fixture(scope="module")
def panda():
    model = dyn_node.robots.load("panda")
    return model, model.create_data()


@pytest.fixture(scope="module")
def go2():
    model = dyn_node.robots.load("go2")
    return model, model.create_data()


CALLS = {
    "rnea": lambda m, d, x: dyn_node.rnea(m, d, x, np.zeros(m.nv), np.zeros(m.nv)),
    "aba": lambda m, d, x: dyn_node.aba(m, d, x, np.zeros(m.nv), np.zeros(m.nv)),
    "crba": lambda m, d, x: dyn_node.crba(m, d, x),
    "generalized_gravity": lambda m, d, x: dyn_node.generalized_gravity(m, d, x),
    "nonlinear_effects": lambda m, d, x: dyn_node.nonlinear_effects(m, d, x, np.zeros(m.nv)),
    "forward_kinematics": lambda m, d, x: dyn_node.forward_kinematics(m, d, x),
    "frame_jacobian": lambda m, d, x: dyn_node.frame_jacobian(m, d, x, 1),
    "integrate": lambda m, d, x: dyn_node.integrate(m, x, np.zeros(m.nv)),
    "difference": lambda m, d, x: dyn_node.difference(m, x, dyn_node.neutral(m)),
    "normalize": lambda m, d, x: dyn_node.normalize(m, x),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "bad", [np.zeros(3), np.zeros((7, 2)), 1.0, "q", None, np.zeros(7, complex), [[0.0] * 6], [[[0.0] * 7]]]
)
def test_a_wrong_configuration_states_both_shapes(panda, name: str, bad: object) -> None:
    model, data = panda
    with pytest.raises(ShapeError, match=r"expected .*\(7,\).*given") as caught:
        CALLS[name](model, data, bad)
    assert caught.value.allowed, name
    assert caught.value.given is not None, name


@pytest.mark.parametrize("name", CALLS)
def test_every_array_that_holds_the_numbers_is_taken(go2, name: str) -> None:
    model, data = go2
    q = dyn_node.random_configuration(model, 1, unbounded=1.0)
    expected = CALLS[name](model, data, q)
    spread = np.zeros(2 * model.nq)
    spread[::2] = q
    locked = q.copy()
    locked.flags.writeable = False
    for other in (q.tolist(), tuple(q), spread[::2], locked, q.astype(object)):
        result = CALLS[name](model, data, other)
        assert (result is None and expected is None) or np.array_equal(result, expected), name
    integers = dyn_node.neutral(model).astype(int)
    CALLS[name](model, data, integers)


def test_sizes_of_v_for_q_get_a_hint(go2) -> None:
    model, data = go2
    with pytest.raises(ShapeError, match="more in q than in v"):
        dyn_node.generalized_gravity(model, data, np.zeros(model.nv))


def test_wrong_tangent_vectors_are_named(panda) -> None:
    model, data = panda
    good = np.zeros(7)
    with pytest.raises(ShapeError, match=r"^v: "):
        dyn_node.rnea(model, data, good, np.zeros(6), good)
    with pytest.raises(ShapeError, match=r"^a: "):
        dyn_node.rnea(model, data, good, good, np.zeros(6))
    with pytest.raises(ShapeError, match=r"^tau: "):
        dyn_node.aba(model, data, good, good, np.zeros(6))
    with pytest.raises(ShapeError, match=r"^f_ext: "):
        dyn_node.rnea(model, data, good, good, good, np.zeros((3, 6)))
    with pytest.raises(InvalidValueError, match="without v"):
        dyn_node.forward_kinematics(model, data, good, None, good)


def test_out_is_written_and_returned_or_refused(panda) -> None:
    model, data = panda
    q, out = dyn_node.neutral(model), np.full(7, np.nan)
    assert dyn_node.generalized_gravity(model, data, q, out=out) is out
    assert np.array_equal(out, dyn_node.generalized_gravity(model, data, q))
    for bad in (np.zeros(6), np.zeros(7, np.float32), np.zeros(14)[::2], [0.0] * 7):
        with pytest.raises(ShapeError, match=r"^out: "):
            dyn_node.generalized_gravity(model, data, q, out=bad)


def test_results_belong_to_the_caller(panda) -> None:
    model, data = panda
    q = dyn_node.random_configuration(model, 0)
    first = dyn_node.crba(model, data, q)
    kept = first.copy()
    dyn_node.crba(model, data, dyn_node.random_configuration(model, 1))
    assert np.array_equal(first, kept)
    dyn_node.forward_kinematics(model, data, q)
    placement = data.oMi[7]
    kept = placement.homogeneous.copy()
    dyn_node.forward_kinematics(model, data, dyn_node.neutral(model))
    assert np.array_equal(placement.homogeneous, kept)


def test_data_of_another_model_is_refused(panda, go2) -> None:
    model, _ = panda
    twin = dyn_node.robots.load("panda").create_data()
    q = dyn_node.neutral(model)
    for other in (go2[1], twin, None, 3):
        with pytest.raises(InvalidValueError, match="data"):
            dyn_node.crba(model, other, q)
        with pytest.raises(InvalidValueError, match="data"):
            dyn_node.rnea(model, other, q, np.zeros(7), np.zeros(7))


def test_results_are_not_handed_out_before_they_exist(panda) -> None:
    model, _ = panda
    data = model.create_data()
    q = dyn_node.neutral(model)
    with pytest.raises(NotComputedError, match="forward_kinematics"):
        _ = data.oMi[1]
    dyn_node.forward_kinematics(model, data, q)
    with pytest.raises(NotComputedError, match="update_frame_placements"):
        _ = data.oMf[1]
    with pytest.raises(NotComputedError, match="q, v"):
        dyn_node.frame_velocity(model, data, 1)
    dyn_node.forward_kinematics(model, data, q, np.zeros(7))
    with pytest.raises(NotComputedError, match="q, v, a"):
        dyn_node.frame_acceleration(model, data, 1)


def test_stale_frame_placements_are_not_handed_out(panda) -> None:
    model, _ = panda
    data = model.create_data()
    dyn_node.forward_kinematics(model, data, dyn_node.neutral(model))
    dyn_node.update_frame_placements(model, data)
    assert data.oMf["panda_hand_tcp"].translation[2] > 0.0
    dyn_node.forward_kinematics(model, data, dyn_node.random_configuration(model, 0))
    with pytest.raises(NotComputedError, match="update_frame_placements"):
        _ = data.oMf["panda_hand_tcp"]


def test_unknown_names_come_with_the_closest(panda) -> None:
    model, data = panda
    with pytest.raises(UnknownFrameError, match="panda_hand") as caught:
        dyn_node.frame_jacobian(model, data, dyn_node.neutral(model), "panda_hnad")
    assert "panda_hand" in caught.value.closest
    with pytest.raises(UnknownFrameError):
        dyn_node.frame_jacobian(model, data, dyn_node.neutral(model), 9999)
    with pytest.raises(UnknownFrameError):
        dyn_node.frame_jacobian(model, data, dyn_node.neutral(model), -1)
    with pytest.raises(UnknownJointError, match="panda_joint"):
        dyn_node.joint_jacobian(model, data, dyn_node.neutral(model), "panda_joint")
    with pytest.raises(InvalidValueError, match="LOCAL_WORLD_ALIGNED"):
        dyn_node.frame_jacobian(model, data, dyn_node.neutral(model), 1, "BODY")


def test_reference_frames_by_name_and_by_member_agree(panda) -> None:
    model, data = panda
    q = dyn_node.random_configuration(model, 3)
    for member in dyn_node.ReferenceFrame:
        by_member = dyn_node.frame_jacobian(model, data, q, "panda_hand", member)
        assert np.array_equal(by_member, dyn_node.frame_jacobian(model, data, q, "panda_hand", member.name))


def test_normalize_refuses_what_has_no_direction(go2) -> None:
    model, _ = go2
    q = dyn_node.neutral(model)
    for bad in ([0.0] * 4, [np.nan, 0, 0, 1], [np.inf, 0, 0, 1]):
        q[3:7] = bad
        with pytest.raises(InvalidValueError, match="root_joint"):
            dyn_node.normalize(model, q)
    q = dyn_node.neutral(model)
    q[8] = np.nan
    with pytest.raises(InvalidValueError, match="FL_thigh_joint"):
        dyn_node.normalize(model, q)
    # Tiny and huge quaternions have a direction.
    for size in (1e-200, 1e200):
        q = dyn_node.neutral(model)
        q[3:7] = np.array([1.0, 2.0, 3.0, 4.0]) * size
        assert np.linalg.norm(dyn_node.normalize(model, q)[3:7]) == pytest.approx(1.0, abs=1e-15)


def test_random_configurations_say_what_they_need(go2, panda) -> None:
    model, _ = go2
    with pytest.raises(InvalidValueError, match=r"root_joint.*unbounded"):
        dyn_node.random_configuration(model)
    q = dyn_node.random_configuration(model, 5, unbounded=2.0)
    assert (np.abs(q[:3]) <= 2.0).all()
    assert np.linalg.norm(q[3:7]) == pytest.approx(1.0)
    model, _ = panda
    for seed in range(50):
        q = dyn_node.random_configuration(model, seed)
        assert (q >= model.lower_position_limit).all()
        assert (q <= model.upper_position_limit).all()
    assert np.array_equal(dyn_node.random_configuration(model, 7), dyn_node.random_configuration(model, 7))


def test_not_a_number_goes_in_and_comes_out(panda) -> None:
    """The library computes; it does not turn what is not a number into something that looks like one."""
    model, data = panda
    q = dyn_node.neutral(model)
    q[2] = np.nan
    assert np.isnan(dyn_node.generalized_gravity(model, data, q)).any()
    assert np.isnan(dyn_node.crba(model, data, q)).any()


def test_all_errors_are_of_one_family(panda) -> None:
    model, data = panda
    with pytest.raises(DynNodeError):
        dyn_node.crba(model, data, [1.0])


def test_a_result_takes_any_memory_that_holds_doubles(tmp_path) -> None:
    model = dyn_node.robots.load("panda")
    data, q = model.create_data(), np.full(7, 0.3)
    expected = dyn_node.generalized_gravity(model, data, q)
    mapped = np.memmap(tmp_path / "tau", dtype=float, mode="w+", shape=(7,))
    assert dyn_node.generalized_gravity(model, data, q, out=mapped) is mapped
    assert (mapped == expected).all()
    labelled = np.zeros(7, np.dtype(float, metadata={"unit": "N m"}))
    assert dyn_node.generalized_gravity(model, data, q, out=labelled) is labelled
    assert (labelled == expected).all()
    unaligned = np.frombuffer(bytearray(57), dtype=float, offset=1)
    with pytest.raises(ShapeError, match="aligned"):
        dyn_node.generalized_gravity(model, data, q, out=unaligned)


def test_efforts_may_take_the_place_of_accelerations() -> None:
    """Rotors count: what they need is read before the result is written."""
    builder = dyn_node.ModelBuilder("rotors")
    parent = 0
    for axis in ((0, 0, 1), (0, 1, 0)):
        parent = builder.add_joint(parent, "revolute", axis=axis, armature=0.7)
        builder.append_body(parent, dyn_node.Inertia.from_sphere(1.0, 0.1))
    model = builder.build()
    data, q, a = model.create_data(), np.array([0.3, -0.4]), np.array([1.5, -2.5])
    for f_ext in (None, np.ones((model.njoints, 6))):
        expected = dyn_node.rnea(model, data, q, q, a, f_ext)
        own = a.copy()
        assert np.array_equal(dyn_node.rnea(model, data, q, q, own, f_ext, out=own), expected)
