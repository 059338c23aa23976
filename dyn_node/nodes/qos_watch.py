"""Publishers and subscriptions that cannot meet because their quality of service does not fit.

The middleware reports such a pair as an event. Waiting for events costs rclpy's executor time for every
message (a third of what the node needs, measured), so the graph is looked at once a second instead: cheaply
where nothing has changed, and with the policies of both sides where something has.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, LivelinessPolicy, QoSProfile, ReliabilityPolicy

#: Of each policy the kind that asks for more than the other ones offer.
_STRICT = {
    "reliability": ReliabilityPolicy.RELIABLE,
    "durability": DurabilityPolicy.TRANSIENT_LOCAL,
    "liveliness": LivelinessPolicy.MANUAL_BY_TOPIC,
}
_WEAK = {
    "reliability": ReliabilityPolicy.BEST_EFFORT,
    "durability": DurabilityPolicy.VOLATILE,
    "liveliness": LivelinessPolicy.AUTOMATIC,
}
_DURATIONS = ("deadline", "liveliness_lease_duration")
#: What the graph calls a node that it knows an endpoint of, but has not been told the name of yet.
_UNNAMED = "_NODE_NAME_UNKNOWN_"
#: Zero, and longer durations than this, are the middleware's words for "never" (s).
_NEVER = 1e9


@dataclass
class _Watched:
    """One topic of this node: how many are on its other end, and those of them that do not fit."""

    topic: str
    ours: QoSProfile
    publishes: bool
    count: int = 0
    misfits: list[str] = field(default_factory=list)
    unnamed: bool = False


class QosWatch:
    """Looks at the other ends of a node's topics."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._watched: list[_Watched] = []
        self._next = 0

    def add(self, endpoint: Any, publishes: bool) -> None:
        """Watch a publisher or a subscription of the node."""
        self._watched.append(_Watched(endpoint.topic_name, endpoint.qos_profile, publishes))

    def look(self) -> dict[str, str]:
        """A sentence for each topic that has an end that does not fit."""
        for turn, watched in enumerate(self._watched):
            count = (
                self._node.count_subscribers(watched.topic)
                if watched.publishes
                else self._node.count_publishers(watched.topic)
            )
            # One after the other in any case: somebody may have left and another come.
            its_turn = count and turn == self._next % len(self._watched)
            if count != watched.count or watched.unnamed or its_turn:
                watched.count = count
                self._find_misfits(watched)
        self._next += 1
        return {w.topic: _sentence(w) for w in self._watched if w.misfits}

    def _find_misfits(self, watched: _Watched) -> None:
        look: Callable[[str], list[Any]] = (
            self._node.get_subscriptions_info_by_topic
            if watched.publishes
            else self._node.get_publishers_info_by_topic
        )
        watched.misfits, watched.unnamed = [], False
        for other in look(watched.topic):
            pair = (
                (watched.ours, other.qos_profile) if watched.publishes else (other.qos_profile, watched.ours)
            )
            if misfit(*pair):
                watched.misfits.append(f"{full_name(other)} has {policies(other.qos_profile)}")
                watched.unnamed |= other.node_name == _UNNAMED


def _sentence(watched: _Watched) -> str:
    others, verb = ("subscriber", "offers") if watched.publishes else ("publisher", "asks for")
    return (
        f"{watched.topic}: this node {verb} {policies(watched.ours)}, but the {others} "
        f"{'; '.join(watched.misfits)}: no message passes between them (parameters "
        f"qos_overrides.{watched.topic}.{'publisher' if watched.publishes else 'subscription'}.*)"
    )


def misfit(offered: QoSProfile, requested: QoSProfile) -> list[str]:
    """The policies by which a publisher offers less than a subscription requests; empty when they fit.

    rclpy's own check takes "no deadline" as a program writes it and as discovery reports it for two things.
    """
    kinds = [
        name
        for name, strict in _STRICT.items()
        if getattr(requested, name) == strict and getattr(offered, name) == _WEAK[name]
    ]
    return kinds + [name for name in _DURATIONS if _seconds(offered, name) > _seconds(requested, name)]


def _seconds(qos: QoSProfile, name: str) -> float:
    value = getattr(qos, name).nanoseconds / 1e9
    return value if 0.0 < value < _NEVER else math.inf


def policies(qos: QoSProfile) -> str:
    """The policies that two ends have to agree on, in words."""
    words = [f"{name} {getattr(qos, name).name}" for name in ("reliability", "durability")]
    if qos.liveliness == _STRICT["liveliness"]:
        words.append(f"liveliness {qos.liveliness.name}")
    words += [f"{name} {_seconds(qos, name):g} s" for name in _DURATIONS if _seconds(qos, name) < math.inf]
    return ", ".join(words)


def full_name(endpoint: Any) -> str:
    """Name of the node that has an end of a topic; discovery tells it a moment after the end itself."""
    if endpoint.node_name == _UNNAMED:
        return "a node not named yet"
    return f"{endpoint.node_namespace.rstrip('/')}/{endpoint.node_name}"
