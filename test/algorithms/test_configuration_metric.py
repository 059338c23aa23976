"""Interpolation, distances, comparisons, transport: against Pinocchio, by identities, and at the edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from algorithms.mixed import MAKERS, mixed_model
from algorithms.mixed_tree import mixed_tree
from algorithms.states import relative
from tolerances import IDENTITY, REL, ROUNDING

import dyn_node
from dyn_node import SE3, ModelBuilder
from dyn_node.errors import InvalidValueError, ShapeError
from dyn_node.kernels import engine
from dyn_node.model import SubJoint

X, Y = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])

MODELS = {**MAKERS, "tree": mixed_tree}


@pytest.fixture(scope="module", params=list(MODELS))
def model(request: pytest.FixtureRequest) -> Any:
    return MODELS[request.param]()


def pairs(model: Any, count: int, seed: int = 0) -> list[tuple[np.ndarray, np.ndarray]]:
    """Random configurations, two by two."""
    rng = np.random.default_rng(seed)
    draw = [dyn_node.random_configuration(model, rng, unbounded=1.0) for _ in range(2 * count)]
    return list(zip(draw[::2], draw[1::2], strict=True))


def both_libraries(pin: Any) -> tuple[Any, Any]:
    """A chain with every kind of joint, here and there; nothing but its configurations matters."""
    parts = pin.JointModelComposite(pin.JointModelRX())
    parts.addJoint(pin.JointModelTranslation(), pin.SE3.Identity())
    parts.addJoint(pin.JointModelSpherical(), pin.SE3.Identity())
    ours = SubJoint("revolute", axis=X), SubJoint("translation"), SubJoint("spherical")
    kinds = (
        ("free_flyer", {}, pin.JointModelFreeFlyer()),
        ("revolute", {"axis": X}, pin.JointModelRX()),
        ("spherical", {}, pin.JointModelSpherical()),
        ("continuous", {"axis": X}, pin.JointModelRUBX()),
        ("composite", {"parts": ours}, parts),
        ("planar", {}, pin.JointModelPlanar()),
        ("universal", {"axis": X, "axis2": Y}, pin.JointModelUniversal(X, Y)),
        ("prismatic", {"axis": X}, pin.JointModelPX()),
        ("translation", {}, pin.JointModelTranslation()),
        ("helical", {"axis": X, "pitch": 0.1}, pin.JointModelHX(0.1)),
        ("spherical_zyx", {}, pin.JointModelSphericalZYX()),
    )
    builder, theirs, parent = ModelBuilder("every kind"), pin.Model(), 0
    for kind, shape, joint in kinds:
        theirs.addJoint(parent, joint, pin.SE3.Identity(), kind)
        parent = builder.add_joint(parent, kind, SE3.Identity(), kind, **shape)
    return builder.build(), theirs


def check_against(pin: Any, ours: Any, theirs: Any) -> None:
    rng = np.random.default_rng(1)
    for q0, q1 in pairs(ours, 20):
        dv, J = rng.standard_normal(ours.nv), rng.standard_normal((ours.nv, 5))
        results = {
            "squared_distance": (
                dyn_node.squared_distance(ours, q0, q1),
                pin.squaredDistance(theirs, q0, q1),
            ),
            "distance": (dyn_node.distance(ours, q0, q1), pin.distance(theirs, q0, q1)),
        }
        for u in (0.0, 0.3, 1.0, -0.5):
            pair = dyn_node.interpolate(ours, q0, q1, u), pin.interpolate(theirs, q0, q1, u)
            # A quaternion's sign is either library's choice.
            assert pin.isSameConfiguration(theirs, *pair, REL), f"interpolate by {u}"
        for argument, place in (("q", pin.ARG0), ("dv", pin.ARG1)):
            results[f"transport from {argument}"] = (
                dyn_node.transport(ours, q0, dv, J, argument),
                pin.dIntegrateTransport(theirs, q0, dv, J, place),
            )
        for name, (mine, reference) in results.items():
            assert relative(mine, reference) < REL, name
        off = q0.copy()
        off[rng.integers(ours.nq)] += 1e-5
        for q, precision in ((q1, 1e-9), (q0, 1e-12), (off, 1e-7), (off, 1e-3)):
            same = dyn_node.is_same_configuration(ours, q0, q, precision)
            assert same is pin.isSameConfiguration(theirs, q0, q, precision)
            normal = dyn_node.is_normalized(ours, q, precision)
            assert normal is pin.isNormalized(theirs, q, precision)


def test_every_kind_of_joint_agrees_with_pinocchio() -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio (pip install pin) is the reference of this test")
    check_against(pin, *both_libraries(pin))


@pytest.mark.parametrize(("name", "root"), [("talos", "free_flyer"), ("kinova", "planar")])
def test_robots_agree_with_pinocchio(name: str, root: str) -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio (pip install pin) is the reference of this test")
    from robots import our_model, pin_model

    check_against(pin, our_model(name, root), pin_model(name, root))


def test_interpolation_is_the_difference_integrated_to_the_last_bit(model: Any) -> None:
    for q0, q1 in pairs(model, 10):
        way = dyn_node.difference(model, q0, q1)
        for u in (0.0, 0.37, 1.0, 1.8, -2.5):
            expected = dyn_node.integrate(model, q0, u * way)
            assert np.array_equal(dyn_node.interpolate(model, q0, q1, u), expected), u
        both = dyn_node.interpolate(model, q0, q1, np.array([0.25]))
        assert both.shape == (1, model.nq)
        assert np.array_equal(both[0], dyn_node.interpolate(model, q0, q1, 0.25))


def test_interpolation_takes_what_numbers_there_are() -> None:
    model = mixed_model(False)
    ((q0, q1),) = pairs(model, 1)
    half = dyn_node.interpolate(model, q0, q1, 0.5)
    for u in (np.float32(0.5), [0.5], (0.5,), np.array([0.5])):
        assert np.array_equal(np.squeeze(dyn_node.interpolate(model, q0.tolist(), q1, u)), half)
    assert np.array_equal(dyn_node.interpolate(model, q0, q1, 1), dyn_node.interpolate(model, q0, q1, 1.0))
    for u in (np.nan, np.inf, [0.5, -np.inf]):
        with pytest.raises(InvalidValueError, match=r"^u"):
            dyn_node.interpolate(model, q0, q1, u)
    for wrong in (np.array(0.5), np.zeros((2, 2))):
        with pytest.raises(ShapeError, match=r"^u"):
            dyn_node.interpolate(model, q0, q1, wrong)
    with pytest.raises(InvalidValueError, match="less than 1e154 rad"):
        dyn_node.interpolate(model, q0, q1, 1e160)
    with pytest.raises(ShapeError, match=r"^q1"):
        dyn_node.interpolate(model, q0, q1[1:], 0.5)


def test_distances_are_lengths_of_the_difference(model: Any) -> None:
    for q0, q1 in pairs(model, 10):
        way = dyn_node.difference(model, q0, q1)
        assert relative(dyn_node.distance(model, q0, q1), np.linalg.norm(way)) < ROUNDING
        parts = [way[joint.idx_v : joint.idx_v + joint.nv] for joint in model.joints[1:]]
        squares = np.array([part @ part for part in parts])
        found = dyn_node.squared_distance(model, q0, q1)
        assert relative(found, squares) < ROUNDING
        followers = [joint.index - 1 for joint in model.joints if joint.mimic is not None]
        assert not found[followers].any()
    assert isinstance(dyn_node.distance(model, q0, q1), float)


def test_a_robot_without_joints_is_nowhere_else() -> None:
    model = ModelBuilder("fixed").build()
    q = np.zeros(0)
    assert dyn_node.distance(model, q, q) == 0.0
    assert dyn_node.squared_distance(model, q, q).shape == (0,)
    assert dyn_node.is_same_configuration(model, q, q)
    assert dyn_node.is_normalized(model, q)
    assert dyn_node.random_configuration(model).shape == (0,)


def test_every_entry_counts(model: Any) -> None:
    """An entry that is off by a little, that is no number, or endless, is noticed wherever it is."""
    ((q, _),) = pairs(model, 1)
    assert dyn_node.is_same_configuration(model, q, q.copy()) is True
    assert dyn_node.is_normalized(model, q) is True
    curved = {k for entries in model.directions for k in range(entries.start, entries.stop)}
    for k in range(model.nq):
        off = q.copy()
        off[k] += 1e-3
        assert dyn_node.is_same_configuration(model, q, off) is False, k
        assert dyn_node.is_same_configuration(model, q, off, 2e-3) is True, k
        off[k] *= 1.1
        assert dyn_node.is_normalized(model, off) is (k not in curved), k
        for value in (np.nan, np.inf, -np.inf):
            off[k] = value
            assert dyn_node.is_normalized(model, off) is False, k
            assert dyn_node.is_same_configuration(model, off, off) is False, k
            assert dyn_node.is_same_configuration(model, q, off) is False, k


def test_quaternions_but_not_circles_have_twins(model: Any) -> None:
    ((q, _),) = pairs(model, 1)
    for entries in model.directions:
        twin = q.copy()
        twin[entries] *= -1.0
        quaternion = entries.stop - entries.start == 4
        assert dyn_node.is_same_configuration(model, q, twin) is quaternion, entries
        assert dyn_node.is_same_configuration(model, twin, q) is quaternion, entries
        assert dyn_node.is_normalized(model, twin)
        assert (dyn_node.distance(model, q, twin) < IDENTITY) is quaternion, entries
        nothing = q.copy()
        nothing[entries] = 0.0
        assert dyn_node.is_normalized(model, nothing) is False, entries
        assert dyn_node.is_same_configuration(model, q, nothing) is False, entries


def test_only_a_quaternion_changes_its_sign() -> None:
    """A base at -p with the quaternion's twin is not at p."""
    model = dyn_node.robots.load("go2", root="free_flyer")
    ((q, _),) = pairs(model, 1)
    opposite = q.copy()
    opposite[:7] *= -1.0
    assert not dyn_node.is_same_configuration(model, q, opposite)


