"""`solve_ik`: descents from the seed and, where they fail, from elsewhere, until the time is up."""

from __future__ import annotations

import math
import operator
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algorithms import normalize
from ..algorithms.arguments import REFUSED, array, check_data, configuration
from ..algorithms.threads import get_threads
from ..errors import InvalidValueError
from ..kernels import ik as _ik
from ..kernels.engine import compile_kernel
from ..spatial import SE3
from .chain import Chain, Scratch, chain_of, on_a_line
from .free_search import check_collision_mode, search_free
from .reach import Reach
from .result import IkResult
from .together import SharedSearch, can_share

if TYPE_CHECKING:
    from ..collision import CollisionChecker
    from ..model import Data, Model

Vector = NDArray[np.float64]

#: "speed" takes the first solution, the others the best one that the time allows: nearest to the
#: seed, or of the largest manipulability sqrt(det J J^T).
MODES = ("speed", "distance", "manipulability")

_MODE = {mode: number for number, mode in enumerate(MODES)}

#: Iterations between two looks at the clock: a descent may take as many again.
_CHUNK = 100
_ALL = np.ones(6)
_UNLIMITED = 2**31
_SEQUENCES = 2**63


def solve_ik(
    model: Model,
    frame: int | str,
    target: SE3 | ArrayLike,
    seed: ArrayLike | None = None,
    *,
    position_tolerance: float = 1e-6,
    orientation_tolerance: float = 1e-6,
    timeout: float = 0.005,
    weights: ArrayLike | None = None,
    mode: str = "speed",
    fixed_joints: Iterable[int | str] = (),
    lock_base: bool = True,
    max_restarts: int | None = None,
    rng_seed: int = 0,
    data: Data | None = None,
    collision: CollisionChecker | None = None,
    collision_mode: str = "reject",
    threads: int | None = None,
    within: float | None = None,
) -> IkResult:
    """A configuration that puts a frame at a pose, inside the joints' limits.

    Levenberg-Marquardt on the SE(3) logarithm (Sugihara 2011), restarted from a low-discrepancy
    sequence, on several threads where the first descents fail; the same request gives the same answer as
    long as the time suffices. Joints that may move
    end inside their limits, and those that can make several turns end on the turn nearest to the seed;
    all others stay where the seed has them.

    Args:
        model: the robot.
        frame: name or number of the frame.
        target: its pose in the world, SE3 or a homogeneous (4, 4) array.
        seed: configuration to start from, (nq,); the middle of the limits when left out.
        position_tolerance: metres.
        orientation_tolerance: radians.
        timeout: seconds of a steady clock; 0 allows a single descent.
        weights: (6,), of the linear and angular directions of the frame's own axes; zero frees one.
        mode: one of `MODES`.
        fixed_joints: joints that keep the seed's position.
        lock_base: a floating base keeps the seed's pose.
        max_restarts: bound on descents after the first; None leaves it to the timeout.
        rng_seed: number of the restart sequence.
        data: scratch to use; made when left out.
        collision: solutions in which it finds links that touch do not count. A check takes some tenths of a
            millisecond: give more `timeout`.
        collision_mode: "reject" searches on where a solution collides; "avoid" first moves it apart along
            what the target leaves free.
        threads: how many share the restarts where the first descents fail, without any influence on the
            answer but that more is tried within the time; `get_threads()` when left out.
        within: seconds that the robot has to get there from the seed: no joint is moved further than its
            velocity limit allows in that time. Any distance will do when left out.

    Returns:
        The result; without success it holds the best configuration that was found.

    Raises:
        UnknownFrameError, UnknownJointError: no such name.
        ShapeError: an array of the wrong size or type.
        InvalidValueError: a target that is no pose, or a parameter out of its range.
    """
    chain = chain_of(model, frame, tuple(fixed_joints), lock_base)
    if mode not in _MODE:
        raise InvalidValueError(f"mode: expected one of {', '.join(MODES)}, given {mode!r}", mode, MODES)
    most = descents_of(max_restarts)
    if seed is None:
        seed = chain.middle
    # Their first calls compile kernels, which is not the search's time.
    pose = target._pose if type(target) is SE3 else pose_of(target)
    reach = None if within is None else _reach(chain, seed, within)
    start = time.perf_counter()
    end = start + number_of("timeout", timeout, "seconds, >= 0")
    request = (
        pose,
        _ALL if weights is None else weights_of(weights),
        number_of("position_tolerance", position_tolerance, "metres, >= 0"),
        number_of("orientation_tolerance", orientation_tolerance, "radians, >= 0"),
        chain.limits if reach is None else reach.limits,
        chain.free,
        chain.steps,
        sequence_of(rng_seed),
    )
    if threads is not None:
        threads = whole_of("threads", threads, 1)
    scratch = chain.take()
    if collision is None and not (reach and reach.round):
        q, timed_out = _search(chain, scratch, data, request, seed, _MODE[mode], end, most, threads)
        result = _answer(chain, scratch.state, seed, q, timed_out, start)
    else:
        check_collision_mode(collision_mode)
        most = most if timeout > 0.0 else 1
        free = search_free(
            chain, scratch, data, request, seed, _MODE[mode], end, most, collision, collision_mode == "avoid",
            reach,
        )  # fmt: skip
        result = _answer(chain, free.state, seed, free.q, free.timed_out or timeout == 0.0, start, free.why)
    chain.spare.append(scratch)
    return result


