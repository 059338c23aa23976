"""The executable `solver_node`: answers questions about the robot, so that a slow one delays no torque.

Services: ~/solve_ik, ~/forward_dynamics, ~/inverse_dynamics, ~/get_mass_matrix, ~/get_frame, and
~/compute_ik (MoveIt's GetPositionIK) where moveit_msgs is installed. What a request leaves out is taken from
the robot's current state. Every request is answered.
"""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn

from dyn_node_msgs.msg import ResultCode
from dyn_node_msgs.srv import ForwardDynamics, GetFrame, GetMassMatrix, InverseDynamics, SolveIK

from dyn_node.collision import CollisionChecker
from dyn_node.model.data import Data
from dyn_node.model.model import Model

from .answers import Outcome, answer, failed
from .collision_source import CollisionSource
from .diagnostics import CallbackTimes
from .ik_request import solve_ik
from .managed import INACTIVE
from .moveit_ik import compute_ik, service_type
from .request_parts import Context
from .requests import forward_dynamics, get_frame, get_mass_matrix, inverse_dynamics
from .robot_node import RobotNode
from .runner import run
from .solver_settings import SolverSettings
from .state import RobotState
from .tf_lookup import TransformLookup, tf2_package

_SERVICES = (
    (SolveIK, "solve_ik", solve_ik),
    (ForwardDynamics, "forward_dynamics", forward_dynamics),
    (InverseDynamics, "inverse_dynamics", inverse_dynamics),
    (GetMassMatrix, "get_mass_matrix", get_mass_matrix),
    (GetFrame, "get_frame", get_frame),
)


class SolverNode(RobotNode):
    """Offers the services."""

    settings_kind = SolverSettings
    consequence = "requests have to bring their own state"
    kernels = (
        "aba",
        "aba_external",
        "rnea",
        "rnea_external",
        "constrained_dynamics",
        "constraint_rows",
        "cholesky_factor",
        "cholesky_solve",
        "generalized_gravity",
        "static_torque",
        "crba",
        "forward_kinematics_0",
        "forward_kinematics_2",
        "update_frame_placements",
        "frame_velocity",
        "frame_acceleration",
        "frame_jacobian",
        "frame_placement",
        "pose_of_matrix",
        "search",
        "search_dexterous",
        "act_force",
        "act_inv_force",
        "normalize",
        "pose_homogeneous",
    )

    def __init__(self) -> None:
        super().__init__("solver")
        self._robot: tuple[Model, Data, RobotState] | None = None
        self._times = CallbackTimes()
        self._failures: Counter[str] = Counter()
        self._last_failures: dict[str, str] = {}
        self._offered: list[Any] = []
        self._transforms: TransformLookup | None = None
        self._collisions = CollisionSource()

    def start(self) -> None:
        """Begin, and offer the services; they are answered as soon as the node spins."""
        super().start()
        tf2 = tf2_package()
        self._transforms = None if tf2 is None else TransformLookup(self, tf2)
        for kind, name, handler in _SERVICES:
            self._offered.append(self.create_service(kind, f"~/{name}", self._answering(name, handler)))
        moveit = service_type()
        if moveit is not None:
            self._offered.append(self.create_service(moveit, "~/compute_ik", self._compute_ik))

    def model_changed(self, model: Model, state: RobotState) -> None:
        """Make scratch for a new model."""
        self._robot = (model, model.create_data(), state)

    def report(self) -> dict[str, str]:
        """Answers given, and what failed last at each service."""
        failures = {f"{name} failed": str(count) for name, count in self._failures.items()}
        return {
            **self._times.summary(),
            "answers": str(self._times.count),
            **failures,
            "last failures": "; ".join(f"{name}: {why}" for name, why in self._last_failures.items()),
        }

    def _answering(self, name: str, handler: Callable[..., Outcome]) -> Callable[[Any, Any], Any]:
        """The callback of one service."""

        def callback(request: Any, response: Any) -> Any:
            began = time.perf_counter()
            if self._robot is None or not self.active:
                response = failed(response, ResultCode.FAILURE, self._no_answer())
            else:
                response = answer(handler, self._request_context(*self._robot), request, response)
            self._answered(name, began, response.code, response.message)
            return response

        return callback

    def _answered(self, name: str, began: float, code: int, message: str) -> None:
        """Note how long an answer took, and a failure."""
        self._times.add(time.perf_counter() - began)
        if code != ResultCode.SUCCESS:
            self._failures[name] += 1
            self._last_failures[name] = message
            self.notices.every(name, f"{name} failed ({code}): {message}")

    def forget_transforms(self) -> None:
        """Those of targets too."""
        super().forget_transforms()
        if self._transforms is not None:
            self._transforms.clear()

    def _no_answer(self) -> str:
        """Why no request can be answered at all."""
        return self.source.waiting_for if self.active else INACTIVE

    def stop(self) -> None:
        """Forget the robot."""
        super().stop()
        self._robot = None
        self._offered.clear()
        self._transforms = None

    def _compute_ik(self, request: Any, response: Any) -> Any:
        """The callback of MoveIt's service."""
        began = time.perf_counter()
        ready = self._robot is not None and self.active
        context = self._request_context(*self._robot) if ready and self._robot is not None else None
        response = compute_ik(context, request, response, self._no_answer())
        code = response.error_code
        self._answered("compute_ik", began, code.val, getattr(code, "message", ""))
        return response

    def _request_context(self, model: Model, data: Data, state: RobotState) -> Context:
        """The robot and one snapshot of its state for one request."""
        now = self.time_of_receipt(state)
        snapshot = state.snapshot(now, self.settings.state_timeout)
        if now <= 0:
            snapshot = dataclasses.replace(snapshot, clock_problem=self.state_problem(now))
        if snapshot.gravity is not None:  # a base that is tilted: the sensor's gravity, not the parameter's
            model = model.with_gravity(snapshot.gravity)
            data = model.create_data()
        return Context(
            model, data, state.map, snapshot, self.settings, self._transforms, lambda: self._checker(model)
        )

    def _checker(self, model: Model) -> CollisionChecker:
        return self._collisions.checker(model, self.source.text, self.settings.robot_description_semantic)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the node until it is told to stop; see `run` for the exit code."""
    run(SolverNode, arguments)


if __name__ == "__main__":
    main()
