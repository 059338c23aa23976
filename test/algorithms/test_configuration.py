"""The configuration space of a tree that has a joint of every group, against Pinocchio and by identities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from algorithms.states import relative
from tolerances import IDENTITY, MANIFOLD

import dyn_node
from dyn_node import SE3, ModelBuilder
from dyn_node.errors import InvalidValueError, ShapeError

KINDS = (
    "free_flyer",
    "spherical",
    "planar",
    "continuous",
    "revolute",
    "translation",
    "prismatic",
    "spherical_zyx",
)


def mixed_tree() -> dyn_node.Model:
    """A chain with one joint of each kind that has a group of its own."""
    builder, parent = ModelBuilder("mixed"), 0
    for kind in KINDS:
        axis = {"axis": (0.0, 0.6, 0.8)} if kind in ("revolute", "continuous", "prismatic") else {}
        parent = builder.add_joint(
            parent, kind, SE3.Random(np.random.default_rng(len(kind))), f"joint_{kind}", **axis
        )
    return builder.build()


MODEL = mixed_tree()


def draw(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    q0, q1 = (dyn_node.random_configuration(MODEL, rng, unbounded=1.0) for _ in range(2))
    return q0, q1, rng.standard_normal(MODEL.nv)


@pytest.mark.parametrize("seed", range(10))
def test_difference_and_integrate_are_inverse(seed: int) -> None:
    q0, q1, v = draw(seed)
    assert relative(dyn_node.difference(MODEL, q0, dyn_node.integrate(MODEL, q0, v)), v) < MANIFOLD
    reached = dyn_node.integrate(MODEL, q0, dyn_node.difference(MODEL, q0, q1))
    assert dyn_node.is_same_configuration(MODEL, reached, q1, 1e-10)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("argument", ["q", "dv"])
def test_d_integrate_is_the_derivative(seed: int, argument: str) -> None:
    q, _, v = draw(seed)
    J, step = dyn_node.d_integrate(MODEL, q, v, argument), 1e-6
    for k, direction in enumerate(np.eye(MODEL.nv)):
        sides = []
        for sign in (-step, step):
            if argument == "q":
                sides.append(dyn_node.integrate(MODEL, dyn_node.integrate(MODEL, q, sign * direction), v))
            else:
                sides.append(dyn_node.integrate(MODEL, q, v + sign * direction))
        assert relative(J[:, k], dyn_node.difference(MODEL, *sides) / (2 * step)) < 1e-8, f"column {k}"


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("argument", ["q0", "q1"])
def test_d_difference_is_the_derivative(seed: int, argument: str) -> None:
    q0, q1, _ = draw(seed)
    J, step = dyn_node.d_difference(MODEL, q0, q1, argument), 1e-6
    for k, direction in enumerate(np.eye(MODEL.nv)):
        sides = []
        for sign in (-step, step):
            a = dyn_node.integrate(MODEL, q0, sign * direction) if argument == "q0" else q0
            b = dyn_node.integrate(MODEL, q1, sign * direction) if argument == "q1" else q1
            sides.append(dyn_node.difference(MODEL, a, b))
        # Near half a turn the logarithm bends much; the differences lose digits before it does.
        assert relative(J[:, k], (sides[1] - sides[0]) / (2 * step)) < 1e-6, f"column {k}"


@pytest.mark.parametrize("seed", range(5))
def test_coefficient_jacobian_gives_the_rates_of_q(seed: int) -> None:
    q, _, v = draw(seed)
    J, step = dyn_node.integrate_coefficient_jacobian(MODEL, q), 1e-6
    rate = (dyn_node.integrate(MODEL, q, step * v) - dyn_node.integrate(MODEL, q, -step * v)) / (2 * step)
    assert J.shape == (MODEL.nq, MODEL.nv)
    assert relative(J @ v, rate) < 1e-8


def test_transport_carries_columns() -> None:
    q, _, v = draw(1)
    columns = np.random.default_rng(0).standard_normal((MODEL.nv, 3))
    for argument in ("q", "dv"):
        carried = dyn_node.transport(MODEL, q, v, columns, argument)
        assert relative(carried, dyn_node.d_integrate(MODEL, q, v, argument) @ columns) < IDENTITY
    with pytest.raises(ShapeError, match=r"^J"):
        dyn_node.transport(MODEL, q, v, columns[1:])


def test_interpolation_starts_and_ends_where_it_should() -> None:
    q0, q1, _ = draw(2)
    assert dyn_node.is_same_configuration(MODEL, dyn_node.interpolate(MODEL, q0, q1, 0.0), q0, MANIFOLD)
    assert dyn_node.is_same_configuration(MODEL, dyn_node.interpolate(MODEL, q0, q1, 1.0), q1, MANIFOLD)
    middle = dyn_node.interpolate(MODEL, q0, q1, 0.5)
    assert dyn_node.distance(MODEL, q0, middle) == pytest.approx(0.5 * dyn_node.distance(MODEL, q0, q1))
    with pytest.raises(InvalidValueError, match=r"^u"):
        dyn_node.interpolate(MODEL, q0, q1, np.nan)


def test_distances_by_joint_add_up() -> None:
    q0, q1, _ = draw(3)
    parts = dyn_node.squared_distance(MODEL, q0, q1)
    assert parts.shape == (MODEL.njoints - 1,)
    assert (parts > 0.0).all()
    assert parts.sum() == pytest.approx(dyn_node.distance(MODEL, q0, q1) ** 2)
    moved = q0.copy()
    moved[MODEL.joints[MODEL.joint_id("joint_revolute")].idx_q] += 0.5
    only = dyn_node.squared_distance(MODEL, q0, moved)
    assert only[KINDS.index("revolute")] == pytest.approx(0.25)
    assert np.count_nonzero(only > 1e-20) == 1


def test_a_quaternion_and_its_negative_are_one_configuration() -> None:
    q, other, _ = draw(4)
    turned = q.copy()
    turned[3:7] = -turned[3:7]
    assert dyn_node.is_same_configuration(MODEL, q, turned)
    assert not dyn_node.is_same_configuration(MODEL, q, other)
    # (cos, sin) has no such twin: the negative is half a turn away.
    joint = MODEL.joints[MODEL.joint_id("joint_continuous")]
    turned = q.copy()
    turned[joint.idx_q : joint.idx_q + 2] *= -1.0
    assert not dyn_node.is_same_configuration(MODEL, q, turned)


def test_normalised_or_not() -> None:
    q, _, _ = draw(5)
    assert dyn_node.is_normalized(MODEL, q)
    for entry in (3, 7):
        off = q.copy()
        off[entry] += 1e-3
        assert not dyn_node.is_normalized(MODEL, off)
        assert dyn_node.is_normalized(MODEL, dyn_node.normalize(MODEL, off))
    assert not dyn_node.is_normalized(MODEL, np.full(MODEL.nq, np.nan))


def test_a_quaternion_keeps_its_sign_along_a_motion() -> None:
    """More than a full turn in small steps: entries move little from each step to the next."""
    q, before = dyn_node.neutral(MODEL), dyn_node.neutral(MODEL)
    v = np.zeros(MODEL.nv)
    v[3:6] = [0.02, 0.05, -0.03]
    for _ in range(200):
        q = dyn_node.integrate(MODEL, before, v)
        assert np.abs(q[3:7] - before[3:7]).max() < 0.05
        before = q


def test_a_wrong_argument_name_is_answered_with_the_right_ones() -> None:
    q0, q1, v = draw(0)
    with pytest.raises(InvalidValueError, match="'q' or 'dv'"):
        dyn_node.d_integrate(MODEL, q0, v, "v")
    with pytest.raises(InvalidValueError, match="'q0' or 'q1'"):
        dyn_node.d_difference(MODEL, q0, q1, "q")


def test_derivatives_agree_with_pinocchio() -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio (pip install pin) is the reference of this test")
    from robots import our_model, pin_model

    for robot in ("kinova", "talos"):
        ours, theirs = our_model(robot, "free_flyer"), pin_model(robot, "free_flyer")
        rng = np.random.default_rng(0)
        for _ in range(20):
            q0, q1 = (dyn_node.random_configuration(ours, rng, unbounded=1.0) for _ in range(2))
            v = rng.standard_normal(ours.nv)
            pairs = {
                "d_integrate q": (dyn_node.d_integrate(ours, q0, v, "q"), pin.dIntegrate(theirs, q0, v)[0]),
                "d_integrate dv": (dyn_node.d_integrate(ours, q0, v, "dv"), pin.dIntegrate(theirs, q0, v)[1]),
                "d_difference q0": (
                    dyn_node.d_difference(ours, q0, q1, "q0"),
                    pin.dDifference(theirs, q0, q1)[0],
                ),
                "d_difference q1": (
                    dyn_node.d_difference(ours, q0, q1, "q1"),
                    pin.dDifference(theirs, q0, q1)[1],
                ),
                "squared_distance": (
                    dyn_node.squared_distance(ours, q0, q1),
                    pin.squaredDistance(theirs, q0, q1),
                ),
                "interpolate": (
                    dyn_node.interpolate(ours, q0, q1, 0.3),
                    pin.interpolate(theirs, q0, q1, 0.3),
                ),
            }
            for field, (mine, reference) in pairs.items():
                assert relative(mine, reference) < 1e-9, f"{robot}, {field}"


@pytest.mark.parametrize(
    ("kind", "turn"), [("free_flyer", slice(3, 6)), ("spherical", slice(0, 3)), ("planar", 2)]
)
def test_turns_whose_squares_are_no_numbers_are_refused(kind: str, turn: Any) -> None:
    builder = ModelBuilder("one")
    builder.append_body(builder.add_joint(0, kind, SE3.Identity(), "joint"), dyn_node.Inertia.Random())
    model = builder.build()
    q, dv = dyn_node.neutral(model), np.zeros((2, model.nv))
    dv[1, turn] = 1e153
    assert np.abs(dyn_node.integrate(model, q, dv[1])).max() <= 1.0 + IDENTITY
    assert np.isfinite(dyn_node.integrate(model, q, dv)).all()
    dv[1, turn] = -2e154
    for given in (dv[1], dv):
        with pytest.raises(InvalidValueError, match="turn of joint 'joint' by less than 1e154 rad"):
            dyn_node.integrate(model, q, given)
    dv[1, turn] = np.nan
    assert np.isnan(dyn_node.integrate(model, q, dv)[1]).any()


def test_turns_are_refused_as_rotation_vectors_too() -> None:
    for call, vector in ((dyn_node.SO3.exp, [2e154, 0.0, 0.0]), (SE3.exp, [0.0, 0.0, 1.0, 0.0, 1e200, 0.0])):
        with pytest.raises(InvalidValueError, match="expected a rotation by less than 1e154 rad"):
            call(vector)
    with pytest.raises(InvalidValueError, match="expected finite numbers"):
        dyn_node.SO3.exp([np.nan, 0.0, 0.0])
