"""The package as a package: what its manifests say is so, and its imports run one way."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]

# From the bottom up. A layer imports itself and what is below it.
LAYERS = (
    "errors",
    "kernels",
    "spatial",
    "model",
    "algorithms",
    "codegen",
    "collision",
    "ik",
    "robots",
    "nodes",
    "tools",
)
KERNEL_LIBRARIES = {"numpy", "numba", "llvmlite"}  # the last is part of Numba
ROS_LAYERS = {"nodes", "tools"}

# The package.xml key of a Python module, where the two differ.
KEYS = {
    "llvmlite": "python3-numba",
    "numba": "python3-numba",
    "numpy": "python3-numpy",
    "rich": "python3-rich",
    "urdf_parser_py": "urdfdom_py",
    "yaml": "python3-yaml",
}
# Only used where the caller has them; never imported with the module.
OPTIONAL = {"casadi", "coal", "matplotlib", "moveit_msgs", "qpsolvers", "trimesh"}
OWN = {"dyn_node", "dyn_node_msgs"}

SETUP_FIELDS = ("name", "version", "license")
READ_SETUP = """
import json, distutils.core
d = distutils.core.run_setup("setup.py", stop_after="init")
print(json.dumps({"name": d.get_name(), "version": d.get_version(), "license": d.get_license(),
                  "maintainer_email": d.get_maintainer_email(), "data_files": d.data_files,
                  "packages": d.packages, "package_data": d.package_data, "entry_points": d.entry_points}))
"""


class Import(NamedTuple):
    file: Path
    line: int
    module: str
    at_import: bool

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line} imports {self.module}"

    @property
    def top(self) -> str:
        return self.module.split(".")[0]


def layer_of(module: str) -> str | None:
    """`dyn_node.model.joint` -> `model`; the package itself -> None."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in LAYERS else None


