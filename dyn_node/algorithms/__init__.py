"""What a user calls: free functions, model first, data (scratch) second."""

from .configuration import difference, integrate, neutral, normalize, random_configuration
from .configuration_derivatives import (
    d_difference,
    d_integrate,
    integrate_coefficient_jacobian,
    transport,
)
from .configuration_metric import (
    distance,
    interpolate,
    is_normalized,
    is_same_configuration,
    squared_distance,
)
from .dynamics import aba, crba, generalized_gravity, nonlinear_effects, rnea
from .jacobian import frame_jacobian, joint_jacobian
from .kinematics import (
    forward_kinematics,
    frame_acceleration,
    frame_classical_acceleration,
    frame_placement,
    frame_velocity,
    update_frame_placements,
)
from .reference import LOCAL, LOCAL_WORLD_ALIGNED, WORLD, ReferenceFrame
from .scalars import with_scalars
from .symbolic import symbolic

__all__ = [
    "LOCAL",
    "LOCAL_WORLD_ALIGNED",
    "WORLD",
    "ReferenceFrame",
    "aba",
    "crba",
    "d_difference",
    "d_integrate",
    "difference",
    "distance",
    "forward_kinematics",
    "frame_acceleration",
    "frame_classical_acceleration",
    "frame_jacobian",
    "frame_placement",
    "frame_velocity",
    "generalized_gravity",
    "integrate",
    "integrate_coefficient_jacobian",
    "interpolate",
    "is_normalized",
    "is_same_configuration",
    "joint_jacobian",
    "neutral",
    "nonlinear_effects",
    "normalize",
    "random_configuration",
    "rnea",
    "squared_distance",
    "symbolic",
    "transport",
    "update_frame_placements",
    "with_scalars",
]
