"""`map_workspace`: where in space a frame can be brought, and in how many orientations."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algorithms import frame_placements, manipulability, random_configuration
from ..algorithms.arguments import array
from ..errors import InvalidValueError
from ..spatial import SE3
from .batch import solve_ik_batch
from .chain import Chain, chain_of

if TYPE_CHECKING:
    from ..collision import CollisionChecker
    from ..model import Model

Vector = NDArray[np.float64]

#: Poses that are solved between two reports of progress.
_PART = 4096
#: Random configurations that show how far a frame gets, where no box is given.
_SCOUTS = 20_000
#: More cells than this are a mistake in the resolution rather than a map.
MOST_CELLS = 20_000_000


@dataclass(frozen=True, eq=False)
class WorkspaceMap:
    """A grid of points, x slowest, and what a frame can do at each of them.

    Attributes:
        robot, frame: names.
        resolution: metres between neighbours.
        x, y, z: coordinates of the grid in the world, metres.
        orientations: (M, 4), quaternions x y z w that were asked for at each point; none where any will do.
        reached: (nx, ny, nz), the part of the orientations that a configuration inside the limits reaches;
            1 or 0 where any will do.
        manipulability: (nx, ny, nz), the largest sqrt(det J J^T) of the configurations found (of J's linear
            rows where any orientation will do); NaN where there is none.
        collisions: whether configurations in which links touch were excluded.
    """

    robot: str
    frame: str
    resolution: float
    x: Vector
    y: Vector
    z: Vector
    orientations: Vector
    reached: Vector
    manipulability: Vector
    collisions: bool = False  # so that files from before it was known can be read

    @property
    def volume(self) -> float:
        """Cubic metres of the cells that are reached in some orientation."""
        return float(np.count_nonzero(self.reached) * self.resolution**3)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write an .npz file with an array for each attribute."""
        with open(path, "wb") as file:
            arrays: Any = {name: np.asarray(value) for name, value in vars(self).items()}
            np.savez_compressed(file, **arrays)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> WorkspaceMap:
        """Read what `save` wrote."""
        with np.load(path, allow_pickle=False) as file:
            parts: dict[str, Any] = {name: file[name] for name in file.files}
        for name in ("robot", "frame"):
            parts[name] = str(parts[name])
        parts["collisions"] = bool(parts.get("collisions", False))
        return WorkspaceMap(**{**parts, "resolution": float(parts["resolution"])})


def spread_orientations(count: int) -> Vector:
    """Quaternions x y z w, (count, 4), spread evenly over all orientations.

    Source: Alexa 2022, "Super-Fibonacci spirals: fast, low-discrepancy sampling of SO(3)".
    """
    if count < 1:
        raise InvalidValueError(f"count: expected at least 1, given {count}", count, ">= 1")
    s = np.arange(count) + 0.5
    inner, outer = np.sqrt(s / count), np.sqrt(1.0 - s / count)
    a, b = 2.0 * np.pi * s / np.sqrt(2.0), 2.0 * np.pi * s / 1.533751168755204288118041
    return np.stack([inner * np.sin(a), inner * np.cos(a), outer * np.sin(b), outer * np.cos(b)], axis=1)


def map_workspace(
    model: Model,
    frame: int | str,
    *,
    resolution: float = 0.05,
    box: ArrayLike | None = None,
    orientations: ArrayLike | None = None,
    position_tolerance: float = 1e-4,
    orientation_tolerance: float = 1e-3,
    fixed_joints: Sequence[int | str] = (),
    max_restarts: int = 10,
    progress: Callable[[int, int], None] | None = None,
    collision: CollisionChecker | None = None,
    collision_mode: str = "reject",
) -> WorkspaceMap:
    """Ask inverse kinematics at every point of a grid, over threads (see `solve_ik_batch`).

    A point counts as reached where a configuration was found: near the edge of what is possible more
    `max_restarts` find more.

    Args:
        model, frame: the robot, and the number or name of the frame.
        resolution: metres between neighbours.
        box: (2, 3), the lowest and the highest corner of the grid, metres in the world; when left out, what
            20,000 random configurations reach and a cell around it.
        orientations: (M, 4) quaternions x y z w or one (4,), in the world; any will do when left out.
        position_tolerance, orientation_tolerance, fixed_joints, max_restarts: as `solve_ik_batch`.
        progress: called with how many poses are done and how many there are.
        collision, collision_mode: as `solve_ik_batch`; a point counts only where a configuration was found in
            which no links touch.

    Raises:
        UnknownFrameError, UnknownJointError, ShapeError, InvalidValueError: an argument that cannot be used.
    """
    chain = chain_of(model, frame, tuple(fixed_joints), True)
    low, high = _box(chain, resolution, box)
    axes = [np.arange(a, b + 0.5 * resolution, resolution) for a, b in zip(low, high, strict=True)]
    cells = int(np.prod([len(axis) for axis in axes]))
    if cells > MOST_CELLS:
        allowed = f"a resolution and box of at most {MOST_CELLS} cells"
        raise InvalidValueError(f"resolution: expected {allowed}, given {cells}", resolution, allowed)
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    quaternions = _orientations(orientations)
    solve: dict[str, Any] = {
        "position_tolerance": position_tolerance,
        "orientation_tolerance": orientation_tolerance,
        "fixed_joints": fixed_joints,
        "max_restarts": max_restarts,
        "collision": collision,
        "collision_mode": collision_mode,
    }
    reached, dexterity = _ask(model, chain.frame, points, quaternions, solve, progress)
    shape = tuple(len(axis) for axis in axes)
    return WorkspaceMap(
        robot=model.name,
        frame=model.frames[chain.frame].name,
        resolution=resolution,
        x=axes[0],
        y=axes[1],
        z=axes[2],
        orientations=quaternions,
        reached=reached.reshape(shape),
        manipulability=dexterity.reshape(shape),
        collisions=collision is not None,
    )


