"""Rigid-body dynamics at compiled speed, and the ROS 2 nodes that stand on it.

    model = dyn_node.load_urdf("robot.urdf", root="fixed")
    data = model.create_data()
    tau = dyn_node.generalized_gravity(model, data, dyn_node.neutral(model))

Conventions are Pinocchio's: M(q) a + C(q, v) v + g(q) = tau + sum J^T f_ext; six-vectors linear
first; quaternions (x, y, z, w); a free-flyer's velocity in base coordinates. ROS is not imported.

Algorithms take batches, arrays with one axis more in front, and run them on `get_threads()` threads:

    tau = dyn_node.rnea(model, data, q, v, a)    # (N, nq), (N, nv), (N, nv) -> (N, nv)

Where one robot is asked very often, `fast = dyn_node.compile(model)` has the same for it alone.
"""

from __future__ import annotations

from . import robots
from .algorithms import *  # noqa: F403
from .algorithms import __all__ as _algorithms
from .algorithms.threads import get_threads, set_threads
from .codegen import CompiledModel
from .codegen import compile_model as compile
from .collision import CollisionChecker
from .errors import DynNodeError
from .ik import IkProblem, IkResult, IkTracker, map_workspace, solve_ik, solve_ik_all, solve_ik_batch
from .kernels.engine import warm
from .model import (
    Data,
    Frame,
    Joint,
    Mimic,
    Model,
    ModelBuilder,
    SubJoint,
    add_frame,
    add_payload,
    append,
    check_model,
    load_urdf,
    reduce,
    remove,
    subtree_masses,
)
from .spatial import SE3, SO3, Force, Inertia, Motion

__version__ = "0.1.0"

__all__ = [
    "SE3",
    "SO3",
    "CollisionChecker",
    "CompiledModel",
    "Data",
    "DynNodeError",
    "Force",
    "Frame",
    "IkProblem",
    "IkResult",
    "IkTracker",
    "Inertia",
    "Joint",
    "Mimic",
    "Model",
    "ModelBuilder",
    "Motion",
    "SubJoint",
    "add_frame",
    "add_payload",
    "append",
    "check_model",
    "compile",
    "get_threads",
    "load_urdf",
    "map_workspace",
    "reduce",
    "remove",
    "robots",
    "set_threads",
    "solve_ik",
    "solve_ik_all",
    "solve_ik_batch",
    "subtree_masses",
    "warm",
    *_algorithms,
]
