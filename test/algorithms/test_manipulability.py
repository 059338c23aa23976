"""Manipulability: against the determinant, the geometry of a planar arm, and its own Jacobian."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.states import relative, states
from tolerances import IDENTITY

import dyn_node
from dyn_node.errors import InvalidValueError, ShapeError, UnknownFrameError


def two_links(first: float = 1.0, second: float = 1.0):
    """A planar arm in the x-y plane with a frame at its tip."""
    builder = dyn_node.ModelBuilder("two links")
    shoulder = builder.add_joint(0, "revolute", name="shoulder", axis=(0, 0, 1))
    elbow = builder.add_joint(
        shoulder, "revolute", dyn_node.SE3(np.eye(3), [first, 0, 0]), "elbow", axis=(0, 0, 1)
    )
    builder.add_frame("tip", elbow, dyn_node.SE3(np.eye(3), [second, 0, 0]))
    model = builder.build()
    return model, model.create_data()


@pytest.mark.parametrize("name", ["panda", "ur5e"])
def test_measure_is_yoshikawas(name: str) -> None:
    model = dyn_node.robots.load(name)
    data, tool = model.create_data(), dyn_node.robots.describe(name).tool
    for q, *_ in states(model, 10):
        for part, rows in (("all", slice(6)), ("linear", slice(3)), ("angular", slice(3, 6))):
            for reference in dyn_node.ReferenceFrame:
                J = dyn_node.frame_jacobian(model, data, q, tool, reference)[rows]
                found = dyn_node.manipulability(model, data, q, tool, reference, part)
                determinant = np.sqrt(max(0.0, np.linalg.det(J @ J.T)))
                assert found.measure == pytest.approx(determinant, rel=1e-6, abs=1e-9), f"{name}, {part}"
                assert relative(found.axes @ found.axes.T, J @ J.T) < IDENTITY, f"{name}, {part}"
                assert np.all(np.diff(found.singular_values) <= 0.0)


def test_an_elbow_at_a_right_angle() -> None:
    """J of the tip is [[-1, -1], [1, 0]]: the determinant is the sine of the elbow."""
    model, data = two_links()
    found = dyn_node.manipulability(model, data, [0.0, np.pi / 2], "tip", part="linear")
    in_plane = found.singular_values[0] * found.singular_values[1]
    assert in_plane == pytest.approx(1.0)
    assert found.singular_values[2] == 0.0
    assert found.measure == 0.0
    assert abs(found.directions[2, 2]) == pytest.approx(1.0), "the dead direction is z"


def test_a_stretched_arm_is_singular() -> None:
    model, data = two_links()
    found = dyn_node.manipulability(model, data, [0.3, 0.0], "tip", part="linear")
    assert found.singular_values[1] == pytest.approx(0.0, abs=1e-15)
    assert found.condition_number == float("inf")
    along = np.array([np.cos(0.3), np.sin(0.3), 0.0])
    assert found.directions[:, 0] @ along == pytest.approx(0.0, abs=1e-12), "moves across the arm only"


def test_weights_leave_coordinates_out() -> None:
    model = dyn_node.robots.load("go2")
    data, q = model.create_data(), dyn_node.neutral(model)
    weights = np.ones(model.nv)
    weights[:6] = 0.0
    found = dyn_node.manipulability(model, data, q, "FL_foot", part="linear", weights=weights)
    J = dyn_node.frame_jacobian(model, data, q, "FL_foot", dyn_node.LOCAL_WORLD_ALIGNED)[:3, 6:]
    assert relative(found.singular_values, np.linalg.svd(J, compute_uv=False)) < IDENTITY


def test_bad_arguments_are_named() -> None:
    model = dyn_node.robots.load("panda")
    data, q = model.create_data(), dyn_node.neutral(model)
    with pytest.raises(InvalidValueError, match="part: expected one of 'linear'"):
        dyn_node.manipulability(model, data, q, "panda_hand", part="linaer")
    with pytest.raises(UnknownFrameError):
        dyn_node.manipulability(model, data, q, "hand")
    with pytest.raises(ShapeError, match="weights"):
        dyn_node.manipulability(model, data, q, "panda_hand", weights=[1.0])
