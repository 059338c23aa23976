"""What touches what, against the reference library, and what a checker says where it cannot be made."""

from __future__ import annotations

import builtins
import warnings

import numpy as np
import pytest
from robots import ROBOTS_FOLDER, our_model, pin_model, robot_path

import dyn_node
from dyn_node import CollisionChecker
from dyn_node.errors import InvalidValueError, MissingDependencyError, ModelWarning, UrdfError
from dyn_node.model.urdf_shapes import read_shapes

needs_coal = pytest.mark.skipif(
    not pytest.importorskip("importlib").util.find_spec("coal"), reason="coal is not installed"
)

BALLS = """<robot name="balls">{links}
  <joint name="a" type="prismatic"><parent link="base"/><child link="left"/><origin xyz="-1 0 0"/>
    <axis xyz="1 0 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="b" type="prismatic"><parent link="base"/><child link="right"/><origin xyz="1 0 0"/>
    <axis xyz="1 0 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
</robot>"""
BALL = '<collision><origin xyz="0.1 0 0"/><geometry><sphere radius="{}"/></geometry></collision>'


def balls(left: str = BALL.format(0.2), right: str = BALL.format(0.3), base: str = "") -> str:
    links = {"base": base, "left": left, "right": right}
    return BALLS.format(links="".join(f'<link name="{n}">{shape}</link>' for n, shape in links.items()))


def load(text: str) -> dyn_node.Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # links without mass
        return dyn_node.load_urdf(text)


def srdf_of(name: str) -> str:
    places = {"panda": "panda_description/srdf/panda.srdf", "ur5": "ur_description/srdf/ur5.srdf"}
    return str(ROBOTS_FOLDER / places[name])


@needs_coal
@pytest.mark.parametrize("robot", ["panda", "ur5"])
def test_contacts_are_those_of_the_reference_library(robot: str) -> None:
    pin = pytest.importorskip("pinocchio")
    model, path, share = our_model(robot), robot_path(robot), ROBOTS_FOLDER.parents[1]
    checker = CollisionChecker(model, path, srdf_of(robot), package_dirs=[share])
    theirs = pin_model(robot)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shapes = pin.buildGeomFromUrdf(theirs, path, pin.GeometryType.COLLISION, [str(share)])
    shapes.addAllCollisionPairs()
    pin.removeCollisionPairs(theirs, shapes, srdf_of(robot))
    data, placed = theirs.createData(), shapes.createData()
    rng, touched = np.random.default_rng(1), 0
    for trial in range(200):
        q = dyn_node.random_configuration(model, rng)
        pin.computeCollisions(theirs, data, shapes, placed, q, False)
        expected = set()
        for pair, result in zip(shapes.collisionPairs, placed.collisionResults, strict=True):
            if result.isCollision():
                numbers = (shapes.geometryObjects[k].parentFrame for k in (pair.first, pair.second))
                expected.add(tuple(sorted(theirs.frames[number].name for number in numbers)))
        found = checker.collisions(q)
        assert set(found) == expected, f"{robot}, state {trial}"
        assert len(found) == len(set(found)), f"{robot}, state {trial}: a pair twice"
        assert checker.in_collision(q) == bool(expected)
        touched += bool(expected)
    assert touched >= 5, f"{robot}: the states were no challenge"


@needs_coal
def test_two_balls_touch_when_their_radii_say_so() -> None:
    model = load(balls())
    checker = CollisionChecker(model, balls())
    assert checker.pairs == (("left", "right"),)
    # Centres are at q[0] - 0.9 and q[1] + 1.1.
    assert checker.collisions([0.76, -0.75]) == [("left", "right")]
    assert checker.collisions([0.74, -0.75]) == []
    assert CollisionChecker(model, balls(), margin=0.02).collisions([0.74, -0.75]) == [("left", "right")]
    (near,) = checker.near([0.7, -0.7], within=0.2)
    assert near.links == ("left", "right")
    assert near.distance == pytest.approx(0.1)
    assert near.points == pytest.approx(np.array([[0.0, 0, 0], [0.1, 0, 0]]), abs=1e-6)
    assert near.normal == pytest.approx(np.array([1.0, 0, 0]), abs=1e-6)
    assert [near.distance for near in checker.near([0.8, -0.8], 0.0)] == [pytest.approx(-0.1)]
    assert checker.near([0.7, -0.7], within=0.05) == []


@needs_coal
def test_an_srdf_says_what_does_not_count() -> None:
    model, text = load(balls(base=BALL.format(0.1))), balls(base=BALL.format(0.1))
    everywhere = [0.9, -1.0]
    assert set(CollisionChecker(model, text).pairs) == {("left", "right")}, "neighbours in the tree"
    names = [("base", "left"), ("base", "right"), ("left", "right")]
    none = CollisionChecker(model, text, "<robot name='balls'/>")
    assert sorted(none.collisions(everywhere)) == names
    one = "<robot name='balls'><disable_collisions link1='right' link2='base' reason='Never'/></robot>"
    assert sorted(CollisionChecker(model, text, one).collisions(everywhere)) == [names[0], names[2]]
    back = (
        "<robot name='balls'><disable_default_collisions link='left'/>"
        "<enable_collisions link1='base' link2='left'/></robot>"
    )
    assert sorted(CollisionChecker(model, text, back).collisions(everywhere)) == names[:2]
    with pytest.raises(UrdfError, match="link2"):
        CollisionChecker(model, text, "<robot name='balls'><disable_collisions link1='left'/></robot>")


