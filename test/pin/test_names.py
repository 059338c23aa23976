"""Every name of Pinocchio is here, or the error and the documentation say that it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import dyn_node.pin as pin

DOCUMENT = (Path(__file__).parents[2] / "docs" / "from_pinocchio.md").read_text(encoding="utf-8")

ALGORITHMS = """
forwardKinematics framesForwardKinematics updateFramePlacements updateFramePlacement getVelocity
getAcceleration getClassicalAcceleration getFrameVelocity getFrameAcceleration
getFrameClassicalAcceleration computeJointJacobians computeJointJacobian getJointJacobian
computeFrameJacobian getFrameJacobian computeJointJacobiansTimeVariation
getJointJacobianTimeVariation getFrameJacobianTimeVariation frameJacobianTimeVariation rnea
nonLinearEffects nle computeGeneralizedGravity computeStaticTorque computeCoriolisMatrix crba aba
computeMinverse computeRNEADerivatives computeABADerivatives computeGeneralizedGravityDerivatives
computeStaticTorqueDerivatives computeForwardKinematicsDerivatives getJointVelocityDerivatives
getJointAccelerationDerivatives getFrameVelocityDerivatives getFrameAccelerationDerivatives
getPointVelocityDerivatives getPointClassicAccelerationDerivatives computeKineticEnergy
computePotentialEnergy computeMechanicalEnergy centerOfMass jacobianCenterOfMass
jacobianSubtreeCenterOfMass getCenterOfMassVelocityDerivatives ccrba dccrba computeCentroidalMap
computeCentroidalMapTimeVariation computeCentroidalMomentum computeCentroidalMomentumTimeVariation
computeCentroidalDynamicsDerivatives computeJointTorqueRegressor computeStaticRegressor
computeKineticEnergyRegressor computePotentialEnergyRegressor bodyRegressor computeAllTerms
integrate difference interpolate neutral normalize randomConfiguration distance squaredDistance
isSameConfiguration isNormalized dIntegrate dDifference dIntegrateTransport exp3 log3 exp6 log6
Jexp3 Jlog3 Jexp6 Jlog6 skew rpy buildModelFromUrdf buildModelFromXML buildReducedModel appendModel
buildSampleModelManipulator buildSampleModelHumanoid buildSampleModelHumanoidRandom
computeJointKinematicHessians rneaInParallel abaInParallel
""".split()  # noqa: SIM905 - a list of words is easier to read so


@pytest.mark.parametrize("name", ALGORITHMS)
def test_present_or_listed(name: str) -> None:
    found = hasattr(pin, name)
    assert found or name in DOCUMENT.split("## Not covered")[1], f"{name} is neither there nor listed"


def test_every_name_of_the_reference_library_has_an_answer() -> None:
    theirs = pytest.importorskip("pinocchio")
    modules = {"deprecated", "inspect", "numpy", "pin", "pinocchio_pywrap_default", "submodules", "sys"}
    settings = {
        name
        for name in dir(theirs)
        if name.isupper() or name in ("Exception", "boost_type_index", "std_type_index")
    }
    silent = []
    for name in dir(theirs):
        if name.startswith(("_", "map_indexing")) or name in modules | settings or hasattr(pin, name):
            continue
        try:
            getattr(pin, name)
        except AttributeError as error:
            if "exists in Pinocchio" not in str(error):
                silent.append(name)
    assert not silent, f"no reason is given for {silent}"


def test_unknown_names_are_unknown() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'noSuchName'"):
        pin.noSuchName  # noqa: B018
    with pytest.raises(AttributeError, match="exists in Pinocchio, but"):
        pin.lcaba  # noqa: B018
    data = pin.buildSampleModelManipulator().createData()
    with pytest.raises(AttributeError, match="exists in Pinocchio"):
        data.oYcrb  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        data.nothing  # noqa: B018
