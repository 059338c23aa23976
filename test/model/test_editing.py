"""Edits of a model: what is conserved, against the reference library and by identity."""

from __future__ import annotations

import numpy as np
import pytest
from robots import ALL_URDFS, ROBOTS, our_model, pin_model
from tolerances import IDENTITY, REL

import dyn_node
from dyn_node.errors import InvalidValueError, ModelError, ShapeError, UnknownFrameError, UnknownJointError
from dyn_node.model import (
    Mimic,
    ModelBuilder,
    SubJoint,
    add_frame,
    add_payload,
    append,
    load_urdf,
    reduce,
    remove,
    subtree_masses,
)
from dyn_node.model.joint_kinds import KINDS
from dyn_node.spatial import SE3, SO3, Inertia

needs_robots = pytest.mark.skipif(not ALL_URDFS, reason="example-robot-data is not installed")
BODY = Inertia(2.0, [0.1, -0.2, 0.3], np.diag([0.02, 0.03, 0.04]))
Z = (0.0, 0.0, 1.0)
PARTS = (SubJoint("spherical", SE3.Random(np.random.default_rng(1))), SubJoint("prismatic", axis=Z))


def close(a, b, tolerance=IDENTITY):
    scale = max(1.0, float(np.abs(b).max(initial=0.0)))
    return np.abs(np.asarray(a) - np.asarray(b)).max(initial=0.0) <= tolerance * scale


def random_placement(seed):
    return SE3.Random(np.random.default_rng(seed))


def chain(kinds_of_joints, follower=None):
    """Joints j1, j2, ... one after the other, each with a link l1, l2, ... and the last with a tool."""
    builder = ModelBuilder("chain")
    builder.append_body(0, BODY, name="base")
    parent = 0
    for i, kind in enumerate(kinds_of_joints, 1):
        mimic = Mimic("j1", 2.0) if i == follower else None
        shape = {"axis": (1, i, 2), "axis2": (0, 1, 1), "parts": PARTS, "mimic": mimic}
        parent = builder.add_joint(parent, kind, random_placement(i), f"j{i}", **shape)
        builder.append_body(parent, BODY, random_placement(10 + i), f"l{i}")
    builder.add_frame("tool", parent, random_placement(5))
    return builder.build()


def world_placements(model, q):
    data = model.create_data()
    dyn_node.forward_kinematics(model, data, q)
    dyn_node.update_frame_placements(model, data)
    return {(f.name, f.kind == "body"): data.oMf[f.index].homogeneous for f in model.frames}


def gravity_of(model, q):
    return dyn_node.generalized_gravity(model, model.create_data(), q)


def random_q(model, seed=0):
    rng = np.random.default_rng(seed)
    return dyn_node.integrate(model, dyn_node.neutral(model), rng.uniform(-1.0, 1.0, model.nv))


def part_of(q, joint):
    return q[joint.idx_q : joint.idx_q + joint.nq]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "universe"])
def test_locking_any_kind_of_joint_keeps_frames_mass_and_gravity(kind):
    model = chain(["revolute", kind, "prismatic"])
    q = random_q(model)
    reduced = reduce(model, {"j2": part_of(q, model.joints[2])})
    kept = np.concatenate([part_of(q, model.joints[i]) for i in (1, 3)])
    assert reduced.joint_names == ("universe", "j1", "j3")
    assert [f.name for f in reduced.frames] == [f.name for f in model.frames]
    assert reduced.frames[reduced.frame_id("j2")].kind == "fixed_joint"
    before, after = world_placements(model, q), world_placements(reduced, kept)
    for key, placement in before.items():
        assert close(after[key], placement), f"{kind}: frame {key[0]} moved"
    assert close(subtree_masses(reduced)[[0, 1]], subtree_masses(model)[[0, 1]]), f"{kind}: mass"
    torques = gravity_of(model, q)
    rows = [model.joints[1].idx_v, model.joints[3].idx_v]
    assert close(gravity_of(reduced, kept), torques[rows]), f"{kind}: gravity of the kept joints"


