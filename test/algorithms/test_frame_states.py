"""Frames straight from q, v and a: against those of `forward_kinematics`, turned in their joint and not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from algorithms.mixed import MAKERS
from algorithms.states import relative, states
from tolerances import IDENTITY

import dyn_node
from dyn_node import SE3, SO3, ReferenceFrame
from dyn_node.errors import InvalidValueError, ShapeError, UnknownFrameError

#: No turn, one that cannot be seen on the diagonal, half turns, any.
TURNS = (
    np.zeros(3),
    np.array([0.0, 0.0, 1e-9]),
    np.array([1e-9, 0.0, 0.0]),
    np.array([np.pi, 0.0, 0.0]),
    np.array([0.0, 0.0, np.pi]),
    np.array([0.4, -1.1, 0.7]),
)


@pytest.fixture(scope="module", params=["mixed", "followers", "panda"])
def robot(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """(model, data), with frames that are turned and shifted in the last link."""
    model = MAKERS[request.param]()
    last = model.frames[model.joint_frames[-1]].name
    for k, turn in enumerate(TURNS):
        placement = SE3(SO3.exp(turn), np.array([0.1, -0.2 * k, 0.3]))
        model = dyn_node.add_frame(model, f"turned_{k}", last, placement)
    return model, model.create_data()


def test_placements_are_those_of_forward_kinematics(robot) -> None:
    model, data = robot
    for q, *_ in states(model, 3):
        dyn_node.forward_kinematics(model, data, q)
        dyn_node.update_frame_placements(model, data)
        ours = dyn_node.frame_placements(model, data, q)
        for frame, T in zip(model.frames, ours, strict=True):
            label = f"{model.name}, {frame.name}"
            assert relative(T, data.oMf[frame.index].homogeneous) < IDENTITY, label
            assert np.array_equal(T[3], [0.0, 0.0, 0.0, 1.0]), label
            assert np.array_equal(dyn_node.frame_placements(model, data, q, frame.index), T), label


def test_motions_are_those_of_forward_kinematics(robot) -> None:
    model, data = robot
    q, v, a, *_ = states(model, 1)[0]
    dyn_node.forward_kinematics(model, data, q, v, a)
    for reference in ReferenceFrame:
        velocities = dyn_node.frame_velocities(model, data, q, v, None, reference)
        spatial = dyn_node.frame_accelerations(model, data, q, v, a, None, reference.name)
        classical = dyn_node.frame_accelerations(model, data, q, v, a, None, reference, classical=True)
        for frame in range(model.nframes):
            where = model, data, frame, reference
            for ours, expected in (
                (velocities, dyn_node.frame_velocity(*where)),
                (spatial, dyn_node.frame_acceleration(*where)),
                (classical, dyn_node.frame_classical_acceleration(*where)),
            ):
                label = f"{model.name}, {model.frames[frame].name}, {reference.name}"
                assert relative(ours[frame], expected.vector) < IDENTITY, label


def test_bad_arguments_are_refused(robot) -> None:
    model, data = robot
    q, v, a, *_ = states(model, 1)[0]
    dyn_node.frame_velocities(model, data, q, v)
    for reference in ("nowhere", -1, 3, None):
        with pytest.raises(InvalidValueError, match="LOCAL"):
            dyn_node.frame_velocities(model, data, q, v, None, reference)
        with pytest.raises(InvalidValueError, match="LOCAL"):
            dyn_node.frame_accelerations(model, data, q, v, a, None, reference)
    for unknown in ("no_such_frame", -1, [0, model.nframes]):
        with pytest.raises(UnknownFrameError):
            dyn_node.frame_placements(model, data, q, unknown)
    with pytest.raises(ShapeError, match="v"):
        dyn_node.frame_velocities(model, data, q, v[1:])
