"""What real files contain is read, quietly, and means what URDF says it means."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from robots import ALL_URDFS, our_model, robot_path
from tolerances import IDENTITY
from urdf_text import INERTIA, LIMIT, inertial, joint, link, one_joint, robot

from dyn_node.errors import ModelWarning
from dyn_node.model import load_urdf

VENDOR = """
  <material name="empty"/>
  <gazebo reference="a"><sensor:camera name="c"><mu1>0.2</mu1></sensor:camera></gazebo>
  <transmission name="t"><type>simple</type><joint name="j"/><actuator name="m"/></transmission>
  <transmission name="u"/>
  <ros2_control name="hw" type="system"><hardware><plugin>x/Y</plugin></hardware>
    <joint name="j"><command_interface name="effort"/></joint></ros2_control>
  <mujoco><compiler meshdir="meshes"/></mujoco>
"""
DECORATED_LINK = """<link name="b" type="arm"><inertial><mass value="2"/></inertial>
  <visual><geometry><capsule radius="1" length="2"/></geometry><material/></visual>
  <visual><origin rpy="a b c"/></visual><collision/><self_collision_checking/></link>"""


@pytest.fixture(autouse=True)
def no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_vendor_tags_and_empty_materials_are_passed_over(capfd):
    model = load_urdf(robot(VENDOR, link("a"), DECORATED_LINK, joint("j", "a", "b", content=LIMIT + "<hw/>")))
    assert model.joint_names == ("universe", "j")
    assert model.inertias[1].mass == 2.0
    assert capfd.readouterr() == ("", ""), "loading prints"


def test_missing_axis_is_x_and_lengths_do_not_matter():
    assert load_urdf(one_joint()).joints[1].axis.tolist() == [1.0, 0.0, 0.0]
    for text in ("0 3e-200 -4e-200", "0 3 -4", "0 3e200 -4e200"):
        axis = load_urdf(one_joint(content=f'{LIMIT}<axis xyz="{text}"/>')).joints[1].axis
        assert np.allclose(axis, [0.0, 0.6, -0.8], rtol=0.0, atol=IDENTITY), f"axis {text}: {axis}"


def test_limits():
    model = load_urdf(one_joint())
    assert (model.lower_position_limit[0], model.upper_position_limit[0]) == (-1.0, 1.5)
    assert (model.velocity_limit[0], model.effort_limit[0]) == (2.0, 1.0)
    model = load_urdf(one_joint(content='<limit effort="1" velocity="2"/>'))
    assert (model.lower_position_limit[0], model.upper_position_limit[0]) == (0.0, 0.0)
    model = load_urdf(one_joint("prismatic", '<limit effort="inf" velocity="inf" lower="-inf" upper="inf"/>'))
    assert np.isinf([model.lower_position_limit, model.upper_position_limit, model.effort_limit]).all()


@pytest.mark.parametrize("limit", ["", LIMIT])
def test_continuous_joint(limit):
    model = load_urdf(one_joint("continuous", limit))
    assert (model.nq, model.nv) == (2, 1)
    assert np.isinf(model.lower_position_limit).all()
    assert np.isinf(model.upper_position_limit).all()
    assert model.velocity_limit[0] == (2.0 if limit else np.inf)


@pytest.mark.parametrize("content", ["", "<limit/>", LIMIT])
@pytest.mark.parametrize(
    ("kind", "ours", "nq", "nv"), [("floating", "free_flyer", 7, 6), ("planar", "planar", 4, 3)]
)
def test_floating_and_planar_joints_in_the_tree(kind, ours, nq, nv, content):
    model = load_urdf(
        robot(link("a"), link("b"), link("c"), joint("j", "a", "b"), joint("k", "b", "c", kind, content))
    )
    assert (model.joints[2].kind, model.nq, model.nv) == (ours, 1 + nq, 1 + nv)
    assert model.joints[2].parent == 1
    assert model.root_joint is None
    assert [j.name for j in model.actuated_joints] == ["j", "k"]


def test_floating_joint_at_the_root_is_the_floating_base():
    model = load_urdf(robot(link("world"), link("b"), joint("base", "world", "b", "floating", "")))
    assert model.root_joint is model.joints[1]
    assert model.actuated_joints == ()
    assert model.coordinate_names == tuple(f"base/{c}" for c in ("vx", "vy", "vz", "wx", "wy", "wz"))


@pytest.mark.parametrize("limit", ["", "<limit/>", '<limit effort="0"/>'])
def test_fixed_joints_do_not_care_about_limits(limit):
    model = load_urdf(one_joint("fixed", limit + '<axis xyz="0 0 0"/>'))
    assert (model.nq, [f.kind for f in model.frames]) == (0, ["universe", "body", "fixed_joint", "body"])


def test_dynamics_and_mimic_are_kept():
    content = (
        LIMIT + '<dynamics damping="0.5" friction="0.25"/><mimic joint="k" multiplier="-2" offset="0.5"/>'
    )
    text = robot(link("a"), link("b"), link("c"), joint("j", "a", "b", content=content), joint("k", "a", "c"))
    model = load_urdf(text)
    follower, leader = model.joints[1:]
    assert (follower.damping[0], follower.friction[0]) == (0.5, 0.25)
    assert (model.damping.tolist(), model.friction.tolist()) == ([2.0], [0.5]), "what the leader feels"
    assert (model.nq, model.nv, follower.nv, follower.idx_v, leader.nv) == (1, 1, 0, 0, 1)
    mimic = follower.mimic
    assert (mimic.joint, mimic.multiplier, mimic.offset) == ("k", -2.0, 0.5)
    assert leader.mimic is None
    assert [joint.name for joint in model.actuated_joints] == ["k"]
    free = load_urdf(text, mimic=False)
    assert (free.nv, free.joints[1].mimic, free.damping.tolist()) == (2, None, [0.5, 0.0])
    only_name = load_urdf(text.replace(' multiplier="-2" offset="0.5"', "")).joints[1]
    assert (only_name.mimic.multiplier, only_name.mimic.offset) == (1.0, 0.0)


def test_roll_pitch_yaw_turn_about_fixed_axes():
    half = math.pi / 2
    cases = {
        f"{half} 0 0": [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
        f"0 {half} 0": [[0, 0, 1], [0, 1, 0], [-1, 0, 0]],
        f"0 0 {half}": [[0, -1, 0], [1, 0, 0], [0, 0, 1]],
        # x first, then the world's z: the child's y axis goes to z and stays there.
        f"{half} 0 {half}": [[0, 0, 1], [1, 0, 0], [0, 1, 0]],
    }
    for rpy, expected in cases.items():
        placement = (
            load_urdf(one_joint(content=f'{LIMIT}<origin xyz="1 2 3" rpy="{rpy}"/>')).joints[1].placement
        )
        assert np.allclose(placement.rotation, expected, rtol=0.0, atol=IDENTITY), f"rpy {rpy}"
        assert placement.translation.tolist() == [1.0, 2.0, 3.0]


def test_inertial_origin_turns_the_inertia():
    moments = '<inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/>'
    origin = f'<origin xyz="0.1 0.2 0.3" rpy="0 0 {math.pi / 2}"/>'
    body = load_urdf(one_joint(body=inertial(3.0, moments, origin))).links[1].inertia
    assert body.mass == 3.0
    assert body.com.tolist() == [0.1, 0.2, 0.3]
    assert np.allclose(body.inertia, np.diag([2.0, 1.0, 2.5]), rtol=0.0, atol=IDENTITY)


def test_a_fixed_link_is_lumped_and_its_frame_stays():
    tool = joint("mount", "b", "tool", "fixed", '<origin xyz="0 0 2"/>')
    model = load_urdf(robot(link("a"), link("b"), link("tool", inertial(3.0)), joint("j", "a", "b"), tool))
    lumped = model.inertias[1]
    # 1 kg at 0 and 3 kg at 2 m: 4 kg at 1.5 m, and 1 * 1.5^2 + 3 * 0.5^2 = 3 more about x and y.
    assert lumped.mass == 4.0
    assert np.allclose(lumped.com, [0.0, 0.0, 1.5], rtol=0.0, atol=IDENTITY)
    assert np.allclose(lumped.inertia, np.diag([5.0, 5.0, 2.0]), rtol=0.0, atol=IDENTITY)
    frame = model.frames[model.frame_id("tool")]
    assert frame.parent_joint == 1
    assert frame.placement.translation.tolist() == [0.0, 0.0, 2.0]
    assert model.frames[frame.parent_frame].name == "mount"
    assert [(each.name, each.inertia.mass) for each in model.links] == [("a", 1.0), ("b", 1.0), ("tool", 3.0)]


def test_root_link_counts():
    text = one_joint(body=inertial(2.0))
    fixed, floating = load_urdf(text), load_urdf(text, root="free_flyer")
    assert [i.mass for i in fixed.inertias] == [1.0, 2.0]
    assert fixed.total_mass == 2.0
    assert [i.mass for i in floating.inertias] == [0.0, 1.0, 2.0]
    assert floating.total_mass == 3.0


def test_siblings_are_visited_in_alphabetical_order_of_the_joints():
    names = ["m", "Z", "a_fixed", "a", "10", "9"]
    elements = [joint(n, "root", f"link_{n}", "fixed" if "fixed" in n else "revolute") for n in names]
    model = load_urdf(robot(*elements, link("root"), *(link(f"link_{n}") for n in names)))
    assert model.joint_names[1:] == ("10", "9", "Z", "a", "m")
    assert [f.name for f in model.frames if "joint" in f.kind] == ["10", "9", "Z", "a", "a_fixed", "m"]


def test_missing_and_partial_inertial():
    model = load_urdf(robot(link("a", ""), link("b", inertial(1.0, "")), joint("j", "a", "b")))
    assert model.inertias[0].mass == 0.0
    assert model.inertias[1].mass == 1.0
    assert not model.inertias[1].inertia.any()


def test_a_long_chain_is_not_recursive():
    n = 2 * sys.getrecursionlimit()
    links = [link(f"l{i}") for i in range(n + 1)]
    joints = [joint(f"j{i}", f"l{i}", f"l{i + 1}") for i in range(n)]
    model = load_urdf(robot(*links, *joints))
    assert model.njoints == n + 1
    assert len(str(model).splitlines()) == n + 2


def test_text_in_any_wrapping(tmp_path):
    plain = one_joint()
    declared = (
        '<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE robot><!-- r\u00f6bot -->'
        + plain.replace("test", "b\u00e4r")
    )
    assert load_urdf("\ufeff\n  " + declared).name == "b\u00e4r"
    path = tmp_path / "robot.urdf"
    path.write_bytes(declared.encode("latin-1"))
    assert load_urdf(path).name == load_urdf(str(path)).name == "b\u00e4r"
    assert load_urdf(plain.replace('name="test"', "")).name == "robot"
    os.chdir(tmp_path)
    assert load_urdf("robot.urdf").njoints == 2


def test_xacro_file(tmp_path):
    pytest.importorskip("xacro")
    text = (
        one_joint(body="")
        .replace('name="test"', 'name="test" xmlns:xacro="http://www.ros.org/wiki/xacro"')
        .replace('upper="1.5"', 'upper="${half}"')
        .replace("<link", '<xacro:property name="half" value="${pi / 2}"/><link', 1)
    )
    for name in ("robot.urdf.xacro", "robot.urdf"):
        path = tmp_path / name
        path.write_text(text.replace('<link name="b"></link>', link("b")))
        assert load_urdf(path).upper_position_limit[0] == pytest.approx(math.pi / 2, rel=IDENTITY), name


@pytest.mark.skipif(not ALL_URDFS, reason="example-robot-data is not installed")
def test_a_real_robot_loads_without_a_word(capfd):
    load_urdf(robot_path("talos"))
    assert capfd.readouterr() == ("", ""), "loading prints"


@pytest.mark.skipif(not ALL_URDFS, reason="example-robot-data is not installed")
def test_mimic_of_a_real_robot():
    finger = next(j for j in our_model("panda", mimic=True).joints if j.mimic)
    assert (finger.name, finger.mimic.joint) == ("panda_finger_joint2", "panda_finger_joint1")


def test_impossible_inertia_is_a_warning_with_numbers():
    flat = INERTIA.replace('izz="1"', 'izz="3"')
    with pytest.warns(ModelWarning, match=r"link 'b'.* 1, 1, 3 .*triangle inequality.* 1 \+ 1 < 3") as caught:
        load_urdf(one_joint(body=inertial(inertia=flat)))
    assert Path(caught[0].filename) == Path(__file__), "the warning points at the caller"
    with pytest.warns(ModelWarning, match=r"link 'b': .*negative.*-1"):
        load_urdf(one_joint(body=inertial(inertia=INERTIA.replace('ixx="1"', 'ixx="-1"'))))


def test_a_joint_that_moves_no_mass_is_a_warning():
    chain = robot(link("a"), link("b", ""), link("c", ""), joint("j", "a", "b"), joint("k", "b", "c"))
    with pytest.warns(ModelWarning) as caught:
        load_urdf(chain)
    messages = [str(each.message) for each in caught]
    assert len(messages) == 2
    assert "'j': moves link 'b'" in messages[0]
    assert "'k': moves link 'c'" in messages[1]
    # A massless link in the middle is how a wrist of three joints is written: nothing wrong with it.
    load_urdf(chain.replace('<link name="c"></link>', link("c")))


def test_loading_needs_neither_ros_nor_the_reference_library():
    code = (
        "import sys; import dyn_node.model as m; m.load_urdf(sys.argv[1]);"
        "print([n for n in ('rclpy', 'pinocchio', 'xacro') if n in sys.modules])"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code, one_joint()], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