@needs_robots
@pytest.mark.parametrize("name", ROBOTS)
def test_reduce_against_the_reference_library(name):
    pin = pytest.importorskip("pinocchio")
    ours, theirs = our_model(name, "free_flyer"), pin_model(name, "free_flyer")
    q = random_q(ours, 3)
    locked = [joint for joint in ours.joints[2:] if joint.index % 2]
    reduced = reduce(ours, {joint.name: part_of(q, joint) for joint in locked})
    expected = pin.buildReducedModel(theirs, [joint.index for joint in locked], q)
    assert list(reduced.joint_names) == list(expected.names), f"{name}: joint names"
    assert (reduced.nq, reduced.nv) == (expected.nq, expected.nv), f"{name}: nq, nv"
    for joint, placement, a, b in zip(
        reduced.joints, expected.jointPlacements, reduced.inertias, expected.inertias, strict=True
    ):
        assert close(joint.placement.homogeneous, placement.homogeneous, REL), (
            f"{name}: placement, {joint.name}"
        )
        assert close(a.matrix, b.matrix(), REL), f"{name}: inertia of {joint.name}"
    for frame in reduced.frames:
        kinds = {"body": pin.BODY, "joint": pin.JOINT}
        other = expected.frames[expected.getFrameId(frame.name, kinds.get(frame.kind, pin.FIXED_JOINT))]
        assert frame.parent_joint == other.parentJoint, f"{name}: parent of frame {frame.name}"
        assert close(frame.placement.homogeneous, other.placement.homogeneous, REL), (
            f"{name}: frame {frame.name}"
        )


def test_values_to_lock_at():
    model = chain(["continuous", "revolute", "planar"])
    by_angle, by_circle = reduce(model, {"j1": 0.3}), reduce(model, {"j1": [np.cos(0.3), np.sin(0.3)]})
    assert close(by_angle.joints[1].placement.homogeneous, by_circle.joints[1].placement.homogeneous)
    expected = (model.joints[1].placement * model.joints[2].placement).homogeneous
    for locked in (["j1", "j3"], {"j1": None, "j3": None}):
        neutral = reduce(model, locked)
        assert close(neutral.joints[1].placement.homogeneous, expected)
    assert reduce(model, {}).joint_names == model.joint_names
    assert reduce(model, ["j1", "j2", "j3"]).nq == 0


@pytest.mark.parametrize(
    ("locked", "error", "message"),
    [
        ({"j9": 0.0}, UnknownJointError, "closest: j"),
        ({"universe": None}, ModelError, "cannot be locked"),
        ({"j1": [0.0, 1.0]}, ShapeError, "'j1'"),
        ({"j1": float("nan")}, InvalidValueError, "'j1'.*not finite"),
        ({"j2": [2.0, 0.0]}, InvalidValueError, "'j2'.*length 2"),
        ({"j2": [0.0, 0.0]}, InvalidValueError, "'j2'.*length 0"),
    ],
)
def test_bad_locks(locked, error, message):
    with pytest.raises(error, match=message):
        reduce(chain(["revolute", "continuous"]), locked)


def test_followers_are_locked_with_their_leader():
    model = chain(["revolute", "revolute", "revolute"], follower=2)
    q = random_q(model)
    assert reduce(model, ["j3"]).joints[2].mimic == Mimic("j1", 2.0)
    reduced = reduce(model, {"j1": q[0]})
    assert reduced.joint_names == ("universe", "j3")
    before, after = world_placements(model, q), world_placements(reduced, q[1:])
    for key, placement in before.items():
        assert close(after[key], placement), f"frame {key[0]} moved"
    with pytest.raises(ModelError, match="'j2' follows 'j1': lock 'j1' instead"):
        reduce(model, ["j2"])


def test_a_follower_moves_by_itself_when_its_leader_is_removed():
    builder = ModelBuilder()
    for name, mimic in (("a", None), ("b", Mimic("a"))):
        builder.add_joint(0, "revolute", name=name, axis=Z, lower=-1.0, mimic=mimic)
        builder.append_body(name, BODY, name=f"link_{name}")
    model = builder.build()
    assert (model.nv, model.joints[2].nq) == (1, 0)
    alone = remove(model, "a")
    assert (alone.nv, alone.joints[1].nq, alone.joints[1].mimic) == (1, 1, None)
    assert alone.lower_position_limit.tolist() == [-1.0]


def test_appended_followers_keep_their_leader():
    model = chain(["revolute", "revolute", "revolute"], follower=2)
    appended = append(chain(["revolute"]), model, "tool", prefix="second/")
    assert appended.joints[3].mimic == Mimic("second/j1", 2.0)


