"""What a fresh process pays until its first results.

    python -m bench.startup_probe ours|pin ROBOT CALL,...

Prints JSON: seconds by step, and the results of the calls.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from .robots import ROBOTS, load_ours, load_pin

#: The first calls, in order: name in both libraries and arguments.
CALLS = {
    "rnea": ("rnea", "q, v, v"),
    "crba": ("crba", "q"),
    "aba": ("aba", "q, v, v"),
    "forward_kinematics": ("forwardKinematics", "q, v"),
    "frame_jacobian": ("computeFrameJacobian", "q, frame"),
    "rnea_derivatives": ("computeRNEADerivatives", "q, v, v"),
    "aba_derivatives": ("computeABADerivatives", "q, v, v"),
}


def probe(peer: str, robot_name: str, calls: str) -> dict[str, Any]:
    """Import, load a robot, call the named algorithms once; seconds of each step and what it gave."""
    robot = ROBOTS[robot_name]
    seconds: dict[str, float] = {}
    began = time.perf_counter()
    library = __import__("dyn_node" if peer == "ours" else "pinocchio")
    seconds["import"] = time.perf_counter() - began
    began = time.perf_counter()
    model = (load_ours if peer == "ours" else load_pin)(robot)
    seconds["load_urdf"] = time.perf_counter() - began
    results = {}
    for name in calls.split(","):
        pin_name, arguments = CALLS[name]
        space = vars(library) | _inputs(library, model, robot.tool, peer)
        text = f"{name if peer == 'ours' else pin_name}(model, data, {arguments})"
        began = time.perf_counter()
        value = eval(text, space)
        seconds[name] = time.perf_counter() - began
        if value is not None:
            # Derivatives by q and by v are what both give first.
            results[name] = (
                [part.tolist() for part in value[:2]] if isinstance(value, tuple) else value.tolist()
            )
    return {"seconds": seconds, "results": results}


def _inputs(library: Any, model: Any, tool: str, peer: str) -> dict[str, Any]:
    import numpy as np

    ours = peer == "ours"
    frame = model.frame_id(tool) if ours else model.getFrameId(tool)
    data = model.create_data() if ours else model.createData()
    v = np.linspace(-1.0, 1.0, model.nv)
    return {"model": model, "data": data, "q": library.neutral(model), "v": v, "frame": frame}


if __name__ == "__main__":
    json.dump(probe(*sys.argv[1:]), sys.stdout)
