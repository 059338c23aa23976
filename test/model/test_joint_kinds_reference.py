"""Each kind of joint is the one that the reference library means: sizes and motion subspace."""

from __future__ import annotations

import numpy as np
import pytest
from tolerances import REL

from dyn_node.model import ModelBuilder
from dyn_node.model.joint_kinds import KINDS
from dyn_node.spatial import SE3

pin = pytest.importorskip("pinocchio")

AXIS, AXIS2, PITCH = np.array([2.0, -1.0, 2.0]) / 3.0, np.array([1.0, 2.0, 0.0]) / np.sqrt(5.0), 0.3
#: The reference library's bindings make no continuous joint on any other axis.
CONTINUOUS_AXIS = (0.0, 1.0, 0.0)
THEIRS = {
    "revolute": lambda: pin.JointModelRevoluteUnaligned(AXIS),
    "prismatic": lambda: pin.JointModelPrismaticUnaligned(AXIS),
    "continuous": lambda: pin.JointModelRUBY(),
    "helical": lambda: pin.JointModelHelicalUnaligned(AXIS, PITCH),
    "free_flyer": lambda: pin.JointModelFreeFlyer(),
    "planar": lambda: pin.JointModelPlanar(),
    "spherical": lambda: pin.JointModelSpherical(),
    "spherical_zyx": lambda: pin.JointModelSphericalZYX(),
    "translation": lambda: pin.JointModelTranslation(),
    "universal": lambda: pin.JointModelUniversal(AXIS, AXIS2),
}


def test_all_kinds_are_compared():
    # What a composite is made of is compared in test_composite_reference.
    assert set(THEIRS) == set(KINDS) - {"universe", "composite"}


@pytest.mark.parametrize("kind", THEIRS)
def test_sizes_and_motion_subspace(kind):
    theirs = pin.Model()
    theirs.addJoint(0, THEIRS[kind](), pin.SE3.Identity(), "j")
    builder = ModelBuilder()
    axis = CONTINUOUS_AXIS if kind == "continuous" else AXIS
    builder.add_joint(0, kind, SE3.Identity(), axis=axis, axis2=AXIS2, pitch=PITCH * (kind == "helical"))
    ours = builder.build()
    assert (ours.nq, ours.nv) == (theirs.nq, theirs.nv), f"{kind}: nq, nv"
    data = theirs.createData()
    pin.computeJointJacobians(theirs, data, pin.neutral(theirs))
    expected = pin.getJointJacobian(theirs, data, 1, pin.LOCAL).reshape(6, ours.nv)
    error = np.abs(ours.joints[1].motion_subspace.T - expected).max()
    assert error <= REL, f"{kind}: motion subspace differs by {error:.3g}"
