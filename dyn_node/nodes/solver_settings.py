"""What `solver_node` can be told, besides what both nodes can. Free of rclpy."""

from __future__ import annotations

import dataclasses

from dyn_node.errors import InvalidValueError

from .settings import Settings
from .spec import parameter


@dataclasses.dataclass(frozen=True)
class SolverSettings(Settings):
    """The parameters of `solver_node`."""

    ik_timeout: float = parameter(
        "double",
        0.005,
        """
        Time in seconds that solve_ik may take when the request gives none (timeout 0).""",
        name="ik.timeout",
        minimum=1e-5,
        maximum=60.0,
        live=True,
    )
    ik_max_timeout: float = parameter(
        "double",
        1.0,
        """
        Longest timeout in seconds that a request may ask for; a longer one is cut to it, with a note.""",
        name="ik.max_timeout",
        minimum=1e-5,
        maximum=60.0,
        live=True,
    )
    ik_position_tolerance: float = parameter(
        "double",
        1e-6,
        """
        Position error in m at which a solution counts when the request gives no tolerance.""",
        name="ik.position_tolerance",
        minimum=1e-12,
        maximum=1.0,
        live=True,
    )
    ik_orientation_tolerance: float = parameter(
        "double",
        1e-6,
        """
        Orientation error in rad at which a solution counts when the request gives no tolerance.""",
        name="ik.orientation_tolerance",
        minimum=1e-12,
        maximum=3.0,
        live=True,
    )

    ik_mode: str = parameter(
        "string",
        "speed",
        """
        What solve_ik returns when the request does not say: speed (the first solution), distance (the
        nearest to the seed within the time), manipulability (the furthest from a singularity).""",
        name="ik.mode",
        choices=("speed", "distance", "manipulability"),
        live=True,
    )

    ik_threads: int = parameter(
        "integer",
        0,
        """
        Threads that share the restarts of a pose that is hard to solve. 0: half of the cores, so that the
        stream of torques keeps its own; at least one.""",
        name="ik.threads",
        minimum=0,
        maximum=1024,
        live=True,
    )
    robot_description_semantic: str = parameter(
        "string",
        "",
        """
        The robot's SRDF as XML text: pairs of links whose contact does not count where solve_ik is asked to
        avoid collisions. Empty: neighbours, and what touches in the middle of the joints' ranges.""",
        live=True,
    )

    def _check_whole(self) -> None:
        super()._check_whole()
        if self.ik_timeout > self.ik_max_timeout:
            raise InvalidValueError(
                f"parameter ik.timeout ({self.ik_timeout:g} s) is above ik.max_timeout "
                f"({self.ik_max_timeout:g} s)",
                self.ik_timeout,
                self.ik_max_timeout,
            )
