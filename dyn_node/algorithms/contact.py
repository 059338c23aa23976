"""A robot that stands: contact forces and joint efforts that are consistent with the stance.

With the feet that stand known, the ground carries the floating base and the actuators the rest. Without
friction given, a contact can push, pull and hold sideways without bound, and the smallest forces are
taken in closed form. With friction, forces stay inside the pyramid of the contact (see `friction`),
which takes a small quadratic program.

Arrays may have one axis more in front, a batch; what comes back then has it too, ranks included.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import InvalidValueError
from .arguments import array, configurations, tangents
from .constrained_inverse_dynamics import efforts, smallest, unactuated
from .constraint_motion import constraint_jacobian
from .constraint_set import ConstraintSet
from .constraints import PointConstraint, RigidConstraint, finite
from .dynamics import rnea
from .friction import Pyramid, smallest_inside
from .kinematics import forward_kinematics, frame_placement
from .reference import LOCAL_WORLD_ALIGNED
from .state_by_state import each_state

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model

#: How far from one the length of a normal may be.
_UNIT = 1e-6


@dataclass(frozen=True)
class Contact:
    """A frame of the robot that stands on something that does not move.

    Attributes:
        frame: name or number.
        friction: coefficient of friction; None for a contact that holds in every direction.
        normal: unit vector out of the ground, world axes.
        size: None for a point, which cannot transmit a moment; else half the length and half the width, m,
            of a flat rectangle along the frame's x and y about its origin.

    Raises:
        InvalidValueError: negative friction, a normal that is not of unit length, a size not above zero.
    """

    frame: int | str
    friction: float | None = None
    normal: tuple[float, float, float] = (0.0, 0.0, 1.0)
    size: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.friction is not None:
            finite(f"friction of {self.frame!r}", self.friction, 0.0)
        normal = array("normal", self.normal, (3,), "a unit vector in world axes")
        length = float(np.linalg.norm(normal))
        if not abs(length - 1.0) <= _UNIT:
            raise InvalidValueError(
                f"normal of {self.frame!r}: expected a vector of length 1, given length {length:g}",
                self.normal,
                "length 1",
            )
        if self.size is not None:
            size = array("size", self.size, (2,), "half length and half width, m")
            if not (np.isfinite(size).all() and (size > 0.0).all()):
                raise InvalidValueError(
                    f"size of {self.frame!r}: expected two lengths above zero, given {self.size!r}",
                    self.size,
                    "above zero",
                )

    def constraint(self) -> PointConstraint | RigidConstraint:
        """The contact as a constraint in the world's axes."""
        kind = PointConstraint if self.size is None else RigidConstraint
        return kind(self.frame, reference=LOCAL_WORLD_ALIGNED)


class ContactEfforts(NamedTuple):
    """What holds a standing robot."""

    #: What the actuators have to apply, (nv,); zero where there is none.
    tau: NDArray[np.float64]
    #: Force and moment that the ground exerts at each contact's frame, world axes, (contacts, 6).
    wrenches: NDArray[np.float64]
    #: How many of the rows without an actuator the contacts can act on.
    rank: int
    #: What nothing holds, (nv,): of a floating base force and moment in base coordinates.
    residual: NDArray[np.float64]

    @property
    def unsupported(self) -> float:
        """The largest entry of the residual, N or N m; of a batch (N,)."""
        largest: Any = np.abs(self.residual).max(axis=-1, initial=0.0)
        return largest if largest.ndim else float(largest)


def contact_inverse_dynamics(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    contacts: Iterable[Contact | str | int],
    f_ext: ArrayLike | None = None,
    *,
    actuated: Iterable[int | str] | None = None,
) -> ContactEfforts:
    """Contact forces and efforts under which a robot on its feet accelerates by a.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        v: velocity, (nv,).
        a: acceleration, (nv,); that the contacts allow it is not checked.
        contacts: `Contact`s, or names of frames that are points which hold in every direction.
        f_ext: external forces, (njoints, 6), as in `rnea`.
        actuated: joints with an actuator; all but the floating base where left out.

    Returns:
        Efforts, forces, and what is left over where the stance cannot hold the robot: with friction the
        least that forces inside the pyramids leave.

    Raises:
        ShapeError: an array of the wrong size or type.
        UnknownFrameError, UnknownJointError: a name that the model does not have.
        InvalidValueError: data of another model.
        MissingDependencyError: contacts with friction, without a solver of quadratic programs.
    """
    stance = [item if isinstance(item, Contact) else Contact(item) for item in contacts]
    ties = ConstraintSet(model, [item.constraint() for item in stance])
    needed = rnea(model, data, q, v, tangents(model, a, "a"), f_ext)
    J = constraint_jacobian(model, data, q, ties)
    free = unactuated(model, actuated)

    def held(q: Any, J: NDArray[np.float64], needed: NDArray[np.float64]) -> ContactEfforts:
        forces, rank = _forces(model, data, q, stance, ties, J[:, free].T, needed[free])
        tau, _, _, residual = efforts(needed, J, forces, free, rank)
        wrenches = np.zeros((len(stance), 6))
        for wrench, rows in zip(wrenches, ties.slices, strict=True):
            wrench[: rows.stop - rows.start] = forces[rows]
        return ContactEfforts(tau, wrenches, rank, residual)

    shapes = (model.nv,), (len(stance), 6), (), (model.nv,)
    state = configurations(model, q)
    return ContactEfforts(*each_state(held, ((state, 1), (J, 2), (needed, 1)), shapes))


def _forces(
    model: Model,
    data: Data,
    q: ArrayLike,
    stance: list[Contact],
    ties: ConstraintSet,
    A: NDArray[np.float64],
    b: NDArray[np.float64],
) -> tuple[NDArray[np.float64], int]:
    """Forces with A forces = b, the smallest that their pyramids allow, and the rank of A."""
    forces, rank = smallest(A, b)
    if any(item.friction is not None for item in stance):
        pyramids = _pyramids(model, data, q, stance)
        if not all(p.holds(forces[rows]) for p, rows in zip(pyramids, ties.slices, strict=True)):
            forces = smallest_inside(A, b, pyramids)
    return forces, rank


def contact_gravity(
    model: Model,
    data: Data,
    q: ArrayLike,
    contacts: Iterable[Contact | str | int],
    f_ext: ArrayLike | None = None,
    *,
    actuated: Iterable[int | str] | None = None,
) -> ContactEfforts:
    """Contact forces and efforts that hold a robot still on its feet: `contact_inverse_dynamics` at rest."""
    rest = np.zeros(model.nv)
    return contact_inverse_dynamics(model, data, q, rest, rest, contacts, f_ext, actuated=actuated)


def _pyramids(model: Model, data: Data, q: ArrayLike, stance: list[Contact]) -> list[Pyramid]:
    forward_kinematics(model, data, q)
    found = []
    for item in stance:
        axes: Any = frame_placement(model, data, item.frame).rotation
        found.append(Pyramid.of(np.asarray(item.normal, dtype=float), item.friction, item.size, axes))
    return found
