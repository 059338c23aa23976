"""What a user calls: free functions, model first, data (scratch) second."""

from .center_of_mass import (
    CenterOfMass,
    center_of_mass,
    center_of_mass_velocity_derivatives,
    jacobian_center_of_mass,
    subtree_centers_of_mass,
)
from .centroidal import (
    CentroidalDynamicsDerivatives,
    CentroidalMap,
    CentroidalMapVariation,
    ccrba,
    centroidal_dynamics_derivatives,
    centroidal_map,
    centroidal_map_time_variation,
    centroidal_momentum,
    centroidal_momentum_time_variation,
    dccrba,
)
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
from .constrained_dynamics import (
    ConstrainedAcceleration,
    Proximal,
    constrained_forward_dynamics,
)
from .constrained_dynamics_derivatives import ConstrainedDerivatives, constrained_dynamics_derivatives
from .constrained_inverse_dynamics import ConstrainedEfforts, constrained_inverse_dynamics
from .constraint_hessian import constraint_hessian, constraint_jacobian_time_variation
from .constraint_motion import ConstraintMotion, constraint_jacobian, constraint_motion
from .constraint_set import ConstraintSet
from .constraints import JointCoupling, JointLock, PointConstraint, RigidConstraint
from .contact import Contact, ContactEfforts, contact_gravity, contact_inverse_dynamics
from .dynamics import aba, crba, generalized_gravity, nonlinear_effects, rnea
from .dynamics_derivatives import AbaDerivatives, RneaDerivatives, aba_derivatives, rnea_derivatives
from .energy import kinetic_energy, mechanical_energy, potential_energy
from .frame_states import frame_accelerations, frame_placements, frame_velocities
from .hessian import frame_hessian, joint_hessian
from .impulse import ConstrainedImpulse, impulse_dynamics
from .inertia_matrix import CholeskyFactor, cholesky, coriolis_matrix, minverse
from .jacobian import frame_jacobian, joint_jacobian
from .jacobian_rates import (
    frame_jacobian_time_variation,
    joint_jacobian_time_variation,
    joint_jacobians,
    joint_jacobians_time_variation,
    point_jacobian,
    point_jacobian_time_variation,
)
from .joint_motion import frame_support, joint_acceleration, joint_classical_acceleration, joint_velocity
from .kinematics import (
    forward_kinematics,
    frame_acceleration,
    frame_classical_acceleration,
    frame_placement,
    frame_velocity,
    update_frame_placements,
)
from .kinematics_derivatives import (
    AccelerationDerivatives,
    VelocityDerivatives,
    frame_acceleration_derivatives,
    frame_classical_acceleration_derivatives,
    frame_velocity_derivatives,
    joint_acceleration_derivatives,
    joint_velocity_derivatives,
    point_acceleration_derivatives,
    point_velocity_derivatives,
)
from .linearize import Linearization, linearize
from .manipulability import Manipulability, manipulability
from .reference import LOCAL, LOCAL_WORLD_ALIGNED, WORLD, ReferenceFrame
from .regressor import (
    body_regressor,
    dynamic_parameters,
    joint_torque_regressor,
    kinetic_energy_regressor,
    potential_energy_regressor,
    static_regressor,
)
from .scalars import with_scalars
from .simulate import State, step
from .statics import gravity_derivatives, static_torque, static_torque_derivatives
from .symbolic import symbolic

__all__ = [
    "LOCAL",
    "LOCAL_WORLD_ALIGNED",
    "WORLD",
    "AbaDerivatives",
    "AccelerationDerivatives",
    "CenterOfMass",
    "CentroidalDynamicsDerivatives",
    "CentroidalMap",
    "CentroidalMapVariation",
    "CholeskyFactor",
    "ConstrainedAcceleration",
    "ConstrainedDerivatives",
    "ConstrainedEfforts",
    "ConstrainedImpulse",
    "ConstraintMotion",
    "ConstraintSet",
    "Contact",
    "ContactEfforts",
    "JointCoupling",
    "JointLock",
    "Linearization",
    "Manipulability",
    "PointConstraint",
    "Proximal",
    "ReferenceFrame",
    "RigidConstraint",
    "RneaDerivatives",
    "State",
    "VelocityDerivatives",
    "aba",
    "aba_derivatives",
    "body_regressor",
    "ccrba",
    "center_of_mass",
    "center_of_mass_velocity_derivatives",
    "centroidal_dynamics_derivatives",
    "centroidal_map",
    "centroidal_map_time_variation",
    "centroidal_momentum",
    "centroidal_momentum_time_variation",
    "cholesky",
    "constrained_dynamics_derivatives",
    "constrained_forward_dynamics",
    "constrained_inverse_dynamics",
    "constraint_hessian",
    "constraint_jacobian",
    "constraint_jacobian_time_variation",
    "constraint_motion",
    "contact_gravity",
    "contact_inverse_dynamics",
    "coriolis_matrix",
    "crba",
    "d_difference",
    "d_integrate",
    "dccrba",
    "difference",
    "distance",
    "dynamic_parameters",
    "forward_kinematics",
    "frame_acceleration",
    "frame_acceleration_derivatives",
    "frame_accelerations",
    "frame_classical_acceleration",
    "frame_classical_acceleration_derivatives",
    "frame_hessian",
    "frame_jacobian",
    "frame_jacobian_time_variation",
    "frame_placement",
    "frame_placements",
    "frame_support",
    "frame_velocities",
    "frame_velocity",
    "frame_velocity_derivatives",
    "generalized_gravity",
    "gravity_derivatives",
    "impulse_dynamics",
    "integrate",
    "integrate_coefficient_jacobian",
    "interpolate",
    "is_normalized",
    "is_same_configuration",
    "jacobian_center_of_mass",
    "joint_acceleration",
    "joint_acceleration_derivatives",
    "joint_classical_acceleration",
    "joint_hessian",
    "joint_jacobian",
    "joint_jacobian_time_variation",
    "joint_jacobians",
    "joint_jacobians_time_variation",
    "joint_torque_regressor",
    "joint_velocity",
    "joint_velocity_derivatives",
    "kinetic_energy",
    "kinetic_energy_regressor",
    "linearize",
    "manipulability",
    "mechanical_energy",
    "minverse",
    "neutral",
    "nonlinear_effects",
    "normalize",
    "point_acceleration_derivatives",
    "point_jacobian",
    "point_jacobian_time_variation",
    "point_velocity_derivatives",
    "potential_energy",
    "potential_energy_regressor",
    "random_configuration",
    "rnea",
    "rnea_derivatives",
    "squared_distance",
    "static_regressor",
    "static_torque",
    "static_torque_derivatives",
    "step",
    "subtree_centers_of_mass",
    "symbolic",
    "transport",
    "update_frame_placements",
    "with_scalars",
]
