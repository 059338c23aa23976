"""`solve_ik_batch`: thousands of targets in one call, over threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algorithms import normalize
from ..algorithms.arguments import array, configuration
from ..algorithms.batch import evaluate
from ..errors import InvalidValueError
from ..kernels import ik as _ik
from ..spatial import SE3
from .chain import chain_of
from .free_search import check_collision_mode, search_free
from .solve import descents_of, number_of, pose_of, sequence_of, weights_of, whole_of

if TYPE_CHECKING:
    from ..collision import CollisionChecker
    from ..model import Model

#: Targets between two reports of progress.
_PART = 512
_NO_END = 2**62


class IkBatch(NamedTuple):
    """The outcome of `solve_ik_batch`, an entry each target; where it failed, the best that was found.

    Attributes:
        success: (N,), whether both errors are within their tolerances.
        q: (N, nq); joints that may move are inside their limits.
        position_error, orientation_error: (N,), metres and radians.
        iterations, restarts: (N,).
        time: seconds spent on all.
        rejected: (N,), how many solutions did not count because links touch in them.
    """

    success: NDArray[np.bool_]
    q: NDArray[np.float64]
    position_error: NDArray[np.float64]
    orientation_error: NDArray[np.float64]
    iterations: NDArray[np.int64]
    restarts: NDArray[np.int64]
    time: float
    rejected: NDArray[np.int64]


def solve_ik_batch(
    model: Model,
    frame: int | str,
    targets: Iterable[SE3 | ArrayLike],
    seeds: ArrayLike | None = None,
    *,
    position_tolerance: float = 1e-6,
    orientation_tolerance: float = 1e-6,
    weights: ArrayLike | None = None,
    fixed_joints: Iterable[int | str] = (),
    lock_base: bool = True,
    max_restarts: int = 50,
    rng_seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    collision: CollisionChecker | None = None,
    collision_mode: str = "reject",
) -> IkBatch:
    """`solve_ik` for many targets: the same answers, bounded by restarts in place of time.

    Runs on as many threads as the batches of the algorithms do.

    Args:
        targets: N poses, SE3 or (4, 4).
        seeds: (nq,) for all, or (N, nq); the middle of the limits when left out.
        max_restarts: bound on descents after the first, for each target.
        progress: called with how many are done and how many there are.
        collision, collision_mode: as `solve_ik`. Solutions are looked at one after the other, which takes
            some tenths of a millisecond each.

        The others are those of `solve_ik`.

    Raises:
        UnknownFrameError, UnknownJointError, ShapeError, InvalidValueError: as `solve_ik`.
    """
    start = time.perf_counter()
    chain = chain_of(model, frame, tuple(fixed_joints), lock_base)
    check_collision_mode(collision_mode)
    if collision is not None:
        collision.check_model(model)
    most = descents_of(whole_of("max_restarts", max_restarts, 0))
    poses = np.array([pose_of(target) for target in targets]).reshape(-1, 4, 3)
    at = _seeds(model, chain.middle if seeds is None else seeds, len(poses))
    request = (
        np.ones(6) if weights is None else weights_of(weights),
        number_of("position_tolerance", position_tolerance, "metres, >= 0"),
        number_of("orientation_tolerance", orientation_tolerance, "radians, >= 0"),
        chain.limits, chain.free, chain.steps, sequence_of(rng_seed),
    )  # fmt: skip
    scratch = chain.take()
    states, points, q = np.zeros((len(poses), _ik.STATE)), np.zeros((len(poses), model.nv)), np.empty_like(at)
    robot = model.records, scratch.data.work, model.frame_records, chain.frame
    rejected = np.zeros(len(poses), np.int64)
    for first in range(0, len(poses), _PART):
        part = slice(first, min(first + _PART, len(poses)))
        limits = _ik.SPEED, _NO_END, most
        arguments = [*robot, poses[part], *request, at[part], points[part], *limits, states[part]]
        evaluate(_ik.search, arguments, [(model.nq,)], out=q[part])
        if collision is not None:
            for k in range(part.start, part.stop):
                asked = (poses[k], *request), at[k], _ik.SPEED, np.inf, most
                if states[k, _ik.SUCCESS] and collision.in_collision(q[k]):
                    free = search_free(chain, scratch, None, *asked, collision, collision_mode == "avoid")
                    states[k], q[k], rejected[k] = free.state, free.q, free.rejected
        if progress is not None:
            progress(part.stop, len(poses))
    chain.spare.append(scratch)
    descents, iterations = (
        states[:, _ik.DESCENTS].astype(np.int64),
        states[:, _ik.ITERATIONS].astype(np.int64),
    )
    success = states[:, _ik.SUCCESS] > 0.0
    errors = states[:, _ik.METRES].copy(), states[:, _ik.RADIANS].copy()
    return IkBatch(success, q, *errors, iterations, descents - 1, time.perf_counter() - start, rejected)


def _seeds(model: Model, seeds: ArrayLike, count: int) -> NDArray[np.float64]:
    """One normalised seed a target, (N, nq)."""
    given = np.asarray(seeds)
    if given.ndim < 2:
        return np.tile(normalize(model, configuration(model, seeds, "seeds")), (count, 1))
    if len(given) != count:
        allowed = f"one, or {count} of them"
        raise InvalidValueError(f"seeds: expected {allowed}, given {len(given)}", len(given), allowed)
    return normalize(model, array("seeds", given, (count, model.nq), "a configuration each target"))
