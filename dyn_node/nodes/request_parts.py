"""The parts that requests have in common, as arrays; each refuses what has no meaning. Free of rclpy."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from dyn_node_msgs.msg import ResultCode

from dyn_node.algorithms.kinematics import forward_kinematics, update_frame_placements
from dyn_node.collision import CollisionChecker
from dyn_node.errors import InvalidValueError
from dyn_node.model.data import Data
from dyn_node.model.joint import Joint
from dyn_node.model.model import Model
from dyn_node.spatial import SE3, Force

from .answers import RefusedError
from .base_intake import fill_base
from .conversions import placement, six, view
from .joint_map import JointMap
from .solver_settings import SolverSettings
from .state import BASE, GRAVITY, Snapshot

Array = npt.NDArray[np.float64]
REFERENCES = ("LOCAL", "WORLD", "LOCAL_WORLD_ALIGNED")
_PLANAR = [0, 1, 5]


@dataclass(frozen=True)
class Context:
    """What a request is answered with: the robot, scratch, its state at that moment, the parameters.

    Attributes:
        transforms: (parent, child, time in ns or 0 for the latest) to the child's placement, of frames that
            others publish; None where tf2_ros is not installed.
        checker: makes what finds collisions, or raises DynNodeError with what is missing.
    """

    model: Model
    data: Data
    map: JointMap
    current: Snapshot
    settings: SolverSettings
    transforms: Callable[[str, str, int], SE3] | None = None
    checker: Callable[[], CollisionChecker] | None = None


@dataclass(frozen=True)
class State:
    """A complete state.

    Attributes:
        q, v: of the model.
        position: (n,) of the actuated joints as given or received, turns of continuous joints included.
        stamp: of the current state that completed it, ns; 0 if none did.
    """

    q: Array
    v: Array
    position: Array
    stamp: int


def complete_state(context: Context, given: Any, base: Sequence[Any], with_velocity: bool = True) -> State:
    """The state of a request: what it gives, and for the rest the robot's current state.

    Args:
        given: sensor_msgs/JointState with any of the robot's joints in any order.
        base: BaseState, none or one.
        with_velocity: whether velocities count; otherwise those given are ignored.

    Raises:
        UnknownJointError: a joint that the robot does not have.
        RefusedError: a joint given twice, arrays of a wrong length, numbers that are not finite, or a
            part that is neither given nor known and fresh.
    """
    names = list(given.name)
    slots = _slots(context, names, "state")
    position = _numbers(given.position, names, "position")
    velocity = _numbers(given.velocity, names, "velocity") if with_velocity else np.empty(0)
    q, v = context.current.q.copy(), context.current.v.copy()
    joints, speeds = context.current.position.copy(), v[context.map.v_index]
    if len(position):
        joints[slots] = position
    speeds[slots] = velocity if len(velocity) else 0.0
    context.map.fill_q(q, joints)
    context.map.fill_v(v, speeds)
    # A given position is all that a joint needs: it is at rest or moves as the request says.
    needed = set(context.map.names) - (set(names) if len(position) else set())
    if context.model.root_joint is not None and not base:
        needed.add(BASE)
    _fill_base(context, base, q, v)
    _require_current(context, needed)
    return State(q, v, joints, context.current.stamp if needed else 0)


def _slots(context: Context, names: list[str], what: str) -> list[int]:
    slots = [context.map.slot(name) for name in names]
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise RefusedError(
            ResultCode.INVALID_ROBOT_STATE, f"{what} names {', '.join(twice)} more than once", twice
        )
    return slots


def _numbers(values: Any, names: list[str], what: str) -> Array:
    """An array as long as names, or empty; all finite."""
    numbers = view(values)
    if len(numbers) not in (0, len(names)):
        raise RefusedError(
            ResultCode.INVALID_ROBOT_STATE,
            f"{what} has {len(numbers)} entries for {len(names)} names; it must have as many, or none",
            len(numbers),
            (0, len(names)),
        )
    bad = [names[k] for k in np.flatnonzero(~np.isfinite(numbers))]
    if bad:
        raise RefusedError(
            ResultCode.INVALID_ROBOT_STATE, f"{what} of {', '.join(bad)} is not finite", bad, "finite numbers"
        )
    return numbers


def _fill_base(context: Context, base: Sequence[Any], q: Array, v: Array) -> None:
    if not base:
        return
    root = _floating_base(context, "base")
    try:
        pose = placement(base[0].pose, "base.pose")
    except InvalidValueError as error:
        raise RefusedError(ResultCode.INVALID_ROBOT_STATE, str(error), error.given, error.allowed) from None
    twist = six(base[0].twist.linear, base[0].twist.angular)
    if not np.isfinite(twist).all():
        raise RefusedError(
            ResultCode.INVALID_ROBOT_STATE, "base.twist is not finite", twist, "finite numbers"
        )
    fill_base(root, pose, twist, q, v)


def _floating_base(context: Context, what: str) -> Joint:
    """The root joint; refused where the base is fixed."""
    if context.model.root_joint is None:
        raise RefusedError(
            ResultCode.INVALID_ROBOT_STATE,
            f"{what} is given, but {context.model.name} has a fixed base; leave it empty",
            what,
            "empty",
        )
    return context.model.root_joint


def _require_current(context: Context, needed: set[str]) -> None:
    """Refuse unless the current state of all these is known and fresh."""
    current = context.current
    missing = [name for name in current.missing if name in needed]
    if missing:
        raise RefusedError(
            ResultCode.INVALID_ROBOT_STATE,
            f"no state of {', '.join(missing)} is known; give it in the request or let it be published",
            missing,
        )
    stale = {name: age for name, age in current.stale.items() if name in needed}
    if stale or (needed and current.clock_problem):
        ages = ", ".join(f"{name} ({age:.2f} s)" for name, age in stale.items())
        raise RefusedError(
            ResultCode.ROBOT_STATE_STALE,
            current.clock_problem
            or f"stale: {ages}; the parameter state_timeout is {context.settings.state_timeout:g} s",
            stale,
        )


def require_gravity(context: Context) -> None:
    """Refuse where a sensor tells which way is down, and has not lately."""
    if context.current.gravity is not None:
        _require_current(context, {GRAVITY})


def named_values(context: Context, given: Any, what: str) -> Array:
    """NamedValues as a (nv,) array, zero where a coordinate is not named.

    Raises:
        UnknownJointError, RefusedError: as `complete_state`.
    """
    names = list(given.names)
    slots = _slots(context, names, what)
    numbers = _numbers(given.values, names, f"{what}.values")
    if len(numbers) != len(names):
        raise RefusedError(
            ResultCode.INVALID_ROBOT_STATE, f"{what} names {len(names)} joints but gives no values", names
        )
    result = np.zeros(context.model.nv)
    result[context.map.v_index[slots]] = numbers
    return result


def base_six(context: Context, vectors: tuple[Any, Any] | None, what: str) -> Array:
    """The base's rows (root nv,) of two Vector3, linear first; zero when None.

    Raises:
        RefusedError: the base is fixed; not finite; out of the plane for a planar base.
    """
    if vectors is None:
        return np.zeros(0 if context.model.root_joint is None else context.model.root_joint.nv)
    root = _floating_base(context, what)
    values = six(*vectors)
    if not np.isfinite(values).all():
        raise RefusedError(ResultCode.INVALID_ROBOT_STATE, f"{what} is not finite", values, "finite numbers")
    if root.nv == 6:
        return values
    if values[[2, 3, 4]].any():
        raise RefusedError(
            ResultCode.INVALID_ROBOT_STATE,
            f"{what}: a planar base has x, y and the turn about z only; the other three must be zero",
            values,
        )
    return values[_PLANAR]


def spread_base(root: Joint, rows: Array) -> Array:
    """The base's rows of a (nv,) vector as six numbers, linear first."""
    result = np.zeros(6)
    result[np.arange(6) if root.nv == 6 else np.array(_PLANAR)] = rows[root.idx_v : root.idx_v + root.nv]
    return result


