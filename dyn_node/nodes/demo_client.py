"""The demo's ears and voice on ROS: what it hears goes to `Telemetry`, what it asks are plain calls."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import rclpy
from builtin_interfaces.msg import Duration
from dyn_node_msgs.msg import MassMatrix, NamedValues, ResultCode
from dyn_node_msgs.srv import ForwardDynamics, GetFrame, SolveIK
from geometry_msgs.msg import TwistStamped, Wrench, WrenchStamped
from nav_msgs.msg import Odometry
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from std_srvs.srv import SetBool
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from dyn_node.errors import DynNodeError
from dyn_node.spatial import SE3

from .conversions import (
    NANOSECONDS,
    field,
    fill_pose,
    fill_six,
    fill_time,
    nanoseconds,
    placement,
    six,
    topic_part,
    view,
    xyz,
)
from .demo_tap import Tap
from .demo_telemetry import Base, State, Telemetry

Array = npt.NDArray[np.float64]

#: How often the demo looks at what has arrived (s).
BEAT = 0.02
#: Longest wait for a service's answer (s); generous, since CI machines are slow.
ANSWER = 20.0
#: For how long states may stay away before an answer is taken for a refusal (s).
PAUSE = 5.0


class DemoError(DynNodeError, RuntimeError):
    """The demo cannot go on: a service refused or did not answer, or nothing arrived in time."""


class DemoClient:
    """One node that listens to the demo robot, `dynamics` and `solver`.

    Args:
        tool: frame whose twist is followed.
        on_beat: called after each look at what has arrived; may raise to end the demo.
        feet: frames on which the robot stands; their forces and the base's place are followed as well.
    """

    def __init__(self, tool: str, on_beat: Callable[[Telemetry], None], feet: tuple[str, ...] = ()) -> None:
        self.telemetry = Telemetry()
        self.telemetry.expect_feet(feet)
        self._on_beat = on_beat
        self._node = Node("demo")
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        every = QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT)
        newest = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self._taps: list[tuple[Tap, Callable[[Any, float], None]]] = [
            (Tap(self._node, JointState, "joint_states", every), self._hear_state),
            (Tap(self._node, JointState, "dynamics/gravity_torques", every), self._hear_torques),
            (Tap(self._node, TwistStamped, f"dynamics/twist/{topic_part(tool)}", newest), self._hear_twist),
            (Tap(self._node, MassMatrix, "dynamics/mass_matrix", newest), self._hear_mass_matrix),
            (Tap(self._node, String, "demo_robot/mode", latched), self._hear_mode),
        ]
        if feet:
            self._taps += self._tap_feet(every, newest)
        self._services = {
            "solve_ik": self._node.create_client(SolveIK, "solver/solve_ik"),
            "forward_dynamics": self._node.create_client(ForwardDynamics, "solver/forward_dynamics"),
            "get_frame": self._node.create_client(GetFrame, "solver/get_frame"),
            "brake": self._node.create_client(SetBool, "demo_robot/brake"),
            "motors": self._node.create_client(SetBool, "demo_robot/motors"),
        }
        self._reference = self._node.create_publisher(JointTrajectory, "demo_robot/reference", 1)

    def _tap_feet(
        self, every: QoSProfile, newest: QoSProfile
    ) -> list[tuple[Tap, Callable[[Any, float], None]]]:
        """Everything that is there of a robot on its feet."""

        def hear_force(foot: str) -> Callable[[WrenchStamped, float], None]:
            return lambda message, _: self.telemetry.add_force(foot, message.wrench.force.z)

        def force(foot: str) -> Tap:
            topic = f"dynamics/contact_forces/{topic_part(foot)}"
            return Tap(self._node, WrenchStamped, topic, newest)

        return [
            (Tap(self._node, Odometry, "odom", every), self._hear_base),
            (Tap(self._node, NamedValues, "dynamics/contacts", newest), self._hear_pushes),
            *((force(foot), hear_force(foot)) for foot in self.telemetry.feet),
        ]

    def close(self) -> None:
        """Leave the graph."""
        self._executor.shutdown()
        self._node.destroy_node()

    def missing(self) -> list[str]:
        """What has not shown up yet, for a person."""
        heard = self.telemetry
        waited = [("joint_states", heard.state), ("gravity_torques", heard.torque), ("twist", heard.twist)]
        absent = [name for name, value in waited if value is None]
        if not np.isfinite(heard.condition):
            absent.append("mass_matrix")
        if np.isnan([*heard.forces, *heard.pushes]).any():
            absent.append("contact_forces")
        if heard.feet and heard.base is None:
            absent.append("odom")
        absent += [name for name, client in self._services.items() if not client.service_is_ready()]
        return absent if self._reference.get_subscription_count() else [*absent, "reference"]

    def wait_until(self, done: Callable[[], bool], timeout: float, what: str) -> None:
        """Listen until `done()`. DemoError, naming `what`, when that takes longer than `timeout` seconds."""
        deadline = time.monotonic() + timeout
        while not done():
            if time.monotonic() > deadline:
                raise DemoError(f"waited {timeout:g} s for {what}", what, f"within {timeout:g} s")
            self._executor.spin_once(timeout_sec=BEAT)
            self._listen()

    def listen_for(self, duration: float) -> None:
        """Listen for that many seconds."""
        end = time.monotonic() + duration
        self.wait_until(lambda: time.monotonic() >= end, duration + ANSWER, "the clock")

    def frame_pose(self, frame: str) -> SE3:
        """Where a frame is now, in the world, as the solver sees it."""
        return placement(self._ask("get_frame", GetFrame.Request(frame=frame)).pose)

    def solve_ik(
        self, frame: str, target: SE3, weights: tuple[float, ...], timeout: float
    ) -> SolveIK.Response:
        """A configuration that brings `frame` to `target` in the world. DemoError when there is none."""
        request = SolveIK.Request(frame=frame, weights=list(weights), timeout=to_duration(timeout))
        fill_pose(request.target.pose, target)
        return self._ask("solve_ik", request)

    def falling_acceleration(self, state: State, base_wrench: Array | None = None) -> tuple[Array, Array]:
        """What every torque cut would do: joint accelerations (n,) and the base's (6,), zero if fixed.

        Args:
            state: of the joints; the base is where it is now.
            base_wrench: (6,) wrench on a floating base, in base coordinates; None for a fixed one.
        """
        request = self._falling(state)
        if base_wrench is not None:
            wrench = Wrench()
            fill_six(wrench.force, wrench.torque, base_wrench)
            request.base_wrench = [wrench]
        answer = self._ask("forward_dynamics", request)
        base = answer.base_acceleration
        return self._joints(answer), six(base[0].linear, base[0].angular) if base else np.zeros(6)

    def sinking_acceleration(self, state: State, feet: tuple[str, ...]) -> tuple[Array, Array]:
        """What every torque cut would do to a robot whose `feet` stay where they are.

        Returns:
            Joint accelerations (n,), and how hard the ground would push each of the feet up, N.
        """
        request = self._falling(state)
        request.contact_frames = list(feet)
        answer = self._ask("forward_dynamics", request)
        return self._joints(answer), np.array([c.wrench.force.z for c in answer.contact_wrenches])

    def _falling(self, state: State) -> ForwardDynamics.Request:
        """The question what happens without any torque."""
        request = ForwardDynamics.Request()
        request.state.name = list(self.telemetry.names)
        request.state.position, request.state.velocity = field(state.position), field(state.velocity)
        return request

    def _joints(self, answer: ForwardDynamics.Response) -> Array:
        """Joint accelerations (n,) in the order of the telemetry."""
        by_name = dict(zip(answer.accelerations.names, answer.accelerations.values, strict=True))
        return np.array([by_name[name] for name in self.telemetry.names])

    def switch(self, name: str, on: bool) -> None:
        """Set the demo robot's `brake` or `motors`."""
        self._ask(name, SetBool.Request(data=on))

    def move(self, names: list[str], positions: list[float], duration: float) -> None:
        """Send the demo robot's servo to a configuration."""
        message = JointTrajectory(joint_names=names)
        message.points = [JointTrajectoryPoint(positions=positions, time_from_start=to_duration(duration))]
        self._reference.publish(message)

    def release(self) -> None:
        """Switch the demo robot's servo off."""
        self._reference.publish(JointTrajectory())

    def _ask(self, name: str, request: Any) -> Any:
        """The answer of a service. One that misses fresh states is asked again: a busy machine has pauses."""
        until = time.monotonic() + PAUSE
        while True:
            future = self._services[name].call_async(request)
            self.wait_until(future.done, ANSWER, f"an answer of {name}")
            answer = future.result()
            if answer.success:
                return answer
            code = getattr(answer, "code", None)
            if code != ResultCode.ROBOT_STATE_STALE or time.monotonic() > until:
                said = "" if code is None else f" (code {code})"
                raise DemoError(f"{name} refused{said}: {answer.message}", name, "success")
            self.listen_for(5 * BEAT)

    def _listen(self) -> None:
        for tap, hear in self._taps:
            while (taken := tap.take()) is not None:
                hear(taken[0], taken[1]["received_timestamp"] * 1e-9)
        self._on_beat(self.telemetry)

    def _hear_state(self, message: JointState, received: float) -> None:
        numbers = (view(values) for values in (message.position, message.velocity, message.effort))
        self.telemetry.add_state(tuple(message.name), received, State(seconds(message), *numbers))

    def _hear_base(self, message: Odometry, received: float) -> None:
        position = np.array(xyz(message.pose.pose.position))
        self.telemetry.add_base(Base(seconds(message), position))

    def _hear_pushes(self, message: NamedValues, received: float) -> None:
        self.telemetry.add_pushes(tuple(message.names), view(message.values))

    def _hear_torques(self, message: JointState, received: float) -> None:
        self.telemetry.add_torques(tuple(message.name), received, seconds(message), view(message.effort))

    def _hear_twist(self, message: TwistStamped, received: float) -> None:
        self.telemetry.twist = six(message.twist.linear, message.twist.angular)

    def _hear_mass_matrix(self, message: MassMatrix, received: float) -> None:
        self.telemetry.add_mass_matrix(view(message.data).reshape(message.rows, message.cols))

    def _hear_mode(self, message: String, received: float) -> None:
        self.telemetry.mode = message.data


def open_ros() -> None:
    """Join the graph. Signals stay with the demo, which ends everything in its own order."""
    rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)


def close_ros() -> None:
    """Leave the graph."""
    rclpy.try_shutdown()


def seconds(message: Any) -> float:
    """Stamp of a message with a header, in seconds."""
    return nanoseconds(message.header.stamp) / NANOSECONDS


def to_duration(value: float) -> Duration:
    """A duration of `value` seconds."""
    result = Duration()
    fill_time(result, round(value * NANOSECONDS))
    return result