def test_append_puts_the_other_robot_on_a_frame():
    arm, hand = chain(["revolute", "revolute"]), chain(["prismatic", "continuous"])
    mount = random_placement(7)
    both = append(arm, hand, "tool", mount, prefix="hand/")
    assert both.joint_names == ("universe", "j1", "j2", "hand/j1", "hand/j2")
    assert both.joints[3].parent == 2
    assert close(both.total_mass, arm.total_mass + hand.total_mass + BODY.mass), "the other's base moves now"
    q_arm, q_hand = random_q(arm, 1), random_q(hand, 2)
    placements = world_placements(both, np.concatenate([q_arm, q_hand]))
    base = world_placements(arm, q_arm)[("tool", False)] @ mount.homogeneous
    for (name, is_body), placement in world_placements(hand, q_hand).items():
        if name != "universe":
            assert close(placements[("hand/" + name, is_body)], base @ placement), f"frame {name}"
    with pytest.raises(ModelError, match="'base': the name is in use"):
        append(arm, hand, "tool")
    with pytest.raises(UnknownFrameError):
        append(arm, hand, "tol", prefix="hand/")


def test_append_onto_a_branch_in_the_middle_keeps_depth_first_order():
    both = append(chain(["revolute", "revolute"]), chain(["prismatic"]), "l1", prefix="b")
    assert both.joint_names == ("universe", "j1", "j2", "bj1")
    assert both.records["last"].tolist() == [3, 3, 2, 3]


def test_edits_after_an_edit_between_branches_reach_the_joint_that_is_meant():
    """The joint appended to the first arm comes before the second arm, whose frames are older."""
    arms = append(chain(["revolute"]), chain(["revolute"]), "base", prefix="second/")
    both = append(arms, chain(["prismatic"]), "tool", prefix="hand/")
    assert both.joint_names == ("universe", "j1", "hand/j1", "second/j1")
    for name, carrier in (("tool", "j1"), ("hand/tool", "hand/j1"), ("second/tool", "second/j1")):
        place, number = both.frames[both.frame_id(name)].placement, both.joint_id(carrier)
        framed = add_frame(both, "there", name)
        assert framed.joint_names[framed.frames[framed.frame_id("there")].parent_joint] == carrier
        for named in (None, "box"):
            loaded = add_payload(both, name, BODY.mass, BODY.com, BODY.inertia, name=named)
            expected = [inertia.matrix for inertia in both.inertias]
            expected[number] = expected[number] + place.act(BODY).matrix
            assert close([inertia.matrix for inertia in loaded.inertias], expected), f"payload on {name}"
        again = append(both, chain(["revolute"]), name, prefix="more/")
        assert again.joint_names[again.joints[again.joint_id("more/j1")].parent] == carrier


def test_an_unnamed_body_on_the_universe_is_appended_where_the_universe_goes():
    builder = ModelBuilder()
    builder.append_body(0, BODY)
    other, mount = builder.build(), random_placement(3)
    both = append(chain(["revolute"]), other, "tool", mount)
    tool = both.frames[both.frame_id("tool")].placement
    expected = chain(["revolute"]).inertias[1] + (tool * mount).act(BODY)
    assert close(both.inertias[1].matrix, expected.matrix)


def test_remove_undoes_append():
    arm = chain(["revolute", "revolute"])
    stand = add_frame(arm, "mount", "tool")
    both = append(stand, chain(["prismatic", "continuous"]), "mount", random_placement(7), prefix="hand/")
    again = remove(both, "mount")
    assert str(again) == str(arm)
    assert [f.name for f in again.frames] == [f.name for f in arm.frames]
    assert [i.matrix.tolist() for i in again.inertias] == [i.matrix.tolist() for i in arm.inertias]


def test_remove_a_joint_takes_all_after_it():
    model = chain(["revolute", "revolute", "revolute"])
    cut = remove(model, "j2")
    assert cut.joint_names == ("universe", "j1")
    assert [link.name for link in cut.links] == ["base", "l1"]
    assert not cut.has_frame("tool")
    assert cut.inertias[1] == model.inertias[1]
    with pytest.raises(ModelError, match="universe"):
        remove(model, "universe")
    with pytest.raises(UnknownFrameError, match="closest: tool"):
        remove(model, "tol")


