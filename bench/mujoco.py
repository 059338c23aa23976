"""Part `mujoco`: what one call costs, as a ratio to MuJoCo's functions for the same.

MuJoCo gets the state for nothing: only its functions are timed, without contacts and other constraints.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import dyn_node
from dyn_node.spatial import free_flyer_to_mujoco

from . import foreign
from .calls import Call
from .machine import pinned
from .options import Options
from .peers import need
from .per_call import Pair
from .results import Row
from .robots import Robot, load_ours

PART = "mujoco"
_STATE = "d.qpos[:], d.qvel[:], d.qacc[:], d.qfrc_applied[:] = q, v, a, tau"
_PLACED = "mj_kinematics(m, d); mj_comPos(m, d); "


def _call(name: str, ours: str, theirs: str, value: str, own: str = "") -> Call:
    return Call(name, ours, theirs, ("", _STATE), (own, value))


CALLS = (
    _call("rnea", "rnea(model, data, q, v, a)", "mj_inverse(m, d)", "V.T @ d.qfrc_inverse"),
    _call("crba", "crba(model, data, q)", _PLACED + "mj_crb(m, d)", "V.T @ full(m, d) @ V"),
    _call("aba", "aba(model, data, q, v, tau)", "mj_forward(m, d)", "V.T @ d.qacc - bias"),
    _call(
        "placement of a frame",
        "forward_kinematics(model, data, q); T = frame_placement(model, data, frame)",
        "mj_kinematics(m, d)",
        "hstack([d.site_xmat[0].reshape(3, 3), d.site_xpos[0][:, None]])",
        "T.homogeneous[:3]",
    ),
    _call(
        "frame_jacobian",
        "frame_jacobian(model, data, q, frame, LWA)",
        _PLACED + "mj_jacSite(m, d, Jp, Jr, 0)",
        "vstack([Jp, Jr]) @ V",
    ),
)


def run(options: Options) -> Iterator[Row]:
    """The rows of this part, as they come."""
    need("mujoco")
    with pinned():
        for robot in options.robots:
            both = pair(robot)
            for call in CALLS:
                yield both.compare(robot.name, call, options, PART, "mujoco")


def pair(robot: Robot) -> Pair:
    """Both libraries with a robot loaded."""
    mujoco, model = need("mujoco"), load_ours(robot)
    m = built(model, model.frame_id(robot.tool))
    theirs = vars(mujoco) | {"m": m, "d": mujoco.MjData(m), "full": _full, "hstack": np.hstack}
    theirs |= {"Jp": np.zeros((3, model.nv)), "Jr": np.zeros((3, model.nv)), "vstack": np.vstack}
    return foreign.pair(robot, model, theirs, _names)


def built(model: Any, tool: int) -> Any:
    """The robot in MuJoCo, with a site at a frame, and with nothing but its joints and inertias."""
    mujoco = need("mujoco")
    spec = mujoco.MjSpec()
    spec.option.gravity = model.gravity
    off = mujoco.mjtDisableBit
    spec.option.disableflags = off.mjDSBL_CONTACT | off.mjDSBL_CONSTRAINT
    kinds = {"free_flyer": mujoco.mjtJoint.mjJNT_FREE, "prismatic": mujoco.mjtJoint.mjJNT_SLIDE}
    bodies = [spec.worldbody]
    for joint, inertia in zip(model.joints[1:], model.inertias[1:], strict=True):
        body = bodies[joint.parent].add_body(name=joint.name, **_place(joint.placement))
        bodies.append(body)
        body.mass, body.ipos, body.explicitinertial = inertia.mass, inertia.com, True
        J = inertia.inertia
        body.fullinertia = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        kind = kinds.get(joint.kind, mujoco.mjtJoint.mjJNT_HINGE)
        body.add_joint(name=joint.name, type=kind, axis=[0, 0, 1] if joint.axis is None else joint.axis)
    frame = model.frames[tool]
    bodies[frame.parent_joint].add_site(name="tool", **_place(frame.placement))
    return spec.compile()


def _place(placement: Any) -> dict[str, Any]:
    return {"pos": placement.translation, "quat": np.roll(placement.quaternion, 1)}


def _names(model: Any, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Our q there, and V."""
    V = np.eye(model.nv)
    if model.root_joint is None:
        return q, V
    base, _ = free_flyer_to_mujoco(q[:7], np.zeros(6))
    V[:3, :3] = dyn_node.SO3.from_quaternion(q[3:7]).matrix
    return np.concatenate([base, q[7:]]), V


def _full(m: Any, d: Any) -> np.ndarray:
    """The mass matrix column by column: what unpacks it has other arguments in each of MuJoCo's versions."""
    M = np.empty((m.nv, m.nv))
    for column, axis in zip(M, np.eye(m.nv), strict=True):
        need("mujoco").mj_mulM(m, d, column, axis)
    return M
