"""The executable `dynamics_node`: streams what the robot's state implies.

Gravity torques, effort command, base wrench, twists, mass matrix, markers and tf, once for every
joint_states message or at `rate`. Nothing is published unless every joint (and the base) is known
and fresh: a zero in place of an unknown torque would drop the arm.
"""

from __future__ import annotations

import time
from typing import Any, NoReturn

from dyn_node_msgs.msg import MassMatrix, NamedValues
from geometry_msgs.msg import TwistStamped, WrenchStamped
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from std_srvs.srv import SetBool
from visualization_msgs.msg import MarkerArray

from dyn_node.errors import DynNodeError
from dyn_node.model.model import Model

from .arming import Arming
from .conversions import topic_part, view
from .diagnostics import CallbackTimes
from .dynamics_settings import DynamicsSettings
from .effort_command import EffortCommand
from .gravity_intake import TiltedGravity
from .joint_map import JointMap
from .markers import Markers
from .outputs import (
    BaseWrench,
    ContactForce,
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
from .stance import Contacts, Stance, without_feet
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
        "frame_jacobian",
        "act_point",
        "constraint_rows",
    )

    def __init__(self) -> None:
        super().__init__("dynamics")
        self._publishers_by_topic: dict[str, Any] = {}
        self._outputs: list[Output] = []
        self._moment: Moment | None = None
        self._arming = Arming()
        self._command: EffortCommand | None = None
        self._contacts = Contacts(self.settings)
        self._stance: Stance | None = None
        self._without_feet: dict[str, str] = {}
        self._problems: list[str] = []
        self._times = CallbackTimes()

    def start(self) -> None:
        """Begin; with `rate` set the outputs follow a timer on the node's clock."""
        super().start()
        self._enable = self.create_service(SetBool, "~/enable", self._on_enable)
        if self.settings.contact_source == "topic" and self.settings.contact_frames:
            self._contacts_in = self._subscribe(NamedValues, "~/contacts", self._on_contacts)
        if self.settings.rate > 0.0:
            self._timer = self.create_timer(1.0 / self.settings.rate, self._on_timer)

    def stop(self) -> None:
        """Forget the outputs too."""
        super().stop()
        self._publishers_by_topic.clear()
        self._outputs, self._moment, self._command = [], None, None

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

    def interrupted(self, reason: str) -> None:
        """No torque of before is one for now."""
        self._disarm(reason)

    def destroy_node(self) -> None:
        """Command nothing any more, then go."""
        self._disarm("the node ends")
        super().destroy_node()

    def watched(self, now: int, problem: str) -> None:
        """Once a second: a state that nothing updates any more is not noticed otherwise."""
        if problem:
            self._disarm(problem)

    def _on_enable(self, request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        """The service ~/enable."""
        if not request.data:
            self._disarm("disarmed by ~/enable", asked=True)
            response.success, response.message = True, "effort_command is disarmed"
            return response
        refusal = self._no_command() or self.state_problem(self.now())
        if refusal:
            response.message = f"effort_command stays disarmed: {refusal}"
            return response
        self._arm("by ~/enable")
        response.success, response.message = True, self._armed()
        return response

    def _no_command(self) -> str:
        """Why there can be no command however good the state is; empty when there can be one."""
        if not self.settings.command_joints:
            return "the parameter command_joints is empty"
        if self._command is None and self.model is not None:
            return "; ".join(self._problems)
        return ""

    def _arm(self, how: str) -> None:
        if not self._arming.armed:
            self._arming.arm(self.now())
            self.get_logger().info(f"{self._armed()} ({how})")

    def _armed(self) -> str:
        joints, ramp = len(self.settings.command_joints), self.settings.start_ramp
        return f"effort_command is armed: {joints} joints, full size after {ramp:g} s"

    def _disarm(self, reason: str, asked: bool = False) -> None:
        if self._arming.armed:
            self.notices.every(f"disarmed {asked}", f"effort_command is disarmed: {reason}", 1.0)
        self._arming.disarm(reason, asked)

    def _command_may_go(self, now: int) -> None:
        """The state is usable: end a command that it interrupts, begin one that is wanted without asking."""
        if self._arming.armed:
            gap = self._arming.silence(now, self._longest_pause())
            if gap:
                self._disarm(f"there was no usable state for {gap:.2f} s")
        if not self._arming.armed and self.settings.arm_automatically and self._command is not None:
            self._arm("arm_automatically")

    def _longest_pause(self) -> float:
        """Seconds between two publications that are no interruption."""
        rate = self.settings.rate
        return self.settings.state_timeout + (1.0 / rate if rate > 0.0 else 0.0)

    def _usable(self, now: int) -> bool:
        """Whether outputs of the state may be computed; `state_problem` says why not."""
        state, timeout = self.state, self.settings.state_timeout
        if not self.active or state is None or now <= 0 or not state.ready(now, timeout):
            return False
        return not self._contacts.unknown(now, timeout)

    def _publish(self, now: int) -> None:
        """Publish every output that has a listener, if the state may be used."""
        state, moment = self.state, self._moment
        if state is None or moment is None or not self._usable(now):
            if self._arming.armed:
                self._disarm(self.state_problem(now))
            return
        self._command_may_go(now)
        wanted = [output for output in self._outputs if output.wanted()]
        if not wanted:
            return
        began = time.perf_counter()
        stamp = state.refresh()
        moment.take(state.q, state.v, stamp, now)
        moment.down = None if state.gravity is None else state.gravity.vector
        if any(output.needs_gravity for output in wanted):
            moment.compute_gravity()
        if any(output.needs_kinematics for output in wanted):
            moment.compute_kinematics()
        for output in wanted:
            output.publish(moment)
        self._times.add(time.perf_counter() - began)
        self._warn_of_stance()
        if self._command is not None and self._command.saturated:
            names = ", ".join(self._command.saturated)
            self.notices.every("saturated", f"effort_command is cut to max_effort at {names}")

    def _warn_of_stance(self) -> None:
        if self._stance is None:
            return
        if unsupported := self._stance.unsupported():
            # A key for each number of feet: news is not held back by what was said of other stances.
            self.notices.every(f"unsupported on {sum(self._contacts.standing())}", unsupported)
        if pulled := self._stance.pulled():
            self.notices.every("pulled", f"to stand still {pulled} would have to pull at the ground")

    def report(self) -> dict[str, str]:
        """Callback times, saturation and what cannot be published."""
        values = self._times.summary()
        if self._command is not None:
            values.update(self._command.report(self.now()))
            values["effort_command stopped"] = self._arming.reason if self._arming.stopped else ""
            values["times stopped"] = str(self._arming.stops)
        values.update(self._without_feet if self._stance is None else self._stance.report())
        values["not published"] = "; ".join(self._problems)
        return values

    def _examine(self, settings: Any) -> None:
        """Refuse settings too that would leave a command without its bounds."""
        super()._examine(settings)
        if self._command is not None and self.model is not None and self.state is not None:
            EffortCommand(None, self.model, self.state.map, settings, self._arming)

    def model_changed(self, model: Model, state: RobotState) -> None:
        """Set the outputs up for a model; what it does not allow is reported and left out."""
        self._moment = Moment.of(model)
        if self.settings.gravity_source == "imu":
            self._moment.tilted = TiltedGravity(model)
        self._problems = []
        self._command = None
        self._arming.envelope.change()
        self._stance = self._moment.stance = self._make_stance(model)
        self._outputs = [
            *self._robot_outputs(model, state.map),
            *self._frame_outputs(model),
            *self._command_output(model, state.map),
            *self._contact_outputs(),
        ]
        if self._contacts.frames and self._stance is None:
            self._outputs = [output for output in self._outputs if not output.needs_gravity]
            self._command = None
        for problem in self._problems:
            self.get_logger().error(problem)
        if self._command is None:
            self._disarm(self._no_command())

    def _publisher(self, kind: type, topic: str) -> Any:
        """The publisher of a topic; it outlives a change of model, so that subscribers stay connected."""
        if topic not in self._publishers_by_topic:
            self._publishers_by_topic[topic] = make_publisher(self, kind, topic)
        return self._publishers_by_topic[topic]

    def _make_stance(self, model: Model) -> Stance | None:
        self._without_feet = {} if self._contacts.frames else without_feet(model)
        if self._without_feet:
            self.notices("without feet", self._without_feet["unsupported"])
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
            publisher = self._publisher(MarkerArray, "~/markers")
            outputs.append(Markers(publisher, model, frames, settings, stands=self._stance is not None))
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
            self._command = EffortCommand(publisher, model, joints, settings, self._arming)
        except DynNodeError as error:
            # An incomplete command would be taken for that of other joints: none at all is sent.
            self._problems.append(f"parameter command_joints: {error}; no effort_command is published")
            return []
        return [self._command]


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the node until it is told to stop; see `run` for the exit code."""
    run(DynamicsNode, arguments)


if __name__ == "__main__":
    main()