@needs_coal
def test_what_touches_at_rest_is_left_out() -> None:
    model = load(balls())
    checker = CollisionChecker(model, balls(), rest=[0.9, -1.0])
    assert checker.left_out == (("left", "right"),)
    assert checker.pairs == ()
    assert checker.collisions([0.9, -1.0]) == []


@needs_coal
@pytest.mark.parametrize("name", ["panda", "ur5e", "go2"])
def test_shipped_robots_do_not_collide_at_home(name: str) -> None:
    robot = dyn_node.robots.describe(name)
    model = dyn_node.robots.load(name, root="fixed")
    checker = CollisionChecker(model, dyn_node.robots.path(name))
    assert len(checker.pairs) > 10
    q = np.array([robot.home[joint.name] for joint in model.actuated_joints])
    assert checker.collisions(q) == [], name


@needs_coal
def test_a_floating_base_and_another_gravity_make_no_difference() -> None:
    model = dyn_node.robots.load("go2", root="free_flyer")
    checker = CollisionChecker(model, dyn_node.robots.path("go2"))
    checker.check_model(model.with_gravity([0.0, 0.0, 0.0]))
    q = dyn_node.random_configuration(model, 3, unbounded=1.0)
    moved = q.copy()
    moved[:3] += 5.0
    assert checker.collisions(q) == checker.collisions(moved)
    with pytest.raises(InvalidValueError, match=r"^collision: the checker was made for"):
        checker.check_model(dyn_node.robots.load("panda"))


def test_without_coal_it_says_how_to_add_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: object) -> object:
        if name == "coal":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingDependencyError, match="pip install coal"):
        CollisionChecker(load(balls()), balls())


@needs_coal
def test_geometry_that_is_not_there_is_named(tmp_path) -> None:
    with pytest.raises(UrdfError, match="no <collision> geometry"):
        CollisionChecker(load(balls("", "")), balls("", ""))
    mesh = '<collision><geometry><mesh filename="{}"/></geometry></collision>'
    for file, words in (
        ("package://arms/left.stl", "'left': the mesh 'package://arms/left.stl' is not there; looked for"),
        ("http://arms/left.stl", "an address that is not read here"),
    ):
        text = balls(left=mesh.format(file))
        with pytest.raises(UrdfError, match=words):
            CollisionChecker(load(text), text, package_dirs=[tmp_path])
    (tmp_path / "arms").mkdir()
    (tmp_path / "arms" / "left.stl").write_text("no mesh")
    text = balls(left=mesh.format("package://arms/left.stl"))
    with pytest.raises(UrdfError, match="cannot be read"):
        CollisionChecker(load(text), text, package_dirs=[tmp_path])
    other = dyn_node.robots.load("panda")
    with pytest.raises(InvalidValueError, match=r"'left' is not in"):
        CollisionChecker(other, balls())
    with pytest.raises(InvalidValueError, match=r"^margin"):
        CollisionChecker(load(balls()), balls(), margin=-1.0)


@needs_coal
def test_meshes_are_found_beside_the_urdf_and_in_installed_packages(tmp_path, monkeypatch) -> None:
    tetrahedron = "\n".join(
        ["v 0 0 0", "v 1 0 0", "v 0 1 0", "v 0 0 1", "f 1 3 2", "f 1 2 4", "f 2 3 4", "f 1 4 3"]
    )
    (tmp_path / "share" / "arms").mkdir(parents=True)
    (tmp_path / "share" / "arms" / "left.obj").write_text(tetrahedron)
    mesh = '<collision><geometry><mesh filename="{}" scale="2 2 2"/></geometry></collision>'
    text = balls(left=mesh.format("package://arms/left.obj"))
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path))
    checker = CollisionChecker(load(text), text)
    # The corner of the scaled mesh is at q[0] - 1 + 2, the ball's left end at q[1] + 1.1 - 0.3.
    assert checker.in_collision([0.0, 0.19])
    assert not checker.in_collision([0.0, 0.21])
    (near,) = checker.near([0.0, 0.3], 0.2)
    assert near.distance == pytest.approx(0.1, abs=1e-6)
    monkeypatch.delenv("AMENT_PREFIX_PATH")
    file = tmp_path / "share" / "arms" / "balls.urdf"
    file.write_text(balls(left=mesh.format("left.obj")))
    assert CollisionChecker(load(text), file).in_collision([0.0, 0.19])


def test_shapes_are_read_with_size_and_place() -> None:
    shapes = "".join(
        f"<collision><origin xyz='0 0 1' rpy='0 0 {np.pi / 2}'/><geometry>{kind}</geometry></collision>"
        for kind in ("<box size='1 2 3'/>", "<cylinder radius='1' length='2'/>", "<mesh filename='a.stl'/>")
    )
    box, cylinder, mesh, ball = read_shapes(balls(left=shapes))
    assert [shape.kind for shape in (box, cylinder, mesh, ball)] == ["box", "cylinder", "mesh", "sphere"]
    assert (box.size, cylinder.size, mesh.size, ball.size) == ((1, 2, 3), (1, 2), (1, 1, 1), (0.3,))
    assert (box.link, ball.link, mesh.mesh) == ("left", "right", "a.stl")
    assert box.placement.act(np.array([1.0, 0, 0])) == pytest.approx(np.array([0, 1.0, 1.0]))
    for bad in ("<sphere radius='-1'/>", "<box size='1 1'/>", "<sphere/>"):
        with pytest.raises(UrdfError, match="link 'left'"):
            read_shapes(balls(left=f"<collision><geometry>{bad}</geometry></collision>"))