def test_payload():
    model = chain(["revolute", "revolute"])
    q, com = random_q(model, 1), np.array([0.0, 0.1, 0.2])
    loaded = add_payload(model, "tool", 3.0, com, 0.01 * np.eye(3))
    assert close(loaded.total_mass, model.total_mass + 3.0)
    assert [f.name for f in loaded.frames] == [f.name for f in model.frames]
    # The extra torque is what holds the payload's weight: minus J^T of its centre of mass times that force.
    at_com = add_frame(model, "com", "tool", SE3(np.eye(3), com))
    data = at_com.create_data()
    dyn_node.forward_kinematics(at_com, data, q)
    jacobian = dyn_node.frame_jacobian(at_com, data, q, "com", "LOCAL_WORLD_ALIGNED")
    expected = gravity_of(model, q) - jacobian[:3].T @ (3.0 * model.gravity)
    assert close(gravity_of(loaded, q), expected)
    named = add_payload(model, "tool", 3.0, com, name="box")
    assert named.links[-1].name == "box"
    assert named.frames[named.frame_id("box")].parent_frame == named.frame_id("tool")
    assert str(remove(named, "box")) == str(model)


def test_bad_payloads():
    model = chain(["revolute"])
    with pytest.raises(InvalidValueError, match="mass"):
        add_payload(model, "tool", -1.0)
    with pytest.raises(InvalidValueError, match="com"):
        add_payload(model, "tool", 1.0, (0.0, np.nan, 0.0))
    with pytest.raises(ShapeError, match="inertia"):
        add_payload(model, "tool", 1.0, inertia=np.zeros(3))
    with pytest.raises(ModelError, match="'l1': the name is in use"):
        add_payload(model, "tool", 1.0, name="l1")
    with pytest.raises(UnknownFrameError):
        add_payload(model, "tol", 1.0)


def test_add_frame():
    model = chain(["revolute", "revolute"])
    placement = SE3(SO3.exp([0.0, 0.0, 0.5]), [1.0, 2.0, 3.0])
    more = add_frame(model, "tip", "tool", placement)
    assert more.frames[-1].name == "tip"
    assert more.frames[-1].kind == "operational"
    q = random_q(model)
    placements = world_placements(more, q)
    assert close(placements[("tip", False)], placements[("tool", False)] @ placement.homogeneous)
    with pytest.raises(ModelError, match="'tool': the name is in use"):
        add_frame(model, "tool", "l1")


def test_an_edit_leaves_the_model_alone_and_keeps_gravity():
    model = chain(["revolute", "revolute"]).with_gravity((0.0, 0.0, -1.62))
    text, masses = str(model), subtree_masses(model)
    for edited in (
        reduce(model, ["j1"]),
        remove(model, "j2"),
        add_frame(model, "tip", "tool"),
        add_payload(model, "tool", 1.0),
        append(model, chain(["revolute"]), "tool", prefix="x"),
    ):
        assert edited.gravity.tolist() == [0.0, 0.0, -1.62]
        assert edited.stamp != model.stamp
    assert str(model) == text
    assert np.array_equal(subtree_masses(model), masses)


@needs_robots
@pytest.mark.parametrize("name", ROBOTS)
def test_subtree_masses(name):
    pin = pytest.importorskip("pinocchio")
    theirs = pin_model(name, "free_flyer")
    data = theirs.createData()
    pin.centerOfMass(theirs, data, pin.neutral(theirs), True)
    ours = our_model(name, "free_flyer")
    assert close(subtree_masses(ours)[1:], list(data.mass)[1:], REL), f"{name}: subtree masses"
    assert close(ours.total_mass, pin.computeTotalMass(theirs), REL), f"{name}: total mass"


@needs_robots
@pytest.mark.parametrize("name", ROBOTS)
def test_a_copy_by_edit_is_bit_for_bit_the_robot(name):
    model = our_model(name, "free_flyer")
    copy = reduce(model, {})
    for field in model.records.dtype.names:
        if field != "stamp":
            assert np.array_equal(copy.records[field], model.records[field]), f"{name}: records[{field!r}]"
    for field in model.frame_records.dtype.names:
        ours, theirs = copy.frame_records[field], model.frame_records[field]
        assert np.array_equal(ours, theirs), f"{name}: frame_records[{field!r}]"


def test_reduce_works_on_a_read_urdf():
    urdf = (
        "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/>"
        "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
        "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>"
    )
    fixed = reduce(load_urdf(urdf), {"j": np.pi / 2})
    assert fixed.nq == 0
    assert fixed.inertias[0].mass == 1.0
    assert close(fixed.frames[fixed.frame_id("b")].placement.rotation, [[1, 0, 0], [0, 0, -1], [0, 1, 0]])
