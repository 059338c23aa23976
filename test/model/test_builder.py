"""ModelBuilder: what it makes of joints, bodies and frames, and the records that kernels read."""

from __future__ import annotations

import numpy as np
import pytest
from tolerances import IDENTITY

from dyn_node.errors import ModelError, UnknownFrameError, UnknownJointError
from dyn_node.kernels import kinds
from dyn_node.model import ModelBuilder, SubJoint
from dyn_node.model.joint_kinds import KINDS
from dyn_node.spatial import SE3, SO3, Inertia

AXIS = np.array([2.0, -1.0, 2.0]) / 3.0
BODY = Inertia(2.0, [0.1, -0.2, 0.3], np.diag([0.02, 0.03, 0.04]))


def close(a, b):
    return np.allclose(a, b, rtol=IDENTITY, atol=IDENTITY)


def random_placement(seed=0):
    return SE3.Random(np.random.default_rng(seed))


def test_an_empty_model():
    model = ModelBuilder("nothing").build()
    assert (model.nq, model.nv, model.njoints, model.nframes) == (0, 0, 1, 1)
    assert model.joint_names == ("universe",)
    assert model.coordinate_names == ()
    assert model.total_mass == 0.0
    assert model.records["parent"].tolist() == [-1]
    assert model.records["last"].tolist() == [0]
    assert model.joint_records == (0,)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if KINDS[kind].code])
def test_every_elementary_kind_of_joint(kind):
    placement = random_placement()
    builder = ModelBuilder()
    pitch = 0.05 if kind == "helical" else 0.0
    builder.add_joint(0, kind, placement, "j", axis=3.0 * AXIS, pitch=pitch)
    model = builder.build()
    joint, record = model.joints[1], model.records[1]
    assert (record["nq"], record["nv"]) == (joint.nq, joint.nv) == (model.nq, model.nv)
    assert record["kind"] == getattr(kinds, kind.upper()) == KINDS[kind].code
    assert close(record["R"], placement.rotation)
    assert close(record["p"], placement.translation)
    assert close(record["S"][: joint.nv], joint.motion_subspace)
    assert not record["S"][joint.nv :].any()
    assert len(joint.coordinate_names) == joint.nv
    assert all(n.startswith("j") for n in joint.coordinate_names)
    assert close(record["axis"], joint.axis)
    assert close(joint.axis, AXIS if KINDS[kind].axes else 0.0)


