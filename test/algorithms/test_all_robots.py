"""Every robot of example-robot-data, fixed and with a free-flyer, every algorithm against Pinocchio.

One random state each; 100 states of six robots are in test_reference.py. A robot whose mass matrix is
ill-conditioned (massless links) is compared in all but what inverts it.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from algorithms.states import Comparison
from algorithms.test_hessian import ordered
from robots import ALL_URDFS, ROOTS, robot_path
from tolerances import REL

import dyn_node
from dyn_node.errors import DynNodeError, ModelWarning

pin = pytest.importorskip("pinocchio", reason="Pinocchio (pip install pin) is the reference of these tests")

REFERENCES = ("LOCAL", "WORLD", "LOCAL_WORLD_ALIGNED")
#: Condition number of M above which inverting it leaves fewer digits than REL asks for.
INVERTIBLE = 1e5


def symmetric(upper: Any) -> np.ndarray:
    """A full matrix from one that Pinocchio filled above the diagonal."""
    upper = np.triu(np.array(upper))
    return upper + np.triu(upper, 1).T


def pair(urdf: str, root: str) -> tuple[Any, Any]:
    """The robot in both libraries, or None twice where both refuse it."""
    path = robot_path(urdf)
    try:
        free = () if root == "fixed" else (pin.JointModelFreeFlyer(),)
        theirs = pin.buildModelFromUrdf(path, *free)
    except ValueError:
        theirs = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)
            ours = dyn_node.load_urdf(path, root=root, mimic=False)
    except DynNodeError:
        ours = None
    assert (ours is None) == (theirs is None), f"{urdf}, {root}: only one library loads it"
    return ours, theirs


class Case:
    """A robot in one random state, in both libraries."""

    def __init__(self, ours: Any, theirs: Any, compare: Comparison) -> None:
        self.m, self.p, self.compare = ours, theirs, compare
        self.d, self.pd = ours.create_data(), theirs.createData()
        rng = np.random.default_rng(7)
        n = ours.nv
        self.q = dyn_node.integrate(ours, dyn_node.neutral(ours), rng.uniform(-1.5, 1.5, n))
        self.v, self.a, self.tau = rng.standard_normal((3, n))
        self.f = rng.standard_normal((ours.njoints, 6))
        self.pf = [pin.Force(x) for x in self.f]
        self.frames = [int(k) for k in rng.integers(1, ours.nframes, 3)]

    def add(self, field: str, ours: Any, theirs: Any) -> None:
        self.compare.add(field, ours, theirs)

    def dynamics(self) -> None:
        m, d, p, pd, q, v, a = self.m, self.d, self.p, self.pd, self.q, self.v, self.a
        self.add("rnea", dyn_node.rnea(m, d, q, v, a, self.f), pin.rnea(p, pd, q, v, a, self.pf))
        M = symmetric(pin.crba(p, pd, q))
        self.add("crba", dyn_node.crba(m, d, q), M)
        self.add("coriolis", dyn_node.coriolis_matrix(m, d, q, v), pin.computeCoriolisMatrix(p, pd, q, v))
        derivatives = [np.array(x) for x in pin.computeRNEADerivatives(p, pd, q, v, a, self.pf)][:2]
        for name, x, y in zip(
            "qv", dyn_node.rnea_derivatives(m, d, q, v, a, self.f), derivatives, strict=False
        ):
            self.add(f"dtau_d{name}", x, y)
        if np.linalg.cond(M) < INVERTIBLE:
            self.inverses()

    def inverses(self) -> None:
        m, d, p, pd, q, v, tau = self.m, self.d, self.p, self.pd, self.q, self.v, self.tau
        self.add("aba", dyn_node.aba(m, d, q, v, tau, self.f), pin.aba(p, pd, q, v, tau, self.pf))
        self.add("minverse", dyn_node.minverse(m, d, q), symmetric(pin.computeMinverse(p, pd, q)))
        theirs = [np.array(x) for x in pin.computeABADerivatives(p, pd, q, v, tau, self.pf)][:2]
        for name, x, y in zip("qv", dyn_node.aba_derivatives(m, d, q, v, tau, self.f), theirs, strict=False):
            self.add(f"dddq_d{name}", x, y)

    def momentum_and_energy(self) -> None:
        m, d, p, pd, q, v, a = self.m, self.d, self.p, self.pd, self.q, self.v, self.a
        self.add("Ag", dyn_node.centroidal_map(m, d, q), pin.ccrba(p, pd, q, v))
        self.add("hg", dyn_node.centroidal_momentum(m, d, q, v).vector, pd.hg.vector)
        pin.dccrba(p, pd, q, v)
        self.add("dAg", dyn_node.dccrba(m, d, q, v).dAg, pd.dAg)
        ours = dyn_node.centroidal_dynamics_derivatives(m, d, q, v, a)
        for k, y in enumerate(pin.computeCentroidalDynamicsDerivatives(p, pd, q, v, a)):
            self.add(f"centroidal derivative {k}", ours[k], y)
        self.add("kinetic", dyn_node.kinetic_energy(m, d, q, v), pin.computeKineticEnergy(p, pd, q, v))
        self.add("potential", dyn_node.potential_energy(m, d, q), pin.computePotentialEnergy(p, pd, q))
        pin.centerOfMass(p, pd, q, v, a)
        com = dyn_node.center_of_mass(m, d, q, v, a)
        self.add("com", [com.position, com.velocity, com.acceleration], [pd.com[0], pd.vcom[0], pd.acom[0]])
        self.add("Jcom", dyn_node.jacobian_center_of_mass(m, d, q), pin.jacobianCenterOfMass(p, pd, q))
        Y = pin.computeJointTorqueRegressor(p, pd, q, v, a)
        self.add("regressor", dyn_node.joint_torque_regressor(m, d, q, v, a), Y)

    def kinematics(self) -> None:
        m, d, p, pd, q, v, a = self.m, self.d, self.p, self.pd, self.q, self.v, self.a
        dyn_node.forward_kinematics(m, d, q, v, a)
        dyn_node.update_frame_placements(m, d)
        pin.forwardKinematics(p, pd, q, v, a)
        pin.updateFramePlacements(p, pd)
        for k in self.frames:
            self.add("oMf", d.oMf[k].homogeneous, pd.oMf[k].homogeneous)
            for name in REFERENCES:
                there = getattr(pin, name)
                pairs = {
                    "velocity": (dyn_node.frame_velocity, pin.getFrameVelocity),
                    "acceleration": (dyn_node.frame_acceleration, pin.getFrameAcceleration),
                    "classical": (dyn_node.frame_classical_acceleration, pin.getFrameClassicalAcceleration),
                }
                for field, (x, y) in pairs.items():
                    self.add(f"{field} {name}", x(m, d, k, name).vector, y(p, pd, k, there).vector)
        self.jacobians()

    def jacobians(self) -> None:
        m, d, p, q, v = self.m, self.d, self.p, self.q, self.v
        for k in self.frames:
            for name in REFERENCES:
                there = getattr(pin, name)
                J = pin.computeFrameJacobian(p, p.createData(), q, k, there)
                self.add(f"J {name}", dyn_node.frame_jacobian(m, d, q, k, name), J)
                dJ = pin.frameJacobianTimeVariation(p, p.createData(), q, v, k, there)
                self.add(f"dJ {name}", dyn_node.frame_jacobian_time_variation(m, d, q, v, k, name), dJ)

    def hessians(self) -> None:
        """Pinocchio's assume a frame that something moves."""
        m, d, p, pd, q = self.m, self.d, self.p, self.pd, self.q
        pin.computeJointKinematicHessians(p, pd, q)
        pin.updateFramePlacements(p, pd)
        for k in self.frames:
            for name in REFERENCES if m.frames[k].parent_joint else ():
                H = ordered(pin.getFrameKinematicHessian(p, pd, k, getattr(pin, name)))
                self.add(f"H {name}", dyn_node.frame_hessian(m, d, q, k, name), H)


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("urdf", ALL_URDFS)
def test_every_algorithm(urdf: str, root: str) -> None:
    ours, theirs = pair(urdf, root)
    if ours is None:
        pytest.skip("both libraries refuse this file")
    if ours.nv == 0:
        pytest.skip("nothing moves")
    compare = Comparison(urdf, root)
    case = Case(ours, theirs, compare)
    case.dynamics()
    case.momentum_and_energy()
    case.kinematics()
    case.hessians()
    compare.check(REL)
