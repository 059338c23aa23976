"""The step of time, linearised: how the state dt later answers to the state and the efforts now.

With x = (q, v) and deviations taken along tangent vectors, q exp(dq):

    dx' = A dx + B dtau

A and B are exact derivatives of the steps in `algorithms.simulate`, from the analytical derivatives
of `aba` (Carpentier and Mansard 2018) by the chain rule: what LQR, iLQR/DDP and an EKF need.
A batch, arguments with one axis more in front, is linearised at each of its states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy import empty

from ..kernels import log_rate as _log_rate
from .arguments import REFUSED, configurations, tangents
from .batch import evaluate
from .configuration import integrate
from .configuration_derivatives import d_integrate
from .dynamics import aba
from .dynamics_derivatives import aba_derivatives
from .simulate import check_method, log_rate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


class Linearization(NamedTuple):
    """A step of time and its derivatives.

    Attributes:
        A: (2 nv, 2 nv): derivative of the new state with respect to the old one.
        B: (2 nv, nv): derivative of the new state with respect to the efforts.
        q, v: the new state, the point at which deviations of the result are taken.
    """

    A: NDArray[np.float64]
    B: NDArray[np.float64]
    q: NDArray[np.float64]
    v: NDArray[np.float64]


class _Value(NamedTuple):
    """A quantity and its derivative, (rows, 3 nv), with respect to (q, v, tau)."""

    value: NDArray[np.float64]
    slope: NDArray[np.float64]


class _Motion:
    """The quantities that a step is made of, each with its derivative."""

    def __init__(
        self,
        model: Model,
        data: Data,
        q: NDArray[np.float64],
        v: NDArray[np.float64],
        tau: NDArray[np.float64],
        f_ext: ArrayLike | None,
    ) -> None:
        self.model, self.data, self.q, self.tau, self.f_ext = model, data, q, tau, f_ext
        n = model.nv
        unit = np.eye(3 * n)
        self.by_q, self.by_tau = unit[:n], unit[2 * n :]
        self.v = _Value(v, unit[n : 2 * n])

    def moved(self, u: _Value) -> _Value:
        """q exp(u)."""
        model = self.model
        slope = d_integrate(model, self.q, u.value, "q") @ self.by_q
        slope += d_integrate(model, self.q, u.value, "dv") @ u.slope
        return _Value(integrate(model, self.q, u.value), slope)

    def acceleration(self, q: _Value, v: _Value) -> _Value:
        """aba(q, v, tau, f_ext)."""
        state = self.model, self.data, q.value, v.value, self.tau, self.f_ext
        by_q, by_v, by_tau = aba_derivatives(*state)
        slope = by_q @ q.slope + by_v @ v.slope + by_tau @ self.by_tau
        return _Value(aba(*state), slope)

    def log_rate(self, u: _Value, w: _Value) -> _Value:
        """Rate of u for which q exp(u) moves with w."""
        n = self.model.nv
        by_u, by_w = empty((n, n)), empty((n, n))
        try:
            _log_rate.log_rate_derivatives(self.model.records, u.value, w.value, by_u, by_w)
        except REFUSED:
            head = self.model.records, u.value, w.value
            by_u, by_w = evaluate(_log_rate.log_rate_derivatives, head, [(n, n), (n, n)])
        return _Value(log_rate(self.model, u.value, w.value), by_u @ u.slope + by_w @ w.slope)


def _sum(first: _Value, *terms: tuple[float, _Value]) -> _Value:
    """A quantity plus multiples of others."""
    value, slope = first
    for weight, term in terms:
        value, slope = value + weight * term.value, slope + weight * term.slope
    return _Value(value, slope)


def _times(weight: float, term: _Value) -> _Value:
    return _Value(weight * term.value, weight * term.slope)


def _euler(at: _Motion, dt: float) -> tuple[_Value, _Value]:
    a = at.acceleration(_Value(at.q, at.by_q), at.v)
    return at.moved(_times(dt, at.v)), _sum(at.v, (dt, a))


def _semi_implicit(at: _Motion, dt: float) -> tuple[_Value, _Value]:
    after = _sum(at.v, (dt, at.acceleration(_Value(at.q, at.by_q), at.v)))
    return at.moved(_times(dt, after)), after


def _rk4(at: _Motion, dt: float) -> tuple[_Value, _Value]:
    rates = [at.v]
    accelerations = [at.acceleration(_Value(at.q, at.by_q), at.v)]
    for fraction in (0.5, 0.5, 1.0):
        u = _times(fraction * dt, rates[-1])
        w = _sum(at.v, (fraction * dt, accelerations[-1]))
        accelerations.append(at.acceleration(at.moved(u), w))
        rates.append(at.log_rate(u, w))
    weights = (dt / 6.0, dt / 3.0, dt / 3.0, dt / 6.0)
    u = _sum(_times(weights[0], rates[0]), *zip(weights[1:], rates[1:], strict=True))
    return at.moved(u), _sum(at.v, *zip(weights, accelerations, strict=True))


_METHODS = {"euler": _euler, "semi_implicit": _semi_implicit, "rk4": _rk4}


def linearize(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    dt: float,
    method: str = "semi_implicit",
    f_ext: ArrayLike | None = None,
) -> Linearization:
    """Discrete-time A and B of `step(model, data, q, v, tau, dt, method, f_ext)`, on the manifold.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        tau: efforts, held over the step, (nv,).
        dt: time step, s.
        method: "euler", "semi_implicit" or "rk4".
        f_ext: external forces, (njoints, 6), each constant in its joint's own frame, as in `rnea`.

    Returns:
        A (2 nv, 2 nv), B (2 nv, nv) and the new state; the first nv rows and columns are deviations
        of q along tangent vectors, in the joints' own frames.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: an unknown method, or data of another model.
    """
    n = model.nv
    rule = _METHODS[check_method(method)]
    state = configurations(model, q), tangents(model, v), tangents(model, tau, "tau")
    at = _Motion(model, data, *state, f_ext)
    after_q, after_v = rule(at, dt)
    if after_q.value.ndim < after_v.value.ndim:  # one state under a batch of efforts
        after_q = _Value(*[np.repeat(x[None], len(after_v.value), axis=0) for x in after_q])
    slope = np.concatenate([after_q.slope, after_v.slope], axis=-2)
    A, B = np.ascontiguousarray(slope[..., : 2 * n]), np.ascontiguousarray(slope[..., 2 * n :])
    return Linearization(A, B, after_q.value, after_v.value)
