"""What is not a robot is refused with an error that names the element at fault."""

from __future__ import annotations

import pickle

import pytest
from urdf_text import INERTIA, LIMIT, inertial, joint, link, one_joint, robot

from dyn_node.errors import DynNodeError, InvalidValueError, MissingDependencyError, ModelError, UrdfError
from dyn_node.model import load_urdf, urdf_xml

BILLION_LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE robot [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    '<robot name="&b;"><link name="a"/></robot>'
)
LONG = "x" * 300

#: Case, text, words that the message has to have.
TEXTS = [
    ("empty", "", ["empty"]),
    ("blank", " \n ", ["empty"]),
    ("words", "hello robot", ["neither a file nor XML text", "hello robot"]),
    ("no such file", "/nowhere/robot.urdf", ["/nowhere/robot.urdf", "neither a file"]),
    ("not even a path", "a\0b", ["a\\x00b"]),
    ("truncated", one_joint()[:150], ["cut short"]),
    ("cut in a tag", "<robot", ["cut short"]),
    ("two documents", robot(link("a")) + robot(link("b")), ["not XML"]),
    ("other XML", "<sdf version='1.6'><model name='m'/></sdf>", ["<sdf>", "<robot>"]),
    ("web page", "<html><body>404</body></html>", ["<html>"]),
    ("no links", "<robot name='r'/>", ["no <link>"]),
    ("entities", BILLION_LAUGHS, ["declares entities", "refused"]),
    (
        "external entity",
        f'<!DOCTYPE robot [<!ENTITY x SYSTEM "file:///etc/hostname">]>{robot(link("a", "&x;"))}',
        ["entities", "refused"],
    ),
    (
        "parameter entity",
        f'<!DOCTYPE robot [<!ENTITY % x SYSTEM "file:///etc/hostname"> %x;]>{robot(link("a"))}',
        ["entities", "refused"],
    ),
    (
        "entity of an unread DTD",
        '<!DOCTYPE robot SYSTEM "robot.dtd"><robot name="r"><link name="a">&x;</link></robot>',
        ["entity", "refused"],
    ),
    ("undeclared entity", '<robot name="r"><link name="a">&x;</link></robot>', ["undefined entity"]),
    ("lone surrogate", '<robot name="r"><link name="\ud800"/></robot>', ["not XML"]),
    ("xacro text", robot(link("a"), '<xacro:arm name="left"/>', attributes='name="r"'), ["xacro"]),
    ("link without name", robot("<link/>"), ["<link>", "no name"]),
    ("joint without name", robot(link("a"), '<joint type="fixed"/>'), ["<joint>", "no name"]),
    ("two links of a name", robot(link("a"), link("a")), ["two links", "'a'"]),
    (
        "two joints of a name",
        robot(link("a"), link("b"), link("c"), joint("j", "a", "b"), joint("j", "a", "c")),
        ["two joints", "'j'"],
    ),
    ("two roots", robot(link("left"), link("right")), ["2 root links", "'left'", "'right'"]),
    (
        "no root",
        robot(link("a"), link("b"), joint("j", "a", "b"), joint("k", "b", "a")),
        ["no root", "cycle"],
    ),
    ("joint to itself", robot(link("a"), joint("j", "a", "a")), ["cycle"]),
    (
        "cycle beside the root",
        robot(link("root"), link("a"), link("b"), joint("j", "a", "b"), joint("k", "b", "a")),
        ["cycle", "'j'", "'k'", "'root'"],
    ),
    (
        "two parents",
        robot(link("a"), link("b"), link("c"), joint("j", "a", "c"), joint("k", "b", "c")),
        ["'c'", "'j'", "'k'"],
    ),
    (
        "child missing",
        robot(link("a"), link("hand"), joint("j", "a", "hnad")),
        ["'j'", "child", "'hnad'", "hand"],
    ),
    ("parent missing", robot(link("a"), joint("j", "base", "a")), ["'j'", "parent", "'base'"]),
    (
        "no child",
        robot(link("a"), '<joint name="j" type="fixed"><parent link="a"/></joint>'),
        ["'j'", "<child"],
    ),
    ("unknown type", one_joint("ball"), ["'j'", "'ball'", "revolute"]),
    ("no type", robot(link("a"), link("b"), '<joint name="j"/>'), ["'j'", "no type"]),
    ("zero axis", one_joint(content=LIMIT + '<axis xyz="0 0 0"/>'), ["'j'", "axis", "zero"]),
    ("axis of two numbers", one_joint(content=LIMIT + '<axis xyz="0 1"/>'), ["'j'"]),
    ("axis not finite", one_joint(content=LIMIT + '<axis xyz="0 nan 1"/>'), ["'j'", "axis", "finite"]),
    ("axis of words", one_joint(content=LIMIT + '<axis xyz="up"/>'), ["'j'"]),
    ("revolute without limit", one_joint(content=""), ["'j'", "revolute", "<limit>"]),
    ("prismatic without limit", one_joint("prismatic", ""), ["'j'", "prismatic", "<limit>"]),
    (
        "limit without effort",
        one_joint(content='<limit velocity="1" lower="0" upper="1"/>'),
        ["'j'", "effort"],
    ),
    (
        "limit without velocity",
        one_joint(content='<limit effort="1" lower="0" upper="1"/>'),
        ["'j'", "velocity"],
    ),
    (
        "limits crossed",
        one_joint(content='<limit effort="1" velocity="1" lower="2" upper="1"/>'),
        ["'j'", "lower limit 2", "upper limit 1"],
    ),
    (
        "limit not a number",
        one_joint(content='<limit effort="1" velocity="1" lower="nan" upper="1"/>'),
        ["'j'", "lower limit"],
    ),
    (
        "negative velocity limit",
        one_joint(content='<limit effort="1" velocity="-1" lower="0" upper="1"/>'),
        ["'j'", "velocity limit -1"],
    ),
    ("damping not finite", one_joint(content=LIMIT + '<dynamics damping="inf"/>'), ["'j'", "damping"]),
    ("origin not finite", one_joint(content=LIMIT + '<origin xyz="0 inf 0"/>'), ["'j'", "origin", "xyz"]),
    ("origin rpy not finite", one_joint(content=LIMIT + '<origin rpy="0 nan 0"/>'), ["'j'", "origin", "rpy"]),
    ("mimic without joint", one_joint(content=LIMIT + "<mimic/>"), ["'j'", "joint"]),
    (
        "mimic not finite",
        one_joint(content=LIMIT + '<mimic joint="k" offset="inf"/>'),
        ["'j'", "mimic offset"],
    ),
    ("negative mass", one_joint(body=inertial(-0.5)), ["'b'", "-0.5", "negative"]),
    ("mass not finite", one_joint(body=inertial("nan")), ["'b'", "mass"]),
    ("mass of words", one_joint(body=inertial("heavy")), ["'b'", "heavy"]),
    ("no mass", one_joint(body=f"<inertial>{INERTIA}</inertial>"), ["'b'", "mass"]),
    ("inertia not finite", one_joint(body=inertial(inertia=INERTIA.replace("1", "inf"))), ["'b'", "inertia"]),
    ("inertia incomplete", one_joint(body=inertial(inertia='<inertia ixx="1"/>')), ["'b'", "ixy"]),
    ("long name", LONG, ["..."]),
]


