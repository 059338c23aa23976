"""The solver's answers but for inverse kinematics: request and state in, response filled. Free of rclpy.

Each handler returns its outcome or raises a DynNodeError; `answers.answer` turns either into an answer.
"""

from __future__ import annotations

from typing import Any

from dyn_node_msgs.msg import NamedValues
from geometry_msgs.msg import Accel, Wrench

from dyn_node.algorithms.constrained_dynamics import constrained_forward_dynamics
from dyn_node.algorithms.constrained_inverse_dynamics import constrained_inverse_dynamics
from dyn_node.algorithms.dynamics import aba, crba, rnea
from dyn_node.algorithms.jacobian import frame_jacobian
from dyn_node.algorithms.kinematics import (
    forward_kinematics,
    frame_acceleration,
    frame_classical_acceleration,
    frame_placement,
    frame_velocity,
)
from dyn_node.errors import InvalidValueError

from .answers import Outcome
from .contact_request import contact_wrenches, contacts, holds, supports
from .conversions import field, fill_pose, fill_six, fill_time
from .mass_matrix import label_mass_matrix
from .request_parts import (
    Array,
    Context,
    State,
    base_six,
    complete_state,
    external_forces,
    frame_index,
    named_values,
    reference_of,
    require_gravity,
    spread_base,
)


def forward_dynamics(context: Context, request: Any, response: Any) -> Outcome:
    """ForwardDynamics: the accelerations under given efforts."""
    require_gravity(context)
    ties = contacts(context, request)
    state = complete_state(context, request.state, request.base)
    tau = named_values(context, request.efforts, "efforts")
    given = request.base_wrench[0] if request.base_wrench else None
    _add_base(context, tau, None if given is None else (given.force, given.torque), "base_wrench")
    forces = external_forces(context, state.q, request.external_wrenches)
    note = ""
    if ties is None:
        acceleration = _finite(aba(context.model, context.data, state.q, state.v, tau, forces))
    else:
        held = constrained_forward_dynamics(context.model, context.data, state.q, state.v, tau, ties, forces)
        acceleration, pressed = _finite(held.ddq), _finite(held.multipliers)
        response.contact_wrenches = contact_wrenches(request.contact_frames, ties, pressed)
        note = holds(ties, held.rank, held.residual)
    response.accelerations = _by_joint(context, acceleration)
    root = context.model.root_joint
    if root is not None:
        base = Accel()
        fill_six(base.linear, base.angular, spread_base(root, acceleration))
        response.base_acceleration = [base]
    _fill_header(context, response.header, state)
    return Outcome(f"accelerations computed{note}")


def inverse_dynamics(context: Context, request: Any, response: Any) -> Outcome:
    """InverseDynamics: the efforts for given accelerations."""
    require_gravity(context)
    ties = contacts(context, request)
    state = complete_state(context, request.state, request.base)
    acceleration = _accelerations(context, request)
    forces = external_forces(context, state.q, request.external_wrenches)
    note = ""
    if ties is None:
        tau = _finite(rnea(context.model, context.data, state.q, state.v, acceleration, forces))
    else:
        held = constrained_inverse_dynamics(
            context.model, context.data, state.q, state.v, acceleration, ties, forces
        )
        tau, pressed = _finite(held.tau + held.residual), _finite(held.multipliers)
        note = supports(context, held.rank)
        response.contact_wrenches = contact_wrenches(request.contact_frames, ties, pressed)
    response.efforts = _by_joint(context, tau)
    root = context.model.root_joint
    if root is not None:
        base = Wrench()
        fill_six(base.force, base.torque, spread_base(root, tau))
        response.base_wrench = [base]
    _fill_header(context, response.header, state)
    return Outcome(f"efforts computed{note}")


def get_mass_matrix(context: Context, request: Any, response: Any) -> Outcome:
    """GetMassMatrix: M(q)."""
    state = complete_state(context, request.state, request.base, with_velocity=False)
    message = response.mass_matrix
    label_mass_matrix(message, context.model, context.settings.world_frame)
    message.data = field(_finite(crba(context.model, context.data, state.q)))
    fill_time(message.header.stamp, state.stamp)
    return Outcome("mass matrix computed")


def get_frame(context: Context, request: Any, response: Any) -> Outcome:
    """GetFrame: pose, twist, accelerations and Jacobian of a frame."""
    model, data = context.model, context.data
    frame, reference = frame_index(context, request.frame), reference_of(request.reference)
    state = complete_state(context, request.state, request.base)
    forward_kinematics(model, data, state.q, state.v, _accelerations(context, request))
    pose = frame_placement(model, data, frame)
    _finite(pose.translation)
    fill_pose(response.pose, pose)
    motions = (
        (response.twist, frame_velocity),
        (response.spatial_acceleration, frame_acceleration),
        (response.classical_acceleration, frame_classical_acceleration),
    )
    for message, motion in motions:
        fill_six(message.linear, message.angular, _finite(motion(model, data, frame, reference).vector))
    response.names = list(model.coordinate_names)
    response.rows, response.cols = 6, model.nv
    response.jacobian = field(_finite(frame_jacobian(model, data, state.q, frame, reference)))
    _fill_header(context, response.header, state)
    return Outcome(f"{reference} at {request.frame}")


def _accelerations(context: Context, request: Any) -> Array:
    """Joint and base accelerations of a request, (nv,)."""
    result = named_values(context, request.accelerations, "accelerations")
    given = request.base_acceleration[0] if request.base_acceleration else None
    _add_base(context, result, None if given is None else (given.linear, given.angular), "base_acceleration")
    return result


def _add_base(context: Context, vector: Array, given: tuple[Any, Any] | None, what: str) -> None:
    """Write the base's part of a (nv,) vector; refused, when given, for a fixed base."""
    rows = base_six(context, given, what)
    root = context.model.root_joint
    if root is not None:
        vector[root.idx_v : root.idx_v + root.nv] = rows


def _by_joint(context: Context, vector: Array) -> NamedValues:
    return NamedValues(names=list(context.map.names), values=field(vector[context.map.v_index]))


def _finite(vector: Array) -> Array:
    """The vector, unless numbers of a request were so large that the result overflowed."""
    if abs(vector).max(initial=0.0) < float("inf"):
        return vector
    raise InvalidValueError(
        "the result is not finite: the request's numbers are too large", vector, "finite numbers"
    )


def _fill_header(context: Context, header: Any, state: State) -> None:
    header.frame_id = context.settings.world_frame
    fill_time(header.stamp, state.stamp)
