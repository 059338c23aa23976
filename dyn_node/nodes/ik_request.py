"""The solver's answer to SolveIK: request read and checked, search, response. Free of rclpy."""

from __future__ import annotations

from typing import Any

import numpy as np
from dyn_node_msgs.msg import ResultCode
from geometry_msgs.msg import Pose

from dyn_node.algorithms.kinematics import forward_kinematics, frame_placement
from dyn_node.algorithms.threads import get_threads
from dyn_node.collision import CollisionChecker
from dyn_node.errors import DynNodeError, InvalidValueError, MissingDependencyError, UnknownFrameError
from dyn_node.ik import MODES, IkResult
from dyn_node.ik import solve_ik as search
from dyn_node.spatial import SE3

from .answers import Outcome, RefusedError
from .conversions import field, fill_pose, fill_time, nanoseconds, placement, view
from .request_parts import Array, Context, State, complete_state, finite, frame_index


def solve_ik(context: Context, request: Any, response: Any) -> Outcome:
    """SolveIK: a configuration that brings a frame to a pose."""
    settings = context.settings
    notes: list[str] = []
    frame = frame_index(context, request.frame)
    position = finite(request.position_tolerance, "position_tolerance", 0.0)
    orientation = finite(request.orientation_tolerance, "orientation_tolerance", 0.0)
    timeout, weights = _timeout(context, request, notes), _weights(request)
    mode, fixed = _mode(context, request), _fixed_joints(context, request)
    state = complete_state(context, request.seed, request.base, with_velocity=False)
    result = search(
        context.model,
        frame,
        _target(context, request.target),
        _inside_limits(context, state, fixed, notes),
        position_tolerance=position or settings.ik_position_tolerance,
        orientation_tolerance=orientation or settings.ik_orientation_tolerance,
        timeout=timeout,
        weights=weights,
        mode=mode,
        fixed_joints=fixed,
        lock_base=not request.free_base,
        rng_seed=int(request.random_seed),
        data=context.data,
        collision=_checker(context, request, notes),
        collision_mode="avoid",
        threads=settings.ik_threads or max(1, get_threads() // 2),
    )
    response.position_error, response.orientation_error = result.position_error, result.orientation_error
    response.iterations, response.restarts = int(result.iterations), int(result.restarts)
    fill_time(response.elapsed, int(result.time * 1e9))
    if not result.success:
        return _not_solved(result, notes)
    _fill_solution(context, response, state, result.q)
    return Outcome("; ".join([result.message or "solved", *notes]))


def _not_solved(result: IkResult, notes: list[str]) -> Outcome:
    code = ResultCode.TIMED_OUT if result.timed_out else ResultCode.NO_IK_SOLUTION
    effort = f"{result.restarts} restarts in {1e3 * result.time:.1f} ms"
    return Outcome("; ".join([result.message or "no solution", effort, *notes]), code)


def _target(context: Context, target: Any) -> SE3:
    """The target's pose in the world.

    Raises:
        RefusedError: not a pose, or in a frame that cannot be carried over to the world.
    """
    try:
        pose = placement(target.pose, "target.pose")
    except InvalidValueError as error:
        raise RefusedError(
            ResultCode.INVALID_GOAL_CONSTRAINTS, str(error), error.given, error.allowed
        ) from None
    name = target.header.frame_id
    if name in ("", context.settings.world_frame):
        return pose
    if context.model.has_frame(name):
        return _now(context, name) * pose
    if context.transforms is not None:
        return _published(context, name, nanoseconds(target.header.stamp)) * pose
    unknown = UnknownFrameError(name, (frame.name for frame in context.model.frames))
    raise RefusedError(
        ResultCode.FRAME_TRANSFORM_FAILURE,
        f"target.header.frame_id: {unknown}; the world is {context.settings.world_frame!r}; frames that "
        "others publish need the ROS package tf2_ros, which is not installed",
        name,
        unknown.allowed,
    )


def _now(context: Context, frame: str) -> SE3:
    """Where a frame of the robot is now, whatever seed the request gives."""
    now = complete_state(context, _NoJoints, ())
    forward_kinematics(context.model, context.data, now.q)
    return frame_placement(context.model, context.data, frame)


def _published(context: Context, name: str, stamp: int) -> SE3:
    """Where a frame that others publish is in the world: by the world's name in tf, or by the root link's.

    Raises:
        RefusedError: tf knows neither way.
    """
    assert context.transforms is not None
    world = context.settings.world_frame
    try:
        return context.transforms(world, name, stamp)
    except RefusedError as error:
        first = error
    root = next(frame.name for frame in context.model.frames if frame.kind == "body")
    try:
        below = context.transforms(root, name, stamp)
    except RefusedError as error:
        raise RefusedError(
            ResultCode.FRAME_TRANSFORM_FAILURE,
            f"target.header.frame_id: {name!r} is no frame of the robot, and tf leads from it neither to "
            f"{world!r} ({first}) nor to {root!r} ({error})",
            name,
            (world, root),
        ) from None
    # A base that is fixed is where the model has it, without any state.
    return below if context.model.root_joint is None else _now(context, root) * below


def _checker(context: Context, request: Any, notes: list[str]) -> CollisionChecker | None:
    """What finds collisions, where the request asks for it.

    Raises:
        RefusedError: it asks, and there is no coal, no geometry, or an SRDF that cannot be read.
    """
    if not request.avoid_collisions:
        return None
    try:
        if context.checker is None:
            raise MissingDependencyError("this solver has none", "a checker")
        checker = context.checker()
    except DynNodeError as error:
        raise RefusedError(
            ResultCode.FAILURE, f"avoid_collisions: {error}", error.given, error.allowed
        ) from None
    if checker.left_out:
        pairs = ", ".join(f"{first} with {second}" for first, second in checker.left_out)
        notes.append(f"without an SRDF these are taken to touch always, and not looked at: {pairs}")
    return checker


class _NoJoints:
    """A JointState that gives nothing: all is taken from the current state."""

    name: tuple[str, ...] = ()
    position: tuple[float, ...] = ()
    velocity: tuple[float, ...] = ()


def _timeout(context: Context, request: Any, notes: list[str]) -> float:
    """Seconds that the search may take."""
    asked = nanoseconds(request.timeout) * 1e-9
    if asked < 0.0:
        raise RefusedError(
            ResultCode.INVALID_GOAL_CONSTRAINTS,
            f"timeout is {asked:g} s; it must not be negative",
            asked,
            ">= 0",
        )
    longest = context.settings.ik_max_timeout
    if asked > longest:
        notes.append(f"timeout cut from {asked:g} s to the parameter ik.max_timeout, {longest:g} s")
    return min(asked, longest) or context.settings.ik_timeout


def _weights(request: Any) -> Array | None:
    """Six weights, or None for all one."""
    weights = view(request.weights)
    if len(weights) == 0:
        return None
    if len(weights) != 6 or not np.isfinite(weights).all() or (weights < 0.0).any() or not weights.any():
        raise RefusedError(
            ResultCode.INVALID_GOAL_CONSTRAINTS,
            f"weights are {weights.tolist()}; they must be none, or six numbers >= 0 and not all zero",
            weights,
            "six numbers >= 0",
        )
    return weights.copy()


def _mode(context: Context, request: Any) -> str:
    if request.mode and request.mode not in MODES:
        raise RefusedError(
            ResultCode.INVALID_GOAL_CONSTRAINTS,
            f"mode {request.mode!r} is not one of {', '.join(MODES)}",
            request.mode,
            MODES,
        )
    return request.mode or context.settings.ik_mode


def _fixed_joints(context: Context, request: Any) -> tuple[str, ...]:
    """Names of the joints that keep the seed's position, from fixed_joints and free_joints."""
    names = context.map.names
    for name in (*request.fixed_joints, *request.free_joints):
        context.map.slot(name)  # UnknownJointError lists the closest
    fixed, free = set(request.fixed_joints), set(request.free_joints)
    if fixed & free:
        both = ", ".join(sorted(fixed & free))
        raise RefusedError(
            ResultCode.INVALID_GOAL_CONSTRAINTS,
            f"{both}: in fixed_joints and in free_joints",
            both,
            "in one of them",
        )
    if free:
        fixed = set(names) - free
    base_moves = request.free_base and context.model.root_joint is not None
    if len(fixed) == len(names) and not base_moves:
        raise RefusedError(
            ResultCode.INVALID_GOAL_CONSTRAINTS,
            "no joint may move: all are fixed",
            sorted(fixed),
            "a free joint",
        )
    return tuple(name for name in names if name in fixed)


def _inside_limits(context: Context, state: State, fixed: tuple[str, ...], notes: list[str]) -> Array:
    """The start of the search: the state with every joint that may move inside its limits."""
    joints = context.map
    position = state.position
    inside = np.clip(position, joints.lower, joints.upper)
    for name in fixed:
        inside[joints.slot(name)] = position[joints.slot(name)]
    moved = np.flatnonzero(inside != position)
    if not len(moved):
        return state.q
    notes.append(f"start brought inside the limits of {', '.join(joints.names[slot] for slot in moved)}")
    seed = state.q.copy()
    joints.fill_q(seed, inside)
    return seed


def _fill_solution(context: Context, response: Any, state: State, q: Array) -> None:
    """Write a solution; continuous joints take the turn nearest to the start."""
    joints, root = context.map, context.model.root_joint
    response.solution.name = list(joints.names)
    response.solution.position = field(joints.positions(q, near=state.position))
    fill_time(response.solution.header.stamp, state.stamp)
    if root is not None:
        forward_kinematics(context.model, context.data, q)
        base = Pose()
        fill_pose(base, context.data.oMi[root.index])
        response.base_pose = [base]