@pytest.mark.parametrize(("text", "words"), [case[1:] for case in TEXTS], ids=[case[0] for case in TEXTS])
def test_bad_urdf_is_refused_by_name(text, words):
    with pytest.raises(UrdfError) as caught:
        load_urdf(text)
    missing = [word for word in words if word not in str(caught.value)]
    assert not missing, f"the message lacks {missing}: {caught.value}"


@pytest.mark.parametrize(
    ("whole", "empty", "words"),
    [
        ('<axis xyz="0 0 1"/>', "<axis/>", ("joint 'j'", '<axis> has no xyz="..."')),
        ('<mass value="1"/>', "<mass/>", ("link 'b'", '<mass> has no value="..."')),
    ],
)
def test_an_element_without_its_attribute_is_named(whole: str, empty: str, words: tuple[str, ...]):
    text = """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
    <joint name="j" type="continuous"><parent link="a"/><child link="b"/>
    <axis xyz="0 0 1"/></joint></robot>"""
    assert load_urdf(text).nv == 1
    with pytest.raises(UrdfError) as caught:
        load_urdf(text.replace(whole, empty))
    missing = [word for word in words if word not in str(caught.value)]
    assert not missing, f"the message lacks {missing}: {caught.value}"


def test_errors_are_of_the_hierarchy_and_cross_processes():
    with pytest.raises(UrdfError) as caught:
        load_urdf(one_joint("ball"))
    copy = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(copy, ModelError)
    assert isinstance(copy, DynNodeError)
    assert isinstance(copy, ValueError)
    assert str(copy) == str(caught.value)
    assert copy.given == "ball"
    assert "revolute" in copy.allowed


@pytest.mark.parametrize("source", [None, 3, b"<robot/>", ["<robot/>"]])
def test_other_types_are_refused(source):
    with pytest.raises(UrdfError, match="path or as XML text"):
        load_urdf(source)


def test_unknown_root():
    with pytest.raises(InvalidValueError, match="free_flyer"):
        load_urdf(one_joint(), root="freeflyer")


@pytest.mark.parametrize("gravity", [(0, 0), (0, 0, float("nan")), "down", 9.81, None])
def test_bad_gravity(gravity):
    with pytest.raises(ModelError, match="gravity"):
        load_urdf(one_joint(), gravity=gravity)


def test_floating_base_needs_its_name():
    text = robot(link("a"), link("b"), joint("root_joint", "a", "b"))
    assert load_urdf(text).joint_names == ("universe", "root_joint")
    with pytest.raises(UrdfError, match="root_joint"):
        load_urdf(text, root="free_flyer")


@pytest.mark.parametrize("kind", ["revolute", "fixed"])
def test_joint_named_universe(kind):
    with pytest.raises(UrdfError, match="'universe': this is the world's name"):
        load_urdf(robot(link("a"), link("b"), joint("universe", "a", "b", kind)))


def test_files(tmp_path):
    with pytest.raises(UrdfError, match="neither a file"):
        load_urdf(tmp_path)
    empty = tmp_path / "empty.urdf"
    empty.write_bytes(b"")
    with pytest.raises(UrdfError, match=r"empty\.urdf.*is empty"):
        load_urdf(empty)
    binary = tmp_path / "binary.urdf"
    binary.write_bytes(bytes(range(256)))
    with pytest.raises(UrdfError, match="not XML"):
        load_urdf(binary)


def test_size_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(urdf_xml, "MAX_BYTES", 100)
    large = tmp_path / "large.urdf"
    large.write_text(one_joint())
    for source in (large, one_joint()):
        with pytest.raises(UrdfError, match="at most 100"):
            load_urdf(source)


def test_xacro_faults(tmp_path, monkeypatch):
    pytest.importorskip("xacro")
    broken = tmp_path / "broken.xacro"
    broken.write_text('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:nothing/></robot>')
    with pytest.raises(UrdfError, match="nothing"):
        load_urdf(broken)
    monkeypatch.setitem(__import__("sys").modules, "xacro", None)
    with pytest.raises(MissingDependencyError, match="pip install xacro"):
        load_urdf(broken)
