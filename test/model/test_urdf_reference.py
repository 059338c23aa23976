"""Every real URDF gives the model that the reference library makes of it."""

from __future__ import annotations

import numpy as np
import pytest
from robots import ALL_URDFS, ROBOTS, ROOTS, our_model, pin_model, robot_path
from tolerances import REL

from dyn_node.errors import UrdfError
from dyn_node.model import load_urdf

pytest.importorskip("pinocchio")
pytestmark = pytest.mark.skipif(not ALL_URDFS, reason="example-robot-data is not installed")

#: Files that hold no robot; the reference library refuses them too.
NOT_A_ROBOT = ("ur_description/urdf/ur3.urdf",)
LOADABLE = [name for name in (*ROBOTS, *ALL_URDFS) if name not in NOT_A_ROBOT]

FRAME_TYPES = {"universe": "FIXED_JOINT", "joint": "JOINT", "fixed_joint": "FIXED_JOINT", "body": "BODY"}
#: The reference library writes "no limit" as its largest number.
UNLIMITED = 1e300


def pytest_generate_tests(metafunc):
    if {"name", "root"} <= set(metafunc.fixturenames):
        metafunc.parametrize("root", ROOTS)
        metafunc.parametrize("name", LOADABLE)


def check_equal(ours, theirs, where, field):
    ours, theirs = list(ours), list(theirs)
    different = [(i, a, b) for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b]
    assert not different, f"{where}: {field}: first difference (index, ours, theirs): {different[0]}"
    assert len(ours) == len(theirs), f"{where}: {field}: {len(ours)} entries against {len(theirs)}"


def check_close(ours, theirs, where, field):
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    scale = max(1.0, np.abs(theirs).max(initial=0.0))
    error = np.abs(ours - theirs).max(initial=0.0)
    assert error <= REL * scale, (
        f"{where}: {field}: differs by {error:.3g} where {REL * scale:.3g} is allowed"
    )


def test_sizes_and_joints(name, root):
    ours, theirs = our_model(name, root), pin_model(name, root)
    where = f"{name}, {root}"
    check_equal(
        [ours.nq, ours.nv, ours.njoints], [theirs.nq, theirs.nv, theirs.njoints], where, "nq, nv, njoints"
    )
    check_equal(ours.joint_names, theirs.names, where, "joint names")
    check_equal([j.parent for j in ours.joints[1:]], list(theirs.parents)[1:], where, "joint parents")
    check_equal([j.idx_q for j in ours.joints[1:]], list(theirs.idx_qs)[1:], where, "idx_q")
    check_equal([j.idx_v for j in ours.joints[1:]], list(theirs.idx_vs)[1:], where, "idx_v")
    for joint, placement in zip(ours.joints, theirs.jointPlacements, strict=True):
        check_close(
            joint.placement.homogeneous, placement.homogeneous, where, f"placement of joint {joint.name}"
        )


def test_axes(name, root):
    pin = pytest.importorskip("pinocchio")
    ours, theirs = our_model(name, root), pin_model(name, root)
    data = theirs.createData()
    pin.computeJointJacobians(theirs, data, pin.neutral(theirs))
    for joint in ours.joints[1:]:
        columns = pin.getJointJacobian(theirs, data, joint.index, pin.LOCAL)[
            :, joint.idx_v : joint.idx_v + joint.nv
        ]
        check_close(joint.motion_subspace.T, columns, f"{name}, {root}", f"motion subspace of {joint.name}")


def test_frames(name, root):
    ours, theirs = our_model(name, root), pin_model(name, root)
    where = f"{name}, {root}"
    check_equal([f.name for f in ours.frames], [f.name for f in theirs.frames], where, "frame names")
    check_equal(
        [FRAME_TYPES[f.kind] for f in ours.frames], [f.type.name for f in theirs.frames], where, "frame types"
    )
    check_equal(
        [f.parent_joint for f in ours.frames],
        [f.parentJoint for f in theirs.frames],
        where,
        "parent joints of frames",
    )
    check_equal(
        [f.parent_frame for f in ours.frames], [f.parentFrame for f in theirs.frames], where, "parent frames"
    )
    for a, b in zip(ours.frames, theirs.frames, strict=True):
        check_close(a.placement.homogeneous, b.placement.homogeneous, where, f"placement of frame {a.name}")


def test_limits_and_friction(name, root):
    ours, theirs = our_model(name, root), pin_model(name, root)
    where = f"{name}, {root}"
    for field, attribute in (
        ("velocity_limit", "velocityLimit"),
        ("effort_limit", "effortLimit"),
        ("damping", "damping"),
        ("friction", "friction"),
    ):
        values = np.array(getattr(theirs, attribute))
        check_equal(getattr(ours, field), np.where(values > UNLIMITED, np.inf, values), where, field)
    for field, attribute in (
        ("lower_position_limit", "lowerPositionLimit"),
        ("upper_position_limit", "upperPositionLimit"),
    ):
        mine, values = getattr(ours, field), getattr(theirs, attribute)
        for joint in ours.joints[1:]:
            part = slice(joint.idx_q, joint.idx_q + joint.nq)
            # For want of limits the reference library bounds cosines and quaternions by 1.01.
            expected = (
                values[part] if joint.nq == 1 else np.full(joint.nq, -np.inf if "lower" in field else np.inf)
            )
            check_equal(mine[part], expected, where, f"{field} of joint {joint.name}")


def test_lumped_inertias(name, root):
    ours, theirs = our_model(name, root), pin_model(name, root)
    for joint, a, b in zip(ours.joints, ours.inertias, theirs.inertias, strict=True):
        check_close(a.matrix, b.matrix(), f"{name}, {root}", f"lumped inertia of joint {joint.name}")


@pytest.mark.parametrize("name", NOT_A_ROBOT)
def test_a_file_without_a_robot_is_refused(name):
    with pytest.raises(UrdfError, match="no <link>"):
        load_urdf(robot_path(name))


@pytest.mark.parametrize("name", ROBOTS)
def test_planar_root(name):
    ours, theirs = our_model(name, "planar"), pin_model(name, "planar")
    check_equal([ours.nq, ours.nv], [theirs.nq, theirs.nv], f"{name}, planar", "nq, nv")
    check_equal(ours.joint_names, theirs.names, f"{name}, planar", "joint names")
    assert ours.coordinate_names[:3] == ("root_joint/vx", "root_joint/vy", "root_joint/wz")
