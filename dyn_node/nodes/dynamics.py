"""The executable `dynamics_node`: streams what the robot's state implies.

Gravity torques, effort command, base wrench, twists, mass matrix, markers and tf, once for every
joint_states message or at `rate`. Nothing is published unless every joint (and the base) is known
and fresh: a zero in place of an unknown torque would drop the arm.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from dyn_node_msgs.msg import MassMatrix, NamedValues
from geometry_msgs.msg import TwistStamped, WrenchStamped
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from visualization_msgs.msg import MarkerArray

from dyn_node.errors import DynNodeError
from dyn_node.model.model import Model

from .conversions import topic_part, view
from .diagnostics import CallbackTimes
from .dynamics_settings import DynamicsSettings
from .joint_map import JointMap
from .markers import Markers
from .outputs import (
    BaseWrench,
    ContactForce,
    EffortCommand,
    GravityTorques,
    MassMatrixOutput,
    Moment,
    Output,
    Twist,
    known_frames,
    make_publisher,
)
from .robot_node import RobotNode
from .runner import run
from .stance import Contacts, Stance
from .state import RobotState
from .tf import TransformOutput, tf_message_type


class DynamicsNode(RobotNode):
    """Streams the outputs that the parameters ask for."""

    settings_kind = DynamicsSettings
    kernels = (
        "generalized_gravity",
        "crba",
        "forward_kinematics_1",
        "update_frame_placements",
        "frame_velocity",
        "act_point",
        "constraint_rows",
    )

    def __init__(self) -> None:
        super().__init__("dynamics")
        self._publishers_by_topic: dict[str, Any] = {}
        self._outputs: list[Output] = []
        self._moment: Moment | None = None
        self._command: EffortCommand | None = None
        self._contacts = Contacts(self.settings)
        self._stance: Stance | None = None
        self._problems: list[str] = []
        self._times = CallbackTimes()

    def start(self) -> None:
        """Begin; with `rate` set the outputs follow a timer on the node's clock."""
        super().start()
        if self.settings.contact_source == "topic" and self.settings.contact_frames:
            self._contacts_in = self._subscribe(NamedValues, "~/contacts", self._on_contacts)
        if self.settings.rate > 0.0:
            self._timer = self.create_timer(1.0 / self.settings.rate, self._on_timer)

    def joints_arrived(self, now: int) -> None:
        """Publish for each message, unless a timer does."""
        if self.settings.rate == 0.0:
            self._publish(now)

    def _on_contacts(self, message: NamedValues) -> None:
        """Take word of the feet; a message with an unknown foot says nothing of the others either."""
        try:
            self._contacts.update(list(message.names), view(message.values), self.now())
        except DynNodeError as error:
            self.notices.every("contacts", f"contacts ignored: {error}")

    def state_problem(self, now: int) -> str:
        """Why nothing can be published; empty when it can."""
        problem = super().state_problem(now)
        unknown = self._contacts.unknown(now, self.settings.state_timeout)
        if problem or not unknown:
            return problem
        return f"no fresh word on contacts of {', '.join(unknown)}"

    def _on_timer(self) -> None:
        if self.state is not None:
            self._publish(self.now())

    def _publish(self, now: int) -> None:
        """Publish every output that has a listener, if the state may be used."""
        state, moment = self.state, self._moment
        timeout = self.settings.state_timeout
        if state is None or moment is None or now <= 0 or not state.ready(now, timeout):
            return
        if self._contacts.unknown(now, timeout):
            return
        wanted = [output for output in self._outputs if output.wanted()]
        if not wanted:
            return
        began = time.perf_counter()
        stamp = state.refresh()
        moment.take(state.q, state.v, stamp)
        if any(output.needs_gravity for output in wanted):
            moment.compute_gravity()
        if any(output.needs_kinematics for output in wanted):
            moment.compute_kinematics()
        for output in wanted:
            output.publish(moment)
        self._times.add(time.perf_counter() - began)
        self._warn_of_stance()
        if self._command is not None and self._command.saturated:
            self.notices.every("saturated", f"effort_command is cut to max_effort at {self._saturated()}")

    def _warn_of_stance(self) -> None:
        if self._stance is None:
            return
        if unsupported := self._stance.unsupported():
            # A key for each number of feet: news is not held back by what was said of other stances.
            self.notices.every(f"unsupported on {sum(self._contacts.standing())}", unsupported)
        if pulled := self._stance.pulled():
            self.notices.every("pulled", f"to stand still {pulled} would have to pull at the ground")

    def _saturated(self) -> str:
        return ", ".join(self._command.saturated) if self._command is not None else ""

    def report(self) -> dict[str, str]:
        """Callback times, saturation and what cannot be published."""
        values = self._times.summary()
        if self._command is not None:
            values["saturated"] = self._saturated()
            values["times saturated"] = str(self._command.times_saturated)
        if self._stance is not None:
            values.update(self._stance.report())
        values["not published"] = "; ".join(self._problems)
        return values

    def model_changed(self, model: Model, state: RobotState) -> None:
        """Set the outputs up for a model; what it does not allow is reported and left out."""
        self._moment = Moment.of(model)
        self._problems = []
        self._command = None
        self._stance = self._moment.stance = self._make_stance(model)
        self._outputs = [
            *self._robot_outputs(model, state.map),
            *self._frame_outputs(model),
            *self._command_output(model, state.map),
            *self._contact_outputs(),
        ]
        if self._contacts.frames and self._stance is None:
            self._outputs = [output for output in self._outputs if not output.needs_gravity]
        for problem in self._problems:
            self.get_logger().error(problem)

    def _publisher(self, kind: type, topic: str) -> Any:
        """The publisher of a topic; it outlives a change of model, so that subscribers stay connected."""
        if topic not in self._publishers_by_topic:
            self._publishers_by_topic[topic] = make_publisher(self, kind, topic)
        return self._publishers_by_topic[topic]

    def _make_stance(self, model: Model) -> Stance | None:
        if not self._contacts.frames:
            return None
        try:
            return Stance(model, self._contacts)
        except DynNodeError as error:
            # With one foot unknown the others' share would be wrong: nothing is sent that depends on it.
            self._problems.append(f"parameter contact_frames: {error}; no output that needs it is published")
            return None

    def _contact_outputs(self) -> list[Output]:
        if self._stance is None:
            return []
        outputs: list[Output] = []
        for foot, name in enumerate(self._contacts.frames):
            publisher = self._publisher(WrenchStamped, f"~/contact_forces/{topic_part(name)}")
            outputs.append(ContactForce(publisher, self._stance, foot, self.settings.world_frame))
        return outputs

    def _robot_outputs(self, model: Model, joints: JointMap) -> list[Output]:
        settings = self.settings
        outputs: list[Output] = []
        if "gravity_torques" in settings.outputs:
            outputs.append(GravityTorques(self._publisher(JointState, "~/gravity_torques"), joints))
        root = model.root_joint
        if "base_wrench" in settings.outputs and root is not None:
            outputs.append(BaseWrench(self._publisher(WrenchStamped, "~/base_wrench"), model, root))
        if "mass_matrix" in settings.outputs:
            publisher = self._publisher(MassMatrix, "~/mass_matrix")
            outputs.append(MassMatrixOutput(publisher, MassMatrix(), model, settings.world_frame))
        return outputs

    def _frame_outputs(self, model: Model) -> list[Output]:
        settings = self.settings
        outputs: list[Output] = []
        frames, problems = known_frames(model, settings.frames)
        self._problems += problems
        if "twist" in settings.outputs:
            for name, index in frames.items():
                publisher = self._publisher(TwistStamped, f"~/twist/{topic_part(name)}")
                outputs.append(Twist(publisher, index, settings.world_frame))
        if "markers" in settings.outputs:
            outputs.append(
                Markers(self._publisher(MarkerArray, "~/markers"), model, frames, settings.world_frame)
            )
        if "tf" in settings.outputs:
            kind = tf_message_type()
            if kind is None:
                self._problems.append(
                    "output tf needs the package tf2_msgs, which is not installed: no /tf; "
                    "everything else is published"
                )
            else:
                outputs.append(TransformOutput(self._publisher(kind, "/tf"), kind, model, frames, settings))
        return outputs

    def _command_output(self, model: Model, joints: JointMap) -> list[Output]:
        settings = self.settings
        if not settings.command_joints:
            return []
        publisher = self._publisher(Float64MultiArray, "~/effort_command")
        try:
            self._command = EffortCommand(publisher, model, joints, settings)
        except DynNodeError as error:
            # An incomplete command would be taken for that of other joints: none at all is sent.
            self._problems.append(f"parameter command_joints: {error}; no effort_command is published")
            return []
        return [self._command]


def main(arguments: list[str] | None = None) -> int:
    """Run the node; its exit code."""
    return run(DynamicsNode, arguments)


if __name__ == "__main__":
    sys.exit(main())
