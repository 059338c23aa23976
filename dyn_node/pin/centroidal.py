"""Centre of mass, centroidal momentum, energy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import algorithms as _core
from ..model.editing import subtree_masses
from .inertia import Inertia
from .sixvectors import Force
from .state import at
from .values import Array

if TYPE_CHECKING:
    from .data import Data
    from .model import Model


def _state(data: Data, given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arrays among the arguments, or as many of the last state as a kinematic level asks for."""
    arrays = tuple(x for x in given if not isinstance(x, int))
    levels = [x for x in given if isinstance(x, int) and not isinstance(x, bool)]
    if arrays:
        return arrays
    return data.state[: levels[0] + 1] if levels else data.state


def centerOfMass(model: Model, data: Data, *state: Any, compute_subtree_coms: bool = True) -> Array:
    """Centre of mass (3,): data.com, with v data.vcom, with a data.acom, of every subtree; data.mass.

    Arguments: q, (v, (a,)), or nothing or a KinematicLevel for the last state; then whether to
    compute subtrees, which are always computed. Entry 0 is in world axes, those of subtrees in
    the axes of their joints.
    """
    q_v_a = _state(data, state)
    core, core_data = at(model, data, *q_v_a)
    found = _core.subtree_centers_of_mass(core, core_data, *q_v_a)
    _masses(model, data)
    for name, values in zip(("com", "vcom", "acom"), found, strict=True):
        if values is not None:
            _local(data, getattr(data, name), values, position=name == "com")
    return data.com[0].copy()


def _local(data: Data, field: list[Array], values: Array, position: bool) -> None:
    """Put values given in the world into a field, those of subtrees into their joints' axes."""
    field[0][:] = values[0]
    for joint in range(1, len(field)):
        place = data.oMi[joint]
        field[joint][:] = place.actInv(values[joint]) if position else place.rotation.T @ values[joint]


def _masses(model: Model, data: Data) -> None:
    core = model.core
    if data._masses[0] is not core:
        masses = np.array(subtree_masses(core))
        masses[0] -= model.inertias[0].mass
        data._masses = core, masses
    data.mass[:] = data._masses[1]


def computeTotalMass(model: Model, data: Data | None = None) -> float:
    """Mass of everything that moves, kg."""
    mass = model.core.total_mass
    if data is not None:
        data.mass[0] = mass
    return mass


def computeSubtreeMasses(model: Model, data: Data) -> None:
    """data.mass: of every subtree, kg."""
    _masses(model, data)


def jacobianCenterOfMass(model: Model, data: Data, *state: Any, compute_subtree_coms: bool = True) -> Array:
    """data.Jcom, (3, nv); data.com in the world. Without q, at the last placements."""
    q = _state(data, state)[0]
    core, core_data = at(model, data, q)
    data.Jcom = _core.jacobian_center_of_mass(core, core_data, q)
    _masses(model, data)
    for own, value in zip(data.com, _core.subtree_centers_of_mass(core, core_data, q).position, strict=True):
        own[:] = value
    return data.Jcom.copy()


def jacobianSubtreeCenterOfMass(model: Model, data: Data, *arguments: Any) -> Array:
    """Jacobian (3, nv) of a subtree's centre of mass: (q, joint), or (joint) at the last placements."""
    *given, joint = arguments
    q = given[0] if given else data.state[0]
    core, core_data = at(model, data, q)
    return _core.jacobian_center_of_mass(core, core_data, q, int(joint))


getJacobianSubtreeCenterOfMass = jacobianSubtreeCenterOfMass


def getCenterOfMassVelocityDerivatives(model: Model, data: Data) -> Array:
    """d vcom / dq, (3, nv), at the last state."""
    q, v, _ = data.state
    data.dvc_dq = _core.center_of_mass_velocity_derivatives(*data.for_model(model), q, v)
    return data.dvc_dq.copy()


def _centroid(model: Model, data: Data, q: Any, v: Any = None) -> None:
    core, core_data = data.for_model(model)
    found = _core.center_of_mass(core, core_data, q, v)
    data.com[0][:] = found.position
    if found.velocity is not None:
        data.vcom[0][:] = found.velocity


def _locked_robot(data: Data, Ag: Array, hg: Any, Ig: Any) -> None:
    data.Ag = Ag
    data.hg.vector = hg.vector
    data.Ig.assign(Inertia._from_core(Ig))


