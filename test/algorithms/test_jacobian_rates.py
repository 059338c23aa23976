"""Jacobians of joints and points, time derivatives of Jacobians: against Pinocchio, and by identities."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.mixed import robot  # noqa: F401 - a fixture
from algorithms.pairs import CASES, REFERENCES, pair, pin
from algorithms.states import Comparison, relative, states
from tolerances import DIFFERENCES, IDENTITY, REL

import dyn_node
from dyn_node import LOCAL, LOCAL_WORLD_ALIGNED, WORLD, ReferenceFrame
from dyn_node.errors import InvalidValueError, ShapeError, UnknownFrameError, UnknownJointError

POINT = np.array([0.1, -0.2, 0.3])


@pytest.mark.parametrize(("name", "root"), CASES)
def test_against_pinocchio(name: str, root: str) -> None:
    model, data, theirs, reference = pair(name, root)
    compare = Comparison(name, root)
    for count, (q, v, *_) in enumerate(states(model, 21)):
        J = pin.computeJointJacobians(theirs, reference, q)
        compare.add("joint_jacobians", dyn_node.joint_jacobians(model, data, q), J)
        dJ = pin.computeJointJacobiansTimeVariation(theirs, reference, q, v)
        compare.add(
            "joint_jacobians_time_variation", dyn_node.joint_jacobians_time_variation(model, data, q, v), dJ
        )
        pin.updateFramePlacements(theirs, reference)
        joint = 1 + count % (model.njoints - 1)
        for ours, pins in REFERENCES.items():
            for frame in range(count % 7, model.nframes, 7):
                compare.add(
                    f"frame_jacobian_time_variation {ours.name}",
                    dyn_node.frame_jacobian_time_variation(model, data, q, v, frame, ours),
                    pin.getFrameJacobianTimeVariation(theirs, reference, frame, pins),
                )
            compare.add(
                f"joint_jacobian_time_variation {ours.name}",
                dyn_node.joint_jacobian_time_variation(model, data, q, v, joint, ours),
                pin.getJointJacobianTimeVariation(theirs, reference, joint, pins),
            )
    compare.check(REL)


def test_time_variation_against_differences(robot) -> None:  # noqa: F811
    model, data = robot
    step = 1e-6
    for q, v, *_ in states(model, 2):
        after, before = (dyn_node.integrate(model, q, sign * step * v) for sign in (1.0, -1.0))

        def rate(function, *where, after=after, before=before):
            return (function(model, data, after, *where) - function(model, data, before, *where)) / (
                2.0 * step
            )

        dJ = dyn_node.joint_jacobians_time_variation(model, data, q, v)
        assert relative(dJ, rate(dyn_node.joint_jacobians)) < DIFFERENCES, f"{model.name}, joint_jacobians"
        for frame in range(model.nframes):
            for reference in ReferenceFrame:
                label = f"{model.name}, {model.frames[frame].name}, {reference.name}"
                dJ = dyn_node.frame_jacobian_time_variation(model, data, q, v, frame, reference)
                assert relative(dJ, rate(dyn_node.frame_jacobian, frame, reference)) < DIFFERENCES, label
                dJ = dyn_node.point_jacobian_time_variation(model, data, q, v, frame, POINT, reference)
                assert relative(dJ, rate(dyn_node.point_jacobian, frame, POINT, reference)) < DIFFERENCES, (
                    label
                )


def test_point_jacobian_is_the_frames_moved_to_the_point(robot) -> None:  # noqa: F811
    model, data = robot
    for q, *_ in states(model, 3):
        dyn_node.forward_kinematics(model, data, q)
        for frame in range(model.nframes):
            J = dyn_node.frame_jacobian(model, data, q, frame, LOCAL)
            moved = J[:3] - np.cross(POINT, J[3:], axis=0)
            label = f"{model.name}, {model.frames[frame].name}, point_jacobian"
            assert relative(dyn_node.point_jacobian(model, data, q, frame, POINT, LOCAL), moved) < IDENTITY, (
                label
            )
            turned = dyn_node.frame_placement(model, data, frame).rotation @ moved
            for reference in (WORLD, LOCAL_WORLD_ALIGNED):
                ours = dyn_node.point_jacobian(model, data, q, frame, POINT, reference)
                assert relative(ours, turned) < IDENTITY, label


def test_world_jacobian_of_a_frame_is_made_of_the_columns_of_its_support(robot) -> None:  # noqa: F811
    model, data = robot
    if model.records[0]["followers"]:
        pytest.skip("a follower's column is a sum over several joints")
    for q, *_ in states(model, 3):
        columns = dyn_node.joint_jacobians(model, data, q)
        for frame in range(model.nframes):
            expected, support = np.zeros((6, model.nv)), dyn_node.frame_support(model, frame)
            expected[:, support] = columns[:, support]
            J = dyn_node.frame_jacobian(model, data, q, frame, WORLD)
            assert relative(J, expected) < IDENTITY, f"{model.name}, {model.frames[frame].name}"


def test_bad_arguments_are_refused() -> None:
    model = dyn_node.robots.load("panda")
    data, q, v = model.create_data(), dyn_node.neutral(model), np.ones(model.nv)
    out = np.empty((6, model.nv))
    for function in (
        dyn_node.point_jacobian,
        lambda m, d, q, *where: dyn_node.point_jacobian_time_variation(m, d, q, v, *where),
    ):
        function(
            model, data, q, 3, POINT
        )  # compiled: the refusals below are not those of an uncompiled kernel
    assert dyn_node.joint_jacobians(model, data, list(q), out=out) is out
    assert dyn_node.frame_jacobian_time_variation(model, data, q, list(v), 3, out=out) is out
    with pytest.raises(ShapeError, match="out"):
        dyn_node.point_jacobian_time_variation(model, data, q, v, 3, POINT, out=out)
    with pytest.raises(ShapeError, match="out"):
        dyn_node.point_jacobian(model, data, q, 3, POINT, out=out)
    for time_variation in (dyn_node.frame_jacobian_time_variation, dyn_node.joint_jacobian_time_variation):
        with pytest.raises(ShapeError, match="out"):
            time_variation(model, data, q, v, 3, out=out[:3])
        with pytest.raises(InvalidValueError, match="LOCAL"):
            time_variation(model, data, q, v, 3, 7)
    with pytest.raises(ShapeError, match="point"):
        dyn_node.point_jacobian(model, data, q, 3, POINT[1:])
    with pytest.raises(UnknownFrameError):
        dyn_node.frame_jacobian_time_variation(model, data, q, v, 10_000)
    with pytest.raises(UnknownJointError):
        dyn_node.joint_jacobian_time_variation(model, data, q, v, "no_such_joint")
