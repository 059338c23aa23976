"""How the rows of constraints change with the state, and how the forces that they carry turn with it.

Everything here is in LOCAL, the axes of end 1; derivatives along the tangent of q, each (rows, nv).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..spatial import SE3, Force
from .configuration_derivatives import d_difference
from .constraint_set import ConstraintSet, locked
from .constraints import FrameConstraint, JointLock, PointConstraint
from .jacobian import frame_jacobian
from .kinematics import forward_kinematics, frame_acceleration, frame_placement
from .kinematics_derivatives import frame_acceleration_derivatives, point_acceleration_derivatives
from .reference import LOCAL, LOCAL_WORLD_ALIGNED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..model import Data, Model

    Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class End:
    """One end of a constraint at a configuration.

    Attributes:
        frame, placement: the frame, and the end in it.
        joint: the joint that carries it, and the end in that joint's frame.
        world: the end in the world.
        jacobian: twist of the end in its own axes, (6, nv).
    """

    frame: int
    placement: SE3
    joint: int
    in_joint: SE3
    world: SE3
    jacobian: Array


def end_of(model: Model, data: Data, q: Any, name: int | str, placement: SE3 | None) -> End:
    """An end; `forward_kinematics` of q has run."""
    index = model.frame_id(name)
    own = placement or SE3.Identity()
    frame = model.frames[index]
    jacobian = own.inverse().action @ frame_jacobian(model, data, q, index, LOCAL)
    world = frame_placement(model, data, index) * own
    return End(index, own, frame.parent_joint, frame.placement * own, world, jacobian)


def cross_matrix(motion: Array) -> Array:
    """The matrix of (v, w) x (for motions), (6, 6)."""
    v, w = skew(motion[:3]), skew(motion[3:])
    return np.block([[w, v], [np.zeros((3, 3)), w]])


def skew(a: Array) -> Array:
    """The matrix of a x, (3, 3)."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


class Rows:
    """One constraint between frames at a state and acceleration that meet it.

    Attributes:
        dq, dv: derivatives of what is zero, J ddq + gamma + kd velocity + kp error, (rows, nv).
        ends: its two ends.
        relative: twist of end 1 relative to end 2 at end 1, in its axes, (6, nv).
    """

    def __init__(
        self, model: Model, data: Data, state: tuple[Array, Array, Array], item: FrameConstraint
    ) -> None:
        q = state[0]
        forward_kinematics(model, data, q)
        sides = ((item.frame, item.placement), (item.other, item.other_placement))
        self.item, self.ends = item, tuple(end_of(model, data, q, *side) for side in sides)
        one, two = self.ends
        self.between = two.world.inverse() * one.world
        self.relative = one.jacobian - self.between.inverse().action @ two.jacobian
        if isinstance(item, PointConstraint):
            self.dq, self.dv = self._point(model, data, state)
        else:
            self.dq, self.dv = self._rigid(model, data, state)

    def _point(self, model: Model, data: Data, state: tuple[Array, Array, Array]) -> tuple[Array, Array]:
        """In the world's axes, then turned: the turning itself meets what is zero."""
        (one, two), item = self.ends, self.item
        d1, d2 = (
            point_acceleration_derivatives(
                model, data, *state, end.frame, end.placement.translation, LOCAL_WORLD_ALIGNED
            )
            for end in (one, two)
        )
        J = d1.da_da - d2.da_da
        dq = d1.da_dq - d2.da_dq + item.kd * (d1.dv_dq - d2.dv_dq) + item.kp * J
        dv = d1.da_dv - d2.da_dv + item.kd * J
        R = one.world.rotation
        return R.T @ dq, R.T @ dv

    def _rigid(self, model: Model, data: Data, state: tuple[Array, Array, Array]) -> tuple[Array, Array]:
        """A = A1 - T A2 + V1 x T V2 + kd (V1 - T V2) + kp log, T taking end 2's axes to end 1's."""
        (one, two), item = self.ends, self.item
        v = state[1]
        T = self.between.inverse().action
        d1, d2 = (
            [
                end.placement.inverse().action @ d
                for d in frame_acceleration_derivatives(model, data, *state, end.frame, LOCAL)
            ]
            for end in (one, two)
        )
        forward_kinematics(model, data, *state)
        V1, V2 = one.jacobian @ v, T @ (two.jacobian @ v)
        A2 = T @ self._spatial_acceleration(model, data, two)
        V2_q = T @ d2[0] + cross_matrix(V2) @ self.relative
        A2_q = T @ d2[2] + cross_matrix(A2) @ self.relative
        X1, X2 = cross_matrix(V1), cross_matrix(V2)
        dq = d1[2] - A2_q - X2 @ d1[0] + X1 @ V2_q + item.kd * (d1[0] - V2_q)
        dv = d1[3] - T @ d2[3] - X2 @ d1[1] + X1 @ (T @ d2[1]) + item.kd * self.relative
        if item.kp:
            dq = dq + item.kp * self.between.jlog() @ self.relative
        return dq, dv

    @staticmethod
    def _spatial_acceleration(model: Model, data: Data, end: End) -> Array:
        return end.placement.inverse().action @ frame_acceleration(model, data, end.frame, LOCAL).vector

    def forces(self, multipliers: Array) -> list[tuple[int, Force]]:
        """What the constraint does to the joints that carry its ends, each in the joint's frame."""
        one, two = self.ends
        force = Force.from_vector(np.pad(multipliers, (0, 6 - len(multipliers))))
        return [(one.joint, one.in_joint.act(force)), (two.joint, two.in_joint.act(self._opposite(force)))]

    def _opposite(self, force: Force) -> Force:
        """The force on end 2, in its axes; a point's acts at end 2, wherever end 1 may be."""
        if isinstance(self.item, PointConstraint):
            return Force(-(self.between.rotation @ force.linear), np.zeros(3))
        return Force.from_vector(-self.between.act(force).vector)

    def turned_effort(self, multipliers: Array) -> Array:
        """Derivative of J^T lambda by what turns end 2's force in end 2's axes, (nv, nv)."""
        two = self.ends[1]
        if isinstance(self.item, PointConstraint):
            change = self.between.rotation @ skew(multipliers) @ self.relative[3:]
            return two.jacobian[:3].T @ change
        # d(X* f) = X* (relative x* f); as a matrix on the relative twist.
        f, n = skew(multipliers[:3]), skew(multipliers[3:])
        change = -np.block([[np.zeros((3, 3)), f], [f, n]]) @ self.relative
        return -two.jacobian.T @ (self.between.dual_action @ change)


def joint_rows(model: Model, ties: ConstraintSet, q: Array) -> tuple[Array, Array]:
    """dq, dv of the rows of locks and couplings."""
    kd = ties.extra[:, -1:]
    dq = np.zeros((len(ties.extra), model.nv))
    first = ties.rows - len(ties.extra)
    for item, rows in zip(ties.constraints, ties.slices, strict=True):
        if isinstance(item, FrameConstraint) or not item.kp:
            continue
        own = slice(rows.start - first, rows.stop - first)
        start = locked(model, item) if isinstance(item, JointLock) else model.neutral
        dq[own] = item.kp * ties.extra[own, :-2] @ d_difference(model, start, q, "q1")
    return dq, kd * ties.extra[:, :-2]