def ccrba(model: Model, data: Data, q: Any, v: Any) -> Array:
    """Centroidal momentum matrix: data.Ag, hg, Ig."""
    core, core_data = at(model, data, q)
    _locked_robot(data, *_core.ccrba(core, core_data, q, v))
    _centroid(model, data, q)
    return data.Ag.copy()


def dccrba(model: Model, data: Data, q: Any, v: Any) -> Array:
    """Rate of the centroidal momentum matrix: data.dAg, and Ag, hg, Ig."""
    core, core_data = at(model, data, q, v)
    found = _core.dccrba(core, core_data, q, v)
    data.dAg = found.dAg
    _locked_robot(data, found.Ag, found.hg, found.Ig)
    _centroid(model, data, q, v)
    return data.dAg.copy()


def computeCentroidalMap(model: Model, data: Data, q: Any) -> Array:
    """Centroidal momentum matrix: data.Ag."""
    core, core_data = at(model, data, q)
    data.Ag = _core.centroidal_map(core, core_data, q)
    _centroid(model, data, q)
    return data.Ag.copy()


computeCentroidalMapTimeVariation = dccrba


def computeCentroidalMomentum(model: Model, data: Data, *state: Any) -> Force:
    """Momentum about the centre of mass: data.hg. Without q and v, at the last state."""
    q, v = _state(data, state)[:2]
    core, core_data = at(model, data, q, v)
    data.hg.vector = _core.centroidal_momentum(core, core_data, q, v).vector
    _centroid(model, data, q, v)
    return data.hg.copy()


def computeCentroidalMomentumTimeVariation(model: Model, data: Data, *state: Any) -> Force:
    """Rate of the momentum about the centre of mass: data.dhg. Without q, v and a, at the last state."""
    q, v, a = _state(data, state)
    core, core_data = at(model, data, q, v, a)
    data.hg.vector = _core.centroidal_momentum(core, core_data, q, v).vector
    data.dhg.vector = _core.centroidal_momentum_time_variation(core, core_data, q, v, a).vector
    _centroid(model, data, q, v)
    return data.dhg.copy()


def computeCentroidalDynamicsDerivatives(
    model: Model, data: Data, q: Any, v: Any, a: Any
) -> tuple[Array, Array, Array, Array]:
    """dh/dq, dhdot/dq, dhdot/dv, dhdot/da, (6, nv) each."""
    at(model, data, q, v, a)
    computeCentroidalMomentumTimeVariation(model, data, q, v, a)
    return getCentroidalDynamicsDerivatives(model, data)


def getCentroidalDynamicsDerivatives(model: Model, data: Data) -> tuple[Array, Array, Array, Array]:
    """The same at the last state."""
    found = _core.centroidal_dynamics_derivatives(*data.for_model(model), *data.state)
    data.Ag = found.dhdot_da.copy()
    return tuple(found)  # type: ignore[return-value]


def computeKineticEnergy(model: Model, data: Data, *state: Any) -> float:
    """Kinetic energy, J: data.kinetic_energy. Without q and v, at the last state."""
    q, v = _state(data, state)[:2]
    core, core_data = at(model, data, q, v)
    data.kinetic_energy = _core.kinetic_energy(core, core_data, q, v)
    return data.kinetic_energy


def computePotentialEnergy(model: Model, data: Data, *state: Any) -> float:
    """Potential energy, J: data.potential_energy. Without q, at the last placements."""
    q = _state(data, state)[0]
    core, core_data = at(model, data, q)
    data.potential_energy = _core.potential_energy(core, core_data, q)
    return data.potential_energy


def computeMechanicalEnergy(model: Model, data: Data, *state: Any) -> float:
    """Kinetic and potential energy, J: data.mechanical_energy. Without q and v, at the last state."""
    q, v = _state(data, state)[:2]
    kinetic = computeKineticEnergy(model, data, q, v)
    data.mechanical_energy = kinetic + computePotentialEnergy(model, data, q)
    return data.mechanical_energy


__all__ = [
    "ccrba",
    "centerOfMass",
    "computeCentroidalDynamicsDerivatives",
    "computeCentroidalMap",
    "computeCentroidalMapTimeVariation",
    "computeCentroidalMomentum",
    "computeCentroidalMomentumTimeVariation",
    "computeKineticEnergy",
    "computeMechanicalEnergy",
    "computePotentialEnergy",
    "computeSubtreeMasses",
    "computeTotalMass",
    "dccrba",
    "getCenterOfMassVelocityDerivatives",
    "getCentroidalDynamicsDerivatives",
    "getJacobianSubtreeCenterOfMass",
    "jacobianCenterOfMass",
    "jacobianSubtreeCenterOfMass",
]
