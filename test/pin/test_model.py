"""What the adapter's Model and Data do by themselves."""

from __future__ import annotations

import copy
import pickle

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


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_data_and_its_model_can_be_copied_and_pickled(twin_of) -> None:
    model, data, q = arm()
    tie = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, 6)
    v = np.ones(model.nv)
    pin.rnea(model, data, q, v, v)
    pin.constraintDynamics(model, data, q, v, v, [tie], [tie.createData()])
    twins = twin_of((model, data, tie, tie.createData()))
    other_model, other, other_tie, results = twins
    assert other_model == model
    assert other_tie == tie
    for field in ("tau", "ddq", "lambda_c"):
        assert np.array_equal(getattr(other, field), getattr(data, field)), field
    for field in ("oMi", "liMi", "v", "a", "f"):
        assert list(getattr(other, field)) == list(getattr(data, field)), field
    pin.forwardKinematics(other_model, other, 0.5 * q)
    assert other.oMi[6] != data.oMi[6]
    pin.constraintDynamics(model, data, 0.5 * q, v, v, [tie], [results])
    moved = pin.constraintDynamics(other_model, other, 0.5 * q, v, v, [other_tie], [results])
    assert np.array_equal(moved, data.ddq)


def test_constraints_that_there_are_not() -> None:
    model, _, _ = arm()
    for kind, reference in ((pin.ContactType.CONTACT_UNDEFINED, pin.LOCAL), (pin.CONTACT_3D, pin.WORLD)):
        with pytest.raises(InvalidValueError, match="CONTACT_3D or CONTACT_6D in LOCAL"):
            pin.RigidConstraintModel(kind, model, 6, reference)
    results = pin.RigidConstraintModel(pin.CONTACT_3D, model, 6).createData()
    with pytest.raises(AttributeError, match="fills contact_force"):
        results.contact_velocity_error  # noqa: B018


def test_the_constraints_of_a_call_are_those_of_its_models() -> None:
    """Made ready once, they follow what scripts write into their models afterwards."""
    model, data, q = arm()
    tie = pin.RigidConstraintModel(pin.CONTACT_3D, model, 6, pin.SE3.Identity(), 0, pin.SE3.Identity())
    datas, v = [tie.createData()], np.ones(model.nv)
    pin.initConstraintDynamics(model, data, [tie], datas)
    before = pin.constraintDynamics(model, data, q, v, v, [tie], datas)
    tie.m_baumgarte_parameters.Kp = 10.0
    after = pin.constraintDynamics(model, data, q, v, v, [tie], datas)
    assert np.abs(after - before).max() > 1e-3
    tie.joint1_placement.translation[0] += 0.1
    assert np.abs(pin.constraintDynamics(model, data, q, v, v, [tie], datas) - after).max() > 1e-3


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
