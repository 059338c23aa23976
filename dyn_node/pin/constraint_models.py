"""Descriptions of constraints between two joints' bodies, their results, and settings of the solver."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms import ConstraintSet, PointConstraint, RigidConstraint
from ..errors import InvalidValueError
from .enums import LOCAL, WORLD, ReferenceFrame
from .placement import SE3
from .sixvectors import Force

if TYPE_CHECKING:
    from ..model import Model as CoreModel
    from .data import Data
    from .model import Model


class ContactType(IntEnum):
    """What a constraint holds: the origins of its two frames together, or the frames as a whole."""

    CONTACT_3D = 0
    CONTACT_6D = 1
    CONTACT_UNDEFINED = 2


CONTACT_3D, CONTACT_6D, CONTACT_UNDEFINED = ContactType
_KINDS: dict[ContactType, Any] = {CONTACT_3D: PointConstraint, CONTACT_6D: RigidConstraint}


class BaumgarteCorrectorParameters:
    """Gains that take errors back: the constraint accelerates by -Kp error - Kd velocity."""

    def __init__(self, Kp: float = 0.0, Kd: float = 0.0) -> None:
        self.Kp, self.Kd = float(Kp), float(Kd)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BaumgarteCorrectorParameters):
            return NotImplemented
        return (self.Kp, self.Kd) == (other.Kp, other.Kd)

    __hash__ = None  # type: ignore[assignment]


class ProximalSettings:
    """Settings of Pinocchio's iterations, which change nothing: what they come to is solved for directly.

    `ProximalSettings()`, `(accuracy, mu, max_iter)`, `(absolute_accuracy, relative_accuracy, mu, max_iter)`.

    Attributes:
        iter, absolute_residual: filled by constraintDynamics: 1, and the largest error that is left.
    """

    def __init__(self, *args: Any) -> None:
        if len(args) == 3:
            args = (args[0], *args)
        absolute, relative, mu, most = args or (1e-12, 1e-12, 0.0, 1)
        self.absolute_accuracy, self.relative_accuracy = float(absolute), float(relative)
        self.mu, self.max_iter = float(mu), int(most)
        self.iter, self.absolute_residual, self.relative_residual = 0, -1.0, -1.0


class RigidConstraintModel:
    """Two frames, each at a placement in a joint, held together.

    `RigidConstraintModel(type, model, joint1, placement1, joint2, placement2, reference_frame)`; all from
    placement1 on may be left out: identity, the universe, identity, LOCAL. Or `RigidConstraintModel(other)`.

    Attributes:
        type, joint1_id, joint1_placement, joint2_id, joint2_placement, reference_frame: as given.
        m_baumgarte_parameters: gains; zero at first.
        name: for the script's own use.
    """

    def __init__(self, *args: Any, reference_frame: ReferenceFrame | None = None) -> None:
        if len(args) == 1:
            other = args[0]
            args = (other.type, None, other.joint1_id, other.joint1_placement)
            args += (other.joint2_id, other.joint2_placement, other.reference_frame)
            gains, self.name = other.m_baumgarte_parameters, other.name
        else:
            gains, self.name = BaumgarteCorrectorParameters(), ""
        kind, _, joint, *rest = args
        if rest and isinstance(rest[-1], ReferenceFrame):
            reference_frame = rest.pop()
        places = [x for x in rest if isinstance(x, SE3)]
        others = [x for x in rest if not isinstance(x, SE3)]
        self.type, self.joint1_id = ContactType(kind), int(joint)
        self.joint2_id = int(others[0]) if others else 0
        self.joint1_placement, self.joint2_placement = (
            places[k].copy() if k < len(places) else SE3.Identity() for k in (0, 1)
        )
        self.reference_frame = LOCAL if reference_frame is None else ReferenceFrame(reference_frame)
        if self.reference_frame == WORLD or self.type not in _KINDS:
            allowed = "CONTACT_3D or CONTACT_6D in LOCAL or LOCAL_WORLD_ALIGNED"
            given = f"{self.type.name} in {self.reference_frame.name}"
            raise InvalidValueError(
                f"RigidConstraintModel: expected {allowed}, given {given}", given, allowed
            )
        self.m_baumgarte_parameters = BaumgarteCorrectorParameters(gains.Kp, gains.Kd)

    def residualSize(self) -> int:
        """Number of its rows."""
        return 3 if self.type == CONTACT_3D else 6

    size = residualSize

    def setBaumgarteCorrectorParameters(self, gains: BaumgarteCorrectorParameters) -> None:
        """Take over the gains."""
        self.m_baumgarte_parameters = BaumgarteCorrectorParameters(gains.Kp, gains.Kd)

    def createData(self) -> RigidConstraintData:
        """A place for its results."""
        return RigidConstraintData(self)

    def jacobian(self, model: Model, data: Data, constraint_data: RigidConstraintData) -> Any:
        """Its rows at the last placements."""
        from .constraints import getConstraintJacobian

        return getConstraintJacobian(model, data, self, constraint_data)

    def copy(self) -> RigidConstraintModel:
        """An independent copy."""
        return RigidConstraintModel(self)

    def _key(self) -> tuple[Any, ...]:
        """All that the library's constraint is made from."""
        places = self.joint1_placement._x.tobytes(), self.joint2_placement._x.tobytes()
        gains = self.m_baumgarte_parameters
        ends = self.joint1_id, self.joint2_id
        return (self.type, *ends, *places, self.reference_frame, gains.Kp, gains.Kd)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RigidConstraintModel):
            return NotImplemented
        return self._key() == other._key()

    __hash__ = None  # type: ignore[assignment]

    def _constraint(self, core: CoreModel) -> Any:
        """The library's."""
        gains = self.m_baumgarte_parameters
        return _KINDS[self.type](
            core.joint_frames[self.joint1_id],
            core.joint_frames[self.joint2_id],
            placement=self.joint1_placement.value,
            other_placement=self.joint2_placement.value,
            reference=self.reference_frame,
            kp=gains.Kp,
            kd=gains.Kd,
        )


