"""What looks wrong in a model that can nevertheless be used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..kernels.crba import crba
from ..kernels.engine import compile_kernel
from ..spatial import Inertia
from .model import Model

#: Share of the largest moment by which the triangle inequality may be missed: files are rounded.
_ROUNDING = 1e-3
#: Moments below this are taken for zero with rounding in it, kg m^2.
_NOTHING = 1e-15
#: Eigenvalues of the scaled mass matrix below this are rounding.
_SINGULAR = 1e-12


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, or looks so.

    Attributes:
        severe: no controller should trust this model; otherwise it is worth a look.
        kind: "inertia", "mass", "loss", "limit" or "mimic".
        where: the link or joint, as in "link 'hand'".
        message: what is wrong, with the numbers.
    """

    severe: bool
    kind: str
    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


def check_model(model: Model) -> tuple[Finding, ...]:
    """Everything about a model that looks wrong: impossible bodies, massless joints, useless limits."""
    massless = tuple(_massless(model))
    singular = () if massless else tuple(_singular(model))
    return (*_bodies(model), *massless, *singular, *_losses(model), *_limits(model), *_followers(model))


def suspicious(model: Model) -> list[str]:
    """What is worth a warning whenever a model is loaded: numbers that no real robot can have."""
    return [str(finding) for finding in (*_bodies(model), *_massless(model))]


def inertia_fault(inertia: Inertia) -> str | None:
    """What no rigid body can have, with the numbers; None where the inertia is possible."""
    moments = np.linalg.eigvalsh(inertia.inertia)
    shown = ", ".join(f"{moment:.6g}" for moment in moments)
    slack = max(_ROUNDING * float(np.abs(moments).max()), _NOTHING)
    if moments[0] < -slack:
        return f"a principal moment of inertia is negative ({shown} kg m^2)"
    if moments[0] + moments[1] < moments[2] - slack:
        return (
            f"principal moments of inertia {shown} kg m^2 violate the triangle inequality: "
            f"{moments[0]:.6g} + {moments[1]:.6g} < {moments[2]:.6g}"
        )
    if inertia.mass == 0.0 and moments[2] > slack:
        return f"no mass, but principal moments of inertia {shown} kg m^2"
    return None


def _bodies(model: Model) -> Iterator[Finding]:
    """Severe where the body that a joint moves, all its links together, is impossible as well."""
    for link in model.links:
        fault = inertia_fault(link.inertia)
        if fault:
            frame = model.frames[link.frame]
            moves = frame.parent_joint > 0
            severe = moves and inertia_fault(model.inertias[frame.parent_joint]) is not None
            yield Finding(severe, "inertia", f"link {(link.name or frame.name)!r}", fault)


def _massless(model: Model) -> Iterator[Finding]:
    """Joints with nothing behind them that resists: the mass matrix is singular there."""
    has_body = [inertia.mass > 0.0 or bool(inertia.inertia.any()) for inertia in model.inertias]
    for joint in reversed(model.joints[1:]):
        has_body[joint.parent] |= has_body[joint.index]
    for joint in model.joints:
        if joint.mimic is not None and joint.mimic.multiplier:
            has_body[model.joint_id(joint.mimic.joint)] |= has_body[joint.index]
    first_link = {}
    for link in reversed(model.links):
        first_link[model.frames[link.frame].parent_joint] = link.name
    for joint in model.joints[1:]:
        if joint.mimic is None and not has_body[joint.index] and not joint.armature.all():
            carried = f"link {first_link[joint.index]!r}" if joint.index in first_link else "nothing"
            message = f"moves {carried} and no mass (0 kg, no inertia): forward dynamics is singular there"
            yield Finding(True, "mass", f"joint {joint.name!r}", message)