def reference_of(name: str) -> str:
    """The reference frame of a request, LOCAL_WORLD_ALIGNED when empty; RefusedError for others."""
    if name and name not in REFERENCES:
        raise RefusedError(
            ResultCode.INVALID_GOAL_CONSTRAINTS,
            f"reference {name!r} is not one of {', '.join(REFERENCES)}",
            name,
            REFERENCES,
        )
    return name or "LOCAL_WORLD_ALIGNED"


def frame_index(context: Context, name: str) -> int:
    """Index of a request's frame. UnknownFrameError with the closest names; RefusedError when empty."""
    if not name:
        raise RefusedError(ResultCode.INVALID_LINK_NAME, "frame is empty; name a frame of the robot", name)
    return context.model.frame_id(name)


def external_forces(context: Context, q: Array, wrenches: Sequence[Any]) -> Array | None:
    """Wrenches given at frames as forces on the joints' bodies, (njoints, 6), each in its joint's frame.

    Raises:
        UnknownFrameError, RefusedError: a frame, a reference or a number that has no meaning.
    """
    if not wrenches:
        return None
    model, data = context.model, context.data
    forward_kinematics(model, data, q)
    update_frame_placements(model, data)
    result = np.zeros((model.njoints, 6))
    for given in wrenches:
        frame = model.frames[frame_index(context, given.frame)]
        reference = reference_of(given.reference)
        values = six(given.wrench.force, given.wrench.torque)
        if not np.isfinite(values).all():
            raise RefusedError(
                ResultCode.INVALID_GOAL_CONSTRAINTS,
                f"the wrench at {given.frame} is not finite",
                values,
                "finite",
            )
        result[frame.parent_joint] += _joint_force(data, frame, reference, values)
    return result


def _joint_force(data: Data, frame: Any, reference: str, values: Array) -> Array:
    """A wrench given at a frame, in the frame of the joint that carries it."""
    if reference == "WORLD":
        return data.oMi[frame.parent_joint].act_inv(Force.from_vector(values)).vector
    if reference == "LOCAL_WORLD_ALIGNED":
        to_frame = data.oMf[frame.index].rotation.T
        values = np.concatenate([to_frame @ values[:3], to_frame @ values[3:]])
    return frame.placement.act(Force.from_vector(values)).vector


def finite(value: float, what: str, least: float = -math.inf) -> float:
    """A number of a request; RefusedError unless finite and at least `least`."""
    if not math.isfinite(value) or value < least:
        limit = f"finite and at least {least:g}" if math.isfinite(least) else "finite"
        raise RefusedError(
            ResultCode.INVALID_GOAL_CONSTRAINTS, f"{what} is {value}; it must be {limit}", value, limit
        )
    return float(value)
