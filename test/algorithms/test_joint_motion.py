"""Motions of joints, and the coordinates that move a frame."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.mixed import robot  # noqa: F401 - a fixture
from algorithms.pairs import CASES, REFERENCES, pair, pin
from algorithms.states import Comparison, states
from tolerances import REL

import dyn_node
from dyn_node.errors import InvalidValueError, NotComputedError, UnknownFrameError, UnknownJointError


@pytest.mark.parametrize(("name", "root"), CASES)
def test_against_pinocchio(name: str, root: str) -> None:
    model, data, theirs, reference = pair(name, root)
    compare = Comparison(name, root)
    for q, v, a, *_ in states(model, 5):
        dyn_node.forward_kinematics(model, data, q, v, a)
        pin.forwardKinematics(theirs, reference, q, v, a)
        for joint in range(1, model.njoints):
            for ours, pins in REFERENCES.items():
                where, other = (model, data, joint, ours), (theirs, reference, joint, pins)
                compare.add(
                    f"joint_velocity {ours.name}",
                    dyn_node.joint_velocity(*where).vector,
                    pin.getVelocity(*other).vector,
                )
                compare.add(
                    f"joint_acceleration {ours.name}",
                    dyn_node.joint_acceleration(*where).vector,
                    pin.getAcceleration(*other).vector,
                )
                compare.add(
                    f"joint_classical_acceleration {ours.name}",
                    dyn_node.joint_classical_acceleration(*where).vector,
                    pin.getClassicalAcceleration(*other).vector,
                )
    compare.check(REL)


def test_support_is_where_the_jacobian_is_not_zero(robot) -> None:  # noqa: F811
    model, data = robot
    drawn = [q for q, *_ in states(model, 3)]
    for frame in range(model.nframes):
        moving = np.zeros(model.nv, dtype=bool)
        for q in drawn:
            moving |= np.abs(dyn_node.frame_jacobian(model, data, q, frame)).max(axis=0) > 0.0
        support = dyn_node.frame_support(model, frame)
        assert support.tolist() == np.flatnonzero(moving).tolist(), (
            f"{model.name}, {model.frames[frame].name}"
        )


def test_refusals() -> None:
    model = dyn_node.robots.load("panda")
    data = model.create_data()
    with pytest.raises(NotComputedError):
        dyn_node.joint_velocity(model, data, 1)
    getters = {
        "velocity": dyn_node.joint_velocity,
        "acceleration": dyn_node.joint_acceleration,
        "classical acceleration": dyn_node.joint_classical_acceleration,
    }
    dyn_node.forward_kinematics(model, data, dyn_node.neutral(model), np.ones(model.nv), np.ones(model.nv))
    for name, getter in getters.items():
        for unknown in ("no_such_joint", -1, model.njoints, np.int64(-1), 1.0, None):
            with pytest.raises(UnknownJointError):
                getter(model, data, unknown)
        for reference in ("nowhere", -1, 3, None):
            with pytest.raises(InvalidValueError, match="LOCAL"):
                getter(model, data, 1, reference)
        for same in (model.joint_names[1], np.int64(1)):
            assert getter(model, data, same, "WORLD") == getter(model, data, 1, dyn_node.WORLD), name
        with pytest.raises(InvalidValueError, match="data"):
            getter(model, dyn_node.robots.load("panda").create_data(), 1)
    with pytest.raises(UnknownFrameError):
        dyn_node.frame_support(model, "no_such_frame")
