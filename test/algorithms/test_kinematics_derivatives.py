"""Derivatives of the motion of frames, joints and points: against Pinocchio, and against differences."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.mixed import robot, slope  # noqa: F401 - robot is a fixture
from algorithms.pairs import CASES, REFERENCES, pair, pin
from algorithms.states import Comparison, relative, states
from tolerances import DIFFERENCES, IDENTITY, REL

import dyn_node
from dyn_node import LOCAL, LOCAL_WORLD_ALIGNED, WORLD, ReferenceFrame
from dyn_node.errors import InvalidValueError, ShapeError, UnknownFrameError, UnknownJointError

POINT = np.array([0.1, -0.2, 0.3])


def held_back(result, velocity, acceleration=None):
    """The derivatives as Pinocchio defines them in LOCAL_WORLD_ALIGNED (see the module's docstring)."""

    def add(columns, motion):
        return columns + np.vstack([np.cross(result.dv_dv[:3], motion.angular, axis=0), 0.0 * columns[3:]])

    result = result._replace(dv_dq=add(result.dv_dq, velocity))
    return result if acceleration is None else result._replace(da_dq=add(result.da_dq, acceleration))


def add_all(compare: Comparison, label: str, result, expected) -> None:
    """Compare what both have: theirs come without the acceleration's copy of dv_dv."""
    fields = ("dv_dq", "dv_dv") if len(expected) == 2 else ("dv_dq", "da_dq", "da_dv", "da_da")
    for field, other in zip(fields, expected, strict=True):
        compare.add(f"{label} {field}", getattr(result, field), other)


@pytest.mark.parametrize(("name", "root"), CASES)
def test_against_pinocchio(name: str, root: str) -> None:
    model, data, theirs, reference = pair(name, root)
    compare = Comparison(name, root)
    for count, (q, v, a, *_) in enumerate(states(model, 14)):
        pin.computeForwardKinematicsDerivatives(theirs, reference, q, v, a)
        dyn_node.forward_kinematics(model, data, q, v, a)
        for ours, pins in REFERENCES.items():
            for frame in range(count % 7, model.nframes, 7):
                where = theirs, reference, frame, pins
                first = dyn_node.frame_velocity_derivatives(model, data, q, v, frame, ours)
                second = dyn_node.frame_acceleration_derivatives(model, data, q, v, a, frame, ours)
                if ours == LOCAL_WORLD_ALIGNED:
                    velocity = dyn_node.frame_velocity(model, data, frame, ours)
                    first = held_back(first, velocity)
                    second = held_back(
                        second, velocity, dyn_node.frame_acceleration(model, data, frame, ours)
                    )
                label = f"frame_velocity_derivatives {ours.name}"
                add_all(compare, label, first, pin.getFrameVelocityDerivatives(*where))
                label = f"frame_acceleration_derivatives {ours.name}"
                add_all(compare, label, second, pin.getFrameAccelerationDerivatives(*where))
    compare.check(REL)


def test_a_joints_derivatives_are_its_frames(robot) -> None:  # noqa: F811
    model, data = robot
    q, v, a, *_ = states(model, 1)[0]
    for joint in range(1, model.njoints):
        frame = model.joint_frames[joint]
        for reference in ReferenceFrame:
            ours = dyn_node.joint_velocity_derivatives(model, data, q, v, joint, reference)
            its = dyn_node.frame_velocity_derivatives(model, data, q, v, frame, reference)
            assert np.array_equal(ours, its), f"{model.name}, {model.joints[joint].name}"
            ours = dyn_node.joint_acceleration_derivatives(model, data, q, v, a, joint, reference)
            its = dyn_node.frame_acceleration_derivatives(model, data, q, v, a, frame, reference)
            assert np.array_equal(ours, its), f"{model.name}, {model.joints[joint].name}"


@pytest.mark.parametrize(("name", "root"), CASES)
def test_points_against_pinocchio(name: str, root: str) -> None:
    model, data, theirs, reference = pair(name, root)
    compare = Comparison(name, root)
    for count, (q, v, a, *_) in enumerate(states(model, 10)):
        pin.computeForwardKinematicsDerivatives(theirs, reference, q, v, a)
        frame = model.frames[(7 * count) % model.nframes]
        placement = pin.SE3(frame.placement.rotation, frame.placement.act(POINT))
        for ours in (LOCAL, LOCAL_WORLD_ALIGNED):
            where = theirs, reference, frame.parent_joint, placement, REFERENCES[ours]
            result = dyn_node.point_acceleration_derivatives(model, data, q, v, a, frame.index, POINT, ours)
            label = f"point_acceleration_derivatives {ours.name}"
            add_all(compare, label, result, pin.getPointClassicAccelerationDerivatives(*where))
            result = dyn_node.point_velocity_derivatives(model, data, q, v, frame.index, POINT, ours)
            label = f"point_velocity_derivatives {ours.name}"
            add_all(compare, label, result, pin.getPointVelocityDerivatives(*where))
    compare.check(REL)


GETTERS = {
    "frame_velocity": (dyn_node.frame_velocity, dyn_node.frame_acceleration_derivatives, "dv"),
    "frame_acceleration": (dyn_node.frame_acceleration, dyn_node.frame_acceleration_derivatives, "da"),
    "frame_classical_acceleration": (
        dyn_node.frame_classical_acceleration,
        dyn_node.frame_classical_acceleration_derivatives,
        "da",
    ),
}


@pytest.mark.parametrize("quantity", GETTERS)
def test_against_differences(robot, quantity: str) -> None:  # noqa: F811
    model, data = robot
    getter, derivatives, letter = GETTERS[quantity]
    q, v, a, *_ = states(model, 1)[0]
    for frame in range(model.nframes):
        for reference in ReferenceFrame:
            result = derivatives(model, data, q, v, a, frame, reference)

            def value(dq, dv, da, frame=frame, reference=reference):
                dyn_node.forward_kinematics(model, data, dyn_node.integrate(model, q, dq), v + dv, a + da)
                return getter(model, data, frame, reference).vector

            none = np.zeros(model.nv)
            expected = {
                f"{letter}_dq": slope(lambda d: value(d, none, none), model.nv),  # noqa: B023
                f"{letter}_dv": slope(lambda d: value(none, d, none), model.nv),  # noqa: B023
            }
            if letter == "da":
                expected["da_da"] = slope(lambda d: value(none, none, d), model.nv)  # noqa: B023
            for field, other in expected.items():
                label = f"{model.name}, {quantity}, {model.frames[frame].name}, {reference.name}, {field}"
                assert relative(getattr(result, field), other) < DIFFERENCES, label


def test_velocity_derivatives_are_those_that_come_with_the_acceleration(robot) -> None:  # noqa: F811
    model, data = robot
    q, v, a, *_ = states(model, 1)[0]
    frame = model.nframes - 1
    for reference in ReferenceFrame:
        alone = dyn_node.frame_velocity_derivatives(model, data, q, v, frame, reference)
        both = dyn_node.frame_acceleration_derivatives(model, data, q, v, a, frame, reference)
        J = dyn_node.frame_jacobian(model, data, q, frame, reference)
        assert relative(alone.dv_dq, both.dv_dq) < IDENTITY, f"{model.name}, {reference.name}"
        assert relative(alone.dv_dv, both.dv_dv) < IDENTITY, f"{model.name}, {reference.name}"
        assert relative(alone.dv_dv, J) < IDENTITY, f"{model.name}, {reference.name}"


def test_a_points_world_axes_are_those_of_the_world() -> None:
    model = dyn_node.robots.load("panda")
    data, (q, v, a, *_) = model.create_data(), states(model, 1)[0]
    one = dyn_node.point_acceleration_derivatives(model, data, q, v, a, "panda_hand", POINT, WORLD)
    other = dyn_node.point_acceleration_derivatives(model, data, q, v, a, "panda_hand", POINT)
    for field, ours, theirs in zip(one._fields, one, other, strict=True):
        assert np.array_equal(ours, theirs), field


def test_bad_arguments_are_refused() -> None:
    model = dyn_node.robots.load("panda")
    data, q, v = model.create_data(), dyn_node.neutral(model), np.ones(model.nv)
    dyn_node.frame_velocity_derivatives(model, data, list(q), v, 3)
    with pytest.raises(ShapeError, match="v"):
        dyn_node.frame_velocity_derivatives(model, data, q, v[1:], 3)
    with pytest.raises(ShapeError, match="a: "):
        dyn_node.frame_acceleration_derivatives(model, data, q, v, v[1:], 3)
    with pytest.raises(UnknownFrameError):
        dyn_node.frame_acceleration_derivatives(model, data, q, v, v, 10_000)
    for nowhere in ("nowhere", "", -1, 3, None, np.ones(2)):
        with pytest.raises(InvalidValueError, match="LOCAL"):
            dyn_node.frame_velocity_derivatives(model, data, q, v, 3, nowhere)
        with pytest.raises(InvalidValueError, match="LOCAL"):
            dyn_node.joint_acceleration_derivatives(model, data, q, v, v, 3, nowhere)
        with pytest.raises(InvalidValueError, match="LOCAL"):
            dyn_node.point_acceleration_derivatives(model, data, q, v, v, 3, POINT, nowhere)
    for joint in (-1, model.njoints):
        with pytest.raises(UnknownJointError):
            dyn_node.joint_velocity_derivatives(model, data, q, v, joint)


def test_references_have_names_and_numbers() -> None:
    model = dyn_node.robots.load("panda")
    data, (q, v, a, *_) = model.create_data(), states(model, 1)[0]
    for reference in ReferenceFrame:
        by_frame = dyn_node.frame_acceleration_derivatives(model, data, q, v, a, 5, reference)
        by_point = dyn_node.point_velocity_derivatives(model, data, q, v, 5, POINT, reference)
        for other in (reference.name, int(reference)):
            again = dyn_node.frame_acceleration_derivatives(model, data, q, v, a, 5, other)
            assert np.array_equal(by_frame, again), other
            again = dyn_node.point_velocity_derivatives(model, data, q, v, 5, POINT, other)
            assert np.array_equal(by_point, again), other


def test_one_matrix_of_a_result_keeps_its_numbers() -> None:
    """Results that nobody holds are filled again: one matrix of several that lie together is held too."""
    model = dyn_node.robots.load("panda")
    data, drawn = model.create_data(), states(model, 20)
    kept = [dyn_node.frame_velocity_derivatives(model, data, q, v, 9).dv_dv for q, v, *_ in drawn]
    for (q, *_), J in zip(drawn, kept, strict=True):
        assert relative(J, dyn_node.frame_jacobian(model, data, q, 9)) < IDENTITY
