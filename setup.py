"""Builds and installs two things in one go: the Python package dyn_node and, with CMake, its
interface package dyn_node_msgs (folder msg/).

They are separate packages because generated interfaces and hand-written Python of one name collide;
they are built together because colcon does not look for a package inside another one.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import zlib
from glob import glob
from importlib import metadata
from pathlib import Path
from typing import ClassVar

from setuptools import Command, Distribution, find_packages, setup
from setuptools.command.develop import develop

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    try:
        from wheel.bdist_wheel import bdist_wheel
    except ImportError:  # a colcon build makes no wheel
        bdist_wheel = Command

# After setuptools: only then is this the class that colcon's --symlink-install derives from as well.
from distutils.command.install_data import install_data  # isort: skip

NAME = "dyn_node"
INTERFACES = "dyn_node_msgs"
SOURCE = Path(__file__).resolve().parent / "msg"

# colcon replaces sys.prefix by the folder it installs to and keeps the true one here.
ENVIRONMENT = Path(getattr(sys, "real_prefix", sys.prefix))


def ament_prefixes() -> list[str]:
    """The prefixes with ROS packages: those of the sourced set-up files, then the environment itself."""
    sourced = [prefix for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if prefix]
    wheels = [str(ENVIRONMENT)] if (ENVIRONMENT / "share" / "rosidl_default_generators").is_dir() else []
    return sourced + [prefix for prefix in wheels if prefix not in sourced]


def provided_elsewhere(prefix: Path) -> bool:
    """Whether these very interfaces are here already, and not by an installation that this one replaces."""
    spec = importlib.util.find_spec(INTERFACES)
    if spec is None or not spec.origin:
        return False
    package = Path(spec.origin).resolve().parent
    own_overlay = prefix in package.parents and prefix != ENVIRONMENT.resolve()
    return not own_overlay and not owned() and same_definitions(package.parents[3] / "share" / INTERFACES)


def same_definitions(installed: Path) -> bool:
    sources = [*SOURCE.glob("msg/*.msg"), *SOURCE.glob("srv/*.srv")]
    copies = [installed / source.relative_to(SOURCE) for source in sources]
    return all(b.is_file() and a.read_bytes() == b.read_bytes() for a, b in zip(sources, copies, strict=True))


def owned() -> bool:
    """Whether pip's record says that the installed dyn_node brought the installed dyn_node_msgs."""
    try:
        files = metadata.distribution(NAME).files or []
    except metadata.PackageNotFoundError:
        return False
    return any(file.parts[:1] == (INTERFACES,) for file in files)


def build_interfaces(prefix: Path, build_base: str, force: bool = False) -> None:
    """Build msg/ with CMake and install it under `prefix`."""
    if not force and provided_elsewhere(prefix):
        print(f"{INTERFACES} is in this environment already: not built again")
        return
    prefixes = ament_prefixes()
    if not any((Path(p) / "share" / "rosidl_default_generators").is_dir() for p in prefixes):
        if force or "ROS_DISTRO" in os.environ or importlib.util.find_spec("rclpy"):
            raise SystemExit(
                f"{INTERFACES} cannot be built: rosidl_default_generators is not in AMENT_PREFIX_PATH nor in"
                f" {ENVIRONMENT}; source ROS 2's setup file or install requirements/build.txt"
            )
        print(f"no ROS 2 here: {NAME} is installed as a library, without {INTERFACES} and its nodes")
        return
    run_cmake(prefix, build_base, prefixes)


