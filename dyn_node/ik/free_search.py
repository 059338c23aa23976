"""A search whose solutions must not collide, or not be too far away: each is looked at before it counts."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algorithms import difference, frame_jacobian, normalize
from ..algorithms.arguments import check_data, configuration
from ..errors import InvalidValueError
from ..kernels import ik as _ik
from ..kernels.engine import compile_kernel
from .chain import Chain, Scratch
from .escape import escape
from .reach import Reach

if TYPE_CHECKING:
    from ..collision import CollisionChecker
    from ..model import Data

Vector = NDArray[np.float64]

#: Where a solution collides, "reject" searches on; "avoid" first parts it along what the target leaves free.
COLLISION_MODES = ("reject", "avoid")
_NO_END = 2**62


@dataclass
class FreeSearch:
    """What a search has come to.

    Attributes:
        q: the best configuration; state: of the search that found it, see `kernels.ik`.
        touching: the links that collide in the last solution that did; rejected: how many did.
        far: how many solutions were farther away than the joints get in time.
        timed_out: the time ran out before the restarts did.
    """

    q: Vector
    state: Vector
    touching: list[tuple[str, str]]
    rejected: int = 0
    far: int = 0
    timed_out: bool = False

    @property
    def why(self) -> str:
        """What kept solutions from counting; empty where none did."""
        reasons = []
        if self.rejected:
            pairs = ", ".join(f"{first} with {second}" for first, second in self.touching[:3])
            reasons.append(f"{self.rejected} solutions collide, the last one {pairs}")
        if self.far:
            reasons.append(f"{self.far} solutions are farther away than the velocity limits allow")
        return "" if self.state[_ik.SUCCESS] else "; ".join(reasons)


def check_collision_mode(mode: str) -> None:
    """InvalidValueError unless the mode is one of `COLLISION_MODES`."""
    if mode not in COLLISION_MODES:
        allowed = ", ".join(COLLISION_MODES)
        raise InvalidValueError(
            f"collision_mode: expected one of {allowed}, given {mode!r}", mode, COLLISION_MODES
        )


def apart(
    chain: Chain,
    scratch: Scratch,
    checker: CollisionChecker,
    avoid: bool,
    request: Any,
    q: Vector,
    end: float,
) -> tuple[Vector, list[tuple[str, str]]]:
    """A solution, and the links that touch in it: moved out of that where it is to be avoided and can be.

    The errors in `scratch.state` become those of the solution that is returned; `request` and `end` are those
    of `escape`.
    """
    touching = checker.collisions(q)
    if touching and avoid:
        moved = escape(chain, scratch, checker, request, q, end)
        if moved is not None:
            return moved, []
    return q, touching


def search_free(
    chain: Chain, scratch: Scratch, data: Data | None, request: Any, seed: ArrayLike, mode: int, end: float,
    most: int, checker: CollisionChecker | None, avoid: bool = False, reach: Reach | None = None,
) -> FreeSearch:  # fmt: skip
    """Descent after descent until a solution counts, no restart is left, or the time is up.

    Args:
        checker: in a solution that counts no links touch; `avoid`: these are moved apart first.
        reach: it is no farther away than this.
    """
    search: Any = _ik.SEARCHES[mode]  # its arguments come in bundles
    start = time.perf_counter()
    compile_kernel(search)
    model, state = chain.model, scratch.state
    if data is not None:
        check_data(model, data)
    if checker is not None:
        checker.check_model(model)
    robot: Any = model.records, (data or scratch.data).work, model.frame_records, chain.frame
    at = normalize(model, configuration(model, seed, "seed"))
    end += time.perf_counter() - start  # the first call compiles, which is not the search's time
    q: Vector = np.empty(model.nq)
    state[0] = 0.0
    found = FreeSearch(q, np.zeros(0), [])
    while True:
        if state[_ik.DESCENTS] > 0.0:
            state[_ik.SUCCESS], state[_ik.DONE], state[_ik.SCORE] = 0.0, 0.0, np.inf
        search(*robot, *request, at, scratch.point, mode, _NO_END, int(state[0]) + 1, state, q)
        if state[_ik.SUCCESS] and checker is not None:
            first, (q, touching) = q, apart(chain, scratch, checker, avoid, request, q, end)
            if q is not first:
                state[_ik.SCORE] = _score(chain, scratch, mode, request[1], at, q)
            if touching:
                state[_ik.SUCCESS] = 0.0
                found.touching, found.rejected = touching, found.rejected + 1
        if state[_ik.SUCCESS] and reach is not None and reach.exceeded(q):
            state[_ik.SUCCESS] = 0.0
            found.far += 1
        _keep(found, q, state)
        alone = not chain.free.any()
        if alone or (mode == _ik.SPEED and found.state[_ik.SUCCESS]) or state[_ik.DESCENTS] >= most:
            break
        if time.perf_counter() >= end:
            found.timed_out = True
            break
    # What was spent is that of all descents, what was reached that of the best one.
    found.state[_ik.DESCENTS], found.state[_ik.ITERATIONS] = state[_ik.DESCENTS], state[_ik.ITERATIONS]
    return found


def _score(chain: Chain, scratch: Scratch, mode: int, weights: Vector, at: Vector, q: Vector) -> float:
    """How bad a solution is, as `kernels.ik.score` has it."""
    if mode == _ik.DISTANCE:
        way = difference(chain.model, at, q)
        return float(way @ way)
    if mode == _ik.MANIPULABILITY:
        J = frame_jacobian(chain.model, scratch.data, q, chain.frame)[weights > 0.0][:, chain.free > 0.0]
        return -float(np.sqrt(max(np.linalg.det(J @ J.T), 0.0)))
    return 0.0


def _keep(found: FreeSearch, q: Vector, state: Vector) -> None:
    """Keep a descent's result where it is better: any that counts, then the lower score."""
    if not len(found.state):
        better = True
    elif state[_ik.SUCCESS] != found.state[_ik.SUCCESS]:
        better = bool(state[_ik.SUCCESS])
    else:
        better = bool(state[_ik.SCORE] < found.state[_ik.SCORE])
    if better:
        found.q, found.state = q.copy(), state.copy()
