"""The solver's inverse kinematics as MoveIt asks for it: moveit_msgs/srv/GetPositionIK. Free of rclpy.

Offered where moveit_msgs is installed; nothing else depends on it.
"""

from __future__ import annotations

from typing import Any

from dyn_node_msgs.msg import BaseState, ResultCode
from dyn_node_msgs.srv import SolveIK

from dyn_node.errors import DynNodeError, MissingDependencyError

from .answers import answer
from .ik_request import solve_ik
from .request_parts import Context


def service_type() -> Any | None:
    """GetPositionIK, or None where moveit_msgs is not installed."""
    try:
        from moveit_msgs.srv import GetPositionIK
    except ImportError:
        return None
    return GetPositionIK


def compute_ik(context: Context | None, request: Any, response: Any, waiting_for: str = "") -> Any:
    """Answer GetPositionIK by SolveIK: one frame, a seed by joint names, a timeout (0: the default).

    Joints of the seed that the robot does not have are left out, as MoveIt does. What cannot be honoured
    (constraints; collisions where coal or the geometry is missing) is said in the answer's message. Every
    request is answered.
    """
    if context is None:
        return _finish(response, ResultCode.FAILURE, waiting_for)
    asked, notes = request.ik_request, list[str]()
    if len(asked.ik_link_names) > 1 or len(asked.pose_stamped_vector) > 1:
        return _finish(
            response,
            ResultCode.FAILURE,
            "one link a request: ik_link_names and pose_stamped_vector have more",
        )
    avoid = asked.avoid_collisions and _can_check(context, notes)
    if _constrained(asked.constraints):
        notes.append("constraints are not honoured")
    request = _translated(context, asked)
    request.avoid_collisions = avoid
    solved = answer(solve_ik, context, request, SolveIK.Response())
    if solved.success:
        response.solution.joint_state = solved.solution
    return _finish(response, solved.code, "; ".join([solved.message, *notes]))


def _can_check(context: Context, notes: list[str]) -> bool:
    """Whether collisions can be looked at; otherwise a note says why not."""
    try:
        if context.checker is None:
            raise MissingDependencyError("this solver has no checker", "a checker")
        context.checker()
    except DynNodeError as error:
        notes.append(f"collisions were not checked: {error}")
        return False
    return True


def _translated(context: Context, asked: Any) -> Any:
    """The same request in this package's words."""
    listed = asked.pose_stamped_vector
    request = SolveIK.Request(frame=asked.ik_link_name, target=listed[0] if listed else asked.pose_stamped)
    if asked.ik_link_names:
        request.frame = asked.ik_link_names[0]
    known = set(context.map.names)
    given = asked.robot_state.joint_state
    if len(given.position) == len(given.name):
        kept = [k for k, name in enumerate(given.name) if name in known]
        request.seed.name = [given.name[k] for k in kept]
        request.seed.position = [given.position[k] for k in kept]
    else:
        request.seed = given  # refused there, in words
    root = context.model.root_joint
    base = asked.robot_state.multi_dof_joint_state
    if root is not None and root.name in base.joint_names:
        t = base.transforms[list(base.joint_names).index(root.name)]
        state = BaseState()
        position, state.pose.orientation = state.pose.position, t.rotation
        position.x, position.y, position.z = t.translation.x, t.translation.y, t.translation.z
        request.base = [state]
    request.timeout = asked.timeout
    return request


def _constrained(constraints: Any) -> bool:
    kinds = ("joint_constraints", "position_constraints", "orientation_constraints", "visibility_constraints")
    return any(len(getattr(constraints, kind)) for kind in kinds)


def _finish(response: Any, code: int, message: str) -> Any:
    response.error_code.val = code
    if hasattr(response.error_code, "message"):  # since ROS 2 Iron
        response.error_code.message, response.error_code.source = message, "dyn_node"
    return response
