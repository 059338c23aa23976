"""The same numbers as Pinocchio, value by value."""

from __future__ import annotations

import numpy as np
import pytest
from tolerances import REL

from dyn_node.spatial import SE3, SO3, Force, Inertia, Motion

pin = pytest.importorskip("pinocchio")

SEEDS = range(25)


def same(got: object, expected: object, field: str, tolerance: float = REL) -> None:
    got, expected = np.asarray(got), np.asarray(expected)
    limit = tolerance * max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(got, expected, rtol=0.0, atol=limit, err_msg=field)


def twist(seed: int) -> np.ndarray:
    """Angles from 0.02 to 3 rad: Pinocchio's own Jacobians keep only eight digits below."""
    rng = np.random.default_rng(seed)
    w = rng.normal(size=3)
    return np.concatenate([rng.normal(size=3), w / np.linalg.norm(w) * rng.uniform(0.02, 3.0)])


@pytest.mark.parametrize("seed", SEEDS)
def test_exp_log_and_jacobians(seed: int) -> None:
    xi = twist(seed)
    M, P = SE3.exp(xi), pin.exp6(xi)
    same(M.homogeneous, P.homogeneous, "exp6")
    same(M.log().vector, pin.log6(P).vector, "log6")
    same(SE3.jexp(xi), pin.Jexp6(pin.Motion(xi)), "Jexp6")
    same(M.jlog(), pin.Jlog6(P), "Jlog6")
    same(SO3.exp(xi[3:]).matrix, pin.exp3(xi[3:]), "exp3")
    same(M.so3.log(), pin.log3(P.rotation), "log3")
    same(SO3.jexp(xi[3:]), pin.Jexp3(xi[3:]), "Jexp3")
    same(M.so3.jlog(), pin.Jlog3(P.rotation), "Jlog3")
    quaternion = pin.Quaternion(P.rotation).coeffs()
    same(M.quaternion, quaternion * np.sign(quaternion[3]), "quaternion")


@pytest.mark.parametrize("seed", SEEDS)
def test_action_on_everything(seed: int) -> None:
    rng = np.random.default_rng(seed)
    M, N = SE3.Random(rng), SE3.Random(rng)
    P, Q = pin.SE3(M.homogeneous), pin.SE3(N.homogeneous)
    m, f, x = Motion.Random(rng), Force.Random(rng), rng.normal(size=3)
    pm, pf = pin.Motion(m.vector.copy()), pin.Force(f.vector.copy())
    same((M * N).homogeneous, (P * Q).homogeneous, "compose")
    same(M.act_inv(N).homogeneous, P.actInv(Q).homogeneous, "actInv(SE3)")
    same(M.inverse().homogeneous, P.inverse().homogeneous, "inverse")
    same(M.action, P.action, "action")
    same(M.dual_action, P.dualAction, "dual action")
    same(M.act(m), P.act(pm), "act(Motion)")
    same(M.act_inv(m), P.actInv(pm), "actInv(Motion)")
    same(M.act(f), P.act(pf), "act(Force)")
    same(M.act_inv(f), P.actInv(pf), "actInv(Force)")
    same(M.act(x), P.act(x), "act(point)")
    same(M.act_inv(x), P.actInv(x), "actInv(point)")
    n = np.concatenate([x, 2.0 * x[::-1]])
    same(m.cross(Motion.from_vector(n)), pm.cross(pin.Motion(n)), "cross")
    same(m.cross(f), pm.cross(pf), "cross(Force)")
    same(f.dot(m), pf.dot(pm), "power")
    same(M.interpolate(N, 0.3).homogeneous, pin.SE3.Interpolate(P, Q, 0.3).homogeneous, "interpolate")


@pytest.mark.parametrize("seed", SEEDS)
def test_inertia(seed: int) -> None:
    rng = np.random.default_rng(seed)
    body, other, M, m = Inertia.Random(rng), Inertia.Random(rng), SE3.Random(rng), Motion.Random(rng)
    pbody, pother = (pin.Inertia(b.mass, b.com.copy(), b.inertia) for b in (body, other))
    P = pin.SE3(M.homogeneous)
    same(body.matrix, pbody.matrix(), "matrix")
    same((body + other).matrix, (pbody + pother).matrix(), "sum")
    same(M.act(body).matrix, P.act(pbody).matrix(), "act")
    same(M.act_inv(body).matrix, P.actInv(pbody).matrix(), "actInv")
    same(body * m, pbody * pin.Motion(m.vector.copy()), "momentum")
    same(body.dynamic_parameters, pbody.toDynamicParameters(), "dynamic parameters")
    same(body.pseudo_inertia, pbody.toPseudoInertia().toMatrix(), "pseudo-inertia")


def test_shapes() -> None:
    same(Inertia.from_box(2.0, [1, 2, 3]).matrix, pin.Inertia.FromBox(2.0, 1, 2, 3).matrix(), "box")
    same(
        Inertia.from_cylinder(2.0, 0.3, 0.8).matrix,
        pin.Inertia.FromCylinder(2.0, 0.3, 0.8).matrix(),
        "cylinder",
    )
    same(Inertia.from_sphere(2.0, 0.3).matrix, pin.Inertia.FromSphere(2.0, 0.3).matrix(), "sphere")
    ours = Inertia.from_ellipsoid(2.0, [0.1, 0.2, 0.3])
    same(ours.matrix, pin.Inertia.FromEllipsoid(2.0, 0.1, 0.2, 0.3).matrix(), "ellipsoid")
