"""Constraints made ready for one model: names looked up, rows counted, tables laid out for the kernels."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidValueError, ShapeError
from ..kernels.engine import as_records
from ..kernels.records import FRAME
from ..spatial import SE3
from .arguments import array
from .configuration import difference
from .constraints import Constraint, FrameConstraint, JointCoupling, JointLock
from .kinematics import forward_kinematics, frame_placement
from .reference import reference_code

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Joint, Model


class ConstraintSet:
    """Constraints of one model, immutable. Rows come in the order given, locks and couplings last.

    Attributes:
        model: the robot.
        constraints: the descriptions, in the order of their rows.
        slices: per constraint its slice of rows.
        rows: how many there are.
        ends, settings, extra: what kernels read. Private by convention.

    Raises:
        UnknownFrameError, UnknownJointError: a name that the model does not have.
        InvalidValueError: a joint that cannot be locked or coupled, a frame tied to its own body, or
            something that is no constraint.
    """

    def __init__(self, model: Model, constraints: Iterable[Constraint]) -> None:
        given = [constraints] if isinstance(constraints, Constraint) else list(constraints)
        for item in given:
            if not isinstance(item, Constraint):
                allowed = "PointConstraint, RigidConstraint, JointLock or JointCoupling"
                raise InvalidValueError(f"constraint: expected {allowed}, given {item!r}", item, allowed)
        frames = [item for item in given if isinstance(item, FrameConstraint)]
        others = [item for item in given if not isinstance(item, FrameConstraint)]
        self.model = model
        self.constraints: tuple[Constraint, ...] = (*frames, *others)
        self.ends = as_records(_ends(model, frames))
        self.settings = np.array(
            [(item.code, reference_code(item.reference), item.kp, item.kd) for item in frames], dtype=float
        ).reshape(len(frames), 4)
        blocks = [_joint_rows(model, item) for item in others]
        self.extra = np.vstack([np.zeros((0, model.nv + 2)), *blocks])
        counts = [item.rows for item in frames] + [len(block) for block in blocks]
        starts = np.cumsum([0, *counts]).tolist()
        self.slices = tuple(slice(a, b) for a, b in itertools.pairwise(starts))
        self.rows: int = starts[-1]
        #: What the rows of `extra` change by along q where their targets do not move: nothing.
        self.steady = np.zeros((len(self.extra), model.nv))
        #: Only the targets of locks and couplings that are pulled to a position depend on q.
        self.moving_targets = any(item.kp for item in others)

    def __len__(self) -> int:
        return len(self.constraints)

    def __repr__(self) -> str:
        return f"<{len(self)} constraints, {self.rows} rows, of {self.model!r}>"

    def anchored(self, data: Data, q: ArrayLike, kp: float, kd: float) -> ConstraintSet:
        """The same set in which each contact with the world is held, with gains, where it is at q."""
        forward_kinematics(self.model, data, q)
        held = []
        for item in self.constraints:
            if isinstance(item, FrameConstraint) and self.model.frame_id(item.other) == 0:
                place = frame_placement(self.model, data, item.frame) * item.placement
                item = dataclasses.replace(item, other_placement=place, kp=kp, kd=kd)
            held.append(item)
        return ConstraintSet(self.model, held)

    def split(self, multipliers: ArrayLike) -> list[NDArray[np.float64]]:
        """The part of each constraint: (3,) of a point, (6,) of a rigid one, one a coordinate of the others.

        Raises:
            ShapeError: not one number a row.
        """
        whole = array("multipliers", multipliers, (self.rows,), f"one number a row of {self!r}")
        return [whole[part].copy() for part in self.slices]

    def errors_of_joints(self, q: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far each row of the locks and couplings is off, (len(extra),), for those that have kp."""
        errors = np.zeros(len(self.extra))
        first = self.rows - len(self.extra)
        for item, rows in zip(self.constraints, self.slices, strict=True):
            own = slice(rows.start - first, rows.stop - first)
            if isinstance(item, JointLock) and item.position is not None:
                errors[own] = self.extra[own, :-2] @ difference(self.model, locked(self.model, item), q)
            elif isinstance(item, JointCoupling):
                away = difference(self.model, self.model.neutral, q)
                errors[own] = self.extra[own, :-2] @ away - item.offset
        return errors

    def targeted(self, q: NDArray[np.float64]) -> NDArray[np.float64]:
        """`extra` with the accelerations that locks and couplings ask for at q."""
        if not self.moving_targets:
            return self.extra
        extra = self.extra.copy()
        kp = np.concatenate(
            [
                np.full(rows.stop - rows.start, item.kp)
                for item, rows in zip(self.constraints, self.slices, strict=True)
                if not isinstance(item, FrameConstraint)
            ]
        )
        extra[:, -2] = -kp * self.errors_of_joints(q)
        return extra


