"""What stays the same from request to request of one frame: which coordinates move it, and between what."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..kernels.ik import STATE

if TYPE_CHECKING:
    from ..model import Data, Model

Vector = NDArray[np.float64]

#: Points of the restart sequence are multiples of this: what a number between 1 and 2 can hold.
GRAIN = 2.0**-52


class Scratch:
    """The arrays that one search writes to; one thread's at a time."""

    __slots__ = ("data", "point", "state")

    def __init__(self, chain: Chain) -> None:
        self.data: Data = chain.model.create_data()
        self.state = np.zeros(STATE)
        self.point = np.zeros(chain.model.nv)


@dataclass(frozen=True)
class Chain:
    """A frame of a model, and the joints that may move to bring it somewhere.

    Attributes:
        model: the robot; frame: the frame's number.
        free: (nv,), one where a coordinate carries the frame and may move, else zero.
        limits: (2, nq), lower and upper.
        middle: the configuration in the middle of the limits, (nq,), neutral where there are none.
        steps: irrational steps of the restart sequence, (nv,), zero where nothing moves.
        spare: scratch that is not in use; taking and giving back is safe between threads.
    """

    model: Model
    frame: int
    free: Vector
    limits: NDArray[np.float64]
    middle: Vector
    steps: Vector
    spare: list[Scratch] = field(default_factory=list)

    def take(self) -> Scratch:
        """Scratch for one search; give it back to `spare` afterwards."""
        try:
            return self.spare.pop()
        except IndexError:
            return Scratch(self)


@functools.lru_cache(maxsize=64)
def chain_of(model: Model, frame: int | str, fixed: tuple[int | str, ...], lock_base: bool) -> Chain:
    """The chain of a frame; kept for the next request.

    Raises:
        UnknownFrameError, UnknownJointError: no such name.
    """
    number = model.frame_id(frame)
    limits = np.array([model.lower_position_limit, model.upper_position_limit])
    free, steps = moving(model, [number], fixed, lock_base), np.zeros(model.nv)
    steps[free > 0.0] = additive_steps(int(free.sum()))
    return Chain(
        model=model,
        frame=number,
        free=free,
        limits=limits,
        middle=middle(model),
        steps=steps,
    )


def additive_steps(dimension: int) -> Vector:
    """The steps alpha of an additive sequence, (dimension,): phi^-d, phi^(D+1) = phi + 1.

    Rounded to multiples of `GRAIN`, so that steps add up without rounding, however many are taken at once.
    """
    phi = 2.0
    for _ in range(60):
        phi = (1.0 + phi) ** (1.0 / (dimension + 1))
    grains = np.round(np.power(1.0 / phi, np.arange(1.0, dimension + 1.0)) / GRAIN)
    return np.asarray(grains * GRAIN, dtype=np.float64)


def after_steps(point: Vector, steps: Vector, count: int) -> Vector:
    """Where so many steps lead from a point of the sequence, to the last bit as one after the other."""
    whole = (point / GRAIN).astype(np.uint64) + np.uint64(count) * (steps / GRAIN).astype(np.uint64)
    return np.asarray((whole % np.uint64(1.0 / GRAIN)) * GRAIN, dtype=np.float64)


def on_a_line(model: Model) -> NDArray[np.bool_]:
    """Per entry of q whether its limits are those of a plain coordinate, (nq,)."""
    mask = np.zeros(model.nq, dtype=bool)
    for record in model.records[1:]:
        mask[record["idx_q"] : record["idx_q"] + record["nq"]] = record["nq"] == record["nv"]
    return mask


def middle(model: Model) -> Vector:
    """The middle of the limits, (nq,); neutral, but inside, where a coordinate has not both."""
    lower, upper, line = model.lower_position_limit, model.upper_position_limit, on_a_line(model)
    q = np.array(model.neutral)
    both = np.isfinite(lower) & np.isfinite(upper) & line
    q[both] = 0.5 * (lower[both] + upper[both])
    return np.where(line, np.clip(q, lower, upper), q)


def moving(model: Model, frames: list[int] | None, fixed: tuple[int | str, ...], lock_base: bool) -> Vector:
    """One where a velocity coordinate carries one of the frames and may move, else zero, (nv,).

    Without frames, every coordinate counts.
    """
    free = np.ones(model.nv) if frames is None else np.zeros(model.nv)
    for frame in frames or ():
        joint = model.joints[model.frames[frame].parent_joint]
        while joint.index > 0:
            free[joint.moved_by] = 1.0
            joint = model.joints[joint.parent]
    locked = [model.joints[model.joint_id(name)] for name in fixed]
    if lock_base and model.root_joint is not None:
        locked.append(model.root_joint)
    for joint in locked:
        free[joint.moved_by] = 0.0
    return free
