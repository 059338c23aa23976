"""`solve_ik`: descents from the seed and, where they fail, from elsewhere, until the time is up."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algorithms import difference, frame_jacobian, neutral, normalize
from ..algorithms.arguments import array, configuration
from ..errors import InvalidValueError
from ..kernels import ik as _ik
from ..kernels.engine import compile_kernel
from ..spatial import SE3
from .result import IkResult
from .seeds import restart_seeds

if TYPE_CHECKING:
    from ..model import Data, Model

Vector = NDArray[np.float64]

#: "speed" takes the first solution, the others the best one that the time allows: nearest to the
#: seed, or of the largest manipulability sqrt(det J J^T).
MODES = ("speed", "distance", "manipulability")

_ITERATIONS = 100


@dataclass
class _Problem:
    """A request that was looked at: arrays of the right shapes, and the robot's scratch."""

    model: Model
    data: Data
    frame: int
    target: NDArray[np.float64]
    weights: Vector
    tolerances: Vector
    lower: Vector
    upper: Vector
    free: Vector
    seed: Vector
    notes: list[str]

    def descend(self, q: Vector, result: Vector) -> None:
        """One descent from q, which is changed in place; see `kernels.ik.descend`."""
        _ik.descend(
            self.model.records, self.data.work, self.model.frame_records, self.frame, self.target,
            self.weights, self.tolerances, self.lower, self.upper, self.free, q, _ITERATIONS, result,
        )  # fmt: skip


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
) -> IkResult:
    """A configuration that puts a frame at a pose, inside the joints' limits.

    Levenberg-Marquardt on the SE(3) logarithm (Sugihara 2011), restarted from a low-discrepancy
    sequence; the same request gives the same answer as long as the time suffices.

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

    Returns:
        The result; without success it holds the best configuration that was found.

    Raises:
        UnknownFrameError, UnknownJointError: no such name.
        ShapeError: an array of the wrong size or type.
        InvalidValueError: a target that is no pose, or a parameter out of its range.
    """
    problem = _look_at(
        model,
        frame,
        target,
        seed,
        position_tolerance,
        orientation_tolerance,
        weights,
        fixed_joints,
        lock_base,
        data,
    )
    if mode not in MODES:
        raise InvalidValueError(f"mode: expected one of {', '.join(MODES)}, given {mode!r}", mode, MODES)
    timeout = _number("timeout", timeout, "seconds, >= 0")
    if max_restarts is not None and max_restarts < 0:
        raise InvalidValueError(f"max_restarts: expected >= 0, given {max_restarts}", max_restarts, ">= 0")
    compile_kernel(_ik.descend)
    return _search(problem, timeout, mode, max_restarts, rng_seed)


def _search(problem: _Problem, timeout: float, mode: str, max_restarts: int | None, number: int) -> IkResult:
    """Descend from one seed after the other; keep the best."""
    start = time.perf_counter()
    best, best_score, iterations, descents, timed_out = None, (True, np.inf), 0, 0, False
    result = np.zeros(4)
    for q in _limited(problem, max_restarts, number):
        problem.descend(q, result)
        descents += 1
        iterations += int(result[2])
        success = bool(result[3] == _ik.CONVERGED)
        score = (not success, _score(problem, q, mode) if success else _miss(problem, result))
        if best is None or score < best_score:
            best, best_score = (q, result.copy(), success), score
        if success and mode == "speed":
            break
        if time.perf_counter() - start >= timeout:
            timed_out = True
            break
    assert best is not None  # the seed itself is always tried
    elapsed = time.perf_counter() - start
    return _answer(problem, *best, iterations, descents - 1, elapsed, timed_out)


def _limited(problem: _Problem, max_restarts: int | None, number: int) -> Iterator[Vector]:
    """The seed, then the restarts, at most `max_restarts` of them."""
    moving = problem.free > 0.0
    others = restart_seeds(problem.model, problem.seed, moving, problem.lower, problem.upper, number)
    return itertools.chain((problem.seed.copy(),), itertools.islice(others, max_restarts))


def _score(problem: _Problem, q: Vector, mode: str) -> float:
    """How good a solution is; smaller is better."""
    if mode == "distance":
        return float(np.linalg.norm(difference(problem.model, problem.seed, q)))
    if mode == "manipulability":
        J = frame_jacobian(problem.model, problem.data, q, problem.frame)
        J = J[np.ix_(problem.weights > 0.0, problem.free > 0.0)]
        return -float(np.prod(np.linalg.svd(J, compute_uv=False)))
    return 0.0


def _miss(problem: _Problem, result: Vector) -> float:
    """How far a failed descent is from its tolerances."""
    return float(np.hypot(result[0], result[1]))