def test_chains_of_records():
    """Composite joints: one joint, one record a part, the body on the last."""
    first, second, inner = random_placement(0), random_placement(1), random_placement(2)
    parts = [
        SubJoint("revolute", first, axis=3.0 * AXIS),
        SubJoint("universal", second, axis=(1, 0, 0), axis2=(0, 2, 0)),
        SubJoint(
            "composite", inner, parts=(SubJoint("spherical", first), SubJoint("prismatic", axis=(0, 0, 1)))
        ),
    ]
    builder = ModelBuilder()
    builder.add_joint(0, "continuous", name="before", axis=AXIS)
    builder.add_joint(1, "composite", second, "c", parts=parts, armature=range(7), lower=-1.0, upper=1.0)
    builder.append_body("c", BODY, name="body")
    builder.add_joint("c", "spherical_zyx", name="ball")
    tip = builder.add_frame("tip", "ball")
    model = builder.build()
    assert (model.nq, model.nv, model.njoints) == (2 + 8 + 3, 1 + 7 + 3, 4)
    assert model.joint_records == (0, 1, 6, 9)
    assert model.records["parent"].tolist() == [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert model.records["last"].tolist() == [9] * 10
    assert model.records["idx_q"].tolist() == [0, 0, 2, 3, 4, 5, 9, 10, 11, 12]
    assert model.records["mass"].tolist() == [0.0] * 6 + [2.0] + [0.0] * 3
    assert model.records["armature"][5, :3].tolist() == [3.0, 4.0, 5.0]
    assert close(model.records[2]["R"], (second * first).rotation)
    assert close(model.records[5]["p"], (inner * first).translation)
    assert model.frame_records[tip]["joint"] == 9
    assert [model.joint_of_record(k).name for k in (0, 1, 2, 6, 7)] == [
        "universe",
        "before",
        "c",
        "c",
        "ball",
    ]
    assert model.coordinate_names[1:6] == ("c/1", "c/2", "c/3", "c/4/wx", "c/4/wy")
    assert model.coordinate_names[-3:] == ("ball/yaw", "ball/pitch", "ball/roll")
    assert model.neutral.tolist() == [1.0, 0.0] + [0.0] * 6 + [1.0] + [0.0] * 4
    assert model.directions == (slice(0, 2), slice(5, 9))


@pytest.mark.parametrize("kind", ["revolute", "continuous", "helical"])
def test_matrices_of_a_turning_joint(kind):
    placement, angle = random_placement(), 0.7
    builder = ModelBuilder()
    builder.add_joint(0, kind, placement, axis=AXIS)
    record = builder.build().records[1]
    turned = record["R"] + (np.cos(angle) - 1.0) * record["R_cos"] + np.sin(angle) * record["R_sin"]
    assert close(turned, placement.rotation @ SO3.exp(angle * AXIS).matrix)


def test_motion_subspaces():
    zero = [0.0, 0.0, 0.0]
    builder = ModelBuilder()
    numbers = [
        builder.add_joint(0, kind, axis=AXIS, axis2=(0, 1, 0), pitch=0.5 * (kind == "helical"))
        for kind in KINDS
        if kind not in ("universe", "composite")
    ]
    model = builder.build()
    rows = {model.joints[number].kind: model.joints[number].motion_subspace for number in numbers}
    assert close(rows["revolute"], [[*zero, *AXIS]])
    assert close(rows["continuous"], [[*zero, *AXIS]])
    assert close(rows["prismatic"], [[*AXIS, *zero]])
    assert close(rows["helical"], [[*(0.5 * AXIS), *AXIS]])
    assert close(rows["free_flyer"], np.eye(6))
    assert close(rows["planar"], np.eye(6)[[0, 1, 5]])
    assert close(rows["spherical"], np.eye(6)[3:])
    assert close(rows["translation"], np.eye(6)[:3])
    assert close(rows["spherical_zyx"], np.eye(6)[[5, 4, 3]])
    assert close(rows["universal"], [[*zero, *AXIS], [*zero, 0.0, 1.0, 0.0]])


def test_depth_first_order_whatever_the_order_of_addition():
    builder = ModelBuilder()
    for name, parent in (("a", 0), ("b", 0), ("a1", "a"), ("b1", "b"), ("a2", "a"), ("a11", "a1")):
        builder.add_joint(parent, "continuous", name=name, axis=AXIS)
    tip = builder.add_frame("tip", "a11")
    model = builder.build()
    assert model.joint_names == ("universe", "a", "a1", "a11", "a2", "b", "b1")
    assert [joint.parent for joint in model.joints] == [-1, 0, 1, 2, 1, 0, 5]
    assert model.records["last"].tolist() == [6, 4, 3, 3, 4, 6, 6]
    assert model.records["idx_q"].tolist() == [0, 0, 2, 4, 6, 8, 10]
    assert model.records["idx_v"].tolist() == [0, 0, 1, 2, 3, 4, 5]
    frame = model.frames[tip]
    assert (frame.name, frame.parent_joint) == ("tip", 3)
    assert model.frame_records[tip]["joint"] == 3


def test_bodies_are_lumped_about_the_joints_origin():
    placement = random_placement(1)
    builder = ModelBuilder()
    joint = builder.add_joint("universe", "prismatic", name="j", axis=AXIS)
    builder.append_body(joint, BODY, name="first")
    builder.append_body("j", BODY, placement)
    builder.append_body(0, BODY, name="base")
    model = builder.build()
    expected = BODY.matrix + placement.act(BODY).matrix
    assert close(model.inertias[1].matrix, expected)
    assert close(model.records[1]["mass"], 4.0)
    assert close(model.records[0]["mass"], 2.0)
    assert close(model.records[1]["I"], expected[3:, 3:])
    h = model.records[1]["h"]
    assert close([h[0], h[1], h[2]], [expected[5, 1], expected[3, 2], expected[4, 0]])
    assert [(link.name, model.frames[link.frame].kind) for link in model.links] == [
        ("first", "body"),
        ("", "joint"),
        ("base", "body"),
    ]
    assert model.total_mass == 4.0


def test_parameters_reach_model_and_records():
    builder = ModelBuilder()
    builder.add_joint(0, "free_flyer", name="root_joint")
    builder.add_joint(
        1,
        "revolute",
        axis=(0, 0, 1),
        lower=-1,
        upper=[2.0],
        velocity_limit=3,
        effort_limit=4,
        armature=0.1,
        damping=5,
    )
    builder.add_joint(2, "spherical", armature=[1, 2, 3], friction=0.5)
    model = builder.build(gravity=(1, 2, 3))
    assert model.lower_position_limit.tolist() == [-np.inf] * 7 + [-1.0] + [-np.inf] * 4
    assert model.upper_position_limit.tolist() == [np.inf] * 7 + [2.0] + [np.inf] * 4
    assert model.velocity_limit.tolist() == [np.inf] * 6 + [3.0] + [np.inf] * 3
    assert model.effort_limit.tolist() == [np.inf] * 6 + [4.0] + [np.inf] * 3
    assert model.armature.tolist() == [0.0] * 6 + [0.1, 1.0, 2.0, 3.0]
    assert model.damping.tolist() == [0.0] * 6 + [5.0] + [0.0] * 3
    assert model.friction.tolist() == [0.0] * 7 + [0.5] * 3
    assert model.records["armature"][3].tolist() == [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]
    assert model.records[0]["gravity"].tolist() == model.gravity.tolist() == [1.0, 2.0, 3.0]
    assert model.coordinate_names[5:] == (
        "root_joint/wz",
        "joint_2",
        "joint_3/wx",
        "joint_3/wy",
        "joint_3/wz",
    )


def test_a_model_does_not_change_with_its_builder():
    builder = ModelBuilder()
    builder.add_joint(0, "revolute", axis=AXIS)
    before = builder.build()
    builder.append_body(1, BODY)
    builder.add_joint(1, "revolute", axis=AXIS)
    after = builder.build()
    assert (before.njoints, after.njoints) == (2, 3)
    assert (before.inertias[1].mass, after.inertias[1].mass) == (0.0, 2.0)
    assert before.stamp != after.stamp


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((0, "ball"), {}, "unknown type 'ball'; known: revolute"),
        ((0, "universe"), {}, "unknown type 'universe'"),
        ((0, "revolute"), {}, "needs an axis"),
        ((0, "universal"), {"axis": AXIS}, "needs two axes"),
        ((0, "revolute"), {"axis": (0, 0, 0)}, "axis is zero"),
        ((0, "revolute"), {"axis": (0, 1)}, "three finite numbers"),
        ((0, "revolute"), {"axis": (0, np.inf, 1)}, "three finite numbers"),
        ((0, "revolute"), {"axis": AXIS, "lower": 1, "upper": 0}, "lower limit 1 is above upper limit 0"),
        ((0, "spherical"), {"velocity_limit": [1, 2]}, "velocity limit: expected one number or 3"),
        ((0, "revolute"), {"axis": AXIS, "damping": np.nan}, "damping: not a number"),
        ((0, "helical"), {"axis": AXIS, "pitch": np.nan}, "pitch"),
        ((0, "composite"), {}, "a composite joint needs parts"),
        ((0, "composite"), {"parts": ["revolute"]}, "part 1: expected a SubJoint, given 'revolute'"),
        ((0, "composite"), {"parts": [SubJoint("planar"), SubJoint("ball")]}, "part 2: unknown type 'ball'"),
        (
            (0, "composite"),
            {"parts": [SubJoint("revolute")]},
            "part 1: axis is zero, a revolute joint needs an",
        ),
        ((0, "revolute", None, "used"), {"axis": AXIS}, "'used': the name is in use"),
    ],
)
def test_bad_joints(arguments, options, message):
    builder = ModelBuilder()
    builder.add_joint(0, "translation", name="used")
    with pytest.raises(ModelError, match=message):
        builder.add_joint(*arguments, **options)
    assert builder.build().njoints == 2, "a refused joint leaves no trace"


def test_bad_parents_and_frames():
    builder = ModelBuilder()
    first = builder.add_joint(0, "translation", name="first")
    builder.add_frame("tool", first)
    with pytest.raises(UnknownJointError, match="closest: first"):
        builder.add_joint("frist", "translation")
    for number in (-1, 7):
        with pytest.raises(UnknownJointError, match=str(number)):
            builder.append_body(number, BODY)
    with pytest.raises(ModelError, match="'tool': the name is in use"):
        builder.add_frame("tool", first)
    with pytest.raises(ModelError, match="unknown kind 'sensor'"):
        builder.add_frame("camera", first, kind="sensor")
    with pytest.raises(ModelError, match="'universe' moves with joint 'universe', not with 'first'"):
        builder.add_frame("camera", first, parent_frame=0)
    with pytest.raises(UnknownFrameError):
        builder.add_frame("camera", first, parent_frame=99)
