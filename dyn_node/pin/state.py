"""What every algorithm here begins with: the library's model and data, and the placements at q."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import algorithms as _core
from ..errors import ShapeError
from ..model import Data as CoreData
from ..model import Model as CoreModel
from .sixvectors import Force
from .values import Array

if TYPE_CHECKING:
    from .data import Data
    from .model import Model


def at(model: Model, data: Data, q: Any, v: Any = None, a: Any = None) -> tuple[CoreModel, CoreData]:
    """Place the joints at q, with v and a where given; returns the library's model and data.

    Velocities and accelerations that were not given stay in the data as they were, as in Pinocchio.
    """
    core, core_data = data.for_model(model)
    _core.forward_kinematics(core, core_data, q, v, a)
    data.kinematics_done(q, v, a)
    return core, core_data


def forces(model: Model, fext: Iterable[Force] | Array) -> Array:
    """External forces, one `Force` a joint, as an array (njoints, 6)."""
    given = list(fext)
    if len(given) != model.njoints:
        raise ShapeError("fext", f"{len(given)} forces", f"{model.njoints} forces, one a joint")
    return np.array([force._x if isinstance(force, Force) else force for force in given], dtype=np.float64)
