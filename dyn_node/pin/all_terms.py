"""computeAllTerms: most of what control loops need, in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import algorithms as _core
from .centroidal import _centroid, _locked_robot, _masses
from .state import at

if TYPE_CHECKING:
    from .data import Data
    from .model import Model


def computeAllTerms(model: Model, data: Data, q: Any, v: Any) -> None:
    """Fill oMi, v, J, M, nle, g, com, vcom, Jcom, Ag, dAg, hg, Ig and the energies of data."""
    core, core_data = at(model, data, q, v)
    data.nle = _core.nonlinear_effects(core, core_data, q, v)
    data.dynamics_done(v)
    data.M = _core.crba(core, core_data, q)
    data.g = _core.generalized_gravity(core, core_data, q)
    data.Jcom = _core.jacobian_center_of_mass(core, core_data, q)
    _masses(model, data)
    for own, value in zip(data.com, _core.subtree_centers_of_mass(core, core_data, q).position, strict=True):
        own[:] = value
    _centroid(model, data, q, v)
    found = _core.dccrba(core, core_data, q, v)
    data.dAg = found.dAg
    _locked_robot(data, found.Ag, found.hg, found.Ig)
    data.kinetic_energy = _core.kinetic_energy(core, core_data, q, v)
    data.potential_energy = _core.potential_energy(core, core_data, q)
    data.mechanical_energy = data.kinetic_energy + data.potential_energy
