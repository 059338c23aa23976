"""The launch files themselves: they compile, explain every argument and refuse bad ones."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dyn_node import robots
from dyn_node.errors import DynNodeError, InvalidValueError, MissingDependencyError

FOLDER = Path(__file__).parents[2] / "launch"
FILES = ("arm", "demo", "quadruped")

# The folder launch/ of this repository is importable as `launch` as well: ask for a part that only the
# package has.
HAVE_LAUNCH = all(importlib.util.find_spec(name) for name in ("launch_ros", "ament_index_python"))
needs_launch = pytest.mark.skipif(
    not HAVE_LAUNCH, reason="launch_ros is not installed; every ROS 2 installation has it"
)

ARM = """<robot name="arm"><link name="base"/><link name="tip"><inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="tip"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""
MASS_ARGUMENT = '<xacro:arg name="mass" default="3"/><xacro:property name="mass" value="$(arg mass)"/>'


def test_there_are_the_files_that_the_manual_names():
    found = sorted(path.name for path in FOLDER.iterdir() if path.is_file())
    assert found == [f"{name}.launch.py" for name in FILES]


@pytest.mark.parametrize("name", FILES)
def test_compiles(name: str):
    path = FOLDER / f"{name}.launch.py"
    compile(path.read_text(encoding="utf-8"), str(path), "exec")


def module(name: str) -> ModuleType:
    """The launch file as a module, as `ros2 launch` loads it."""
    spec = importlib.util.spec_from_file_location(f"{name}_launch", FOLDER / f"{name}.launch.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def declared(name: str) -> dict[str, Any]:
    """The arguments of a launch file, by name, as --show-args lists them."""
    return {a.name: a for a in module(name).generate_launch_description().get_launch_arguments()}


@needs_launch
@pytest.mark.parametrize("name", FILES)
def test_every_argument_is_explained_and_has_a_default(name: str):
    arguments = declared(name)
    assert {"namespace", "params_file", "log_level", "rviz", "robot_state_publisher"} <= set(arguments)
    for argument in arguments.values():
        assert argument.description.endswith((".", "]")), f"{name}: {argument.name}: {argument.description!r}"
        assert len(argument.description) > 20, f"{name}: {argument.name}"
        assert argument.default_value is not None, f"{name}: {argument.name}"


@needs_launch
def test_robots_have_the_arguments_that_only_they_need():
    assert {"robot_file", "use_sim_time"} <= set(declared("arm"))
    quadruped = {"robot_file", "use_sim_time", "odom", "contact_frames", "contacts"}
    assert quadruped <= set(declared("quadruped"))
    assert declared("demo")["robot"].choices == list(robots.names())


@pytest.fixture
def share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package index that knows dyn_node, with this checkout's files, and no other package."""
    index = tmp_path / "share" / "ament_index" / "resource_index" / "packages"
    index.mkdir(parents=True)
    (index / "dyn_node").touch()
    folder = tmp_path / "share" / "dyn_node"
    folder.mkdir()
    for name in ("config", "rviz"):
        (folder / name).symlink_to(FOLDER.parent / name, target_is_directory=True)
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path))
    return folder


def started(name: str, **given: str) -> list[Any]:
    """What a launch file would start, without starting it. Raises what it refuses."""
    from launch import LaunchContext

    context = LaunchContext()
    context.launch_configurations.update(given)
    result: list[Any] = []
    for entity in module(name).generate_launch_description().entities:
        result += entity.visit(context) or []
    return result


def executables(entities: list[Any]) -> list[str]:
    return [entity.node_executable for entity in entities if hasattr(entity, "node_executable")]


