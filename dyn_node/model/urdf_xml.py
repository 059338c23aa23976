"""The text of a URDF, read safely: only what a model needs is kept, and nothing is expanded."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from xml.etree import ElementTree
from xml.parsers import expat

from ..errors import MissingDependencyError, UrdfError

#: Largest description that is read, in bytes. The largest real ones are below one megabyte.
MAX_BYTES = 32 * 2**20

_XACRO_NAMESPACE = "xacro:"

_Text = TypeVar("_Text", str, bytes)

#: Elements and attributes that a model is made of; everything else (meshes, vendor tags) is dropped.
_KEPT: dict[str, dict[str, tuple[str, ...]]] = {
    "link": {"inertial": ()},
    "inertial": {
        "origin": ("xyz", "rpy"),
        "mass": ("value",),
        "inertia": ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"),
    },
    "joint": {
        "origin": ("xyz", "rpy"),
        "axis": ("xyz",),
        "parent": ("link",),
        "child": ("link",),
        "limit": ("lower", "upper", "velocity", "effort"),
        "dynamics": ("damping", "friction"),
        "mimic": ("joint", "multiplier", "offset"),
    },
}


def read_robot_element(source: str | os.PathLike[str]) -> ElementTree.Element:
    """The `<robot>` element of a URDF with the links and joints below it, pruned of all else.

    Arguments and errors are those of `read_whole_element`.
    """
    return _prune(read_whole_element(source))


def read_whole_element(source: str | os.PathLike[str]) -> ElementTree.Element:
    """The `<robot>` element of a URDF or SRDF as it is.

    Args:
        source: path of a URDF or xacro file, or the XML text itself (anything with a `<` in it).

    Raises:
        UrdfError: no such file, too large, empty, not XML, not a robot, entities in it.
        MissingDependencyError: a xacro file, and `xacro` is not installed.
    """
    text = _text_of(source)
    element = _parse(text)
    if _is_unexpanded(element):
        if _is_xml(source):
            raise UrdfError(
                "the XML text holds unexpanded xacro macros; expand it, or give the path of the xacro file",
                "xacro text",
                "URDF text",
            )
        element = _parse(_expand_xacro(source))
    if element.tag != "robot":
        raise UrdfError(f"the root element is <{element.tag}>, a URDF has <robot>", element.tag, "robot")
    return element


def _is_xml(source: str | os.PathLike[str]) -> bool:
    return isinstance(source, str) and "<" in source


def _text_of(source: str | os.PathLike[str]) -> str | bytes:
    if not isinstance(source, (str, os.PathLike)):
        raise UrdfError(
            f"a URDF is given as a path or as XML text, not as {type(source).__name__}",
            source,
            "path or XML text",
        )
    if isinstance(source, str):
        if not source.strip():
            raise UrdfError("the robot description is empty", source, "path or XML text")
        if _is_xml(source):
            return _checked_size(source.lstrip("\ufeff").strip(), "the XML text")
    return _read_file(Path(source))


def _read_file(path: Path) -> bytes:
    shown = str(path) if len(str(path)) < 200 else str(path)[:200] + "..."
    try:
        if not path.is_file():
            raise UrdfError(
                f"{shown!r} is neither a file nor XML text", shown, "path of a URDF file or its text"
            )
        if path.suffix == ".xacro":
            return _expand_xacro(path)
        if path.stat().st_size > MAX_BYTES:
            raise UrdfError(
                f"{shown!r}: {path.stat().st_size} bytes, at most {MAX_BYTES} are read", shown, MAX_BYTES
            )
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, UrdfError):
            raise
        raise UrdfError(f"{shown!r} cannot be read: {error}", shown, "a readable file") from error
    if not content.strip():
        raise UrdfError(f"{shown!r} is empty", shown, "a URDF")
    return _checked_size(content, shown)


def _checked_size(content: _Text, what: str) -> _Text:
    if len(content) > MAX_BYTES:
        raise UrdfError(
            f"{what}: {len(content)} bytes, at most {MAX_BYTES} are read", len(content), MAX_BYTES
        )
    return content


def _expand_xacro(path: str | os.PathLike[str]) -> bytes:
    try:
        import xacro
    except ImportError as error:
        raise MissingDependencyError(
            f"{str(path)!r} is a xacro file, and the package xacro is not installed: pip install xacro, "
            "or apt install ros-jazzy-xacro",
            "xacro",
        ) from error
    try:
        text: str = xacro.process_file(str(path)).toxml()
        return _checked_size(text.encode("utf-8"), str(path))
    except UrdfError:
        raise
    # xacro raises its own errors and those of whatever its expressions evaluate.
    except Exception as error:
        raise UrdfError(f"xacro cannot expand {str(path)!r}: {error}", str(path), "a xacro file") from error


def _is_unexpanded(robot: ElementTree.Element) -> bool:
    return any(element.tag.startswith(_XACRO_NAMESPACE) for element in robot.iter())


def _parse(content: str | bytes) -> ElementTree.Element:
    """An element tree, without namespaces (vendor prefixes are often not declared) and without entities."""
    builder = ElementTree.TreeBuilder()
    parser = expat.ParserCreate()
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.EntityDeclHandler = _refuse("declares entities")
    parser.ExternalEntityRefHandler = _refuse("refers to an external entity")
    parser.SkippedEntityHandler = _refuse("uses an entity that it does not declare")
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, UnicodeError) as error:
        raise UrdfError(f"not XML, or cut short: {error}", content[:80], "a URDF") from error
    return builder.close()


def _refuse(what: str) -> Callable[..., int]:
    def handler(*_: object) -> int:
        raise UrdfError(f"the XML {what}, which is refused for safety", what, "plain XML")

    return handler


def _prune(robot: ElementTree.Element) -> ElementTree.Element:
    kept = ElementTree.Element("robot", {"name": robot.get("name") or "robot"})
    for element in robot:
        if element.tag in ("link", "joint"):
            names = ("name",) if element.tag == "link" else ("name", "type")
            copy = ElementTree.SubElement(kept, element.tag, _selected(element, names))
            _copy_children(element, copy)
    return kept


def _selected(element: ElementTree.Element, names: tuple[str, ...]) -> dict[str, str]:
    return {name: element.attrib[name] for name in names if name in element.attrib}


def _copy_children(source: ElementTree.Element, target: ElementTree.Element) -> None:
    for tag, attributes in _KEPT[source.tag].items():
        child = source.find(tag)
        if child is not None:
            copy = ElementTree.SubElement(target, tag, _selected(child, attributes))
            if tag in _KEPT:
                _copy_children(child, copy)