def imports_of(file: Path) -> Iterator[Import]:
    parts = file.relative_to(ROOT).with_suffix("").parts
    package = parts[:-1]
    tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
    inside = {id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for n in ast.walk(f)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            source = ".".join([*base, *([node.module] if node.module else [])])
            # The names may be modules: `from dyn_node import model`.
            modules = [f"{source}.{alias.name}" for alias in node.names]
        else:
            continue
        for module in modules:
            yield Import(file, node.lineno, module, id(node) not in inside)


def source_files() -> list[Path]:
    return sorted((ROOT / "dyn_node").rglob("*.py"))


@pytest.fixture(scope="module")
def imports() -> list[Import]:
    found = [i for file in source_files() for i in imports_of(file)]
    assert len(found) > 100, "the sources were not found"
    return found


@pytest.fixture(scope="module")
def setup_data() -> dict:
    run = [sys.executable, "-W", "ignore", "-c", "import setuptools\n" + READ_SETUP]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def manifest() -> ElementTree.Element:
    return ElementTree.parse(ROOT / "package.xml").getroot()


def test_manifest_and_setup_agree(manifest, setup_data):
    for field in ("name", "version", "license"):
        assert manifest.findtext(field) == setup_data[field], field
    assert manifest.find("maintainer").get("email") == setup_data["maintainer_email"]


def test_versions_agree(manifest):
    init = (ROOT / "dyn_node" / "__init__.py").read_text(encoding="utf-8")
    interfaces = ElementTree.parse(ROOT / "msg" / "package.xml").getroot()
    version = manifest.findtext("version")
    assert f'__version__ = "{version}"' in init
    assert interfaces.findtext("version") == version
    assert interfaces.findtext("name") == "dyn_node_msgs"


@pytest.mark.parametrize("path", ["package.xml", "msg/package.xml"])
def test_manifest_is_one_that_colcon_accepts(path):
    # An address that is none makes colcon take the package for plain Python, without a word.
    root = ElementTree.parse(ROOT / path).getroot()
    assert root.get("format") == "3"
    assert root.findtext("license") == "Apache-2.0"
    for maintainer in root.findall("maintainer"):
        assert re.fullmatch(
            r"[\w%+-]+(\.[\w%+-]+)*@[\w%-]+(\.[\w%-]+)*\.[a-zA-Z]{2,}", maintainer.get("email")
        )
    tags = "buildtool_depend", "depend", "exec_depend", "test_depend"
    keys = [element.text for tag in tags for element in root.findall(tag)]
    assert len(keys) == len(set(keys)), f"a dependency of {path} is listed twice"


def test_build_dependencies_of_the_interfaces_are_the_packages_own(manifest):
    interfaces = ElementTree.parse(ROOT / "msg" / "package.xml").getroot()
    for tag in ("buildtool_depend", "depend", "exec_depend"):
        needed = {element.text for element in interfaces.findall(tag)}
        assert needed <= {element.text for element in manifest.findall(tag)}, tag


def test_data_files_exist_and_are_complete(setup_data):
    installed = {name for _, names in setup_data["data_files"] for name in names}
    for folder, pattern in (("launch", "*.launch.py"), ("config", "*.*"), ("rviz", "*.rviz")):
        present = {str(file.relative_to(ROOT)) for file in (ROOT / folder).iterdir() if file.is_file()}
        matching = {str(file.relative_to(ROOT)) for file in (ROOT / folder).glob(pattern)}
        assert matching, f"{folder}/ has no {pattern}"
        assert present == matching, f"not installed: {sorted(present - matching)}"
        assert matching <= installed
    for name in installed:
        assert (ROOT / name).is_file(), name
    places = {place for place, _ in setup_data["data_files"]}
    assert "share/ament_index/resource_index/packages" in places


def test_every_module_and_resource_is_installed(setup_data):
    folders = {".".join(file.relative_to(ROOT).parts[:-1]) for file in source_files()}
    assert folders == set(setup_data["packages"])
    patterns = setup_data["package_data"]["dyn_node"]
    covered = {file for pattern in patterns for file in (ROOT / "dyn_node").glob(pattern)}
    others = (
        file for file in (ROOT / "dyn_node").rglob("*") if file.is_file() and "__pycache__" not in file.parts
    )
    missing = {file for file in others if file.suffix != ".py"} - covered
    assert not missing, f"not installed: {sorted(map(str, missing))}"


def test_entry_points_name_functions_that_exist(setup_data):
    scripts = setup_data["entry_points"]["console_scripts"]
    assert {script.split(" = ")[0] for script in scripts} >= {
        "dynamics_node",
        "solver_node",
        "demo_robot",
        "demo",
        "check",
    }
    for script in scripts:
        module, function = script.split(" = ")[1].split(":")
        file = ROOT / Path(*module.split(".")).with_suffix(".py")
        assert file.is_file(), script
        defined = [
            node.name for node in ast.parse(file.read_text()).body if isinstance(node, ast.FunctionDef)
        ]
        assert function in defined, script


def test_interface_files_are_all_generated():
    listed = set(re.findall(r"(?:msg|srv)/\w+\.(?:msg|srv)", (ROOT / "msg" / "CMakeLists.txt").read_text()))
    present = {str(file.relative_to(ROOT / "msg")) for file in (ROOT / "msg").glob("*/*.*")}
    assert listed == present


@pytest.mark.parametrize("file", sorted((ROOT / "msg").glob("*/*.*")), ids=lambda file: file.name)
def test_every_interface_field_is_explained(file):
    commented = False
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line == "---":
            commented = False
        elif line.startswith("#"):
            commented = True
        else:
            assert commented, f"{file.name}:{number} has no comment above it: {line}"


def test_imports_are_declared(manifest, imports):
    tags = "depend", "exec_depend"
    declared = {element.text for tag in tags for element in manifest.findall(tag)}
    launch_files = [i for file in sorted((ROOT / "launch").glob("*.py")) for i in imports_of(file)]
    for found in [*imports, *launch_files]:
        if found.top in sys.stdlib_module_names or found.top in OWN:
            continue
        if found.top in OPTIONAL:
            assert not found.at_import, f"{found}, which is optional, when it is loaded itself"
        else:
            assert KEYS.get(found.top, found.top) in declared, f"{found}, which package.xml does not name"


def test_imports_run_downwards(imports):
    for found in imports:
        importer = layer_of(".".join(found.file.relative_to(ROOT).with_suffix("").parts))
        if importer is None or found.top != "dyn_node":
            continue
        imported = layer_of(found.module)
        if imported is None:
            # The package's own namespace holds everything: only what stands above it may use it.
            assert importer in ROS_LAYERS, f"{found}: {importer} must name the layer that it needs"
        else:
            assert LAYERS.index(imported) <= LAYERS.index(importer), (
                f"{found}: {importer} is below {imported}"
            )


def test_kernels_stand_on_numpy_and_numba_alone(imports):
    kernels = [found for found in imports if "kernels" in found.file.parts]
    assert kernels
    for found in kernels:
        if found.top not in sys.stdlib_module_names:
            allowed = found.top in KERNEL_LIBRARIES or layer_of(found.module) == "kernels"
            assert allowed, found


def test_only_the_nodes_know_ros(imports):
    ros = ("rclpy", "launch", "launch_ros", "tf2_ros", "ament_index_python")
    for found in imports:
        if found.top in ros or found.top.endswith("_msgs") or found.top == "std_srvs":
            assert "nodes" in found.file.parts, found


def test_the_library_is_imported_without_ros():
    code = """
import sys
class NoRos:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("rclpy", "dyn_node_msgs", "launch", "tf2_ros", "rich"):
            raise ModuleNotFoundError(f"import dyn_node reached for {name}", name=name)
sys.meta_path.insert(0, NoRos())
import dyn_node
print("nodes" if "dyn_node.nodes" in sys.modules else dyn_node.__version__)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"\d+\.\d+\.\d+", done.stdout.strip()), done.stdout
