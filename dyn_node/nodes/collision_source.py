"""Makes the solver's collision checker when a request first asks for it, and keeps it. Free of rclpy."""

from __future__ import annotations

from dyn_node.collision import CollisionChecker
from dyn_node.errors import UrdfError
from dyn_node.ik.chain import middle
from dyn_node.model.model import Model


class CollisionSource:
    """One checker for one description of the robot."""

    def __init__(self) -> None:
        self._made: CollisionChecker | None = None
        self._of: tuple[str, str] = ("", "")

    def checker(self, model: Model, urdf: str, srdf: str) -> CollisionChecker:
        """The checker of a robot, (texts of its URDF and SRDF).

        Without an SRDF, links that touch in the middle of their joints' ranges are taken to touch always.

        Raises:
            MissingDependencyError, UrdfError: with what is missing.
        """
        if self._made is None or self._of != (urdf, srdf):
            self._made = None
            if srdf and "<" not in srdf:
                raise UrdfError(
                    "parameter robot_description_semantic is not XML", srdf[:60], "an SRDF's text"
                )
            rest = None if srdf else middle(model)
            self._made, self._of = CollisionChecker(model, urdf, srdf or None, rest=rest), (urdf, srdf)
        return self._made