def test_precision_is_relative_for_large_entries() -> None:
    model = dyn_node.robots.load("panda")
    q = np.full(model.nq, 1e6)
    assert dyn_node.is_same_configuration(model, q, q + 1e-7)
    assert not dyn_node.is_same_configuration(model, q, q + 1e-5)


def test_batches_answer_in_bools() -> None:
    model = mixed_model(True)
    q = np.array([q0 for q0, _ in pairs(model, 20)])
    off = q.copy()
    off[3, model.directions[0].start] += 0.1
    expected = np.arange(20) != 3
    for answer in (dyn_node.is_same_configuration(model, q, off), dyn_node.is_normalized(model, off)):
        assert answer.dtype == bool
        assert np.array_equal(answer, expected)
    assert np.array_equal(dyn_node.is_same_configuration(model, q[0], q), np.arange(20) == 0)


def test_transport_takes_any_number_of_columns(model: Any) -> None:
    rng = np.random.default_rng(3)
    ((q, _),) = pairs(model, 1)
    v = rng.standard_normal(model.nv)
    for argument in ("q", "dv"):
        by = dyn_node.d_integrate(model, q, v, argument)
        for count in (0, 1, model.nv):
            J = rng.standard_normal((model.nv, count))
            kept = J.copy()
            assert relative(dyn_node.transport(model, q, v, J, argument), by @ J) < IDENTITY
            assert (
                relative(dyn_node.transport(model, q, v, J.tolist(), argument), by @ J) < IDENTITY
                or not count
            )
            assert np.array_equal(J, kept)
        J = rng.standard_normal((3, model.nv, 2))
        assert relative(dyn_node.transport(model, q, v, J, argument), by @ J) < IDENTITY
    with pytest.raises(ShapeError, match="first axes"):
        dyn_node.transport(model, np.array([q, q]), v, J)
    with pytest.raises(ShapeError, match=r"^J"):
        dyn_node.transport(model, q, v, v)


