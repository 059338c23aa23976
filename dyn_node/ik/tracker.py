"""Following a stream of targets: teleoperation, visual servoing, Cartesian trajectories."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algorithms import normalize
from ..algorithms.arguments import configuration, tangent
from ..errors import InvalidValueError
from ..kernels import ik_track as _k
from ..kernels.engine import compile_kernel
from ..spatial import SE3
from .chain import chain_of
from .solve import number_of, pose_of, weights_of

if TYPE_CHECKING:
    from ..model import Model

Vector = NDArray[np.float64]


class IkTracker:
    """A robot that follows a frame's target step by step, smoothly also through singularities.

    Every `step` moves the joints towards the target by damped least squares, inside their position
    limits and no faster than their velocity limits. It never jumps to another branch of solutions: a
    target that cannot be followed is approached as far as possible, and `position_error` and
    `orientation_error` say how far it stays away.

    Args:
        model: the robot.
        frame: name or number of the frame.
        start: configuration to begin with, (nq,).
        dt: seconds between two steps.
        velocity_limit: (nv,), the model's when left out; infinite entries do not limit.
        weights: (6,), of the linear and angular directions of the frame's own axes; zero frees one.
        fixed_joints: joints that stay; lock_base: so does a floating base.
        damping: of the least squares, above zero: smaller follows closer, larger is calmer near
            singularities.
        iterations: Gauss-Newton steps for each `step`.

    Attributes:
        q: the configuration now, (nq,), a copy.
        position_error, orientation_error: what the last step left, metres and radians.

    Raises:
        UnknownFrameError, UnknownJointError: no such name.
        ShapeError, InvalidValueError: an argument that cannot be used.
    """

    def __init__(
        self,
        model: Model,
        frame: int | str,
        start: ArrayLike,
        *,
        dt: float,
        velocity_limit: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        fixed_joints: Iterable[int | str] = (),
        lock_base: bool = True,
        damping: float = 1e-4,
        iterations: int = 3,
    ) -> None:
        self._chain = chain_of(model, frame, tuple(fixed_joints), lock_base)
        self._data = model.create_data()
        limit = np.abs(tangent(model, model.velocity_limit if velocity_limit is None else velocity_limit))
        self._reach = np.where(limit > 0.0, limit, np.inf) * number_of("dt", dt, "seconds, >= 0")
        self._weights = np.ones(6) if weights is None else weights_of(weights)
        self._damping = number_of("damping", damping, "a number > 0")
        if not self._damping > 0.0 or iterations < 1 or not dt > 0.0:
            raise InvalidValueError(
                f"damping, iterations and dt: expected above 0, given {damping}, {iterations}, {dt}",
                (damping, iterations, dt),
                "above 0",
            )
        self._iterations, self._errors = int(iterations), np.zeros(2)
        compile_kernel(_k.track)
        self.reset(start)

    def reset(self, start: ArrayLike) -> None:
        """Begin again from a configuration, (nq,)."""
        self._q = normalize(self._chain.model, configuration(self._chain.model, start, "start"))

    @property
    def q(self) -> Vector:
        return self._q.copy()

    @property
    def position_error(self) -> float:
        return float(self._errors[0])

    @property
    def orientation_error(self) -> float:
        return float(self._errors[1])

    def step(self, target: SE3 | ArrayLike) -> Vector:
        """Move towards a target, SE3 or (4, 4) in the world; the new configuration, (nq,).

        Raises:
            ShapeError, InvalidValueError: a target that is no pose.
        """
        chain, q = self._chain, np.empty(self._chain.model.nq)
        model = chain.model
        _k.track(
            model.records, self._data.work, model.frame_records, chain.frame, pose_of(target), self._weights,
            chain.limits, chain.free, self._reach, self._damping, self._iterations, self._q, q, self._errors,
        )  # fmt: skip
        self._q = q
        return q.copy()
