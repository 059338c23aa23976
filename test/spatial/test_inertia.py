"""Inertia: consistency, forms, shapes, refusals."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from dyn_node.errors import DynNodeError, InvalidValueError, MissingDependencyError, ShapeError
from dyn_node.spatial import SE3, Inertia

BODY = Inertia(2.0, [0.1, -0.2, 0.3], [[0.3, 0.01, 0.02], [0.01, 0.4, -0.03], [0.02, -0.03, 0.5]])


def test_parts() -> None:
    assert BODY.mass == 2.0
    np.testing.assert_array_equal(BODY.com, [0.1, -0.2, 0.3])
    np.testing.assert_array_equal(BODY.inertia, BODY.inertia.T)
    assert BODY.inertia[1, 2] == -0.03
    np.testing.assert_array_equal(BODY.first_moment, [0.2, -0.4, 0.6])
    with pytest.raises(ValueError, match="read-only"):
        BODY.com[0] = 1.0
    BODY.inertia[0, 0] = 9.0
    assert BODY.inertia[0, 0] == 0.3


def test_parallel_axis() -> None:
    moved = SE3(np.eye(3), [1.0, 0.0, 0.0]).act(Inertia(3.0, np.zeros(3), np.eye(3)))
    np.testing.assert_allclose(moved.inertia_at_origin, np.diag([1.0, 4.0, 4.0]), rtol=1e-15)
    np.testing.assert_array_equal(moved.inertia, np.eye(3))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (Inertia(0.0, np.zeros(3), np.eye(3)), "mass is 0 kg, expected above 0"),
        (Inertia(1.0, np.zeros(3), np.diag([1.0, 1.0, -0.5])), "-0.5, 1, 1 kg m.2, expected above 0"),
        (Inertia(1.0, np.zeros(3), np.zeros((3, 3))), "0, 0, 0 kg m.2, expected above 0"),
        (Inertia(1.0, np.zeros(3), np.diag([1.0, 2.0, 3.5])), "expected 3.5 to be at most 1 . 2 = 3"),
    ],
    ids=["massless", "negative moment", "point", "triangle inequality"],
)
def test_impossible_bodies_are_named_with_their_numbers(body: Inertia, message: str) -> None:
    assert not body.is_consistent()
    with pytest.raises(InvalidValueError, match=message):
        body.check()


def test_possible_bodies_pass() -> None:
    for body in (BODY, Inertia.from_box(1.0, [1, 2, 3]), Inertia(1.0, np.zeros(3), np.diag([1.0, 2.0, 3.0]))):
        body.check()
        assert body.violations() == ()
    rounded = Inertia(1.0, np.zeros(3), np.diag([1.0, 2.0, 3.001]))
    assert not rounded.is_consistent()
    assert rounded.is_consistent(tolerance=1e-3)


def test_refusals() -> None:
    with pytest.raises(InvalidValueError, match="mass: expected zero or more, given -1 kg"):
        Inertia(-1.0, np.zeros(3), np.eye(3))
    with pytest.raises(InvalidValueError, match="com: expected finite"):
        Inertia(1.0, [np.nan, 0, 0], np.eye(3))
    with pytest.raises(InvalidValueError, match="symmetric"):
        Inertia(1.0, np.zeros(3), [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]])
    with pytest.raises(ShapeError, match="inertia: "):
        Inertia(1.0, np.zeros(3), np.zeros(6))
    with pytest.raises(InvalidValueError, match="positive lengths"):
        Inertia.from_box(1.0, [1, 0, 1])
    with pytest.raises(TypeError):
        BODY + 1.0
    with pytest.raises(TypeError):
        BODY * 2.0


def test_ten_parameters_are_linear_and_go_both_ways() -> None:
    other = Inertia.from_cylinder(1.5, 0.2, 0.7)
    total = BODY.dynamic_parameters + other.dynamic_parameters
    np.testing.assert_allclose((BODY + other).dynamic_parameters, total, rtol=0, atol=1e-15)
    assert Inertia.from_dynamic_parameters(total).is_approx(BODY + other, 1e-14)
    assert Inertia.from_dynamic_parameters(np.zeros(10)) == Inertia.Zero()
    with pytest.raises(InvalidValueError, match="mass: expected above 0"):
        Inertia.from_dynamic_parameters([0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    with pytest.raises(InvalidValueError, match="mass: expected above 0"):
        Inertia.from_dynamic_parameters([-1, 0, 0, 0, 0, 0, 0, 0, 0, 0])


def test_pseudo_inertia_is_the_second_moment_of_mass() -> None:
    points = np.array([[0.1, 0.2, 0.3, 1.0], [-0.5, 0.2, 0.9, 1.0], [0.7, -0.1, 0.2, 1.0]])
    masses = np.array([1.0, 2.0, 0.5])
    P = points.T @ np.diag(masses) @ points
    total = Inertia.Zero()
    for mass, point in zip(masses, points[:, :3], strict=True):
        total = total + Inertia(mass, point, np.zeros((3, 3)))
    np.testing.assert_allclose(total.pseudo_inertia, P, rtol=0, atol=1e-15)
    assert Inertia.from_pseudo_inertia(P).is_approx(total, 1e-14)
    with pytest.raises(InvalidValueError, match="symmetric"):
        Inertia.from_pseudo_inertia(P + np.triu(np.ones((4, 4)), 3))
    with pytest.raises(InvalidValueError, match="symmetric"):
        Inertia.from_pseudo_inertia(P + 0.1 * np.eye(4)[[1, 2, 3, 0]])


def test_six_by_six_both_ways() -> None:
    assert Inertia.from_matrix(BODY.matrix).is_approx(BODY, 1e-15)
    with pytest.raises(InvalidValueError, match="not of the form"):
        Inertia.from_matrix(np.diag([1.0, 2.0, 1.0, 1.0, 1.0, 1.0]))


def test_massless_bodies_add_up() -> None:
    light = Inertia(0.0, np.zeros(3), np.eye(3))
    np.testing.assert_array_equal((light + light).inertia, 2.0 * np.eye(3))
    np.testing.assert_array_equal((light + light).com, 0.0)
    assert (BODY + light).com.tolist() == BODY.com.tolist()


def box_mesh() -> SimpleNamespace:
    """What a trimesh box of 1 x 2 x 3 m at density 500 says of itself."""
    return SimpleNamespace(
        is_watertight=True,
        volume=6.0,
        mass=3000.0,
        center_mass=[0.1, 0.2, 0.3],
        moment_inertia=np.diag([3250.0, 2500.0, 1250.0]),
    )


def test_inertia_of_a_mesh() -> None:
    body = Inertia.from_mesh(12.0, box_mesh())
    expected = SE3(np.eye(3), [0.1, 0.2, 0.3]).act(Inertia.from_box(12.0, [1, 2, 3]))
    assert body.is_approx(expected, 1e-15)
    leaking = box_mesh()
    leaking.is_watertight = False
    with pytest.raises(InvalidValueError, match="expected a closed surface"):
        Inertia.from_mesh(1.0, leaking)


def test_inertia_of_a_real_mesh() -> None:
    trimesh = pytest.importorskip("trimesh")
    mesh = trimesh.creation.box(extents=[1, 2, 3])
    mesh.density = 700.0
    assert Inertia.from_mesh(12.0, mesh).is_approx(Inertia.from_box(12.0, [1, 2, 3]), 1e-12)


def test_a_mesh_file_without_trimesh_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(MissingDependencyError, match="pip install trimesh") as caught:
        Inertia.from_mesh(1.0, "part.stl")
    assert isinstance(caught.value, DynNodeError)