def _ask(
    model: Model, frame: int, points: Vector, quaternions: Vector, solve: dict[str, Any],
    progress: Callable[[int, int], None] | None,
) -> tuple[Vector, Vector]:  # fmt: skip
    """Per point the part of the orientations that is reached, and the best manipulability."""
    anyhow = len(quaternions) == 0
    rotations = np.eye(3)[None]
    if not anyhow:
        rotations = np.array([SE3.from_quaternion(q, np.zeros(3)).rotation for q in quaternions])
    many, data, part = len(rotations), model.create_data(), "linear" if anyhow else "all"
    if anyhow:
        solve = {**solve, "weights": [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]}
    reached, dexterity = np.zeros(len(points)), np.full(len(points), np.nan)
    step = max(1, _PART // many)
    for first in range(0, len(points), step):
        some = points[first : first + step]
        targets = np.tile(np.eye(4), (len(some), many, 1, 1))
        targets[:, :, :3, :3] = rotations
        targets[:, :, :3, 3] = some[:, None, :]
        answers = solve_ik_batch(model, frame, targets.reshape(-1, 4, 4), **solve)
        good = answers.success.reshape(len(some), many)
        reached[first : first + step] = good.mean(axis=1)
        if good.any():
            best = np.full(good.shape, -np.inf)
            found = manipulability(model, data, answers.q[answers.success], frame, "LOCAL", part)
            best[good] = found.measure
            best = best.max(axis=1)
            dexterity[first : first + step] = np.where(best >= 0.0, best, np.nan)
        if progress is not None:
            progress(min(first + step, len(points)) * many, len(points) * many)
    return reached, dexterity


def _orientations(given: ArrayLike | None) -> Vector:
    """Unit quaternions, (M, 4)."""
    if given is None:
        return np.empty((0, 4))
    rows = np.atleast_2d(np.asarray(given, dtype=np.float64))
    quaternions = array("orientations", rows, (len(rows), 4), "quaternions x y z w")
    length = np.linalg.norm(quaternions, axis=1)
    if not len(rows) or not ((length > 1e-6) & (length < np.inf)).all():
        allowed = "at least one quaternion x y z w, finite and not zero"
        raise InvalidValueError(f"orientations: expected {allowed}, given {rows.tolist()}", given, allowed)
    return quaternions / length[:, None]


def _box(chain: Chain, resolution: float, box: ArrayLike | None) -> tuple[Vector, Vector]:
    """Lowest and highest corner of the grid; of a box that is found, on multiples of the resolution."""
    if not 0.0 < resolution < np.inf:
        raise InvalidValueError(f"resolution: expected metres > 0, given {resolution}", resolution, "> 0")
    if box is not None:
        low, high = array("box", box, (2, 3), "the lowest and the highest corner")
        if not (np.isfinite([low, high]).all() and (low <= high).all()):
            allowed = "finite corners, the lowest first"
            given = [low.tolist(), high.tolist()]
            raise InvalidValueError(f"box: expected {allowed}, given {given}", box, allowed)
        return low, high
    found = _scout(chain)
    low = (np.floor(found.min(axis=0) / resolution) - 1.0) * resolution
    return low, (np.ceil(found.max(axis=0) / resolution) + 1.0) * resolution


def _scout(chain: Chain) -> Vector:
    """Where the frame is in random configurations of the joints that may move, (N, 3)."""
    model, rng = chain.model, np.random.default_rng(0)
    scouts = np.array([random_configuration(model, rng, unbounded=np.pi) for _ in range(_SCOUTS)])
    for joint in model.joints[1:]:
        if joint.mimic is None and not chain.free[joint.moved_by].any():
            entries = slice(joint.idx_q, joint.idx_q + joint.nq)
            scouts[:, entries] = chain.middle[entries]
    return frame_placements(model, model.create_data(), scouts, chain.frame)[:, :3, 3]
