"""computeAllTerms: most of what control loops need, in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .centroidal import computeMechanicalEnergy, dccrba, jacobianCenterOfMass
from .dynamics import computeGeneralizedGravity, crba, nonLinearEffects
from .kinematics import computeJointJacobians, forwardKinematics

if TYPE_CHECKING:
    from .data import Data
    from .model import Model


def computeAllTerms(model: Model, data: Data, q: Any, v: Any) -> None:
    """Fill oMi, v, J, M, nle, g, com, vcom, Jcom, Ag, dAg, hg, Ig and the energies of data."""
    forwardKinematics(model, data, q, v)
    computeJointJacobians(model, data, q)
    crba(model, data, q)
    computeGeneralizedGravity(model, data, q)
    nonLinearEffects(model, data, q, v)
    jacobianCenterOfMass(model, data, q)
    dccrba(model, data, q, v)
    computeMechanicalEnergy(model, data, q, v)
