"""Other libraries' conventions: scalar-first quaternions, angular-first six-vectors, MuJoCo's free joint.

dyn_node has quaternions (x, y, z, w) and puts the linear half of a six-vector first. Eigen's
constructor, MuJoCo and many papers write (w, x, y, z); Featherstone, Modern Robotics and Drake put
the angular half first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import empty

from ..errors import ShapeError
from ..kernels import pose as _k
from ._call import copied, not_finite, run, sized
from .so3 import SO3, check_quaternion_length


def xyzw_from_wxyz(quaternion: Any) -> np.ndarray:
    """(..., 4) quaternions from scalar first to scalar last, a new array."""
    return _rolled(quaternion, -1)


def wxyz_from_xyzw(quaternion: Any) -> np.ndarray:
    """(..., 4) quaternions from scalar last to scalar first, a new array."""
    return _rolled(quaternion, 1)


def _rolled(quaternion: Any, shift: int) -> np.ndarray:
    q = np.asarray(quaternion, dtype=np.float64)
    if q.ndim == 0 or q.shape[-1] != 4:
        raise ShapeError("quaternion", f"shape {q.shape}", "shape (..., 4)")
    return np.roll(q, shift, axis=-1)


def swap_halves(x: Any, axis: int = -1) -> np.ndarray:
    """Six-vectors from linear first to angular first, or back: the two are the same exchange.

    Args:
        x: a Motion, a Force, or an array that has six entries along `axis`; for a (6, nv) Jacobian, axis 0.
        axis: where the six entries are.

    Returns:
        A new array of x's shape.
    """
    array = np.asarray(x, dtype=np.float64)
    if array.ndim == 0 or array.shape[axis] != 6:
        raise ShapeError("x", f"shape {array.shape}", f"six entries along axis {axis}")
    return np.roll(array, 3, axis=axis)


def swap_blocks(matrix: Any) -> np.ndarray:
    """(..., 6, 6) matrices of six-vectors (actions, inertias) from one order to the other, a new array."""
    return swap_halves(swap_halves(matrix, -1), -2)


def exp_quaternion(w: Any) -> np.ndarray:
    """The unit quaternion (x, y, z, w) of a rotation vector (3,), in radians: cos(|w| / 2) last."""
    w = sized("w", w, (3,))
    out = empty(4)
    if not run(_k.quaternion_exp, w, out):
        raise not_finite("w", w)
    return out


def log_quaternion(xyzw: Any) -> np.ndarray:
    """The rotation vector (3,), of length at most pi, of a quaternion of unit length within 1e-3."""
    q = sized("quaternion", xyzw, (4,))
    out = empty(3)
    check_quaternion_length(q, run(_k.quaternion_log, q, out))
    return out


def free_flyer_from_mujoco(qpos: Any, qvel: Any) -> tuple[np.ndarray, np.ndarray]:
    """A MuJoCo free joint's state as a free-flyer's configuration (7,) and velocity (6,).

    MuJoCo: position, quaternion (w, x, y, z); linear velocity in world axes, angular in body axes.
    Here: position, quaternion (x, y, z, w); linear and angular velocity in body axes.
    """
    qpos, v = copied("qpos", qpos, (7,)), copied("qvel", qvel, (6,))
    q = np.concatenate([qpos[:3], xyzw_from_wxyz(qpos[3:])])
    v[:3] = SO3.from_quaternion(q[3:]).act_inv(v[:3])
    return q, v


def free_flyer_to_mujoco(q: Any, v: Any) -> tuple[np.ndarray, np.ndarray]:
    """A free-flyer's configuration (7,) and velocity (6,) as a MuJoCo free joint's qpos and qvel."""
    q, qvel = copied("q", q, (7,)), copied("v", v, (6,))
    qvel[:3] = SO3.from_quaternion(q[3:]).act(qvel[:3])
    return np.concatenate([q[:3], wxyz_from_xyzw(q[3:])]), qvel
