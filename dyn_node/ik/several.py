"""`solve_ik_all`: several configurations for one pose."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algorithms import difference, normalize
from ..algorithms.arguments import configuration
from ..kernels import ik as _ik
from ..kernels.engine import compile_kernel
from ..spatial import SE3
from .chain import chain_of
from .free_search import apart, check_collision_mode
from .result import IkResult
from .solve import descents_of, number_of, pose_of, sequence_of, weights_of, whole_of

if TYPE_CHECKING:
    from ..collision import CollisionChecker
    from ..model import Model

_CHUNK = 100


def solve_ik_all(
    model: Model,
    frame: int | str,
    target: SE3 | ArrayLike,
    n: int,
    seed: ArrayLike | None = None,
    *,
    position_tolerance: float = 1e-6,
    orientation_tolerance: float = 1e-6,
    timeout: float = 0.1,
    weights: ArrayLike | None = None,
    fixed_joints: Iterable[int | str] = (),
    lock_base: bool = True,
    max_restarts: int | None = None,
    rng_seed: int = 0,
    distinct: float = 0.1,
    collision: CollisionChecker | None = None,
    collision_mode: str = "reject",
) -> list[IkResult]:
    """Up to n different configurations that put a frame at a pose, the nearest to the seed first.

    Args:
        n: how many are wanted; an arm without redundancy has no more than 16.
        distinct: how far two of them have to be from each other, length of the difference (rad, m).
        timeout: seconds of a steady clock; max_restarts: bound on descents after the first. One of them
            ends the search when there are fewer than n.
        collision, collision_mode: as `solve_ik`; every solution that is returned is free of collisions.

        The others are those of `solve_ik`.

    Returns:
        The solutions; empty where none was found.

    Raises:
        UnknownFrameError, UnknownJointError, ShapeError, InvalidValueError: as `solve_ik`.
    """
    search: Any = _ik.search
    compile_kernel(search)
    start = time.perf_counter()
    end = start + number_of("timeout", timeout, "seconds, >= 0")
    least = number_of("distinct", distinct, "a distance >= 0")
    n, most = whole_of("n", n, 1), descents_of(max_restarts)
    check_collision_mode(collision_mode)
    if collision is not None:
        collision.check_model(model)
    chain = chain_of(model, frame, tuple(fixed_joints), lock_base)
    at = normalize(model, configuration(model, chain.middle if seed is None else seed, "seed"))
    scratch, q, found = chain.take(), np.empty(model.nq), list[tuple[float, IkResult]]()
    robot: Any = model.records, scratch.data.work, model.frame_records, chain.frame
    request: Any = (
        pose_of(target),
        np.ones(6) if weights is None else weights_of(weights),
        number_of("position_tolerance", position_tolerance, "metres, >= 0"),
        number_of("orientation_tolerance", orientation_tolerance, "radians, >= 0"),
        chain.limits, chain.free, chain.steps, sequence_of(rng_seed),
    )  # fmt: skip
    state = scratch.state
    state[0] = 0.0
    while len(found) < n:
        reached = int(state[_ik.ITERATIONS]) + _CHUNK if state[0] else _CHUNK
        search(*robot, *request, at, scratch.point, _ik.SPEED, reached, most, state, q)
        elapsed = time.perf_counter() - start
        free, touching = q, list[tuple[str, str]]()
        if state[_ik.SUCCESS] and collision is not None:
            free, touching = apart(chain, scratch, collision, collision_mode == "avoid", request, q, end)
        new = state[_ik.SUCCESS] and not touching
        if new and all(_way(model, free, other.q) >= least for _, other in found):
            found.append((_way(model, at, free), _result(state, free, elapsed)))
        if state[_ik.DESCENTS] >= most or not chain.free.any() or start + elapsed >= end:
            break
        state[_ik.SUCCESS], state[_ik.DONE], state[_ik.SCORE] = 0.0, 0.0, np.inf
    chain.spare.append(scratch)
    return [result for _, result in sorted(found, key=lambda pair: pair[0])]


def _way(model: Model, q0: NDArray[np.float64], q1: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(difference(model, q0, q1)))


def _result(state: NDArray[np.float64], q: NDArray[np.float64], elapsed: float) -> IkResult:
    descents, iterations, metres, radians = state[:4].tolist()
    return IkResult(True, q.copy(), metres, radians, int(iterations), int(descents) - 1, elapsed, "solved")
