"""Identities that hold for every rotation, placement, motion, force and body."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from strategies import bodies, forces, motions, placements, rotation_vectors, rotations, twists, vectors
from tolerances import IDENTITY, MANIFOLD

from dyn_node.spatial import SE3, SO3, Force, Inertia, Motion


def same(a: object, b: object, tolerance: float = IDENTITY) -> None:
    """Equal entry by entry, relative to the largest one where it exceeds one."""
    a, b = np.asarray(a), np.asarray(b)
    np.testing.assert_allclose(a, b, rtol=0.0, atol=tolerance * max(1.0, np.abs(b).max()))


@given(rotations, rotations, rotations)
def test_rotations_are_a_group(a: SO3, b: SO3, c: SO3) -> None:
    same((a * b) * c, a * (b * c))
    same(a * a.inverse(), np.eye(3))
    same(a.inverse() * a, np.eye(3))
    assert a * SO3.Identity() == a
    assert SO3.Identity() * a == a


@given(placements, placements, placements)
def test_placements_are_a_group(a: SE3, b: SE3, c: SE3) -> None:
    same(((a * b) * c).homogeneous, (a * (b * c)).homogeneous)
    same((a * a.inverse()).homogeneous, np.eye(4))
    same((a.inverse() * a).homogeneous, np.eye(4))
    assert a @ SE3.Identity() == a
    assert SE3.Identity() @ a == a
    same((a * b).homogeneous, a.homogeneous @ b.homogeneous)


@given(rotation_vectors)
def test_rotation_log_undoes_exp(w: np.ndarray) -> None:
    back = SO3.exp(w).log()
    scale = max(float(np.abs(w).max()), 1e-300)
    if back @ w < 0.0:  # within rounding of half a turn, both ways round are right
        assert np.linalg.norm(w) > np.pi - 1e-14
        back = -back
    np.testing.assert_allclose(back / scale, w / scale, rtol=0.0, atol=1e-14)


@given(twists)
def test_placement_log_undoes_exp(xi: np.ndarray) -> None:
    back = SE3.exp(xi).log()
    if np.linalg.norm(xi[3:]) < np.pi - 1e-12:
        same(back, xi, MANIFOLD)
    same(SE3.exp(back).homogeneous, SE3.exp(xi).homogeneous, MANIFOLD)


@given(placements)
def test_exp_undoes_log(a: SE3) -> None:
    same(SE3.exp(a.log()).homogeneous, a.homogeneous)
    same(SO3.exp(a.so3.log()), a.rotation)
    same(SO3.from_quaternion(a.quaternion), a.rotation)
    assert a.quaternion[3] >= 0.0


@given(twists, st.floats(-2.0, 2.0), st.floats(-2.0, 2.0))
def test_exp_of_multiples_of_one_twist_adds_up(xi: np.ndarray, s: float, t: float) -> None:
    same((SE3.exp(s * xi) * SE3.exp(t * xi)).homogeneous, SE3.exp((s + t) * xi).homogeneous)


@given(placements, twists)
def test_adjoint_moves_exp_through_a_placement(a: SE3, xi: np.ndarray) -> None:
    moved = SE3.exp(a.act(Motion.from_vector(xi)))
    same((a * SE3.exp(xi)).homogeneous, (moved * a).homogeneous)


@given(placements, placements, motions, forces, vectors)
def test_acting_is_multiplying_by_the_action_matrix(
    a: SE3, b: SE3, m: Motion, f: Force, x: np.ndarray
) -> None:
    same(a.act(m), a.action @ m.vector)
    same(a.act(f), a.dual_action @ f.vector)
    same(a.dual_action, np.linalg.inv(a.action).T)
    same((a * b).action, a.action @ b.action)
    same(a.act(x), (a.homogeneous @ [*x, 1.0])[:3])
    same(a.act(b).homogeneous, a.homogeneous @ b.homogeneous)
    for value in (m, f):
        same(a.act_inv(a.act(value)), value)
        same(a.act_inv(value), a.inverse().act(value))
    same(a.act_inv(a.act(x)), x)
    same(a.act_inv(a.act(b)).homogeneous, b.homogeneous)


@given(placements, motions, forces)
def test_power_is_the_same_in_every_frame(a: SE3, m: Motion, f: Force) -> None:
    scale = max(1.0, np.abs(f.vector).max() * np.abs(m.vector).max() * 100.0)
    assert abs(a.act(f).dot(a.act(m)) - f.dot(m)) < IDENTITY * scale
    assert m.dot(f) == f.dot(m)


@given(placements, motions, motions, forces)
def test_cross_products(a: SE3, m: Motion, n: Motion, f: Force) -> None:
    same(m.cross(m), np.zeros(6))
    same(m.cross(n), -n.cross(m))
    same(a.act(m.cross(n)), a.act(m).cross(a.act(n)), MANIFOLD)
    same(a.act(m.cross(f)), a.act(m).cross(a.act(f)), MANIFOLD)
    # The dual: what the force gains on n, n loses on the force.
    assert abs(m.cross(f).dot(n) + f.dot(m.cross(n))) < 1e-8


@given(motions, motions)
def test_cross_is_the_rate_of_the_action(m: Motion, n: Motion) -> None:
    step = 1e-6
    moved = SE3.exp(m * step).act(n) - SE3.exp(m * -step).act(n)
    same(moved / (2.0 * step), m.cross(n), 1e-6)


@given(placements, bodies, motions)
def test_a_moved_body_is_the_same_body(a: SE3, body: Inertia, m: Motion) -> None:
    moved = a.act(body)
    same(moved.matrix, a.dual_action @ body.matrix @ np.linalg.inv(a.action))
    same(a.act_inv(moved).matrix, body.matrix)
    same(moved * a.act(m), a.act(body * m))
    same(moved.principal_moments, body.principal_moments)
    energy = body.kinetic_energy(m)
    assert abs(moved.kinetic_energy(a.act(m)) - energy) < IDENTITY * max(1.0, energy) * 100.0
    same(energy, 0.5 * m.vector @ body.matrix @ m.vector)


@given(bodies, bodies, motions, placements)
def test_bodies_fixed_together_add_up(b: Inertia, c: Inertia, m: Motion, a: SE3) -> None:
    same((b + c).matrix, b.matrix + c.matrix)
    same((b + c) * m, b * m + c * m)
    assert (b + Inertia.Zero()).is_approx(b)
    assert a.act(b + c).is_approx(a.act(b) + a.act(c), IDENTITY)
    assert (b + c).is_consistent()


@given(bodies)
def test_inertia_forms_go_both_ways(body: Inertia) -> None:
    assert Inertia.from_dynamic_parameters(body.dynamic_parameters).is_approx(body, IDENTITY)
    assert Inertia.from_pseudo_inertia(body.pseudo_inertia).is_approx(body, IDENTITY)
    assert Inertia.from_matrix(body.matrix).is_approx(body, IDENTITY)
    assert np.linalg.eigvalsh(body.pseudo_inertia)[0] > -IDENTITY
    assert body.is_consistent()


@given(placements, placements, st.floats(0.0, 1.0))
def test_interpolation_stays_on_the_screw(a: SE3, b: SE3, t: float) -> None:
    same(a.interpolate(b, 0.0).homogeneous, a.homogeneous)
    same(a.interpolate(b, 1.0).homogeneous, b.homogeneous, MANIFOLD)
    middle = a.interpolate(b, t)
    whole = a.act_inv(b).log()
    if np.linalg.norm(whole.angular) < np.pi - 1e-3:
        same(a.act_inv(middle).log(), whole * t, MANIFOLD)
        same(a.so3.interpolate(b.so3, t), middle.rotation)


@given(twists, twists)
def test_jacobians_are_derivatives(xi: np.ndarray, d: np.ndarray) -> None:
    step = 1e-6 / max(1.0, float(np.abs(d).max()))
    if np.linalg.norm(xi[3:]) < 1e-5:
        xi = np.concatenate([xi[:3], [0.3, -0.2, 0.1]])
    M = SE3.exp(xi)
    ahead, behind = SE3.exp(xi + step * d), SE3.exp(xi - step * d)
    right = (M.act_inv(ahead).log() - M.act_inv(behind).log()) / (2.0 * step)
    left = ((ahead * M.inverse()).log() - (behind * M.inverse()).log()) / (2.0 * step)
    same(SE3.jexp(xi) @ d, right, 1e-6)
    same(SE3.jexp(xi, "left") @ d, left, 1e-5)
    same(SE3.jexp(xi) @ SE3.jexp_inverse(xi), np.eye(6), MANIFOLD)
    same(SE3.jexp(xi, "left"), M.action @ SE3.jexp(xi), IDENTITY)
