"""What is compared with Pinocchio's binding, call by call."""

from __future__ import annotations

from . import configurations, constraints, dynamics, kinematics
from .call import Call
from .compiled import COMPILED_CALLS
from .poses import POSE_CALLS

__all__ = ["COMPILED_CALLS", "FEET_CALLS", "NO_PEER", "POSE_CALLS", "ROBOT_CALLS", "Call"]

#: On every robot.
ROBOT_CALLS = (
    *dynamics.DYNAMICS,
    *dynamics.DERIVATIVES,
    *kinematics.STATES,
    *kinematics.JACOBIANS,
    *kinematics.DERIVATIVES,
    *dynamics.MOMENTA,
    *dynamics.REGRESSORS,
    *configurations.CONFIGURATIONS,
)

#: On robots with feet.
FEET_CALLS = constraints.FEET

#: Algorithms that Pinocchio's binding does not have, or not as one call that gives the same numbers.
NO_PEER = frozenset(
    {
        "constrained_inverse_dynamics",
        "constraint_hessian",
        "constraint_jacobian_time_variation",
        "constraint_motion",
        "contact_gravity",
        "contact_inverse_dynamics",
        "dynamic_parameters",
        "frame_accelerations",
        "frame_classical_acceleration_derivatives",
        "frame_support",
        "frame_velocities",
        "linearize",
        "manipulability",
        "point_jacobian",
        "point_jacobian_time_variation",
        "step",
        "symbolic",
        "with_scalars",
    }
)
