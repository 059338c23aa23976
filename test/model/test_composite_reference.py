"""Composite, universal and spherical ZYX joints against the reference library's, in every algorithm."""

from __future__ import annotations

import functools
from itertools import pairwise

import numpy as np
import pytest
from algorithms.states import Comparison, states
from tolerances import IDENTITY, REL

import dyn_node
from dyn_node.errors import ShapeError
from dyn_node.model import ModelBuilder, SubJoint
from dyn_node.spatial import SE3, Inertia

pin = pytest.importorskip("pinocchio", reason="Pinocchio (pip install pin) is the reference of these tests")

RNG = np.random.default_rng(7)
AXES = [axis / np.linalg.norm(axis) for axis in RNG.standard_normal((4, 3))]
PLACES = [SE3.Random(RNG) for _ in range(9)]
BODIES = [Inertia(m, RNG.standard_normal(3), np.diag([0.2, 0.3, 0.4])) for m in (1.0, 2.0, 3.0, 4.0)]


def their(placement: SE3):
    return pin.SE3(placement.rotation, placement.translation)


@functools.cache
def ours():
    builder = ModelBuilder("composites")
    parts = [
        SubJoint("revolute", PLACES[0], axis=AXES[0]),
        SubJoint("prismatic", PLACES[1], axis=AXES[1]),
        SubJoint("spherical", PLACES[2]),
        SubJoint("continuous", PLACES[3], axis=(0, 1, 0)),
    ]
    first = builder.add_joint(0, "composite", PLACES[4], "a", parts=parts)
    builder.add_joint(first, "universal", PLACES[5], "b", axis=AXES[2], axis2=AXES[3])
    builder.add_joint("b", "revolute", PLACES[6], "c", axis=AXES[0])
    builder.add_joint("a", "spherical_zyx", PLACES[7], "d")
    for name, body in zip("abcd", BODIES, strict=True):
        builder.append_body(name, body, PLACES[8], f"link_{name}")
    return builder.build()


@functools.cache
def theirs():
    model, composite = pin.Model(), pin.JointModelComposite()
    composite.addJoint(pin.JointModelRevoluteUnaligned(AXES[0]), their(PLACES[0]))
    composite.addJoint(pin.JointModelPrismaticUnaligned(AXES[1]), their(PLACES[1]))
    composite.addJoint(pin.JointModelSpherical(), their(PLACES[2]))
    composite.addJoint(pin.JointModelRUBY(), their(PLACES[3]))
    model.addJoint(0, composite, their(PLACES[4]), "a")
    model.addJoint(1, pin.JointModelUniversal(AXES[2], AXES[3]), their(PLACES[5]), "b")
    model.addJoint(2, pin.JointModelRevoluteUnaligned(AXES[0]), their(PLACES[6]), "c")
    model.addJoint(1, pin.JointModelSphericalZYX(), their(PLACES[7]), "d")
    for joint, (name, body) in enumerate(zip("abcd", BODIES, strict=True), 1):
        model.appendBodyToJoint(joint, pin.Inertia(body.mass, body.com, body.inertia), their(PLACES[8]))
        model.addFrame(pin.Frame(f"link_{name}", joint, their(PLACES[8]), pin.BODY))
    return model


def test_sizes():
    a, b = ours(), theirs()
    assert (a.nq, a.nv, a.njoints) == (b.nq, b.nv, b.njoints)
    assert [j.idx_q for j in a.joints[1:]] == list(b.idx_qs)[1:]
    assert [j.idx_v for j in a.joints[1:]] == list(b.idx_vs)[1:]
    assert len(a.records) > a.njoints, "a chain has several records"


def test_dynamics():
    a, b = ours(), theirs()
    data, reference, compare = a.create_data(), b.createData(), Comparison("composites", "fixed")
    for q, v, acc, tau, f_ext in states(a, 20):
        forces = [pin.Force(f) for f in f_ext]
        compare.add("rnea", dyn_node.rnea(a, data, q, v, acc), pin.rnea(b, reference, q, v, acc))
        wrenched = pin.rnea(b, reference, q, v, acc, forces)
        compare.add("rnea with f_ext", dyn_node.rnea(a, data, q, v, acc, f_ext), wrenched)
        gravity = pin.computeGeneralizedGravity(b, reference, q)
        compare.add("generalized_gravity", dyn_node.generalized_gravity(a, data, q), gravity)
        drift = pin.nonLinearEffects(b, reference, q, v)
        compare.add("nonlinear_effects", dyn_node.nonlinear_effects(a, data, q, v), drift)
        upper = np.triu(pin.crba(b, reference, q))
        compare.add("crba", dyn_node.crba(a, data, q), upper + np.triu(upper, 1).T)
        compare.add("aba", dyn_node.aba(a, data, q, v, tau), pin.aba(b, reference, q, v, tau))
        wrenched = pin.aba(b, reference, q, v, tau, forces)
        compare.add("aba with f_ext", dyn_node.aba(a, data, q, v, tau, f_ext), wrenched)
    compare.check(REL)