def run_cmake(prefix: Path, build_base: str, prefixes: list[str]) -> None:
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    cmake = shutil.which("cmake", path=tools)
    if cmake is None:
        raise SystemExit(f"{INTERFACES} cannot be built: no cmake; install it, or requirements/build.txt")
    # One folder per interpreter: CMake keeps what it found, and two environments must not share that.
    folder = f"{INTERFACES}-{sys.implementation.cache_tag}-{zlib.crc32(sys.executable.encode()):08x}"
    build = Path(build_base).resolve() / folder
    env = {
        **os.environ,
        "PATH": tools,
        "AMENT_PREFIX_PATH": os.pathsep.join(prefixes),
        "CMAKE_PREFIX_PATH": os.pathsep.join([*prefixes, os.environ.get("CMAKE_PREFIX_PATH", "")]),
    }
    only_python = "ON" if str(ENVIRONMENT) in prefixes else "OFF"
    configure = [cmake, "-S", str(SOURCE), "-B", str(build), f"-DCMAKE_INSTALL_PREFIX={prefix}"]
    configure += [f"-DPython3_EXECUTABLE={sys.executable}", f"-DONLY_PYTHON={only_python}"]
    compile_ = [cmake, "--build", str(build), "--parallel", str(os.cpu_count() or 1)]
    for command in (configure, compile_, [cmake, "--install", str(build)]):
        # What setuptools has printed must not come after what CMake prints.
        sys.stdout.flush()
        if subprocess.run(command, env=env).returncode:
            raise SystemExit(f"{INTERFACES} could not be built: {' '.join(command[:3])} failed, see above")


class InstallInterfaces(Command):
    """`python setup.py install_interfaces`: dyn_node_msgs alone, even if it is there already."""

    description = f"build {INTERFACES} and install it into this environment"
    user_options: ClassVar[list[tuple[str, str | None, str]]] = []

    def initialize_options(self) -> None:
        pass

    def finalize_options(self) -> None:
        pass

    def run(self) -> None:
        build_interfaces(Path(sys.prefix), self.get_finalized_command("build").build_base, force=True)


class InstallData(install_data):
    """Beside the data files, the interfaces: `colcon build`, `pip install .` and `pip install -e .`."""

    def run(self) -> None:
        super().run()
        build_interfaces(Path(self.install_dir).resolve(), self.get_finalized_command("build").build_base)


class Develop(develop):
    """The same for `colcon build --symlink-install`, which links the data files by itself."""

    def run(self) -> None:
        super().run()
        if not self.uninstall:
            build_interfaces(Path(sys.prefix).resolve(), self.get_finalized_command("build").build_base)


class WithEditableData(Distribution):
    """setuptools asks for `has_data` before it puts data files into an editable wheel, and has none."""

    def has_data(self) -> bool:
        return self.has_data_files()


class PlatformWheel(bdist_wheel):
    """A wheel with compiled interfaces in it fits one Python and one platform only."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = False


setup(
    name=NAME,
    version="0.1.0",
    description="Rigid-body dynamics for ROS 2, as nodes and as a Python library",
    license="Apache-2.0",
    maintainer="dyn_node maintainers",
    maintainer_email="maintainers@dyn-node.example",
    packages=find_packages(include=[NAME, f"{NAME}.*"]),
    package_data={NAME: ["py.typed", "robots/*.urdf"]},
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{NAME}"]),
        (f"share/{NAME}", ["package.xml"]),
        (f"share/{NAME}/launch", sorted(glob("launch/*.launch.py"))),
        (f"share/{NAME}/config", sorted(glob("config/*"))),
        (f"share/{NAME}/rviz", sorted(glob("rviz/*.rviz"))),
    ],
    python_requires=">=3.10",
    install_requires=["numpy>=1.26", "urdf_parser_py"],
    extras_require={
        "fast": ["numba"],
        "contacts": ["proxsuite", "qpsolvers"],
        "symbolic": ["casadi"],
        "collision": ["coal"],
        "demo": ["rich", "xacro"],
        "plot": ["matplotlib"],
        "test": ["hypothesis", "pytest", "pytest-timeout", "pyyaml"],
    },
    zip_safe=False,
    distclass=WithEditableData,
    entry_points={
        "console_scripts": [
            "dynamics_node = dyn_node.nodes.dynamics:main",
            "solver_node = dyn_node.nodes.solver:main",
            "demo_robot = dyn_node.nodes.demo_robot:main",
            "demo = dyn_node.tools.demo:main",
            "check = dyn_node.tools.check:main",
            "workspace = dyn_node.tools.workspace:main",
        ],
    },
    cmdclass={
        "bdist_wheel": PlatformWheel,
        "install_data": InstallData,
        "develop": Develop,
        "install_interfaces": InstallInterfaces,
    },
)
