"""Pairs of links whose contact does not count, from an SRDF (MoveIt's semantic description)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from xml.etree import ElementTree

from ..errors import UrdfError
from ..model.urdf_xml import read_whole_element

#: Two links, in alphabetical order.
Pair = tuple[str, str]


def pair_of(first: str, second: str) -> Pair:
    """Two names in alphabetical order."""
    return (first, second) if first <= second else (second, first)


@dataclass(frozen=True)
class IgnoredPairs:
    """What an SRDF leaves out.

    Attributes:
        disabled: pairs of `<disable_collisions>`.
        silent: links of `<disable_default_collisions>`: every pair of theirs.
        enabled: pairs of `<enable_collisions>`, which count after all.
    """

    disabled: frozenset[Pair] = frozenset()
    silent: frozenset[str] = frozenset()
    enabled: frozenset[Pair] = frozenset()

    def ignores(self, first: str, second: str) -> bool:
        """Whether contact between two links does not count."""
        pair = pair_of(first, second)
        if pair in self.enabled:
            return False
        return pair in self.disabled or first in self.silent or second in self.silent


def read_srdf(source: str | os.PathLike[str]) -> IgnoredPairs:
    """Read an SRDF, a path or its XML text.

    Raises:
        UrdfError: no such file, not XML, or an element without its links.
    """
    robot = read_whole_element(source)
    silent = {_name(element, "link") for element in robot.findall("disable_default_collisions")}
    return IgnoredPairs(
        _pairs(robot, "disable_collisions"), frozenset(silent), _pairs(robot, "enable_collisions")
    )


def _pairs(robot: ElementTree.Element, tag: str) -> frozenset[Pair]:
    return frozenset(pair_of(_name(e, "link1"), _name(e, "link2")) for e in robot.findall(tag))


def _name(element: ElementTree.Element, attribute: str) -> str:
    name = element.get(attribute)
    if not name:
        raise UrdfError(
            f"SRDF: a <{element.tag}> has no {attribute}", None, f'<{element.tag} {attribute}="..."/>'
        )
    return name
