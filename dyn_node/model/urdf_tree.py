"""The links and joints of a URDF as a checked tree."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import numpy as np
from urdf_parser_py import urdf as parser
from urdf_parser_py import xml_reflection

from ..errors import UrdfError
from ..spatial import SE3, Inertia
from .joint import Mimic
from .joint_kinds import Array

#: URDF's joint types and what they are called here; "fixed" makes no joint.
JOINT_TYPES = {
    "fixed": "fixed",
    "revolute": "revolute",
    "continuous": "continuous",
    "prismatic": "prismatic",
    "floating": "free_flyer",
    "planar": "planar",
}
_WITH_AXIS = ("revolute", "continuous", "prismatic")
_WITH_RANGE = ("revolute", "prismatic")


@dataclass(frozen=True)
class UrdfJoint:
    """One joint of the file, in numbers. Limits are None where the file gives none or they do not apply."""

    name: str
    kind: str
    parent: str
    child: str
    placement: SE3
    axis: Array | None
    lower: float | None
    upper: float | None
    velocity_limit: float | None
    effort_limit: float | None
    damping: float
    friction: float
    mimic: Mimic | None


@dataclass(frozen=True)
class UrdfTree:
    """Links by name, and below each link its joints in alphabetical order."""

    name: str
    root: str
    links: dict[str, Inertia]
    children: dict[str, list[UrdfJoint]]


def read_tree(robot: ElementTree.Element) -> UrdfTree:
    """Read a pruned `<robot>` element. UrdfError names the link or joint at fault."""
    links: dict[str, Inertia] = {}
    joints: dict[str, UrdfJoint] = {}
    for element in robot:
        name = element.get("name")
        if not name:
            raise UrdfError(
                f"a <{element.tag}> has no name", ElementTree.tostring(element, "unicode")[:200], "a name"
            )
        if name in (links if element.tag == "link" else joints):
            raise UrdfError(f"two {element.tag}s are named {name!r}", name, "unique names")
        if element.tag == "link":
            links[name] = _read_link(name, element)
        else:
            joints[name] = _read_joint(name, element)
    root = _check_tree(links, joints.values())
    children: dict[str, list[UrdfJoint]] = {name: [] for name in links}
    for name in sorted(joints):
        children[joints[name].parent].append(joints[name])
    _check_reachable(root, links, children)
    return UrdfTree(robot.get("name", "robot"), root, links, children)


#: Elements that say nothing without this attribute.
_NEEDED = {"axis": "xyz", "mass": "value", "mimic": "joint"}


def parsed(kind: type, element: ElementTree.Element, what: str) -> Any:
    """What urdf_parser_py makes of one element; its errors become one that names the element."""
    for part in element.iter():
        needed = _NEEDED.get(str(part.tag))
        if needed and part.get(needed) is None:
            raise UrdfError(
                f'{what}: <{part.tag}> has no {needed}="..."', None, f'<{part.tag} {needed}="..."/>'
            )
    try:
        return kind.from_xml(element, xml_reflection.core.Path(element.tag))  # type: ignore[attr-defined]
    except Exception as error:
        reason = str(getattr(error, "e", error)) or type(error).__name__
        raise UrdfError(
            f"{what}: {reason}", ElementTree.tostring(element, "unicode")[:500], "valid URDF"
        ) from error


def _read_link(name: str, element: ElementTree.Element) -> Inertia:
    what = f"link {name!r}"
    inertial = parsed(parser.Link, element, what).inertial
    if inertial is None:
        return Inertia.Zero()
    mass = _number(inertial.mass, f"{what}, mass")
    if mass < 0.0:
        raise UrdfError(f"{what}: mass {mass:g} is negative", mass, "mass >= 0")
    placement = placed(inertial.origin, f"{what}, inertial origin")
    moments = np.zeros((3, 3))
    if inertial.inertia is not None:
        moments = np.array(inertial.inertia.to_matrix(), dtype=np.float64)
        if not np.isfinite(moments).all():
            raise UrdfError(
                f"{what}: inertia is not finite: {moments.tolist()}", moments.tolist(), "finite numbers"
            )
    return placement.act(Inertia(mass, np.zeros(3), moments))


def _read_joint(name: str, element: ElementTree.Element) -> UrdfJoint:
    what, kind = f"joint {name!r}", element.get("type")
    if kind not in JOINT_TYPES:
        given = "no type" if kind is None else f"unknown type {kind!r}"
        raise UrdfError(f"{what}: {given}; known: {', '.join(JOINT_TYPES)}", kind, tuple(JOINT_TYPES))
    for tag in ("parent", "child"):
        end = element.find(tag)
        if end is None or not end.get("link"):
            raise UrdfError(f"{what}: no <{tag} link=.../>", None, "the name of a link")
    limit = element.find("limit")
    if limit is not None and kind not in _WITH_AXIS:
        # Files write placeholders here ("<limit/>"), and a joint without an axis has no use for them.
        element.remove(limit)
    joint = parsed(parser.Joint, element, what)
    dynamics = joint.dynamics
    return UrdfJoint(
        name,
        JOINT_TYPES[kind],
        joint.parent,
        joint.child,
        placed(joint.origin, f"{what}, origin"),
        _axis(joint.axis, what) if kind in _WITH_AXIS else None,
        *_limits(joint, what),
        damping=_coefficient(dynamics, "damping", what),
        friction=_coefficient(dynamics, "friction", what),
        mimic=_mimic(joint.mimic, what),
    )


def _number(value: Any, what: str) -> float:
    if value is None or not math.isfinite(value):
        raise UrdfError(f"{what}: {value} is not a finite number", value, "a finite number")
    return float(value)


def _vector(values: Sequence[float] | None, what: str) -> Array:
    vector = np.array([0.0, 0.0, 0.0] if values is None else values, dtype=np.float64)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise UrdfError(
            f"{what}: three finite numbers needed, given {values}", values, "three finite numbers"
        )
    return vector


def placed(origin: Any, what: str) -> SE3:
    """The placement that an <origin> says; none is the identity."""
    if origin is None:
        return SE3.Identity()
    return SE3._trusted(
        rotation_of_rpy(_vector(origin.rpy, f"{what}, rpy")), _vector(origin.xyz, f"{what}, xyz")
    )


def rotation_of_rpy(rpy: Array) -> Array:
    """Rotation (3, 3) of URDF's roll, pitch, yaw: about the fixed axes x, then y, then z; radians."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def _axis(values: Sequence[float] | None, what: str) -> Array:
    axis = _vector([1.0, 0.0, 0.0] if values is None else values, f"{what}, axis")
    if not axis.any():
        raise UrdfError(f"{what}: axis is zero", values, "a direction")
    return axis