@needs_launch
@pytest.mark.usefixtures("share")
class TestWhatIsStarted:
    @pytest.mark.parametrize("name", ["arm", "quadruped"])
    def test_two_nodes_beside_a_robot(self, name: str):
        assert executables(started(name)) == ["dynamics_node", "solver_node"]

    @pytest.mark.parametrize("robot", robots.names())
    def test_three_nodes_with_a_simulated_one(self, robot: str):
        assert executables(started("demo", robot=robot)) == ["dynamics_node", "solver_node", "demo_robot"]

    def test_urdf_file(self, tmp_path: Path):
        path = tmp_path / "arm.urdf"
        path.write_text(ARM, encoding="utf-8")
        assert len(executables(started("arm", robot_file=str(path)))) == 2

    @pytest.mark.parametrize(
        ("given", "says"),
        [
            ({"robot_file": "/nowhere/arm.urdf"}, "no such file"),
            ({"params_file": "pandda.yaml"}, "panda.yaml"),
            ({"rviz": "perhaps"}, "true or false"),
            ({"use_sim_time": "yes please"}, "true or false"),
        ],
    )
    def test_bad_arguments_are_refused_by_name(self, given: dict[str, str], says: str):
        with pytest.raises(InvalidValueError, match=says) as refusal:
            started("arm", **given)
        assert next(iter(given)) in str(refusal.value)

    def test_robot_state_publisher_needs_a_description(self, share: Path):
        (share.parent / "ament_index/resource_index/packages/robot_state_publisher").touch()
        with pytest.raises(InvalidValueError, match="robot_file"):
            started("arm", robot_state_publisher="true")

    @pytest.mark.parametrize("name", FILES)
    @pytest.mark.parametrize(
        ("argument", "package"), [("rviz", "rviz2"), ("robot_state_publisher", "robot-state-publisher")]
    )
    def test_missing_package_is_named_with_its_remedy(self, name: str, argument: str, package: str):
        with pytest.raises(MissingDependencyError, match=f"apt install ros-.*{package}"):
            started(name, **{argument: "true"})

    def test_with_rviz_everything_that_it_needs(self, share: Path):
        for package in ("rviz2", "robot_state_publisher"):
            (share.parent / f"ament_index/resource_index/packages/{package}").touch()
        names = executables(started("demo", robot="go2", rviz="true"))
        assert names[2:] == ["demo_robot", "robot_state_publisher", "rviz2"]


@needs_launch
@pytest.mark.parametrize(
    ("outer", "given", "namespace"),
    [
        (None, "", "/"),
        (None, "left", "/left"),
        (None, "/left", "/left"),
        ("/cell", "left", "/cell/left"),
        ("/cell", "", "/cell"),
        ("/cell", "/left", "/left"),
    ],
)
def test_namespace_is_inside_that_of_an_including_file(outer: str | None, given: str, namespace: str):
    from launch import LaunchContext

    from dyn_node.nodes import launch_nodes

    context = LaunchContext()
    context.launch_configurations["namespace"] = given
    if outer:
        context.launch_configurations["ros_namespace"] = outer
    assert launch_nodes.namespace(context) == namespace


@needs_launch
class TestXacro:
    @pytest.fixture(autouse=True)
    def _xacro(self, share: Path):
        pytest.importorskip("xacro", reason="xacro is not installed")

    @staticmethod
    def description(path: Path, arguments: str = "") -> str:
        from launch import LaunchContext

        from dyn_node.nodes import launch_arguments

        context = LaunchContext()
        context.launch_configurations.update(robot_file=str(path), xacro_args=arguments)
        return launch_arguments.robot_description(context)

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "arm.urdf.xacro"
        text = ARM.replace("<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ')
        text = text.replace('<mass value="1"/>', '<mass value="${2 * mass}"/>')
        path.write_text(text.replace("<link", f"{MASS_ARGUMENT}<link", 1), encoding="utf-8")
        return path

    def test_is_expanded(self, path: Path):
        assert '<mass value="6"/>' in self.description(path)

    def test_takes_arguments(self, path: Path):
        assert '<mass value="10"/>' in self.description(path, "mass:=5 unused:='a b'")

    def test_malformed_argument(self, path: Path):
        with pytest.raises(InvalidValueError, match="name:=value"):
            self.description(path, "mass=5")

    def test_bad_file_is_named(self, tmp_path: Path):
        path = tmp_path / "bad.xacro"
        path.write_text("<robot", encoding="utf-8")
        with pytest.raises(DynNodeError, match=r"bad\.xacro"):
            self.description(path)