def _search(
    chain: Chain, scratch: Scratch, data: Data | None, request: Any, seed: ArrayLike, mode: int,
    end: float, most: int, threads: int | None,
) -> tuple[Vector, bool]:  # fmt: skip
    """Search until solved, out of restarts or out of time: (best configuration, timed out)."""
    search: Any = _ik.SEARCHES[mode]  # its arguments come in bundles
    model, state, q = chain.model, scratch.state, np.empty(chain.model.nq)
    robot: Any = model.records, (data or scratch.data).work, model.frame_records, chain.frame
    state[0] = 0.0
    start = time.perf_counter()
    most_now = most if end > start else 1
    try:
        at = np.array(seed, dtype=np.float64)
        search(*robot, *request, at, scratch.point, mode, _CHUNK, most_now, state, q)
    except REFUSED:
        if data is not None:
            check_data(model, data)
        at = normalize(model, configuration(model, seed, "seed"))
        compile_kernel(search)
        end += time.perf_counter() - start  # once on a machine, and not the search's time
        start = time.perf_counter()
        state[0] = 0.0
        search(*robot, *request, at, scratch.point, mode, _CHUNK, most_now, state, q)
    done = most_now == most and bool(state[_ik.DONE])
    if done or (mode == _ik.SPEED and state[_ik.SUCCESS]):
        return q, False
    threads = get_threads() if threads is None else threads
    shared = SharedSearch(robot, request, at, mode, threads, start, end) if can_share(threads) else None
    while not done and not (mode == _ik.SPEED and state[_ik.SUCCESS]):
        now = time.perf_counter()
        if now >= end:
            return q, True
        if shared and shared.go_on(now, most, scratch.point, state, q):
            done = state[_ik.DESCENTS] >= most
            continue
        reached = int(state[_ik.ITERATIONS]) + _CHUNK
        search(*robot, *request, at, scratch.point, mode, reached, most, state, q)
        done = bool(state[_ik.DONE])
    return q, False


def _reach(chain: Chain, seed: ArrayLike, within: float) -> Reach:
    at = normalize(chain.model, configuration(chain.model, seed, "seed"))
    return Reach(chain.model, chain.limits, chain.free, at, number_of("within", within, "seconds, >= 0"))


def _answer(
    chain: Chain,
    state: Vector,
    seed: ArrayLike,
    q: Vector,
    timed_out: bool,
    start: float,
    rejected: str = "",
) -> IkResult:
    descents, iterations, metres, radians, _, solved, moved, _ = state.tolist()
    message = "solved"
    if not solved:
        why = "the time ran out" if timed_out else "no restart is left"
        message = f"no solution: {why} after {int(descents)} descents; the nearest misses the target"
        message += f" by {metres:.3g} m and {radians:.3g} rad"
        message += f"; {rejected}" if rejected else ""
    if moved:
        message += f"; the seed was outside the limits of {_moved(chain, seed)} and brought inside"
    late = timed_out and not solved
    elapsed = time.perf_counter() - start
    return IkResult(
        solved > 0.0, q, metres, radians, int(iterations), int(descents) - 1, elapsed, message, late
    )


def _moved(chain: Chain, seed: ArrayLike) -> str:
    """Names of the joints that may move and whose seed is outside their limits."""
    q = configuration(chain.model, seed, "seed")
    outside = ((q < chain.limits[0]) | (q > chain.limits[1])) & on_a_line(chain.model)
    return ", ".join(
        joint.name
        for joint in chain.model.joints[1:]
        if joint.nv
        and chain.free[joint.moved_by].any()
        and outside[joint.idx_q : joint.idx_q + joint.nq].any()
    )


def pose_of(target: Any) -> NDArray[np.float64]:
    """A target as a pose (4, 3); SE3 checks that it is one."""
    pose = np.empty((4, 3))
    try:
        if _ik.pose_of_matrix(target, pose):
            return pose
    except REFUSED:
        compile_kernel(_ik.pose_of_matrix)
    if not isinstance(target, SE3):
        target = SE3.from_homogeneous(array("target", target, (4, 4), "a pose in the world"))
    return target._pose


def number_of(name: str, value: Any, allowed: str) -> float:
    """A number of a request that is finite and not negative."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not 0.0 <= number < math.inf:
        raise InvalidValueError(f"{name}: expected {allowed}, given {value!r}", value, allowed)
    return number


def whole_of(name: str, value: Any, least: int) -> int:
    """A number of a request that counts something."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if number < least:
        allowed = f"an integer >= {least}"
        raise InvalidValueError(f"{name}: expected {allowed}, given {value!r}", value, allowed)
    return number


def descents_of(max_restarts: int | None) -> int:
    """How many descents a request allows."""
    if max_restarts is None:
        return _UNLIMITED
    return min(whole_of("max_restarts", max_restarts, 0) + 1, _UNLIMITED)


def sequence_of(rng_seed: Any) -> int:
    """A request's number of the restart sequence."""
    try:
        number = operator.index(rng_seed)
    except TypeError:
        number = _SEQUENCES
    if not -_SEQUENCES <= number < _SEQUENCES:
        allowed = "an integer of 64 bits"
        raise InvalidValueError(f"rng_seed: expected {allowed}, given {rng_seed!r}", rng_seed, allowed)
    return number


def weights_of(weights: ArrayLike) -> Vector:
    """Six weights of a request."""
    result = array("weights", weights, (6,), "linear and angular directions of the frame")
    if not (np.isfinite(result).all() and (result >= 0.0).all() and result.any()):
        allowed = "six finite numbers >= 0, not all zero"
        raise InvalidValueError(f"weights: expected {allowed}, given {result.tolist()}", weights, allowed)
    return result