class RigidConstraintData:
    """Results of one constraint.

    Attributes:
        contact_force: what it does to the first body, in its reference frame at its first frame; impulses
            after impulseDynamics.
        oMc1, oMc2, c1Mc2: placements of its frames in the world, and of the second in the first.
    """

    def __init__(self, contact_model: RigidConstraintModel) -> None:
        self.contact_force = Force.Zero()
        self.oMc1, self.oMc2, self.c1Mc2 = SE3.Identity(), SE3.Identity(), SE3.Identity()

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("contact", "lambdas", "extended")):
            raise AttributeError(
                f"RigidConstraintData.{name}: dyn_node.pin fills contact_force and placements"
            )
        raise AttributeError(f"'RigidConstraintData' object has no attribute {name!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RigidConstraintData) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def _place(self, data: Data, model: RigidConstraintModel) -> None:
        self.oMc1 = data.oMi[model.joint1_id].act(model.joint1_placement)
        self.oMc2 = data.oMi[model.joint2_id].act(model.joint2_placement)
        self.c1Mc2 = self.oMc1.actInv(self.oMc2)

    def _push(self, force: Any) -> None:
        self.contact_force = Force(np.pad(force, (0, 6 - len(force))))


def tied(core: CoreModel, data: Data, models: Iterable[RigidConstraintModel]) -> ConstraintSet:
    """The library's set, made anew where a constraint or the model has changed since the last call."""
    given = list(models)
    key = [core, *(model._key() for model in given)]
    known, ties = data._ties
    if ties is None or len(known) != len(key) or known[0] is not core or known[1:] != key[1:]:
        ties = ConstraintSet(core, [model._constraint(core) for model in given])
        data._ties = key, ties
    return ties


__all__ = [
    "CONTACT_3D",
    "CONTACT_6D",
    "CONTACT_UNDEFINED",
    "BaumgarteCorrectorParameters",
    "ContactType",
    "ProximalSettings",
    "RigidConstraintData",
    "RigidConstraintModel",
]
