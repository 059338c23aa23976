"""Roll, pitch and yaw: R = Rz(yaw) Ry(pitch) Rx(roll)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model.urdf_tree import rotation_of_rpy
from ..spatial import SO3
from .enums import LOCAL, ReferenceFrame
from .values import Array, numbers


def rotate(axis: str, angle: float) -> Array:
    """The rotation (3, 3) by an angle about "x", "y" or "z"."""
    try:
        direction = np.eye(3)["xyz".index(axis)]
    except (ValueError, TypeError):
        raise ValueError(f"axis: expected 'x', 'y' or 'z', given {axis!r}") from None
    return SO3.exp(angle * direction).matrix.copy()


def rpyToMatrix(*rpy: Any) -> Array:
    """The rotation (3, 3) of (roll, pitch, yaw), given as three numbers or one vector."""
    return rotation_of_rpy(numbers("rpy", rpy[0] if len(rpy) == 1 else rpy, (3,)))


def matrixToRpy(R: Any) -> Array:
    """(roll, pitch, yaw) of a rotation (3, 3); pitch within a quarter turn."""
    m = SO3(numbers("R", R, (3, 3))).matrix
    cosine = float(np.hypot(m[2, 1], m[2, 2]))
    pitch = np.arctan2(-m[2, 0], cosine)
    if cosine < 1e-15:  # roll and yaw turn about one axis: all of it is called yaw
        return np.array([0.0, pitch, np.arctan2(-m[0, 1], m[1, 1])])
    return np.array([np.arctan2(m[2, 1], m[2, 2]), pitch, np.arctan2(m[1, 0], m[0, 0])])


def computeRpyJacobian(rpy: Any, reference_frame: ReferenceFrame = LOCAL) -> Array:
    """J (3, 3) with omega = J d(rpy)/dt, in LOCAL or world axes."""
    _, pitch, yaw = numbers("rpy", rpy, (3,))
    z, y, x = np.eye(3)[[2, 1, 0]]
    Rz = rotate("z", yaw)
    J = np.column_stack([Rz @ rotate("y", pitch) @ x, Rz @ y, z])
    return rpyToMatrix(rpy).T @ J if reference_frame == LOCAL else J


def computeRpyJacobianInverse(rpy: Any, reference_frame: ReferenceFrame = LOCAL) -> Array:
    """The inverse of `computeRpyJacobian`; the pitch must not be a quarter turn."""
    return np.asarray(np.linalg.inv(computeRpyJacobian(rpy, reference_frame)), dtype=np.float64)


def computeRpyJacobianTimeDerivative(rpy: Any, rpydot: Any, reference_frame: ReferenceFrame = LOCAL) -> Array:
    """Rate (3, 3) of `computeRpyJacobian` while the angles change at `rpydot`."""
    roll, pitch, yaw = numbers("rpy", rpy, (3,))
    rate = numbers("rpydot", rpydot, (3,))
    z, y, x = np.eye(3)[[2, 1, 0]]
    if reference_frame == LOCAL:
        # Axes of yaw and pitch, seen from the body: they turn against the motions that come after them.
        Rx, Ry = rotate("x", -roll), rotate("y", -pitch)
        pitch_axis, yaw_axis = Rx @ y, Rx @ Ry @ z
        after_yaw = rate[0] * x + rate[1] * pitch_axis
        columns = [np.zeros(3), -np.cross(rate[0] * x, pitch_axis), -np.cross(after_yaw, yaw_axis)]
    else:
        Rz = rotate("z", yaw)
        roll_axis, pitch_axis = Rz @ rotate("y", pitch) @ x, Rz @ y
        before_roll = rate[2] * z + rate[1] * pitch_axis
        columns = [np.cross(before_roll, roll_axis), np.cross(rate[2] * z, pitch_axis), np.zeros(3)]
    return np.column_stack(columns)
