"""Inverse and forward dynamics, gravity, the mass matrix and its factors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import algorithms as _core
from .enums import Convention
from .state import at, forces
from .values import Array

if TYPE_CHECKING:
    from .data import Data
    from .model import Model


def rnea(model: Model, data: Data, q: Any, v: Any, a: Any, fext: Any = None) -> Array:
    """Inverse dynamics: data.tau, and data.f, a_gf, v on the way."""
    core, core_data = at(model, data, q)
    outside = None if fext is None else forces(model, fext)
    data.tau = _core.rnea(core, core_data, q, v, a, outside)
    data.dynamics_done(v)
    return data.tau.copy()


def nonLinearEffects(model: Model, data: Data, q: Any, v: Any) -> Array:
    """Coriolis, centrifugal and gravity efforts: data.nle."""
    core, core_data = at(model, data, q)
    data.nle = _core.nonlinear_effects(core, core_data, q, v)
    data.dynamics_done(v)
    return data.nle.copy()


nle = nonLinearEffects


def computeGeneralizedGravity(model: Model, data: Data, q: Any) -> Array:
    """Efforts that hold the robot still: data.g."""
    core, core_data = at(model, data, q)
    data.g = _core.generalized_gravity(core, core_data, q)
    return data.g.copy()


def computeStaticTorque(model: Model, data: Data, q: Any, fext: Any) -> Array:
    """Efforts that hold the robot still under external forces: data.tau."""
    core, core_data = at(model, data, q)
    data.tau = _core.static_torque(core, core_data, q, forces(model, fext))
    return data.tau.copy()


def crba(model: Model, data: Data, q: Any, convention: Convention = Convention.LOCAL) -> Array:
    """The mass matrix: data.M, full and symmetric."""
    core, core_data = at(model, data, q)
    data.M = _core.crba(core, core_data, q)
    return data.M.copy()


def aba(
    model: Model,
    data: Data,
    q: Any,
    v: Any,
    tau: Any,
    fext: Any = None,
    convention: Convention = Convention.LOCAL,
) -> Array:
    """Forward dynamics: data.ddq, and the kinematics of that acceleration."""
    if isinstance(fext, Convention):
        fext = None
    core, core_data = data.for_model(model)
    outside = None if fext is None else forces(model, fext)
    data.ddq = _core.aba(core, core_data, q, v, tau, outside)
    data.applied = np.array(tau, dtype=np.float64)
    at(model, data, q, v, data.ddq)
    return data.ddq.copy()


def computeMinverse(model: Model, data: Data, q: Any = None) -> Array:
    """Inverse of the mass matrix: data.Minv, full and symmetric. Without q, at the last placements."""
    q = data.state[0] if q is None else q
    core, core_data = at(model, data, q)
    data.Minv = _core.minverse(core, core_data, q)
    return data.Minv.copy()


def computeCoriolisMatrix(model: Model, data: Data, q: Any, v: Any) -> Array:
    """Coriolis matrix: data.C."""
    at(model, data, q, v)
    return getCoriolisMatrix(model, data)


def getCoriolisMatrix(model: Model, data: Data) -> Array:
    """Coriolis matrix at the last state: data.C."""
    q, v, _ = data.state
    data.C = _core.coriolis_matrix(*data.for_model(model), q, v)
    return data.C.copy()


__all__ = [
    "aba",
    "computeCoriolisMatrix",
    "computeGeneralizedGravity",
    "computeMinverse",
    "computeStaticTorque",
    "crba",
    "getCoriolisMatrix",
    "nle",
    "nonLinearEffects",
    "rnea",
]
