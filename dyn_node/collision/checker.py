"""`CollisionChecker`: which links of a robot touch each other in a configuration."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algorithms import forward_kinematics, normalize
from ..algorithms.arguments import configuration
from ..errors import InvalidValueError, UrdfError
from ..model.urdf_shapes import Shape, read_shapes
from .geometry import make_geometry, mesh_folders, require_coal
from .srdf import IgnoredPairs, Pair, pair_of, read_srdf

if TYPE_CHECKING:
    from ..model import Model

Vector = NDArray[np.float64]


class Proximity(NamedTuple):
    """Two shapes that are near each other, or overlap.

    Attributes:
        links: their links; frames: the numbers of these links' frames.
        distance: between them, metres; negative where they overlap (between convex hulls).
        points: (2, 3), the nearest point of each, in the world.
        normal: (3,), unit, from the first to the second: the way that the second one has to go.
    """

    links: Pair
    frames: tuple[int, int]
    distance: float
    points: Vector
    normal: Vector


class CollisionChecker:
    """The links of a robot that collide with each other, by their `<collision>` shapes.

    Not looked at are shapes on one rigid body, pairs that the SRDF leaves out, and without an SRDF links that
    follow each other in the tree. What else touches all the time (shapes are often drawn too large) can be
    left out by `rest`. One checker serves one thread at a time.

    Args:
        model: the robot. One with another gravity or payload can be asked about too.
        urdf: path or text of its URDF, which holds the shapes.
        srdf: path or text of its SRDF.
        package_dirs: folders in which `package://name/file` is `name/file`. Installed ROS packages (`share/`
            of the prefixes in AMENT_PREFIX_PATH) and the folder of the URDF's file are looked at as well.
        rest: configuration, (nq,), in which nothing collides: pairs that touch there are left out.
        margin: metres; links that are nearer to each other count as touching.

    Attributes:
        pairs: the pairs of links that are looked at.
        left_out: those that `rest` took out.

    Raises:
        MissingDependencyError: coal is not installed.
        UrdfError: no shapes at all, a mesh that is not there, a file that cannot be read.
        InvalidValueError: a link that the model does not have, or a margin that is none.
    """

    def __init__(
        self,
        model: Model,
        urdf: str | os.PathLike[str],
        srdf: str | os.PathLike[str] | None = None,
        *,
        package_dirs: Sequence[str | os.PathLike[str]] = (),
        rest: ArrayLike | None = None,
        margin: float = 0.0,
    ) -> None:
        self._coal, self.model, self._data = require_coal(), model, model.create_data()
        if not 0.0 <= margin < np.inf:
            raise InvalidValueError(f"margin: expected metres >= 0, given {margin}", margin, ">= 0")
        self.margin = float(margin)
        shapes = read_shapes(urdf)
        if not shapes:
            raise UrdfError(
                "the URDF has no <collision> geometry, so nothing can be checked", urdf, "<collision>"
            )
        folders = mesh_folders(package_dirs, urdf)
        self._links = [shape.link for shape in shapes]
        self._geometries = [make_geometry(self._coal, shape, folders) for shape in shapes]
        self._hulls: dict[int, Any] = {}
        self._place(shapes)
        self._bound()
        ignored = self._adjacent() if srdf is None else read_srdf(srdf)
        self._choose([pair for pair in self._movable() if not ignored.ignores(*self._names(pair))])
        self.left_out: tuple[Pair, ...] = ()
        if rest is not None:
            self.left_out = tuple(sorted(set(self.collisions(rest))))
            kept = [pair for pair in self._pairs if pair_of(*self._names(pair)) not in self.left_out]
            self._choose(kept)

    def collisions(self, q: ArrayLike) -> list[Pair]:
        """The pairs of links that touch in a configuration, (nq,), each once."""
        return list(dict.fromkeys(self._touching(q)))

    def in_collision(self, q: ArrayLike) -> bool:
        """Whether any pair touches in a configuration, (nq,)."""
        return next(self._touching(q), None) is not None

    def near(self, q: ArrayLike, within: float) -> list[Proximity]:
        """Pairs of shapes that are nearer to each other than `within` (m), the nearest first.

        Meshes are looked at as their convex hulls: what a hull says to be apart is apart.
        """
        self._move(q)
        request = self._coal.DistanceRequest()
        found = []
        for a, b in self._candidates(within):
            result = self._coal.DistanceResult()
            self._coal.distance(self._hull(a), self._at(a), self._hull(b), self._at(b), request, result)
            if result.min_distance < within:
                points = np.array([result.getNearestPoint1(), result.getNearestPoint2()])
                normal = np.array(result.normal)
                names = pair_of(*self._names((a, b)))
                if names != self._names((a, b)):
                    a, b, points, normal = b, a, points[::-1].copy(), -normal
                frames = self._frames[a], self._frames[b]
                found.append(Proximity(names, frames, float(result.min_distance), points, normal))
        return sorted(found, key=lambda proximity: proximity.distance)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs of links that are looked at, in alphabetical order."""
        return tuple(sorted({pair_of(*self._names(pair)) for pair in self._pairs}))

    def check_model(self, model: Model) -> None:
        """InvalidValueError unless a model has the same joints as the checker's."""
        if model is not self.model and (
            model.joint_names != self.model.joint_names or model.nq != self.model.nq
        ):
            raise InvalidValueError(
                f"collision: the checker was made for {self.model!r}, not for {model!r}", model, self.model
            )

    def _place(self, shapes: Sequence[Shape]) -> None:
        """Where each shape is on the joint that carries it."""
        model, self._frames = self.model, []
        for shape in shapes:
            if not model.has_frame(shape.link):
                raise InvalidValueError(
                    f"urdf: its link {shape.link!r} is not in {model!r}", shape.link, "the model's own URDF"
                )
            self._frames.append(model.frame_id(shape.link))
        frames = [model.frames[number] for number in self._frames]
        self._joints = np.array([frame.parent_joint for frame in frames])
        self._records = np.array(model.joint_records)[self._joints]
        local = [frame.placement * shape.placement for frame, shape in zip(frames, shapes, strict=True)]
        self._R = np.array([placement.rotation for placement in local])
        self._p = np.array([placement.translation for placement in local])
        self._transforms = [self._coal.Transform3s.Identity() for _ in shapes]

    def _bound(self) -> None:
        """A sphere around each shape, in the frame of the joint that carries it."""
        for geometry in self._geometries:
            geometry.computeLocalAABB()
        centers = np.array([np.ravel(geometry.aabb_center) for geometry in self._geometries])
        self._centers = np.einsum("nij,nj->ni", self._R, centers) + self._p
        self._radii = np.array([float(geometry.aabb_radius) for geometry in self._geometries])

    def _names(self, pair: tuple[int, int]) -> Pair:
        return self._links[pair[0]], self._links[pair[1]]

    def _movable(self) -> Iterator[tuple[int, int]]:
        """Pairs of shapes on different bodies."""
        for a, b in combinations(range(len(self._links)), 2):
            if self._joints[a] != self._joints[b]:
                yield a, b

    def _adjacent(self) -> IgnoredPairs:
        """Each link that has a shape with the next one up the tree that has."""
        model, shaped, pairs = self.model, set(self._frames), set()
        for number in shaped:
            above = model.frames[model.frames[number].parent_frame]
            while above.index not in shaped and above.index != above.parent_frame:
                above = model.frames[above.parent_frame]
            if above.index in shaped:
                pairs.add(pair_of(model.frames[number].name, above.name))
        return IgnoredPairs(frozenset(pairs))

    def _choose(self, pairs: list[tuple[int, int]]) -> None:
        self._pairs = pairs
        self._index = np.array(pairs, dtype=np.intp).reshape(-1, 2)
        self._reach = self._radii[self._index].sum(axis=1)

    def _move(self, q: ArrayLike) -> None:
        """Place all shapes."""
        model = self.model
        forward_kinematics(model, self._data, normalize(model, configuration(model, q)))
        kinematics = self._data.kinematics
        R, p = kinematics["R"][self._records], kinematics["p"][self._records]
        self._world_R = R @ self._R
        self._world_p = np.einsum("nij,nj->ni", R, self._p) + p
        self._world_centers = np.einsum("nij,nj->ni", R, self._centers) + p
        self._placed: set[int] = set()

    def _candidates(self, within: float) -> Iterator[tuple[int, int]]:
        """Pairs whose spheres are near enough, the nearest first."""
        way = self._world_centers[self._index[:, 0]] - self._world_centers[self._index[:, 1]]
        apart = np.sqrt((way * way).sum(axis=1)) - self._reach
        for k in np.argsort(apart):
            if apart[k] > within:
                return
            yield self._pairs[k]

    def _at(self, shape: int) -> Any:
        """Where a shape is, as coal has it."""
        transform = self._transforms[shape]
        if shape not in self._placed:
            self._placed.add(shape)
            transform.setTransform(self._world_R[shape], self._world_p[shape])
        return transform

    def _touching(self, q: ArrayLike) -> Iterator[Pair]:
        self._move(q)
        request, result = self._coal.CollisionRequest(), self._coal.CollisionResult()
        request.security_margin = self.margin
        for a, b in self._candidates(self.margin):
            result.clear()
            self._coal.collide(
                self._geometries[a], self._at(a), self._geometries[b], self._at(b), request, result
            )
            if result.isCollision():
                yield pair_of(*self._names((a, b)))

    def _hull(self, shape: int) -> Any:
        """A shape, or the convex hull of a mesh."""
        if shape not in self._hulls:
            geometry = self._geometries[shape]
            if isinstance(geometry, self._coal.BVHModelBase):
                geometry.buildConvexHull(True, "Qt")
                geometry = geometry.convex
            self._hulls[shape] = geometry
        return self._hulls[shape]
