"""Configurations: neutral, random, normalised; moving along a tangent vector and back.

A configuration q has nq entries, a tangent vector nv. A free-flyer has seven and six: position,
quaternion (x, y, z, w); linear and angular velocity in base coordinates.

Arrays may have one axis more in front, a batch; what comes back then has it too (see `algorithms.batch`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy import empty

from ..errors import InvalidValueError
from ..kernels import configuration as _configuration
from ..kernels import random_configuration as _random
from ..kernels.kinds import FREE_FLYER, PLANAR, SPHERICAL
from .arguments import REFUSED, again, configurations, tangents
from .batch import evaluate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Model


def neutral(model: Model) -> NDArray[np.float64]:
    """The configuration of no displacement, (nq,): zeros, unit quaternions, (cos, sin) = (1, 0).

    Always a valid configuration, though not always inside the joints' limits.
    """
    return model.neutral.copy()


def integrate(
    model: Model, q: ArrayLike, dv: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """q moved along a tangent vector: q exp(dv), joint by joint.

    Args:
        model: the robot.
        q: configuration, (nq,).
        dv: increment, (nv,): dt times a velocity, in joint coordinates (a floating base's own).
        out: array for the result, (nq,).

    Returns:
        The new configuration, (nq,), normalised; a quaternion keeps the sign nearer to the old one.

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: a turn by 1e154 rad or more, whose square is no number.
    """
    try:
        return _configuration.integrate(model.records, q, dv, out)
    except REFUSED:
        head = model.records, configurations(model, q), tangents(model, dv, "dv")
        check_turns(model, head[2])
        return evaluate(_configuration.integrate, head, [(model.nq,)], out)[0]


def check_turns(model: Model, dv: NDArray[np.float64]) -> None:
    """The kernel refuses angles whose squares overflow; this says which joint's it is."""
    for record in model.records:
        if record["kind"] not in (FREE_FLYER, SPHERICAL, PLANAR):
            continue
        end = record["idx_v"] + record["nv"]
        turn = dv[..., end - (1 if record["kind"] == PLANAR else 3) : end]
        with np.errstate(over="ignore"):
            squares = (turn * turn).sum(axis=-1)
        if (np.isinf(squares) & np.isfinite(turn).all(axis=-1)).any():
            joint = next(x for x in model.joints if x.idx_v < end <= x.idx_v + x.nv)
            raise InvalidValueError(
                f"dv: expected a turn of joint {joint.name!r} by less than 1e154 rad, given {turn.tolist()}",
                turn,
                "less than 1e154 rad",
            )


def difference(
    model: Model, q0: ArrayLike, q1: ArrayLike, *, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The tangent vector from q0 to q1: log(q0^-1 q1), so that integrate(q0, difference) = q1.

    Args:
        model: the robot.
        q0, q1: configurations, (nq,).
        out: array for the result, (nv,).

    Returns:
        The increment, (nv,); rotations by the shorter way.

    Raises:
        ShapeError: an array of the wrong size or type.
    """
    try:
        return _configuration.difference(model.records, q0, q1, out)
    except REFUSED:
        head = model.records, configurations(model, q0, "q0"), configurations(model, q1, "q1")
        return evaluate(_configuration.difference, head, [(model.nv,)], out)[0]


def normalize(model: Model, q: ArrayLike, *, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """q with unit quaternions and unit (cos, sin) pairs; the argument is left as it is.

    Args:
        model: the robot.
        q: configuration, (nq,).
        out: array for the result, (nq,).

    Returns:
        The normalised configuration, (nq,).

    Raises:
        ShapeError: an array of the wrong size or type.
        InvalidValueError: an entry that is not finite, or a quaternion or (cos, sin) of norm zero;
            it names the joint.
    """
    result = empty(model.nq) if out is None else out
    try:
        bad = _configuration.normalize(model.records, q, result)
    except REFUSED:
        head = model.records, configurations(model, q)
        result, bad = evaluate(_configuration.normalize, head, [(model.nq,)], out)
        if np.any(bad):
            raise _not_normal(model, head[1], bad) from None
        return result
    if bad:
        raise _not_normal(model, configurations(model, q), bad)
    return result


def _not_normal(model: Model, q: NDArray[np.float64], bad: int | NDArray[np.int64]) -> InvalidValueError:
    """The first state of a batch whose q has no direction, `bad` being the records at fault, or 0."""
    where = "q"
    if q.ndim == 2:
        k = int(np.flatnonzero(bad)[0])
        where, q, bad = f"q[{k}]", q[k], np.asarray(bad)[k]
    joint = model.joint_of_record(int(bad))
    part = q[joint.idx_q : joint.idx_q + joint.nq]
    return InvalidValueError(
        f"{where}: joint {joint.name!r} ({joint.kind}) has {part.tolist()}; expected finite entries"
        " with a quaternion or (cos, sin) of non-zero norm",
        part.copy(),
        "finite, non-zero norm",
    )


def random_configuration(
    model: Model,
    rng: np.random.Generator | int | None = None,
    *,
    unbounded: float | None = None,
) -> NDArray[np.float64]:
    """A configuration drawn uniformly: inside the limits, rotations over their whole group.

    Args:
        model: the robot.
        rng: a generator, a seed, or None for a fresh one.
        unbounded: half width (m or rad) of the range for coordinates without limits.

    Raises:
        InvalidValueError: a coordinate has no limits and `unbounded` was not given; names the joint.
    """
    generator = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(rng)
    q = generator.random(model.nq)
    try:
        limited = _random.spread(
            model.records, model._position_limits, -1.0 if unbounded is None else unbounded, q
        )
    except REFUSED:
        width = -1.0 if unbounded is None else float(unbounded)
        limited = again(_random.spread, model.records, model._position_limits, width, q)
    if not limited:
        raise _without_limits(model, unbounded)
    return q


def _without_limits(model: Model, unbounded: float | None) -> InvalidValueError:
    """What to say when coordinates have no limits, and `unbounded` does not help."""
    if unbounded is not None:
        return InvalidValueError(
            f"unbounded: expected a finite number >= 0, given {unbounded!r}", unbounded, ">= 0"
        )
    open_ended: NDArray[np.bool_] = np.logical_not(np.isfinite(model._position_limits).all(axis=0))
    for entries in model.directions:
        open_ended[entries] = False
    names = [j.name for j in model.joints[1:] if open_ended[j.idx_q : j.idx_q + j.nq].any()]
    return InvalidValueError(
        f"joint {', '.join(map(repr, names))} has no position limits to draw from;"
        " give `unbounded`, the half width of the range to use instead",
        names,
        "unbounded=<metres or radians>",
    )
