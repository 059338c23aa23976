"""Part `compiled`: what one call of a compiled model costs, as a ratio to Pinocchio's binding.

What has no straight line on a robot goes to the general function; such a row says so.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import dyn_node

from .calls import COMPILED_CALLS
from .machine import pinned
from .options import Options
from .peers import need
from .per_call import robot_pair
from .results import Row

PART = "compiled"


def run(options: Options) -> Iterator[Row]:
    """The rows of this part, as they come."""
    need("pinocchio")
    with pinned():
        for robot in options.robots:
            pair = robot_pair(robot)
            fast = pair.ours["fast"] = dyn_node.compile(pair.ours["model"])
            pair.ours["tool"] = fast.frame(pair.ours["frame"], dyn_node.LOCAL_WORLD_ALIGNED)
            for call in COMPILED_CALLS:
                row = pair.compare(robot.name, call, options, PART)
                if call.name != "frame_jacobian" and not fast.is_straight(call.name):
                    row = dataclasses.replace(row, note="too long: the general function")
                yield row