def test_without_numba_the_source_gives_the_same(model: Any) -> None:
    ((q0, q1),) = pairs(model, 1)
    v, J = np.linspace(-1.0, 1.0, model.nv), np.eye(model.nv)
    numbers, limits = np.random.default_rng(0).random(model.nq), model._position_limits
    calls = {
        "interpolate": ((q0, q1, 0.3), (model.nq,)),
        "squared_distance": ((q0, q1), (len(model.records) - 1,)),
        "distance": ((q0, q1), None),
        "is_same_configuration": ((q0, q0, 1e-12), None),
        "is_normalized": ((q0, 1e-12), None),
        "d_integrate": ((q0, v, 0), (model.nv, model.nv)),
        "d_difference": ((q0, q1, 0), (model.nv, model.nv)),
        "transport": ((q0, v, J, 1), (model.nv, model.nv)),
        "spread": ((limits, 1.0), numbers),
    }
    for name, (arguments, out) in calls.items():
        made, found = engine._registry[name], []
        engine.compile_kernel(made.call)
        for call, records in (
            (made.call, model.records),
            (made.uncompiled, model.records.view(np.recarray)),
        ):
            written = np.zeros(out) if isinstance(out, tuple) else numbers.copy()
            answer = call(records, *arguments, *([] if out is None else [written]))
            found.append((written, np.float64(0.0 if answer is None or answer is written else answer)))
        for compiled, plain in zip(*found, strict=True):
            assert relative(plain, compiled) < ROUNDING, name
