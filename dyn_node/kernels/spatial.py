"""Arithmetic of motions, forces and inertias as values, and how placements act on them.

A motion or force is six numbers, linear first. A body's inertia is ten: mass, centre of mass, and
xx, xy, yy, xz, yz, zz of the rotational inertia about the centre of mass. Poses: see `kernels.pose`.
"""

from __future__ import annotations

from typing import Any

from .engine import inline, kernel
from .pose import row
from .vector import add, angular, cross, dot, linear, put6, rotate, scale, sub, unrotate


@kernel("matrix", "vector", "vector", result=(6,), value=True)
def act_motion(pose: Any, motion: Any, out: Any) -> None:
    """(R v + p x R w, R w)."""
    w = rotate(pose, angular(motion))
    put6(out, add(rotate(pose, linear(motion)), cross(row(pose, 3), w)), w)


@kernel("matrix", "vector", "vector", result=(6,), value=True)
def act_inv_motion(pose: Any, motion: Any, out: Any) -> None:
    """(R^T (v - p x w), R^T w)."""
    w = angular(motion)
    put6(out, unrotate(pose, sub(linear(motion), cross(row(pose, 3), w))), unrotate(pose, w))


@kernel("matrix", "vector", "vector", result=(6,), value=True)
def act_force(pose: Any, force: Any, out: Any) -> None:
    """(R f, R n + p x R f)."""
    f = rotate(pose, linear(force))
    put6(out, f, add(rotate(pose, angular(force)), cross(row(pose, 3), f)))


@kernel("matrix", "vector", "vector", result=(6,), value=True)
def act_inv_force(pose: Any, force: Any, out: Any) -> None:
    """(R^T f, R^T (n - p x f))."""
    f = linear(force)
    put6(out, unrotate(pose, f), unrotate(pose, sub(angular(force), cross(row(pose, 3), f))))


# --- motions, forces, inertias -----------------------------------------------------------------


@kernel("vector", "vector", "vector", result=(6,), value=True)
def cross_motion(a: Any, b: Any, out: Any) -> None:
    """out = a x b, the rate of the motion b carried along by a."""
    w = angular(a)
    put6(
        out,
        add(cross(w, linear(b)), cross(linear(a), angular(b))),
        cross(w, angular(b)),
    )


@kernel("vector", "vector", "vector", result=(6,), value=True)
def cross_force(a: Any, f: Any, out: Any) -> None:
    """out = a x* f, the rate of the force f carried along by a."""
    w = angular(a)
    put6(
        out,
        cross(w, linear(f)),
        add(cross(w, angular(f)), cross(linear(a), linear(f))),
    )


@kernel("vector", "vector")
def dot6(a: Any, b: Any) -> float:
    """Power of a force on a motion."""
    return dot(linear(a), linear(b)) + dot(angular(a), angular(b))


@inline
def times_symmetric(body: Any, w: Any) -> Any:
    """I w of the rotational inertia in body[4:10]."""
    return (
        body[4] * w[0] + body[5] * w[1] + body[7] * w[2],
        body[5] * w[0] + body[6] * w[1] + body[8] * w[2],
        body[7] * w[0] + body[8] * w[1] + body[9] * w[2],
    )


@kernel("vector", "vector", "vector", result=(6,), value=True)
def inertia_times(body: Any, motion: Any, out: Any) -> None:
    """out = momentum of the body: m (v - c x w), I w + c x f."""
    com = (body[1], body[2], body[3])
    w = angular(motion)
    f = scale(body[0], sub(linear(motion), cross(com, w)))
    put6(out, f, add(times_symmetric(body, w), cross(com, f)))


@kernel("vector", "vector", "vector", result=(10,), value=True)
def inertia_sum(a: Any, b: Any, out: Any) -> None:
    """out = a + b, both bodies fixed to each other."""
    mass = a[0] + b[0]
    # A common divisor of zero would be two massless bodies: any centre will do.
    fraction = b[0] / mass if mass > 0.0 else 0.0
    d = (b[1] - a[1], b[2] - a[2], b[3] - a[3])
    reduced = a[0] * fraction
    out[0] = mass
    for k in range(3):
        out[1 + k] = a[1 + k] + fraction * d[k]
    out[4] = a[4] + b[4] + reduced * (d[1] * d[1] + d[2] * d[2])
    out[5] = a[5] + b[5] - reduced * d[0] * d[1]
    out[6] = a[6] + b[6] + reduced * (d[0] * d[0] + d[2] * d[2])
    out[7] = a[7] + b[7] - reduced * d[0] * d[2]
    out[8] = a[8] + b[8] - reduced * d[1] * d[2]
    out[9] = a[9] + b[9] + reduced * (d[0] * d[0] + d[1] * d[1])


@inline
def put_turned(out: Any, body: Any, x: Any, y: Any, z: Any) -> None:
    """out[4:10] = the rotational inertia seen from axes whose rows in body axes are x, y, z."""
    ix = times_symmetric(body, x)
    iy = times_symmetric(body, y)
    out[4] = dot(x, ix)
    out[5] = dot(y, ix)
    out[6] = dot(y, iy)
    out[7] = dot(z, ix)
    out[8] = dot(z, iy)
    out[9] = dot(z, times_symmetric(body, z))


@kernel("matrix", "vector", "vector", result=(10,), value=True)
def act_inertia(pose: Any, body: Any, out: Any) -> None:
    """out = the same body in the frame that the pose is given in."""
    out[0] = body[0]
    com = add(rotate(pose, (body[1], body[2], body[3])), row(pose, 3))
    out[1], out[2], out[3] = com
    put_turned(out, body, row(pose, 0), row(pose, 1), row(pose, 2))


@kernel("matrix", "vector", "vector", result=(10,), value=True)
def act_inv_inertia(pose: Any, body: Any, out: Any) -> None:
    """out = the body, given in the pose's parent frame, seen from the posed frame."""
    out[0] = body[0]
    com = unrotate(pose, sub((body[1], body[2], body[3]), row(pose, 3)))
    out[1], out[2], out[3] = com
    x = (pose[0, 0], pose[1, 0], pose[2, 0])
    y = (pose[0, 1], pose[1, 1], pose[2, 1])
    z = (pose[0, 2], pose[1, 2], pose[2, 2])
    put_turned(out, body, x, y, z)