def test_kinematics():
    a, b = ours(), theirs()
    data, reference, compare = a.create_data(), b.createData(), Comparison("composites", "fixed")
    for q, v, acc, *_ in states(a, 20):
        dyn_node.forward_kinematics(a, data, q, v, acc)
        dyn_node.update_frame_placements(a, data)
        pin.forwardKinematics(b, reference, q, v, acc)
        pin.updateFramePlacements(b, reference)
        for joint in range(a.njoints):
            compare.add("oMi", data.oMi[joint].homogeneous, reference.oMi[joint].homogeneous)
            jacobian = pin.computeJointJacobian(b, reference, q, joint) if joint else np.zeros((6, b.nv))
            compare.add("joint_jacobian", dyn_node.joint_jacobian(a, data, q, joint), jacobian)
        for name in ("link_a", "link_b", "link_c", "link_d"):
            k = b.getFrameId(name)
            compare.add("oMf", data.oMf[name].homogeneous, reference.oMf[k].homogeneous)
            single = dyn_node.frame_placement(a, data, name)
            compare.add("frame_placement", single.homogeneous, reference.oMf[k].homogeneous)
            velocity = pin.getFrameVelocity(b, reference, k, pin.LOCAL).vector
            compare.add("frame_velocity", dyn_node.frame_velocity(a, data, name).vector, velocity)
            acceleration = pin.getFrameAcceleration(b, reference, k, pin.LOCAL).vector
            compare.add("frame_acceleration", dyn_node.frame_acceleration(a, data, name).vector, acceleration)
            jacobian = pin.computeFrameJacobian(b, reference, q, k, pin.WORLD)
            compare.add("frame_jacobian", dyn_node.frame_jacobian(a, data, q, name, "WORLD"), jacobian)
    compare.check(REL)


def test_configurations():
    a, b = ours(), theirs()
    compare, drawn = Comparison("composites", "fixed"), states(a, 20)
    compare.add("neutral", dyn_node.neutral(a), pin.neutral(b))
    for (q0, v, *_), (q1, *_) in pairwise(drawn):
        compare.add("integrate", dyn_node.integrate(a, q0, v), pin.integrate(b, q0, v))
        compare.add("difference", dyn_node.difference(a, q0, q1), pin.difference(b, q0, q1))
        compare.add("squared_distance", dyn_node.squared_distance(a, q0, q1), pin.squaredDistance(b, q0, q1))
    compare.check(REL)


def test_forces_come_one_a_joint():
    model, forces = ours(), np.zeros((len(ours().joints) + 1, 6))
    q, v = dyn_node.neutral(model), np.zeros(model.nv)
    with pytest.raises(ShapeError, match=r"f_ext: expected .*\(5, 6\)"):
        dyn_node.rnea(model, model.create_data(), q, v, v, forces)


def test_motion_subspace_at_neutral_is_the_jacobian():
    model = ours()
    data, q = model.create_data(), dyn_node.neutral(model)
    for joint in model.joints[1:]:
        own = dyn_node.joint_jacobian(model, data, q, joint.index)[:, joint.moved_by]
        assert np.abs(joint.motion_subspace.T - own).max() <= IDENTITY, joint.name


@pytest.mark.parametrize("bad", [[0.0, 0.0, 0.0, 0.0], [0.0, np.nan, 0.0, 1.0]])
def test_a_quaternion_without_direction_is_said_of_the_composite(bad):
    q = dyn_node.neutral(ours())
    q[2:6] = bad
    with pytest.raises(dyn_node.DynNodeError, match="joint 'a' \\(composite\\)"):
        dyn_node.normalize(ours(), q)


def test_inverse_kinematics_through_composites():
    model = ours()
    data = model.create_data()
    q, *_ = states(model, 1, seed=3)[0]
    dyn_node.forward_kinematics(model, data, q)
    found = dyn_node.solve_ik(model, "link_c", dyn_node.frame_placement(model, data, "link_c"), timeout=1.0)
    assert found.success, found.message
    assert dyn_node.is_normalized(model, found.q)
