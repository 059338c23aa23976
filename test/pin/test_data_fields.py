"""After each algorithm the fields of Data hold what they hold in Pinocchio."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pin.both import assert_same, ours, theirs

STATE = "q v a tau f"
#: Per algorithm: its arguments after model and data, and the fields that it fills.
ALGORITHMS: dict[str, tuple[str, str]] = {
    "forwardKinematics": ("q v a", "oMi liMi v a"),
    "framesForwardKinematics": ("q", "oMi liMi oMf"),
    "rnea": ("q v a", "tau v a_gf f liMi"),
    "rnea with forces": ("q v a f", "tau v a_gf f liMi"),
    "nonLinearEffects": ("q v", "nle v a_gf f liMi"),
    "nle": ("q v", "nle"),
    "computeGeneralizedGravity": ("q", "g liMi"),
    "computeStaticTorque": ("q f", "tau liMi"),
    "crba": ("q", "M liMi"),
    "aba": ("q v tau", "ddq v liMi"),
    "aba with forces": ("q v tau f", "ddq"),
    "computeMinverse": ("q", "Minv"),
    "computeCoriolisMatrix": ("q v", "C oMi liMi v ov J dJ"),
    "computeJointJacobians": ("q", "J oMi liMi"),
    "computeJointJacobiansTimeVariation": ("q v", "J dJ oMi liMi v ov"),
    "centerOfMass": ("q v a", "com vcom acom mass oMi v a"),
    "centerOfMass of q": ("q", "com mass oMi"),
    "jacobianCenterOfMass": ("q", "Jcom com mass J oMi"),
    "ccrba": ("q v", "Ag hg Ig com0 J oMi"),
    "dccrba": ("q v", "Ag dAg hg Ig com0 vcom0 J dJ oMi"),
    "computeCentroidalMap": ("q", "Ag com0 J oMi"),
    "computeCentroidalMomentum": ("q v", "hg com0 vcom0 oMi v"),
    "computeCentroidalMomentumTimeVariation": ("q v a", "hg dhg com0 vcom0 oMi v a"),
    "computeCentroidalDynamicsDerivatives": ("q v a", "Ag hg dhg oMi"),
    "computeRNEADerivatives": ("q v a", "dtau_dq dtau_dv M tau J dJ oMi v a"),
    "computeABADerivatives": ("q v tau", "ddq_dq ddq_dv Minv ddq J dJ oMi"),
    "computeForwardKinematicsDerivatives": ("q v a", "oMi liMi v a J dJ ov oa"),
    "computeGeneralizedGravityDerivatives": ("q", "g oMi J"),
    "computeStaticTorqueDerivatives": ("q f", "tau oMi J"),
    "computeKineticEnergy": ("q v", "kinetic_energy oMi v"),
    "computePotentialEnergy": ("q", "potential_energy oMi"),
    "computeMechanicalEnergy": ("q v", "kinetic_energy potential_energy mechanical_energy oMi v"),
    "computeAllTerms": (
        "q v",
        "M nle g J Jcom com0 vcom0 Ag dAg hg Ig oMi liMi v mass"
        " kinetic_energy potential_energy mechanical_energy",
    ),
    "computeJointTorqueRegressor": ("q v a", "jointTorqueRegressor"),
    "computeStaticRegressor": ("q", "staticRegressor"),
    "computeKineticEnergyRegressor": ("q v", "kineticEnergyRegressor"),
    "computePotentialEnergyRegressor": ("q", "potentialEnergyRegressor"),
    "computeTotalMass": ("", "mass0"),
    "computeSubtreeMasses": ("", "mass"),
}


#: Pinocchio leaves the rate of a motion subspace that changes with the position out of these; here it is in.
DERIVATIVES = "TimeVariation Derivatives Coriolis dccrba"


def build(library: Any, robot: str) -> Any:
    """A humanoid, or an arm whose joints are of other types."""
    if robot == "humanoid":
        return library.buildSampleModelHumanoid()
    model, parent = library.Model(), 0
    shapes = (
        library.JointModelRUBX(),
        library.JointModelPrismaticUnaligned(np.array([0.6, 0.0, 0.8])),
        library.JointModelSpherical(),
        library.JointModelHelicalUnaligned(np.array([0.0, 0.6, 0.8]), 0.2),
        library.JointModelPlanar(),
        library.JointModelTranslation(),
    )
    if robot == "chains":
        shapes += (
            library.JointModelSphericalZYX(),
            library.JointModelUniversal(np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])),
            library.JointModelRX(),
        )
    for i, shape in enumerate(shapes):
        where = library.SE3(library.rpy.rpyToMatrix(0.1 * i, 0.2, -0.3), np.array([0.1, 0.2 * i, 0.3]))
        parent = model.addJoint(parent, shape, where, f"joint_{i}")
        model.addJointFrame(parent, -1)
        body = library.Inertia(1.0 + i, np.array([0.1, -0.2, 0.1 * i]), np.diag([0.3, 0.4, 0.5]))
        model.appendBodyToJoint(parent, body, library.SE3.Identity())
    return model


def state(library: Any, model: Any) -> dict[str, Any]:
    """The same state for both libraries."""
    rng = np.random.default_rng(5)
    v, a, tau, dq = rng.standard_normal((4, model.nv))
    wrenches = rng.standard_normal((model.njoints, 6))
    q = library.integrate(model, library.neutral(model), dq)
    return {"q": q, "v": v, "a": a, "tau": tau, "f": [library.Force(row) for row in wrenches]}


def value(data: Any, field: str) -> Any:
    found = getattr(data, field.rstrip("0"))
    if field.endswith("0"):
        return found[0]
    if field in ("oMi", "liMi", "v", "a", "a_gf", "f", "ov", "oa"):
        return [found[i] for i in range(1, len(found))]  # the universe's are not always filled
    return found


def call(library: Any, name: str, model: Any, data: Any, given: list[Any]) -> Any:
    return getattr(library, name)(model, data, *given)


@pytest.mark.parametrize("robot", ["humanoid", "joint types", "chains"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_result_and_fields(algorithm: str, robot: str) -> None:
    name = algorithm.split()[0]
    arguments, fields = ALGORITHMS[algorithm]
    if robot == "chains":
        if any(word in name for word in DERIVATIVES.split()):
            pytest.skip("differs where a joint's motion subspace changes: docs/from_pinocchio.md")
        fields = " ".join(field for field in fields.split() if field not in ("dJ", "dAg"))
    results: list[tuple[Any, Any]] = []
    for library in (ours, theirs):
        model = build(library, robot)
        data, given = model.createData(), state(library, model)
        result = call(library, name, model, data, [given[key] for key in arguments.split()])
        results.append((result, data))
    (mine, my_data), (reference, their_data) = results
    for index, (a, b) in enumerate(zip(_parts(mine), _parts(reference), strict=True)):
        assert_same(f"{algorithm}: result {index}", a, b)
    for field in fields.split():
        assert_same(f"{algorithm}: data.{field}", value(my_data, field), value(their_data, field))


def _parts(result: Any) -> tuple[Any, ...]:
    if result is None:
        return ()
    return result if isinstance(result, tuple) else (result,)


def _getters(pin: Any, model: Any, data: Any) -> dict[str, Any]:
    """What reads a data after its kinematics."""
    place = pin.SE3(pin.rpy.rpyToMatrix(0.3, 0.1, 0.2), np.array([0.1, 0.0, -0.2]))
    frame, joint = model.nframes - 1, model.njoints - 1
    found: dict[str, Any] = {}
    for reference in ("LOCAL", "WORLD", "LOCAL_WORLD_ALIGNED"):
        rf = getattr(pin, reference)
        for name in ("getVelocity", "getAcceleration", "getClassicalAcceleration", "getJointJacobian"):
            found[f"{name} {reference}"] = getattr(pin, name)(model, data, joint, rf)
        found[f"getJointJacobianTimeVariation {reference}"] = pin.getJointJacobianTimeVariation(
            model, data, joint, rf
        )
        for name in (
            "getFrameVelocity",
            "getFrameAcceleration",
            "getFrameClassicalAcceleration",
            "getFrameJacobian",
        ):
            found[f"{name} {reference}"] = getattr(pin, name)(model, data, frame, rf)
            found[f"{name} of a point {reference}"] = getattr(pin, name)(model, data, joint, place, rf)
        found[f"getFrameJacobianTimeVariation {reference}"] = pin.getFrameJacobianTimeVariation(
            model, data, frame, rf
        )
    return found


@pytest.mark.parametrize("robot", ["humanoid", "joint types"])
def test_getters(robot: str) -> None:
    found = []
    for library in (ours, theirs):
        model = build(library, robot)
        data, given = model.createData(), state(library, model)
        library.forwardKinematics(model, data, given["q"], given["v"], given["a"])
        library.computeJointJacobians(model, data, given["q"])
        library.computeJointJacobiansTimeVariation(model, data, given["q"], given["v"])
        library.updateFramePlacements(model, data)
        found.append(_getters(library, model, data))
    for name, reference in found[1].items():
        assert_same(name, found[0][name], reference)


STATELESS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "computeKineticEnergy": lambda pin, m, d: pin.computeKineticEnergy(m, d),
    "computePotentialEnergy": lambda pin, m, d: pin.computePotentialEnergy(m, d),
    "computeMechanicalEnergy": lambda pin, m, d: pin.computeMechanicalEnergy(m, d),
    "centerOfMass": lambda pin, m, d: pin.centerOfMass(m, d),
    "centerOfMass of a level": lambda pin, m, d: pin.centerOfMass(m, d, pin.VELOCITY),
    "computeCentroidalMomentum": lambda pin, m, d: pin.computeCentroidalMomentum(m, d),
    "computeCentroidalMomentumTimeVariation": lambda pin, m, d: pin.computeCentroidalMomentumTimeVariation(
        m, d
    ),
    "computeJointJacobians": lambda pin, m, d: pin.computeJointJacobians(m, d),
    "jacobianCenterOfMass": lambda pin, m, d: pin.jacobianCenterOfMass(m, d),
    "cholesky": lambda pin, m, d: (pin.crba(m, d, d_q(d)), pin.cholesky.decompose(m, d))[1],
    "cholesky.solve": lambda pin, m, d: pin.cholesky.solve(m, d, np.arange(float(m.nv))),
    "data.D": lambda pin, m, d: d.D,
    "bodyRegressor": lambda pin, m, d: pin.bodyRegressor(d.v[3], d.a[3]),
    "computeFrameJacobian": lambda pin, m, d: pin.computeFrameJacobian(m, d, d_q(d), 4, pin.WORLD),
    "frameJacobianTimeVariation": lambda pin, m, d: pin.frameJacobianTimeVariation(
        m, d, d_q(d), np.ones(m.nv), 4, pin.LOCAL
    ),
    "jacobianSubtreeCenterOfMass": lambda pin, m, d: pin.jacobianSubtreeCenterOfMass(m, d, d_q(d), 3),
    "findCommonAncestor": lambda pin, m, d: np.array(pin.findCommonAncestor(m, 12, 20)),
    "computeTotalMass": lambda pin, m, d: pin.computeTotalMass(m),
    "updateFramePlacement": lambda pin, m, d: pin.updateFramePlacement(m, d, 6),
    "jointBodyRegressor": lambda pin, m, d: (
        pin.rnea(m, d, d_q(d), d_q(d)[1:], d_q(d)[1:]),
        pin.jointBodyRegressor(m, d, 5),
    )[1],
    "frameBodyRegressor": lambda pin, m, d: pin.frameBodyRegressor(m, d, 9),
}


def d_q(data: Any) -> np.ndarray:
    """The configuration that `test_functions_of_the_last_state` places the robot at."""
    return Q[data.M.shape[0]]


Q: dict[int, np.ndarray] = {}


def test_functions_of_the_last_state() -> None:
    found: list[dict[str, Any]] = []
    for library in (ours, theirs):
        model = library.buildSampleModelHumanoid()
        data, given = model.createData(), state(library, model)
        Q[model.nv] = given["q"]
        library.forwardKinematics(model, data, given["q"], given["v"], given["a"])
        found.append({name: function(library, model, data) for name, function in STATELESS.items()})
    for name, reference in found[1].items():
        assert_same(name, found[0][name], reference)


def test_rate_of_the_centroidal_map() -> None:
    """Pinocchio's function of this name gives another angular half than its dccrba, and than differences."""
    model, theirs_model = ours.buildSampleModelHumanoid(), theirs.buildSampleModelHumanoid()
    given = state(ours, model)
    mine = ours.computeCentroidalMapTimeVariation(model, model.createData(), given["q"], given["v"])
    reference = theirs.dccrba(theirs_model, theirs_model.createData(), given["q"], given["v"])
    assert_same("computeCentroidalMapTimeVariation", mine, reference)
