"""Pinocchio's Python names over dyn_node: `import dyn_node.pin as pin` in place of `import pinocchio as pin`.

An adapter: it maps names, arguments and results, and computes nothing itself. What is covered, what is
not and what differs is in docs/from_pinocchio.md.
"""

from __future__ import annotations

from typing import Any

from . import cholesky, explog, rpy, utils
from .all_terms import computeAllTerms
from .centroidal import *  # noqa: F403
from .configuration import *  # noqa: F403
from .constraint_models import *  # noqa: F403
from .constraints import *  # noqa: F403
from .containers import *  # noqa: F403
from .data import Data
from .derivatives import *  # noqa: F403
from .dynamics import *  # noqa: F403
from .editing import appendModel, buildReducedModel
from .enums import *  # noqa: F403
from .explog import *  # noqa: F403
from .frame import Frame
from .hessians import *  # noqa: F403
from .inertia import Inertia, Symmetric3
from .joint_models import *  # noqa: F403
from .kinematics import *  # noqa: F403
from .model import Model
from .parallel import *  # noqa: F403
from .parsing import (
    buildModelFromUrdf,
    buildModelFromXML,
    loadReferenceConfigurations,
    loadReferenceConfigurationsFromXML,
    loadRotorParameters,
)
from .placement import SE3
from .quaternion import AngleAxis, Quaternion
from .random import seed
from .regressors import *  # noqa: F403
from .robot_wrapper import RobotWrapper
from .samples import (
    buildSampleModelHumanoid,
    buildSampleModelHumanoidRandom,
    buildSampleModelManipulator,
)
from .sixvectors import Force, Motion
from .supported import *  # noqa: F403
from .uncovered import why_not

#: The version of Pinocchio whose names and conventions these are.
__version__ = "4.1.0"
PINOCCHIO_MAJOR_VERSION, PINOCCHIO_MINOR_VERSION, PINOCCHIO_PATCH_VERSION = 4, 1, 0
#: What scripts ask before they use a part of Pinocchio.
WITH_URDFDOM = True
WITH_HPP_FCL = WITH_HPP_FCL_BINDINGS = WITH_COLLISION = WITH_SDFORMAT = WITH_OPENMP = WITH_CPPAD = False


def checkVersionAtLeast(major: int, minor: int, patch: int) -> bool:
    """Whether these are the names of that version of Pinocchio or of a later one."""
    own = (PINOCCHIO_MAJOR_VERSION, PINOCCHIO_MINOR_VERSION, PINOCCHIO_PATCH_VERSION)
    return own >= (major, minor, patch)


def __getattr__(name: str) -> Any:
    reason = why_not(name)
    if reason is not None:
        raise AttributeError(
            f"{name} exists in Pinocchio, but dyn_node.pin has no counterpart: {reason}"
            " (docs/from_pinocchio.md lists what there is)"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
