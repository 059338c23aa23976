"""Shapes of a URDF as `coal` collides them, and the files of their meshes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import numpy as np

from ..errors import MissingDependencyError, UrdfError
from ..model.urdf_shapes import Shape


def require_coal() -> Any:
    """The module coal.

    Raises:
        MissingDependencyError: it is not installed; says how to add it.
    """
    try:
        import coal
    except ImportError as error:
        raise MissingDependencyError(
            "collision checks need coal: pip install coal, or apt install ros-jazzy-coal", "coal"
        ) from error
    return coal


def make_geometry(coal: Any, shape: Shape, folders: Sequence[Path]) -> Any:
    """A shape as coal has it, its origin where the URDF's is.

    Raises:
        UrdfError: a mesh whose file is not there or cannot be read; names the link and where was looked.
    """
    if shape.kind == "box":
        return coal.Box(*shape.size)
    if shape.kind == "sphere":
        return coal.Sphere(*shape.size)
    if shape.kind == "cylinder":
        return coal.Cylinder(*shape.size)
    path = mesh_path(shape, folders)
    try:
        return coal.MeshLoader().load(str(path), np.array(shape.size))
    except Exception as error:  # what the reader of meshes throws is not documented
        raise UrdfError(
            f"link {shape.link!r}: mesh {str(path)!r} cannot be read: {error}", str(path), "STL, DAE or OBJ"
        ) from error


def mesh_path(shape: Shape, folders: Sequence[Path]) -> Path:
    """The file of a mesh: `package://name/...` in the folders, `file://...`, or a path from the folders."""
    address = urlparse(shape.mesh)
    if address.scheme == "package":
        relative = f"{address.netloc}{unquote(address.path)}"
        found = [folder / relative for folder in folders]
    elif address.scheme in ("", "file"):
        plain = Path(unquote(address.path) if address.scheme else shape.mesh)
        found = [plain] if plain.is_absolute() else [folder / plain for folder in folders]
    else:
        raise UrdfError(
            f"link {shape.link!r}: mesh {shape.mesh!r} has an address that is not read here",
            shape.mesh,
            "package://, file:// or a path",
        )
    for path in found:
        if path.is_file():
            return path
    looked = ", ".join(str(path) for path in found) or "nowhere: no package_dirs are given"
    raise UrdfError(
        f"link {shape.link!r}: the mesh {shape.mesh!r} is not there; looked for {looked}",
        shape.mesh,
        "a file below one of package_dirs, or below share/ of a prefix in AMENT_PREFIX_PATH",
    )


def mesh_folders(given: Sequence[str | os.PathLike[str]], urdf: str | os.PathLike[str]) -> list[Path]:
    """Where meshes are looked for: the folders given, installed ROS packages, beside the URDF's file."""
    prefixes = [prefix for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if prefix]
    folders = [Path(folder) for folder in given] + [Path(prefix) / "share" for prefix in prefixes]
    if not (isinstance(urdf, str) and "<" in urdf):
        folders.append(Path(urdf).resolve().parent)
    return folders
