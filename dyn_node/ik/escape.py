"""Out of a collision along what the target leaves free."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..algorithms import (
    forward_kinematics,
    frame_jacobian,
    frame_placement,
    integrate,
    point_jacobian,
)
from ..kernels import ik as _ik
from .chain import Chain, Scratch, on_a_line

if TYPE_CHECKING:
    from ..collision import CollisionChecker, Proximity

Vector = NDArray[np.float64]

_STEPS = 15
#: Metres that links are to be apart beyond what counts as touching, and the longest step (rad or m).
_CLEAR, _LONGEST = 5e-3, 0.2
_NO_END = 2**62


def escape(
    chain: Chain, scratch: Scratch, checker: CollisionChecker, request: Any, q: Vector, end: float
) -> Vector | None:
    """A solution near q, (nq,), that does not collide; None where the target leaves no such way.

    Steps of the joints' null space push touching links apart along their normals; after each of them a
    descent brings the frame back to the target. What is left of the error is written to `scratch.state`.

    Args:
        request: target, weights, tolerances and limits as `kernels.ik.search` takes them.
        end: when to give up, of `time.perf_counter`.
    """
    free = np.flatnonzero(chain.free > 0.0)
    for _ in range(_STEPS):
        touching = checker.near(q, checker.margin + _CLEAR)
        step = _apart(chain, scratch, checker, request[1], q, free, touching) if touching else None
        if step is None:
            return None
        q, state = _back(chain, scratch, request, _moved(chain, q, free, step))
        if not state[_ik.SUCCESS]:
            return None
        if not checker.in_collision(q):
            for entry in (_ik.METRES, _ik.RADIANS):
                scratch.state[entry] = state[entry]
            return q
        if time.perf_counter() >= end:
            return None
    return None


def _apart(
    chain: Chain, scratch: Scratch, checker: CollisionChecker, weights: Vector, q: Vector,
    free: NDArray[np.intp], touching: list[Proximity],
) -> Vector | None:  # fmt: skip
    """The step of the free coordinates that parts the links and leaves the frame where it is."""
    model, data = chain.model, scratch.data
    J = frame_jacobian(model, data, q, chain.frame)[np.asarray(weights) > 0.0][:, free]
    null = np.eye(len(free)) - np.linalg.pinv(J, rcond=1e-6) @ J
    forward_kinematics(model, data, q)
    rows = np.empty((len(touching), len(free)))
    for row, near in zip(rows, touching, strict=True):
        local = [
            frame_placement(model, data, frame).act_inv(point)
            for frame, point in zip(near.frames, near.points, strict=True)
        ]
        first, second = (
            point_jacobian(model, data, q, frame, point)
            for frame, point in zip(near.frames, local, strict=True)
        )
        row[:] = near.normal @ (second - first)[:, free]
    wanted = np.array([checker.margin + _CLEAR - near.distance for near in touching])
    G = rows @ null
    if np.abs(G).max() < 1e-3:
        return None
    step: Vector = null @ G.T @ np.linalg.solve(G @ G.T + 1e-3 * np.eye(len(G)), wanted)
    longest = float(np.abs(step).max())
    if longest < 1e-6:
        return None
    return step * min(1.0, _LONGEST / longest)


def _moved(chain: Chain, q: Vector, free: NDArray[np.intp], step: Vector) -> Vector:
    """q after a step, inside the limits."""
    v = np.zeros(chain.model.nv)
    v[free] = step
    moved = integrate(chain.model, q, v)
    line = on_a_line(chain.model)
    return np.where(line, np.clip(moved, *chain.limits), moved)


def _back(chain: Chain, scratch: Scratch, request: Any, q: Vector) -> tuple[Vector, Vector]:
    """One descent from q to the target: its end, and the state of the search."""
    search: Any = _ik.search
    model = chain.model
    state, result = np.zeros(_ik.STATE), np.empty(model.nq)
    robot = model.records, scratch.data.work, model.frame_records, chain.frame
    search(*robot, *request, q, np.zeros(model.nv), _ik.SPEED, _NO_END, 1, state, result)
    return result, state
