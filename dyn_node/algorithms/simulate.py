"""One step of time: (q, v) and the efforts tau, held over the step, give the state dt later.

    euler           q' = q exp(dt v),   v' = v + dt a               first order, gains energy
    semi_implicit   v' = v + dt a,      q' = q exp(dt v')           first order, energy stays bounded
    rk4             the classical Runge-Kutta method in the increment u of q exp(u)     fourth order

a is `aba(q, v, tau, f_ext)`. Configurations move on their manifold: quaternions stay of unit length
by the step itself. RK4 follows Munthe-Kaas 1998, "Runge-Kutta methods on Lie groups".

A batch, arguments with one axis more in front, makes a step from each of its states.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy import empty

from ..errors import InvalidValueError
from ..kernels import log_rate as _log_rate
from .arguments import REFUSED, tangents
from .batch import evaluate
from .configuration import integrate
from .dynamics import aba

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


class State(NamedTuple):
    """Configuration q, (nq,), and velocity v, (nv,)."""

    q: NDArray[np.float64]
    v: NDArray[np.float64]


def log_rate(model: Model, u: NDArray[np.float64], w: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rate of u, (nv,), for which q exp(u) moves with the velocity w, (nv,); to third order in u."""
    out = empty(model.nv)
    try:
        _log_rate.log_rate(model.records, u, w, out)
    except REFUSED:
        head = model.records, tangents(model, u, "u"), tangents(model, w, "w")
        return evaluate(_log_rate.log_rate, head, [(model.nv,)])[0]
    return out


def euler(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    dt: float,
    f_ext: ArrayLike | None = None,
) -> State:
    """Explicit Euler step; see `step`."""
    v = tangents(model, v)
    return State(integrate(model, q, dt * v), v + dt * aba(model, data, q, v, tau, f_ext))


def semi_implicit(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    dt: float,
    f_ext: ArrayLike | None = None,
) -> State:
    """Semi-implicit (symplectic) Euler step; see `step`."""
    after = tangents(model, v) + dt * aba(model, data, q, v, tau, f_ext)
    return State(integrate(model, q, dt * after), after)


def rk4(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    dt: float,
    f_ext: ArrayLike | None = None,
) -> State:
    """Step of the classical fourth-order Runge-Kutta method; see `step`."""
    v = tangents(model, v)
    k = v
    a = aba(model, data, q, v, tau, f_ext)
    sum_k, sum_a = k, a
    for fraction, weight in ((0.5, 2.0), (0.5, 2.0), (1.0, 1.0)):
        u, w = (fraction * dt) * k, v + (fraction * dt) * a
        a = aba(model, data, integrate(model, q, u), w, tau, f_ext)
        k = log_rate(model, u, w)
        sum_k, sum_a = sum_k + weight * k, sum_a + weight * a
    return State(integrate(model, q, (dt / 6.0) * sum_k), v + (dt / 6.0) * sum_a)


#: The methods that `step` and `linearize` know, by name.
STEPS: dict[str, Callable[..., State]] = {"euler": euler, "semi_implicit": semi_implicit, "rk4": rk4}


def check_method(method: str) -> str:
    """The method's name.

    Raises:
        InvalidValueError: no such method; lists those that there are.
    """
    if method not in STEPS:
        names = ", ".join(map(repr, STEPS))
        raise InvalidValueError(f"method: expected one of {names}, given {method!r}", method, tuple(STEPS))
    return method


def step(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    dt: float,
    method: str = "semi_implicit",
    f_ext: ArrayLike | None = None,
) -> State:
    """The state dt later, with the efforts held.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        tau: efforts that the actuators apply, (nv,).
        dt: time step, s.
        method: "euler", "semi_implicit" or "rk4".
        f_ext: external forces, (njoints, 6), each constant in its joint's own frame, as in `rnea`.

    Returns:
        The new state (q, v). The joints' damping, friction and limits play no part.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: an unknown method, or data of another model.
    """
    after = STEPS[check_method(method)](model, data, q, v, tau, dt, f_ext)
    if after.q.ndim < after.v.ndim:  # one state under a batch of efforts
        return State(np.repeat(after.q[None], len(after.v), axis=0), after.v)
    return after