def _singular(model: Model) -> Iterator[Finding]:
    """Coordinates along which nothing resists, although there is mass: M is singular in every posture."""
    weakest = [_weakest_direction(model, q) for q in _postures(model)]
    if model.nv == 0 or any(share > _SINGULAR for share, _ in weakest):
        return
    share, coordinate = weakest[0]
    joint = next(j for j in model.joints[1:] if j.moved_by.start <= coordinate < j.moved_by.stop)
    yield Finding(
        True,
        "mass",
        f"joint {joint.name!r}",
        "no inertia resists its motion: the mass matrix is singular (smallest eigenvalue, scaled to a unit"
        f" diagonal: {share:.2g}), and forward dynamics with it",
    )


def _postures(model: Model) -> list[npt.NDArray[np.float64]]:
    """Neutral, and two more with every joint on a line somewhere else."""
    postures = [model.neutral.copy() for _ in range(3)]
    rng = np.random.default_rng(0)
    for q in postures[1:]:
        for joint in model.joints[1:]:
            if joint.nq == joint.nv:
                q[joint.idx_q : joint.idx_q + joint.nq] += rng.uniform(-1.0, 1.0, joint.nq)
    return postures


def _weakest_direction(model: Model, q: npt.NDArray[np.float64]) -> tuple[float, int]:
    """Smallest eigenvalue of M scaled to a unit diagonal, and the coordinate that it is mostly about."""
    M = np.zeros((model.nv, model.nv))
    compile_kernel(crba)
    crba(model.records, model.create_data().work, q, M)
    diagonal = np.diag(M)
    if not (diagonal > 0.0).all():
        return 0.0, int(np.argmin(diagonal))
    scale = 1.0 / np.sqrt(diagonal)
    values, vectors = np.linalg.eigh(M * np.outer(scale, scale))
    return float(values[0]), int(np.argmax(np.abs(vectors[:, 0])))


def _losses(model: Model) -> Iterator[Finding]:
    """Damping or friction that would drive a joint."""
    for joint in model.joints[1:]:
        for name, values in (("damping", joint.damping), ("friction", joint.friction)):
            if (values < 0.0).any():
                message = f"its {name} is negative ({values.min():g}): it would drive the joint"
                yield Finding(True, "loss", f"joint {joint.name!r}", message)


def _limits(model: Model) -> Iterator[Finding]:
    for joint in model.actuated_joints:
        where = f"joint {joint.name!r}"
        stuck = np.flatnonzero(joint.lower == joint.upper)
        if stuck.size:
            message = f"cannot move: lower and upper limit are both {joint.lower[stuck[0]]:g}"
            yield Finding(False, "limit", where, message)
        for name, values in (("effort", joint.effort_limit), ("velocity", joint.velocity_limit)):
            if not values.all():
                yield Finding(False, "limit", where, f"its {name} limit is zero")


def _followers(model: Model) -> Iterator[Finding]:
    """Followers that stand still, and those that their leader's range takes past their own limits."""
    for joint in model.joints:
        if joint.mimic is None:
            continue
        where, leader = f"joint {joint.name!r}", model.joints[model.joint_id(joint.mimic.joint)]
        if joint.mimic.multiplier == 0.0:
            yield Finding(
                False, "mimic", where, f"follows {leader.name!r} with multiplier 0: it stands still"
            )
        if len(leader.lower) != 1 or len(joint.lower) != 1:
            continue  # a circle has no ends
        ends = joint.mimic.multiplier * np.array([leader.lower[0], leader.upper[0]]) + joint.mimic.offset
        low, high = float(ends.min()), float(ends.max())
        slack = _ROUNDING * max(1.0, abs(low), abs(high))
        if low < joint.lower[0] - slack or high > joint.upper[0] + slack:
            message = (
                f"the range of its leader {leader.name!r} takes it to [{low:.4g}, {high:.4g}],"
                f" its own limits are [{joint.lower[0]:.4g}, {joint.upper[0]:.4g}]"
            )
            yield Finding(False, "mimic", where, message)
