"""Part `drake`: what one call costs, as a ratio to Drake's functions. Optional: `pip install drake`.

Drake keeps what it has computed for a state. So setting the state is part of what is timed: without it,
the second call would compute nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import dyn_node

from . import foreign
from .calls import Call
from .machine import pinned
from .options import Options
from .peers import need
from .per_call import Pair
from .results import Row
from .robots import Robot, load_ours

PART = "drake"
_Q, _X = "plant.SetPositions(context, q); ", "plant.SetPositionsAndVelocities(context, x); "


def _call(name: str, ours: str, theirs: str, value: str, own: str = "") -> Call:
    return Call(name, ours, theirs, ("", "port.FixValue(context, tau)"), (own, value))


CALLS = (
    _call(
        "rnea",
        "rnea(model, data, q, v, a)",
        _X + "forces.SetZero(); plant.CalcForceElementsContribution(context, forces);"
        " effort = plant.CalcInverseDynamics(context, a, forces)",
        "V.T @ effort",
    ),
    _call(
        "generalized_gravity",
        "generalized_gravity(model, data, q)",
        _Q + "effort = plant.CalcGravityGeneralizedForces(context)",
        "-V.T @ effort",
    ),
    _call("crba", "crba(model, data, q)", _Q + "M = plant.CalcMassMatrix(context)", "V.T @ M @ V"),
    _call(
        "aba",
        "aba(model, data, q, v, tau)",
        _X + "rates = plant.EvalTimeDerivatives(context)",
        "V.T @ rates.get_generalized_velocity().CopyToVector() - bias",
    ),
    _call(
        "placement of a frame",
        "forward_kinematics(model, data, q); T = frame_placement(model, data, frame)",
        _Q + "T = tool.CalcPoseInWorld(context)",
        "T.GetAsMatrix34()",
        "T.homogeneous[:3]",
    ),
    _call(
        "frame_jacobian",
        "frame_jacobian(model, data, q, frame, LWA)",
        _Q + "J = plant.CalcJacobianSpatialVelocity(context, kV, tool, zero, world, world)",
        "roll(J, 3, axis=0) @ V",
    ),
)


def run(options: Options) -> Iterator[Row]:
    """The rows of this part, as they come."""
    need("pydrake.all")
    with pinned():
        for robot in options.robots:
            both = pair(robot)
            for call in CALLS:
                yield both.compare(robot.name, call, options, PART, "drake")


def pair(robot: Robot) -> Pair:
    """Both libraries with a robot loaded."""
    drake, model = need("pydrake.all"), load_ours(robot)
    plant = drake.MultibodyPlant(0.0)
    frames = _add_bodies(plant, model)
    tool = model.frames[model.frame_id(robot.tool)]
    frame = _fixed(plant, "tool", frames[tool.parent_joint], tool.placement)
    plant.mutable_gravity_field().set_gravity_vector(model.gravity)
    plant.Finalize()
    theirs = {"plant": plant, "context": plant.CreateDefaultContext(), "tool": frame, "roll": np.roll}
    theirs |= {"forces": drake.MultibodyForces(plant), "kV": drake.JacobianWrtVariable.kV}
    theirs |= {"zero": np.zeros(3), "world": plant.world_frame()}
    theirs |= {"port": plant.get_applied_generalized_force_input_port()}
    return foreign.pair(robot, model, theirs, lambda model, q: _names(plant, model, q))


def _add_bodies(plant: Any, model: Any) -> list[Any]:
    """One body a joint; their frames, the world's first."""
    drake = need("pydrake.all")
    kinds = {"prismatic": drake.PrismaticJoint, "revolute": drake.RevoluteJoint}
    frames = [plant.world_frame()]
    for joint, inertia in zip(model.joints[1:], model.inertias[1:], strict=True):
        J = inertia.inertia
        entries = J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]
        about = drake.RotationalInertia(*entries)
        spatial = drake.SpatialInertia.MakeFromCentralInertia(inertia.mass, inertia.com, about)
        body = plant.AddRigidBody(joint.name, spatial)
        frames.append(body.body_frame())
        if joint.kind != "free_flyer":  # a body without a joint floats
            base = _fixed(plant, f"before {joint.name}", frames[joint.parent], joint.placement)
            plant.AddJoint(kinds[joint.kind](joint.name, base, body.body_frame(), joint.axis))
    return frames


def _fixed(plant: Any, name: str, parent: Any, placement: Any) -> Any:
    """A frame fixed in another."""
    drake = need("pydrake.all")
    pose = drake.RigidTransform(drake.RotationMatrix(placement.rotation), placement.translation)
    return plant.AddFrame(drake.FixedOffsetFrame(name, parent, pose))


def _names(plant: Any, model: Any, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Our q there, and V. Of a base, which is first: quaternion w, x, y, z, then position; rotation first."""
    theirs, V = np.empty(model.nq), np.zeros((model.nv, model.nv))
    for joint in model.joints[1:]:
        if joint.kind == "free_flyer":
            rotation = dyn_node.SO3.from_quaternion(q[3:7]).matrix
            theirs[:7] = np.concatenate([np.roll(q[3:7], 1), q[:3]])
            V[:3, 3:6] = V[3:6, :3] = rotation
        else:
            there = plant.GetJointByName(joint.name)
            theirs[there.position_start()] = q[joint.idx_q]
            V[there.velocity_start(), joint.idx_v] = 1.0
    return theirs, V
