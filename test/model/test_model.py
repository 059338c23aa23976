"""Model: it cannot be changed, survives pickling, finds names and prints itself."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from robots import ALL_URDFS, ROBOTS, our_model
from urdf_text import joint, link, one_joint, robot

from dyn_node.errors import ModelError, UnknownFrameError, UnknownJointError
from dyn_node.model import Model, load_urdf

ARRAYS = [
    "gravity",
    "lower_position_limit",
    "upper_position_limit",
    "velocity_limit",
    "effort_limit",
    "damping",
    "friction",
    "armature",
]
BRANCHED = robot(
    link("base"),
    *(link(name) for name in ("left", "right", "hand", "tool")),
    joint("j_left", "base", "left"),
    joint("j_right", "base", "right", "continuous", '<axis xyz="0 -1 0"/>'),
    joint("j_hand", "left", "hand", "prismatic"),
    joint("mount", "hand", "tool", "fixed", '<origin xyz="0 0 1"/>'),
)


@pytest.fixture
def model():
    return load_urdf(BRANCHED, root="free_flyer")


def test_nothing_can_be_set(model):
    for name in ("name", "gravity", "joints", "nq", "stamp", "records", "something_else"):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(model, name, None)
        with pytest.raises(AttributeError, match="cannot be changed"):
            delattr(model, name)
    with pytest.raises(AttributeError):
        model.joints[1].name = "other"
    with pytest.raises(AttributeError):
        model.frames[1].placement = None
    assert isinstance(model.joints, tuple)
    assert isinstance(model.frames, tuple)
    assert isinstance(model.links, tuple)


def test_arrays_are_read_only(model):
    for name in ARRAYS:
        with pytest.raises(ValueError, match="read-only"):
            getattr(model, name)[0] = 1.0
    for name in (
        "lower",
        "upper",
        "velocity_limit",
        "effort_limit",
        "damping",
        "friction",
        "armature",
        "axis",
    ):
        with pytest.raises(ValueError, match="read-only"):
            getattr(model.joints[1], name)[0] = 1.0


def test_the_callers_arrays_stay_the_callers():
    gravity = np.array([0.0, 0.0, -1.0])
    model = load_urdf(one_joint(), gravity=gravity)
    gravity[2] = -5.0
    assert model.gravity[2] == -1.0


def assert_same(a, b):
    for name in (
        *ARRAYS,
        "joint_names",
        "coordinate_names",
        "name",
        "nq",
        "nv",
        "njoints",
        "nframes",
        "total_mass",
    ):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    for name in a.records.dtype.names:
        if name != "stamp":
            assert np.array_equal(a.records[name], b.records[name]), f"records[{name!r}]"
    assert a.frame_records.tobytes() == b.frame_records.tobytes()
    assert [(f.name, f.kind, f.parent_frame) for f in a.frames] == [
        (f.name, f.kind, f.parent_frame) for f in b.frames
    ]
    assert [x.inertia for x in a.links] == [x.inertia for x in b.links]
    assert str(a) == str(b)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickling(model, protocol):
    other = pickle.loads(pickle.dumps(model, protocol))
    assert isinstance(other, Model)
    assert_same(model, other)
    assert other.stamp != model.stamp
    assert other.records[0]["stamp"] == other.stamp
    test_nothing_can_be_set(other)
    test_arrays_are_read_only(other)


@pytest.mark.skipif(not ALL_URDFS, reason="example-robot-data is not installed")
@pytest.mark.parametrize("name", ROBOTS)
def test_pickling_of_real_robots(name):
    assert_same(our_model(name, "free_flyer"), pickle.loads(pickle.dumps(our_model(name, "free_flyer"))))


def test_copies_are_the_model_itself(model):
    assert copy.copy(model) is model
    assert copy.deepcopy([model])[0] is model


def test_stamps_differ(model):
    assert len({model.stamp, load_urdf(BRANCHED).stamp, model.with_gravity((0, 0, 0)).stamp}) == 3


def test_with_gravity(model):
    moon = model.with_gravity([0, 0, -1.62])
    assert moon.gravity.tolist() == moon.records[0]["gravity"].tolist() == [0.0, 0.0, -1.62]
    assert model.gravity.tolist() == [0.0, 0.0, -9.81]
    assert moon.joints is model.joints
    assert moon.frames is model.frames
    with pytest.raises(ModelError, match="gravity"):
        model.with_gravity([0, 0])


def test_frames_by_name_and_index(model):
    assert model.frames[model.frame_id("tool")].name == "tool"
    assert model.has_frame("tool")
    assert model.frame_id(3) == model.frame_id(np.int64(3)) == 3
    with pytest.raises(UnknownFrameError, match=r"no frame named 'tol'.*closest: tool") as caught:
        model.frame_id("tol")
    assert caught.value.given == "tol"
    assert "base" in caught.value.allowed
    assert not model.has_frame("tol")
    for bad in (-1, model.nframes, None, 1.0, ["tool"]):
        with pytest.raises(UnknownFrameError):
            model.frame_id(bad)


def test_joints_by_name_and_index(model):
    assert model.joint_names[model.joint_id("j_hand")] == "j_hand"
    assert model.has_joint("j_hand")
    assert model.joint_id(2) == 2
    assert model.joint_id("universe") == 0
    with pytest.raises(UnknownJointError, match="closest: j_hand"):
        model.joint_id("j_hnad")
    assert not model.has_joint("mount"), "a fixed joint is a frame"
    for bad in (-1, model.njoints, None):
        with pytest.raises(UnknownJointError):
            model.joint_id(bad)


def test_a_link_and_a_joint_of_one_name():
    text = robot(link("a"), link("b"), link("c"), joint("c", "a", "b"), joint("k", "b", "c"))
    model = load_urdf(text)
    assert model.frames[model.frame_id("c")].kind == "body"
    assert model.frames[model.frame_id("c", kind="joint")].parent_joint == 1
    with pytest.raises(UnknownFrameError):
        model.frame_id("k", kind="body")


def test_coordinates_and_actuated_joints(model):
    assert model.coordinate_names == (
        *(f"root_joint/{c}" for c in ("vx", "vy", "vz", "wx", "wy", "wz")),
        "j_left",
        "j_hand",
        "j_right",
    )
    assert model.root_joint is model.joints[1]
    assert [j.name for j in model.actuated_joints] == ["j_left", "j_hand", "j_right"]
    fixed = load_urdf(BRANCHED)
    assert fixed.root_joint is None
    assert len(fixed.actuated_joints) == 3


def test_printing(model):
    assert str(model).splitlines() == [
        "test: 4 joints, nq 11, nv 9, 11 frames, 5 kg",
        "universe",
        "`- root_joint (1)  free_flyer  1 kg",
        "   |- j_left (2)  revolute  x  [-1, 1.5] rad  1 kg",
        "   |  `- j_hand (3)  prismatic  x  [-1, 1.5] m  2 kg",
        "   `- j_right (4)  continuous  -y  1 kg",
    ]
    assert repr(model) == "Model('test', 4 joints, nq=11, nv=9, 11 frames)"
    assert repr(model.joints[2]) == "Joint(2, 'j_left', revolute)"
    assert repr(model.frames[1]) == "Frame(1, 'root_joint', joint, joint 1)"
    assert len(repr(model.frames[1])) < 80


def test_records_are_what_kernels_need(model):
    assert model.records.flags.c_contiguous
    assert model.records.flags.writeable
    assert model.frame_records.flags.c_contiguous


def test_data_belongs_to_its_model(model):
    assert model.create_data().model is model
