"""Which feet stand, and what the ground then does for the robot. Free of rclpy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dyn_node.algorithms.constrained_inverse_dynamics import smallest
from dyn_node.algorithms.constraint_motion import constraint_jacobian
from dyn_node.algorithms.constraint_set import ConstraintSet
from dyn_node.algorithms.constraints import PointConstraint
from dyn_node.algorithms.friction import Pyramid, smallest_inside, solver
from dyn_node.errors import InvalidValueError, UnknownFrameError
from dyn_node.model.data import Data
from dyn_node.model.model import Model

from .dynamics_settings import DynamicsSettings

Array = npt.NDArray[np.float64]

#: What is left unsupported counts from this part of the weight on; a foot pulls from there on as well.
NOTABLE = 1e-3
FREE_BODY = "the torques are those of the free body, and something else has to exert ~/base_wrench"


class Contacts:
    """What is known of each foot: all stand, or what the topic `contacts` last said.

    Attributes:
        frames: names of the feet, in the order of the parameter.
        friction: coefficient of each foot; empty where friction is not looked at.
        heard: per foot the time (ns) of the last word of it; 0 for none.

    Raises:
        MissingDependencyError: friction without a solver of quadratic programs.
    """

    def __init__(self, settings: DynamicsSettings) -> None:
        self.frames = settings.contact_frames
        self.friction: tuple[float, ...] = ()
        if settings.contact_friction:
            solver()
            self.friction = tuple(np.broadcast_to(settings.contact_friction, len(self.frames)).tolist())
        self._threshold = settings.contact_threshold
        self._listens = settings.contact_source == "topic"
        self._value = np.zeros(len(self.frames))
        self.heard = np.zeros(len(self.frames), np.int64)

    def update(self, names: Sequence[str], values: Array, now: int) -> None:
        """Take a message: a number a foot, force or 1 and 0.

        Raises:
            UnknownFrameError: a foot that is none of contact_frames; nothing is taken.
            InvalidValueError: numbers that do not fit the names or are not finite; nothing is taken.
        """
        if len(names) != len(values) or not np.isfinite(values).all():
            raise InvalidValueError(
                f"contacts has {len(values)} values for {len(names)} names; "
                "it must have as many, all of them finite",
                list(values),
                len(names),
            )
        for name in names:
            if name not in self.frames:
                raise UnknownFrameError(name, self.frames, "the parameter contact_frames")
        places = [self.frames.index(name) for name in names]
        self._value[places], self.heard[places] = values, now

    def standing(self) -> tuple[bool, ...]:
        """Which feet stand."""
        if not self._listens:
            return (True,) * len(self.frames)
        return tuple((self._value > self._threshold).tolist())

    def unknown(self, now: int, timeout: float) -> list[str]:
        """Feet of which nothing was heard for longer than `timeout` seconds."""
        if not self._listens:
            return []
        old = (self.heard == 0) | (now - self.heard > 1e9 * timeout) | (self.heard > now)
        return [self.frames[k] for k in np.flatnonzero(old)]


class Stance:
    """Shares the weight between ground and motors: the smallest forces at the feet that carry the base.

    With friction they stay inside a pyramid about the direction against gravity, whose sides look along the
    world's axes; where none inside can carry the base, they leave the least. That is looked for only where
    the smallest of all are not inside already, and takes a fraction of a millisecond.

    Attributes:
        rank: how many of the base's motions the feet that stand can hold.
        forces: (feet, 3), what the ground exerts at each, world axes; zero at one that does not stand.
        residual: (nv,), what nothing holds: base rows only.

    Raises:
        UnknownFrameError: a foot that the robot does not have.
        InvalidValueError: a fixed base, or a foot that does not move.
    """

    def __init__(self, model: Model, contacts: Contacts) -> None:
        root = model.root_joint
        if root is None:
            raise InvalidValueError(
                f"{model.name} has a fixed base, which carries it whatever its feet do",
                contacts.frames,
                "a floating base, or no contact_frames",
            )
        self._model, self._contacts = model, contacts
        self._base = np.arange(root.idx_v, root.idx_v + root.nv)
        self._up = -model.gravity / max(float(np.linalg.norm(model.gravity)), np.finfo(float).tiny)
        self._weight = model.total_mass * float(np.linalg.norm(model.gravity))
        self._sets: dict[tuple[bool, ...], ConstraintSet] = {}
        self._set((True,) * len(contacts.frames))
        self._pyramids = [Pyramid.of(self._up, mu, None, np.eye(3)) for mu in contacts.friction]
        if self._pyramids:  # the first question takes much longer than those that follow
            smallest_inside(np.eye(3), -self._up, self._pyramids[:1])
        self.forces, self.residual = np.zeros((len(contacts.frames), 3)), np.zeros(model.nv)
        self.rank = 0

    def _set(self, standing: tuple[bool, ...]) -> ConstraintSet:
        if standing not in self._sets:
            feet = [name for name, stands in zip(self._contacts.frames, standing, strict=True) if stands]
            points = [PointConstraint(foot, reference="LOCAL_WORLD_ALIGNED") for foot in feet]
            self._sets[standing] = ConstraintSet(self._model, points)
        return self._sets[standing]

    def carry(self, data: Data, q: Array, gravity: Array) -> None:
        """Take from the efforts g(q), in place, what the ground gives; base rows keep what it cannot give."""
        standing = self._contacts.standing()
        J = constraint_jacobian(self._model, data, q, self._set(standing))
        pressed, self.rank = smallest(J[:, self._base].T, gravity[self._base])
        pyramids = [pyramid for pyramid, stands in zip(self._pyramids, standing, strict=False) if stands]
        if not all(p.holds(part) for p, part in zip(pyramids, pressed.reshape(-1, 3), strict=False)):
            pressed = smallest_inside(J[:, self._base].T, gravity[self._base], pyramids)
        gravity -= J.T @ pressed
        self.forces[:] = 0.0
        self.forces[list(standing)] = pressed.reshape(-1, 3)
        self.residual[self._base] = gravity[self._base]

    def unsupported(self) -> str:
        """What is left to be carried, in words; empty when the ground carries everything."""
        left = float(np.abs(self.residual).max())
        if left <= NOTABLE * self._weight:
            return ""
        feet = sum(self._contacts.standing())
        labelled = "" if feet else f"; {FREE_BODY}"
        return f"{feet} feet leave up to {left:.3g} N or N m of the base unsupported{labelled}"

    def pulled(self) -> str:
        """Feet that would have to pull at the ground, which none can; empty when all press."""
        names = self._contacts.frames
        pulls = self.forces @ self._up < -NOTABLE * self._weight
        return ", ".join(names[k] for k in np.flatnonzero(pulls))

    def report(self) -> dict[str, str]:
        """For the diagnostics."""
        standing = self._contacts.standing()
        feet = [name for name, stands in zip(self._contacts.frames, standing, strict=True) if stands]
        return {
            "standing": ", ".join(feet),
            "torques": "with the ground's help" if feet else "of the free body",
            "rank": f"{self.rank} of {len(self._base)}",
            "unsupported": self.unsupported(),
            "feet that would have to pull": self.pulled(),
        }


def without_feet(model: Model) -> dict[str, str]:
    """For the diagnostics of a robot whose feet nobody has named; empty where none are needed.

    A fixed base needs none, and a planar one stands by itself.
    """
    root = model.root_joint
    if root is None or root.nv < 6:
        return {}
    return {"torques": "of the free body", "unsupported": f"contact_frames is not set: {FREE_BODY}"}