def prepared(model: Model, constraints: Any) -> ConstraintSet:
    """A set for this model, from one or from descriptions.

    Raises:
        InvalidValueError: a set of another model.
    """
    if not isinstance(constraints, ConstraintSet):
        return ConstraintSet(model, constraints)
    if constraints.model is not model:
        raise InvalidValueError(
            f"constraints: they were made for {constraints.model!r}, not for {model!r}",
            constraints.model,
            model,
        )
    return constraints


def _ends(model: Model, constraints: list[Any]) -> np.ndarray:
    """End 1 and end 2 of each constraint, in the axes of the joints that carry them."""
    ends = np.zeros(2 * len(constraints), FRAME)
    for k, item in enumerate(constraints):
        sides = ((item.frame, item.placement), (item.other, item.other_placement or SE3.Identity()))
        for end, (name, placement) in zip(ends[2 * k : 2 * k + 2], sides, strict=True):
            record = model.frame_records[model.frame_id(name)]
            pose = SE3._trusted(np.array(record["R"]), np.array(record["p"])) * placement
            end["joint"], end["R"], end["p"] = record["joint"], pose.rotation, pose.translation
        if ends[2 * k]["joint"] == ends[2 * k + 1]["joint"]:
            raise InvalidValueError(
                f"constraint of {item.frame!r} with {item.other!r}: both move with one body",
                (item.frame, item.other),
                "frames of two bodies",
            )
    return ends


def _coordinates(model: Model, name: int | str, most: int | None = None) -> Joint:
    joint = model.joints[model.joint_id(name)]
    if joint.nv == 0 or (most is not None and joint.nv > most):
        allowed = "a joint that moves by itself" if most is None else "a joint of one coordinate"
        raise InvalidValueError(
            f"{joint.name!r} ({joint.kind}, nv = {joint.nv}) cannot be tied: expected {allowed}",
            name,
            allowed,
        )
    return joint


def _joint_rows(model: Model, item: JointLock | JointCoupling) -> np.ndarray:
    """Rows of coefficients, then the acceleration asked for (zero here) and kd."""
    if isinstance(item, JointLock):
        joint = _coordinates(model, item.joint)
        rows = np.zeros((joint.nv, model.nv + 2))
        rows[:, joint.idx_v : joint.idx_v + joint.nv] = np.eye(joint.nv)
        if item.position is not None:
            locked(model, item)
    else:
        rows = np.zeros((1, model.nv + 2))
        for name, coefficient in _named(item.coefficients):
            rows[0, _coordinates(model, name, 1).idx_v] += coefficient
    rows[:, -1] = item.kd
    return rows


def _named(coefficients: Mapping[int | str, float]) -> list[tuple[int | str, float]]:
    return [(name, float(value)) for name, value in coefficients.items()]


def locked(model: Model, item: JointLock) -> NDArray[np.float64]:
    """The neutral configuration with the joint at its locked position.

    Raises:
        ShapeError: not as many numbers as the joint has in q.
    """
    joint = model.joints[model.joint_id(item.joint)]
    position = np.atleast_1d(np.asarray(item.position, dtype=float))
    if position.shape != (joint.nq,):
        raise ShapeError("position", f"shape {position.shape}", f"{joint.name!r}: shape ({joint.nq},)")
    q = np.array(model.neutral)
    q[joint.idx_q : joint.idx_q + joint.nq] = position
    return q
