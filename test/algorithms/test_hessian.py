"""Kinematic Hessians: against Pinocchio, differences on the manifold, and by what they must sum to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from algorithms.mixed import robot, slope  # noqa: F401 - a fixture
from algorithms.pairs import CASES, REFERENCES, pair, pin
from algorithms.states import Comparison, relative, states
from tolerances import DIFFERENCES, IDENTITY, REL

import dyn_node
from dyn_node import ReferenceFrame
from dyn_node.errors import InvalidValueError, ShapeError, UnknownFrameError, UnknownJointError


def ordered(tensor: Any) -> np.ndarray:
    """What Pinocchio 4.1's getters mean: their arrays hold the numbers of (6, nv, nv), first axis fastest."""
    return np.ravel(tensor).reshape(np.shape(tensor), order="F")


@pytest.mark.parametrize(("name", "root"), CASES)
def test_against_pinocchio(name: str, root: str) -> None:
    model, data, theirs, reference = pair(name, root)
    compare = Comparison(name, root)
    for count, (q, *_) in enumerate(states(model, 14)):
        pin.computeJointKinematicHessians(theirs, reference, q)
        pin.updateFramePlacements(theirs, reference)
        joint = 1 + count % (model.njoints - 1)
        for ours, pins in REFERENCES.items():
            H = ordered(pin.getJointKinematicHessian(theirs, reference, joint, pins))
            compare.add(f"joint_hessian {ours.name}", dyn_node.joint_hessian(model, data, q, joint, ours), H)
            for frame in range(count, model.nframes, 14):
                if model.frames[frame].parent_joint == 0:
                    continue
                H = ordered(pin.getFrameKinematicHessian(theirs, reference, frame, pins))
                found = dyn_node.frame_hessian(model, data, q, frame, ours)
                compare.add(f"frame_hessian {ours.name}", found, H)
    compare.check(REL)


@pytest.mark.parametrize("reference", list(ReferenceFrame))
def test_against_differences(robot, reference: ReferenceFrame) -> None:  # noqa: F811
    model, data = robot
    q, *_ = states(model, 1)[0]
    for frame in range(0, model.nframes, 3):

        def jacobian(d: Any, frame: int = frame) -> np.ndarray:
            return dyn_node.frame_jacobian(model, data, dyn_node.integrate(model, q, d), frame, reference)

        found = dyn_node.frame_hessian(model, data, q, frame, reference)
        error = relative(found, slope(jacobian, model.nv))
        assert error < DIFFERENCES, f"{model.name}, frame {model.frames[frame].name}: {error:.2g}"


@pytest.mark.parametrize("reference", list(ReferenceFrame))
def test_sums_with_the_velocity(robot, reference: ReferenceFrame) -> None:  # noqa: F811
    """Over the last axis the Jacobian's rate, over the middle one the velocity's derivative along q."""
    model, data = robot
    for q, v, *_ in states(model, 3):
        for frame in range(model.nframes):
            H = dyn_node.frame_hessian(model, data, q, frame, reference)
            dJ = dyn_node.frame_jacobian_time_variation(model, data, q, v, frame, reference)
            dv = dyn_node.frame_velocity_derivatives(model, data, q, v, frame, reference).dv_dq
            where = f"{model.name}, frame {model.frames[frame].name}"
            assert relative(H @ v, dJ) < IDENTITY, f"{where}: rate of the Jacobian"
            assert relative(np.einsum("rjk,j->rk", H, v), dv) < IDENTITY, f"{where}: dv/dq"


def test_bad_arguments_are_named() -> None:
    model = dyn_node.robots.load("panda")
    data, q = model.create_data(), dyn_node.neutral(model)
    with pytest.raises(UnknownFrameError, match="panda_hand"):
        dyn_node.frame_hessian(model, data, q, "panda_hnad")
    with pytest.raises(UnknownJointError, match="panda_joint7"):
        dyn_node.joint_hessian(model, data, q, "panda_joint8")
    with pytest.raises(ShapeError, match=r"^q: "):
        dyn_node.frame_hessian(model, data, q[:-1], "panda_hand")
    with pytest.raises(InvalidValueError, match="reference"):
        dyn_node.frame_hessian(model, data, q, "panda_hand", "WORD")
    for bad in (np.zeros((6, 7, 6)), np.zeros((7, 7, 7)), np.zeros((6, 7))):
        with pytest.raises(ShapeError, match=r"^out: .*\(6, 7, 7\)"):
            dyn_node.frame_hessian(model, data, q, "panda_hand", out=bad)
