"""What the adapter's Model and Data do by themselves."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import dyn_node.pin as pin
from dyn_node.errors import InvalidValueError, ModelError


def arm() -> tuple[pin.Model, pin.Data, np.ndarray]:
    model = pin.buildSampleModelManipulator()
    return model, model.createData(), np.linspace(-0.5, 0.5, model.nq)


def test_the_library_model_is_made_anew_only_after_a_change() -> None:
    model, _, _ = arm()
    before = model.core
    assert model.core is before
    model.jointPlacements[3].translation[0] += 0.0
    assert model.core is before
    model.jointPlacements[3].translation[0] += 0.1
    assert model.core is not before
    assert model.core.joints[3].placement.translation[0] == 0.1


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m.gravity.linear.__setitem__(0, 3.0),
        lambda m: setattr(m, "gravity", pin.Motion(np.ones(6))),
        lambda m: setattr(m.inertias[6], "mass", 4.0),
        lambda m: m.inertias.__setitem__(6, pin.Inertia.Identity()),
        lambda m: m.appendBodyToJoint(6, pin.Inertia.Identity(), pin.SE3.Random()),
        lambda m: setattr(m.jointPlacements[2], "rotation", pin.utils.rotate("x", 1.0)),
    ],
)
def test_a_data_follows_its_model(change) -> None:
    model, data, q = arm()
    before = pin.computeGeneralizedGravity(model, data, q)
    change(model)
    after = pin.computeGeneralizedGravity(model, data, q)
    assert np.abs(after - before).max() > 1e-3
    assert np.array_equal(after, pin.computeGeneralizedGravity(model, model.createData(), q))


def test_frames_that_come_later() -> None:
    model, data, q = arm()
    tool = model.addFrame(
        pin.Frame("tool", 6, 0, pin.SE3(np.eye(3), np.array([0.0, 0.0, 0.2])), pin.OP_FRAME)
    )
    pin.framesForwardKinematics(model, data, q)
    assert data.oMf[tool] == data.oMi[6] * model.frames[tool].placement
    assert model.getFrameId("tool") == tool
    assert pin.getFrameJacobian(model, data, tool, pin.LOCAL).shape == (6, 6)


def test_a_data_of_another_structure_is_refused() -> None:
    model, data, q = arm()
    last = model.addJoint(6, pin.JointModelRZ(), pin.SE3.Identity(), "more")
    assert not model.check(data)
    with pytest.raises(InvalidValueError, match="another structure"):
        pin.forwardKinematics(model, data, np.append(q, 0.0))
    assert model.createData().oMi[last].isIdentity()


def test_joints_have_to_come_branch_by_branch() -> None:
    model = pin.Model()
    for parent, name in ((0, "left"), (0, "right"), (1, "left_hand")):
        joint = model.addJoint(parent, pin.JointModelRX(), pin.SE3.Identity(), name)
        model.appendBodyToJoint(joint, pin.Inertia.Identity())
    with pytest.raises(ModelError, match="'left_hand' was added after joint 'right'"):
        model.createData()


def test_values_of_a_data_are_views_and_copies_are_not() -> None:
    model, data, q = arm()
    pin.forwardKinematics(model, data, q)
    view, kept = data.oMi[6], data.oMi[6].copy()
    twin = copy.deepcopy(data)
    pin.forwardKinematics(model, data, 0.5 * q)
    assert view == data.oMi[6]
    assert kept != data.oMi[6]
    assert twin.oMi[6] == kept


def test_reference_configurations() -> None:
    model, _, _ = arm()
    text = """<robot name="arm"><group_state name="up" group="all"><joint name="elbow_joint" value="0.7"/>
    <joint name="unknown" value="1"/></group_state></robot>"""
    pin.loadReferenceConfigurationsFromXML(model, text)
    up = model.referenceConfigurations["up"]
    assert up.tolist() == [0.0, 0.0, 0.0, 0.7, 0.0, 0.0]
    reduced = pin.buildReducedModel(model, [4], up)
    assert reduced.referenceConfigurations["up"].shape == (5,)


def test_no_limits_no_random_configuration() -> None:
    model = pin.buildSampleModelHumanoid()
    with pytest.raises(ValueError, match="root_joint has no position limits"):
        pin.randomConfiguration(model)
    pin.seed(3)
    first = pin.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq))
    pin.seed(3)
    assert np.array_equal(first, pin.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq)))