def _answer(
    problem: _Problem,
    q: Vector,
    result: Vector,
    success: bool,
    iterations: int,
    restarts: int,
    elapsed: float,
    timed_out: bool,
) -> IkResult:
    position, orientation = float(result[0]), float(result[1])
    if success:
        message = "solved"
    else:
        why = "the time ran out" if timed_out else "no restart is left"
        message = f"no solution: {why} after {restarts + 1} descents; the nearest misses the target"
        message += f" by {position:.3g} m and {orientation:.3g} rad"
    message = "; ".join([message, *problem.notes])
    return IkResult(
        success, q, position, orientation, iterations, restarts, elapsed, message, timed_out and not success
    )


def _look_at(
    model: Model,
    frame: int | str,
    target: SE3 | ArrayLike,
    seed: ArrayLike | None,
    position_tolerance: float,
    orientation_tolerance: float,
    weights: ArrayLike | None,
    fixed_joints: Iterable[int | str],
    lock_base: bool,
    data: Data | None,
) -> _Problem:
    """Check a request and bring it into the form that the kernel takes."""
    number = model.frame_id(frame)
    lower, upper = np.array(model.lower_position_limit), np.array(model.upper_position_limit)
    start, notes = _seed(model, seed, lower, upper)
    tolerances = [
        _number("position_tolerance", position_tolerance, "metres, >= 0"),
        _number("orientation_tolerance", orientation_tolerance, "radians, >= 0"),
    ]
    return _Problem(
        model=model,
        data=model.create_data() if data is None else data,
        frame=number,
        target=_pose(target),
        weights=_weights(weights),
        tolerances=np.array(tolerances),
        lower=lower,
        upper=upper,
        free=_free(model, number, fixed_joints, lock_base),
        seed=start,
        notes=notes,
    )


def _pose(target: SE3 | ArrayLike) -> NDArray[np.float64]:
    """The target as a homogeneous matrix; SE3 checks that it is one."""
    if not isinstance(target, SE3):
        target = SE3.from_homogeneous(array("target", target, (4, 4), "a pose in the world"))
    return np.ascontiguousarray(target.homogeneous)


def _number(name: str, value: Any, allowed: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not (np.isfinite(number) and number >= 0.0):
        raise InvalidValueError(f"{name}: expected {allowed}, given {value!r}", value, allowed)
    return number


def _weights(weights: ArrayLike | None) -> Vector:
    if weights is None:
        return np.ones(6)
    result = array("weights", weights, (6,), "linear and angular directions of the frame")
    if not (np.isfinite(result).all() and (result >= 0.0).all() and result.any()):
        allowed = "six finite numbers >= 0, not all zero"
        raise InvalidValueError(f"weights: expected {allowed}, given {result.tolist()}", weights, allowed)
    return result


def _seed(model: Model, seed: ArrayLike | None, lower: Vector, upper: Vector) -> tuple[Vector, list[str]]:
    """The seed inside the limits, and a note when it had to be brought there."""
    if seed is None:
        q = neutral(model)
        limited = np.isfinite(lower) & np.isfinite(upper) & _on_a_line(model)
        q[limited] = 0.5 * (lower[limited] + upper[limited])
        return np.where(_on_a_line(model), np.clip(q, lower, upper), q), []
    q = normalize(model, configuration(model, seed, "seed"))
    inside = np.where(_on_a_line(model), np.clip(q, lower, upper), q)
    moved = [j.name for j in model.joints[1:] if (inside != q)[j.idx_q : j.idx_q + j.nq].any()]
    notes = [f"the seed was outside the limits of {', '.join(moved)} and brought inside"] if moved else []
    return inside, notes


def _on_a_line(model: Model) -> NDArray[np.bool_]:
    """Per entry of q whether its limits are those of a plain coordinate, (nq,)."""
    mask = np.zeros(model.nq, dtype=bool)
    for record in model.records[1:]:
        mask[record["idx_q"] : record["idx_q"] + record["nq"]] = record["nq"] == record["nv"]
    return mask


def _free(model: Model, frame: int, fixed_joints: Iterable[int | str], lock_base: bool) -> Vector:
    """One where a velocity coordinate carries the frame and may move, else zero, (nv,)."""
    free = np.zeros(model.nv)
    joint = model.joints[model.frames[frame].parent_joint]
    while joint.index > 0:
        free[joint.moved_by] = 1.0
        joint = model.joints[joint.parent]
    locked = [model.joints[model.joint_id(name)] for name in fixed_joints]
    if lock_base and model.root_joint is not None:
        locked.append(model.root_joint)
    for joint in locked:
        free[joint.moved_by] = 0.0
    return free
