"""Inverse kinematics of several tasks at once: the long way."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algorithms import normalize
from ..algorithms.arguments import configuration
from ..errors import InvalidValueError
from ..kernels import ik as _ik
from ..kernels import ik_tasks as _tasks
from ..kernels.engine import compile_kernel
from ..kernels.ik_problem import solve_tasks
from .chain import additive_steps, middle, moving
from .reach import Reach
from .solve import descents_of, number_of, sequence_of
from .tasks import Task

if TYPE_CHECKING:
    from ..model import Model

Vector = NDArray[np.float64]

#: Iterations between two looks at the clock.
_CHUNK = 50


class IkSolution(NamedTuple):
    """The outcome of `IkProblem.solve`; without success, the best that was found.

    Attributes:
        success: every task that has to be met is within its tolerances.
        q: configuration, (nq,); joints that may move are inside their limits.
        errors: (tasks, 2), metres and radians that each task is off, in the order they were given.
        iterations, restarts: steps over all descents, and descents after the first.
        time: seconds spent.
        message: what happened, for a person.
    """

    success: bool
    q: Vector
    errors: NDArray[np.float64]
    iterations: int
    restarts: int
    time: float
    message: str

    def __bool__(self) -> bool:
        return self.success


class IkProblem:
    """Tasks that a robot has to fulfil together, inside its joints' limits.

    Tasks that have to be met come first; objectives (`objective=True`) move the joints only where that
    does not disturb them: they are followed in the null space.

    Args:
        model: the robot.
        tasks: what it has to do.
        fixed_joints: joints that keep the seed's position.
        lock_base: a floating base keeps the seed's pose.

    Raises:
        UnknownFrameError, UnknownJointError: no such name.
        ShapeError, InvalidValueError: a task that cannot be used, or none.
    """

    def __init__(
        self,
        model: Model,
        tasks: Sequence[Task],
        *,
        fixed_joints: Iterable[int | str] = (),
        lock_base: bool = True,
    ) -> None:
        self.model, self.tasks = model, tuple(tasks)
        if not self.tasks or all(task.objective for task in self.tasks):
            allowed = "at least one task that is no objective"
            raise InvalidValueError(f"tasks: expected {allowed}, given {len(self.tasks)}", tasks, allowed)
        whole = any(not task.frames() for task in self.tasks)
        frames = None if whole else [model.frame_id(f) for task in self.tasks for f in task.frames()]
        self._free = moving(model, frames, tuple(fixed_joints), lock_base)
        self._order = sorted(range(len(self.tasks)), key=lambda k: self.tasks[k].objective)
        self._rows, self._postures = _lay_out(model, [self.tasks[k] for k in self._order])
        self._limits = np.array([model.lower_position_limit, model.upper_position_limit])
        self._steps = np.zeros(model.nv)
        self._steps[self._free > 0.0] = additive_steps(int(self._free.sum()))
        self._data = model.create_data()

    def solve(
        self,
        seed: ArrayLike | None = None,
        *,
        timeout: float = 0.05,
        max_restarts: int | None = None,
        rng_seed: int = 0,
        within: float | None = None,
    ) -> IkSolution:
        """Search from a seed and, where that fails, from elsewhere.

        Args:
            seed: configuration to start from, (nq,); the middle of the limits when left out.
            timeout: seconds of a steady clock; 0 allows a single descent.
            max_restarts: bound on descents after the first; None leaves it to the timeout.
            rng_seed: number of the restart sequence.
            within: seconds that the robot has to get there from the seed, as for `solve_ik`; only where every
                joint with a velocity limit that may move is one of plain coordinates.

        Raises:
            ShapeError, InvalidValueError: a seed or a parameter that cannot be used.
        """
        call: Any = solve_tasks
        compile_kernel(call)
        start = time.perf_counter()
        end = start + number_of("timeout", timeout, "seconds, >= 0")
        most, number = descents_of(max_restarts), sequence_of(rng_seed)
        model = self.model
        q = middle(model) if seed is None else normalize(model, configuration(model, seed, "seed"))
        limits = self._limits if within is None else self._limits_within(q, within)
        state, kept, errors = np.zeros(_ik.STATE), np.empty(model.nq), np.zeros((len(self.tasks), 2))
        point, reached, late = np.zeros(model.nv), _CHUNK if timeout > 0.0 else 1, False
        while not state[_ik.DONE] and not late:
            call(
                model.records, self._data.work, model.frame_records, self._rows, self._postures, limits,
                self._free, self._steps, number, q, point, reached, most, state, kept, errors,
            )  # fmt: skip
            late = time.perf_counter() >= end
            reached = int(state[_ik.ITERATIONS]) + _CHUNK
        return self._answer(state, kept, errors, time.perf_counter() - start)

    def _limits_within(self, q: Vector, within: float) -> Vector:
        seconds = number_of("within", within, "seconds, >= 0")
        reach = Reach(self.model, self._limits, self._free, q, seconds)
        if reach.round:
            names = ", ".join(reach.round_joints())
            raise InvalidValueError(
                f"within: expected None, as joints on circles or spheres are not bounded here: {names}",
                within,
                "None, or these joints fixed or without velocity limits",
            )
        return reach.limits

    def _answer(self, state: Vector, q: Vector, errors: Vector, elapsed: float) -> IkSolution:
        ordered = np.empty_like(errors)
        ordered[self._order] = errors
        success, descents = bool(state[_ik.SUCCESS]), int(state[_ik.DESCENTS])
        message = "solved"
        if not success:
            missed = [
                f"{type(task).__name__} by {metres:.3g} m and {radians:.3g} rad"
                for task, (metres, radians) in zip(self.tasks, ordered, strict=True)
                if not task.objective
                and (metres > task.position_tolerance or radians > task.orientation_tolerance)
            ]
            message = f"no solution after {descents} descents; the nearest misses {', '.join(missed)}"
        if state[_ik.MOVED]:
            message += "; the seed was outside the limits and brought inside"
        return IkSolution(success, q, ordered, int(state[_ik.ITERATIONS]), descents - 1, elapsed, message)


def _lay_out(model: Model, tasks: list[Task]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Tasks as the kernel reads them, and the postures that they refer to."""
    rows: list[Vector] = []
    postures: list[Vector] = []
    for task in tasks:
        row, posture = task.row(model), task.posture(model)
        if posture is not None:
            row[_tasks.OTHER] = len(postures)
            postures.append(posture)
        rows.append(row)
    return np.array(rows), np.array(postures).reshape(len(postures), model.nq + model.nv)
