"""Self-collision: what touches what in a configuration, by `coal`, which is optional."""

from .checker import CollisionChecker, Proximity
from .srdf import IgnoredPairs, read_srdf

__all__ = ["CollisionChecker", "IgnoredPairs", "Proximity", "read_srdf"]
