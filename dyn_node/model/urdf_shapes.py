"""The collision geometry of a URDF: what shape each link has and where."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from urdf_parser_py import urdf as parser

from ..errors import UrdfError
from ..spatial import SE3
from .urdf_tree import parsed, placed
from .urdf_xml import read_whole_element


@dataclass(frozen=True)
class Shape:
    """One `<collision>` element.

    Attributes:
        link: the link that has it.
        kind: "box", "cylinder", "sphere" or "mesh".
        size: metres: edges along x, y, z; radius and length (along z); radius; factors on a mesh's x, y, z.
        placement: of its centre (a mesh's origin) in the link's frame.
        mesh: the file as the URDF names it; empty for other kinds.
    """

    link: str
    kind: str
    size: tuple[float, ...]
    placement: SE3
    mesh: str = ""


def read_shapes(source: str | os.PathLike[str]) -> tuple[Shape, ...]:
    """Every collision shape of a robot, in the order of the file.

    Args:
        source: as for `load_urdf`.

    Raises:
        UrdfError: names the link whose geometry cannot be read.
    """
    shapes = []
    for link in read_whole_element(source).findall("link"):
        name = link.get("name") or ""
        for number, element in enumerate(link.findall("collision"), 1):
            what = f"link {name!r}, collision {number}"
            collision = parsed(parser.Collision, element, what)
            kind, size, mesh = _geometry(collision.geometry, what)
            shapes.append(Shape(name, kind, size, placed(collision.origin, f"{what}, origin"), mesh))
    return tuple(shapes)


def _geometry(geometry: Any, what: str) -> tuple[str, tuple[float, ...], str]:
    if isinstance(geometry, parser.Box):
        return "box", _sizes(geometry.size, 3, what), ""
    if isinstance(geometry, parser.Cylinder):
        return "cylinder", _sizes((geometry.radius, geometry.length), 2, what), ""
    if isinstance(geometry, parser.Sphere):
        return "sphere", _sizes((geometry.radius,), 1, what), ""
    if isinstance(geometry, parser.Mesh):
        scale = (1.0, 1.0, 1.0) if geometry.scale is None else geometry.scale
        return "mesh", _sizes(scale, 3, what, least=-np.inf), str(geometry.filename)
    given = type(geometry).__name__
    raise UrdfError(f"{what}: geometry {given} is not known", given, "box, cylinder, sphere or mesh")


def _sizes(values: Any, count: int, what: str, least: float = 0.0) -> tuple[float, ...]:
    sizes = tuple(float(value) for value in values)
    if len(sizes) != count or not all(np.isfinite(size) and size >= least for size in sizes):
        allowed = f"{count} finite numbers" + (" >= 0" if least == 0.0 else "")
        raise UrdfError(f"{what}: expected {allowed}, given {sizes}", sizes, allowed)
    return sizes