def _limits(joint: Any, what: str) -> tuple[float | None, float | None, float | None, float | None]:
    """Lower, upper, velocity and effort limit."""
    limit = joint.limit
    if limit is None:
        if joint.type in _WITH_RANGE:
            raise UrdfError(
                f"{what}: a {joint.type} joint needs a <limit> (without limits it is 'continuous')",
                None,
                "a <limit>",
            )
        return None, None, None, None
    values = {key: getattr(limit, key) for key in ("lower", "upper", "velocity", "effort")}
    for key, value in values.items():
        if math.isnan(value):
            raise UrdfError(f"{what}: {key} limit is not a number", value, "a number")
        if key in ("velocity", "effort") and value < 0.0:
            raise UrdfError(f"{what}: {key} limit {value:g} is negative", value, f"{key} >= 0")
    if joint.type not in _WITH_RANGE:
        return None, None, values["velocity"], values["effort"]
    if values["lower"] > values["upper"]:
        raise UrdfError(
            f"{what}: lower limit {values['lower']:g} is above upper limit {values['upper']:g}",
            (values["lower"], values["upper"]),
            "lower <= upper",
        )
    return values["lower"], values["upper"], values["velocity"], values["effort"]


def _coefficient(dynamics: Any, key: str, what: str) -> float:
    value = None if dynamics is None else getattr(dynamics, key)
    return 0.0 if value is None else _number(value, f"{what}, {key}")


def _mimic(mimic: Any, what: str) -> Mimic | None:
    if mimic is None:
        return None
    multiplier = 1.0 if mimic.multiplier is None else _number(mimic.multiplier, f"{what}, mimic multiplier")
    offset = 0.0 if mimic.offset is None else _number(mimic.offset, f"{what}, mimic offset")
    return Mimic(mimic.joint, multiplier, offset)


def _check_tree(links: dict[str, Inertia], joints: Iterable[UrdfJoint]) -> str:
    """The name of the one root link."""
    if not links:
        raise UrdfError("the robot has no <link>", 0, "at least one link")
    carried: dict[str, str] = {}
    for joint in joints:
        for end, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in links:
                close = difflib.get_close_matches(link, links, n=3, cutoff=0.4)
                hint = f"; closest: {', '.join(close)}" if close else ""
                raise UrdfError(
                    f"joint {joint.name!r}: {end} link {link!r} does not exist{hint}", link, tuple(links)
                )
        if joint.child in carried:
            both = f"{carried[joint.child]!r} and {joint.name!r}"
            message = f"link {joint.child!r} is the child of two joints, {both}"
            raise UrdfError(message, joint.child, "one parent joint a link")
        carried[joint.child] = joint.name
    roots = [name for name in links if name not in carried]
    if not roots:
        raise UrdfError(
            f"no root link: the joints form a cycle through link {next(iter(links))!r}", None, "a tree"
        )
    if len(roots) > 1:
        named = ", ".join(repr(name) for name in roots)
        raise UrdfError(f"{len(roots)} root links, one is allowed: {named}", tuple(roots), "one root link")
    return roots[0]


def _check_reachable(root: str, links: dict[str, Inertia], children: dict[str, list[UrdfJoint]]) -> None:
    seen, stack = set(), [root]
    while stack:
        link = stack.pop()
        seen.add(link)
        stack.extend(joint.child for joint in children[link])
    cut_off = [name for name in links if name not in seen]
    if cut_off:
        named = ", ".join(repr(joint.name) for name in cut_off for joint in children[name])
        raise UrdfError(
            f"joints form a cycle that the root link {root!r} does not reach: {named}", named, "a tree"
        )
