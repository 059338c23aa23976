"""Every algorithm against Pinocchio on real robots, fixed and with a free-flyer, 100 states each."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from algorithms.states import Comparison, states
from robots import ROBOTS, ROOTS, our_model, pin_model
from tolerances import REL

import dyn_node
from dyn_node import ReferenceFrame

pin = pytest.importorskip("pinocchio", reason="Pinocchio (pip install pin) is the reference of these tests")

CASES = [(robot, root) for robot in ROBOTS for root in ROOTS]
REFERENCES = {
    ReferenceFrame.LOCAL: pin.LOCAL,
    ReferenceFrame.WORLD: pin.WORLD,
    ReferenceFrame.LOCAL_WORLD_ALIGNED: pin.LOCAL_WORLD_ALIGNED,
}


def pair(robot: str, root: str):
    ours, theirs = our_model(robot, root), pin_model(robot, root)
    return ours, ours.create_data(), theirs, theirs.createData()


@pytest.mark.parametrize(("robot", "root"), CASES)
def test_dynamics(robot: str, root: str) -> None:
    model, data, theirs, reference = pair(robot, root)
    compare = Comparison(robot, root)
    for q, v, a, tau, f_ext in states(model):
        forces = [pin.Force(f) for f in f_ext]
        compare.add("rnea", dyn_node.rnea(model, data, q, v, a), pin.rnea(theirs, reference, q, v, a))
        compare.add(
            "rnea with f_ext",
            dyn_node.rnea(model, data, q, v, a, f_ext),
            pin.rnea(theirs, reference, q, v, a, forces),
        )
        compare.add(
            "generalized_gravity",
            dyn_node.generalized_gravity(model, data, q),
            pin.computeGeneralizedGravity(theirs, reference, q),
        )
        compare.add(
            "nonlinear_effects",
            dyn_node.nonlinear_effects(model, data, q, v),
            pin.nonLinearEffects(theirs, reference, q, v),
        )
        upper = np.triu(pin.crba(theirs, reference, q))
        compare.add("crba", dyn_node.crba(model, data, q), upper + np.triu(upper, 1).T)
        compare.add("aba", dyn_node.aba(model, data, q, v, tau), pin.aba(theirs, reference, q, v, tau))
        compare.add(
            "aba with f_ext",
            dyn_node.aba(model, data, q, v, tau, f_ext),
            pin.aba(theirs, reference, q, v, tau, forces),
        )
    compare.check(REL)


@pytest.mark.parametrize(("robot", "root"), CASES)
def test_placements(robot: str, root: str) -> None:
    model, data, theirs, reference = pair(robot, root)
    compare = Comparison(robot, root)
    for q, *_ in states(model):
        dyn_node.forward_kinematics(model, data, q)
        dyn_node.update_frame_placements(model, data)
        pin.framesForwardKinematics(theirs, reference, q)
        for joint in range(model.njoints):
            compare.add("oMi", data.oMi[joint].homogeneous, reference.oMi[joint].homogeneous)
        for frame in range(model.nframes):
            compare.add("oMf", data.oMf[frame].homogeneous, reference.oMf[frame].homogeneous)
        one = model.nframes - 1
        single = dyn_node.frame_placement(model, data, one)
        compare.add("frame_placement", single.homogeneous, reference.oMf[one].homogeneous)
    compare.check(REL)


@pytest.mark.parametrize(("robot", "root"), CASES)
def test_motions_of_frames(robot: str, root: str) -> None:
    model, data, theirs, reference = pair(robot, root)
    compare = Comparison(robot, root)
    for count, (q, v, a, *_) in enumerate(states(model)):
        dyn_node.forward_kinematics(model, data, q, v, a)
        pin.forwardKinematics(theirs, reference, q, v, a)
        # Every frame is looked at, a few in each state.
        for frame in range(count % 7, model.nframes, 7):
            for ours, pins in REFERENCES.items():
                velocity = dyn_node.frame_velocity(model, data, frame, ours)
                compare.add(
                    f"frame_velocity {ours.name}",
                    velocity.vector,
                    pin.getFrameVelocity(theirs, reference, frame, pins).vector,
                )
                acceleration = dyn_node.frame_acceleration(model, data, frame, ours)
                compare.add(
                    f"frame_acceleration {ours.name}",
                    acceleration.vector,
                    pin.getFrameAcceleration(theirs, reference, frame, pins).vector,
                )
                classical = dyn_node.frame_classical_acceleration(model, data, frame, ours)
                compare.add(
                    f"frame_classical_acceleration {ours.name}",
                    classical.vector,
                    pin.getFrameClassicalAcceleration(theirs, reference, frame, pins).vector,
                )
    compare.check(REL)


@pytest.mark.parametrize(("robot", "root"), CASES)
def test_jacobians(robot: str, root: str) -> None:
    model, data, theirs, reference = pair(robot, root)
    compare = Comparison(robot, root)
    for count, (q, *_) in enumerate(states(model)):
        for frame in range(count % 7, model.nframes, 7):
            for ours, pins in REFERENCES.items():
                compare.add(
                    f"frame_jacobian {ours.name}",
                    dyn_node.frame_jacobian(model, data, q, frame, ours),
                    pin.computeFrameJacobian(theirs, reference, q, frame, pins),
                )
        joint = 1 + count % (model.njoints - 1)
        compare.add(
            "joint_jacobian LOCAL",
            dyn_node.joint_jacobian(model, data, q, joint),
            pin.computeJointJacobian(theirs, reference, q, joint),
        )
    compare.check(REL)


@pytest.mark.parametrize(("robot", "root"), CASES)
def test_configurations(robot: str, root: str) -> None:
    model, _, theirs, _ = pair(robot, root)
    compare = Comparison(robot, root)
    drawn = states(model)
    compare.add("neutral", dyn_node.neutral(model), pin.neutral(theirs))
    for (q0, v, *_), (q1, *_) in itertools.pairwise(drawn):
        compare.add("integrate", dyn_node.integrate(model, q0, v), pin.integrate(theirs, q0, v))
        compare.add("difference", dyn_node.difference(model, q0, q1), pin.difference(theirs, q0, q1))
        scaled = 1.5 * q0
        compare.add("normalize", dyn_node.normalize(model, scaled), pin.normalize(theirs, scaled))
    compare.check(REL)


def test_a_planar_root() -> None:
    """The planar root as a joint of the reference library's own."""
    from robots import robot_path

    theirs = pin.buildModelFromUrdf(robot_path("ur5"), pin.JointModelPlanar())
    model = our_model("ur5", "planar")
    data, reference = model.create_data(), theirs.createData()
    compare = Comparison("ur5", "planar")
    for q, v, a, tau, _ in states(model, 20):
        compare.add("rnea", dyn_node.rnea(model, data, q, v, a), pin.rnea(theirs, reference, q, v, a))
        compare.add("aba", dyn_node.aba(model, data, q, v, tau), pin.aba(theirs, reference, q, v, tau))
        compare.add("integrate", dyn_node.integrate(model, q, v), pin.integrate(theirs, q, v))
        q1 = dyn_node.integrate(model, q, a)
        compare.add("difference", dyn_node.difference(model, q, q1), pin.difference(theirs, q, q1))
    compare.check(REL)
