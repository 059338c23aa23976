"""A node that stands in for a robot's hardware: efforts in, joint states out.

It integrates the model's forward dynamics in step with the wall clock. Starts with the brakes on,
releases them with the first effort, as an arm does. See `demo_motors` for brakes and servo and
`demo_physics` for what is simulated and what is left out.

Two threads, as in a driver: the main one runs the cycle (read efforts, integrate, publish), the
other one answers services.

    out      joint_states      sensor_msgs/JointState: position, velocity, effort that the motors give
             odom              nav_msgs/Odometry of the base; not with root_joint fixed
             /tf               tf2_msgs/TFMessage: the same base; with publish_tf
             contacts          dyn_node_msgs/NamedValues: what the ground pushes each foot up with, N
             ~/mode            std_msgs/String, latched: braked, driven or limp
    in       effort_command    std_msgs/Float64MultiArray, one number for each of command_joints
             ~/reference       trajectory_msgs/JointTrajectory for the servo; without points: servo off
    service  ~/brake, ~/motors std_srvs/SetBool: brakes on; motors powered
"""

from __future__ import annotations

import contextlib
import gc
import threading
import time
import traceback
from typing import NoReturn

import numpy as np
import numpy.typing as npt
import rclpy
from nav_msgs.msg import Odometry
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.logging import get_logger
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, String
from std_srvs.srv import SetBool
from trajectory_msgs.msg import JointTrajectory

import dyn_node
from dyn_node.errors import DynNodeError

from .conversions import field, fill_time
from .demo_build import build
from .demo_clock import WallClock
from .demo_conversions import fill_odometry, held_odometry, read_efforts, read_trajectory
from .demo_motors import Mode, Motors, Servo
from .demo_settings import DemoSettings
from .demo_standing import StandingPhysics
from .demo_tap import Tap
from .demo_tf import BaseTransform
from .ending import end_ros, interrupt_start_only, leave, spin_on
from .parameters import declare
from .settings import specs

Array = npt.NDArray[np.float64]

#: A simulation that is later than this (s) gives up the time in between, and says so.
MAX_CATCH_UP = 1.0
#: Longest time (s) that a cycle integrates before it publishes where it stands.
CYCLE_BUDGET = 0.02
#: A late tick counts for at most this much in the effort timeout: while this process did not run, it
#: could not receive either, and that is no silence of the sender's.
LONGEST_SILENT_TICK = 0.01
REPORT_PERIOD = 5.0
HELD_KERNELS = ("aba", "crba")
STANDING_KERNELS = (
    "crba",
    "constrained_dynamics",
    "constraint_rows",
    "impulse",
    "rnea",
    "cholesky_factor",
    "cholesky_solve",
    "forward_kinematics_1",
    "frame_placement",
    "frame_velocity",
    "integrate",
    "difference",
    "quaternion_rotation",
    "rotation_quaternion",
    "pose_assembled",
)


class DemoRobot(Node):
    """Publishes `joint_states` (and `odom`), obeys `effort_command`, `~/reference`, `~/brake`, `~/motors`."""

    def __init__(self) -> None:
        super().__init__("demo_robot")
        given = {spec.name: declare(self, spec) for spec in specs(DemoSettings)}
        settings = DemoSettings(**{name: value for name, value in given.items() if value is not None})
        dyn_node.warm(*(STANDING_KERNELS if settings.feet else HELD_KERNELS))
        built = build(settings)
        self._body, self._index = built.body, built.command_index
        n = len(self._body.names)
        self._command_names = tuple(self._body.names[i] for i in self._index)
        self._motors = Motors(n, settings.effort_timeout, settings.on_timeout == "fall")
        self._servo = Servo(n, settings.servo_frequency)
        self._hold_posture, self._tuned_for = settings.hold_posture, self._body.standing
        self._effort, self._received = np.zeros(n), np.zeros(n)
        self._period = 1.0 / settings.rate
        self._substeps = settings.substeps
        self._mode: Mode | None = None
        self._state = JointState(name=list(self._body.names))
        self._odometry, self._base, self._transform = None, built.base, None
        if built.base is not None:
            self._odometry = held_odometry(built.base, settings.world_frame, built.base_frame)
            if settings.publish_tf:
                self._transform = BaseTransform(self, settings.world_frame, built.base_frame)
        self._odom_every = max(1, round(settings.rate / settings.odom_rate))
        self._open_topics()
        self._lock = threading.Lock()  # motors, servo and body: the cycle's and the services'
        self._wall = WallClock()
        self._steps = 0
        self._origin = time.monotonic()
        joints = ", ".join(self._body.names)
        self.get_logger().info(f"simulating {n} joints at {settings.rate:g} Hz: {joints}")

    def _open_topics(self) -> None:
        qos = QoSOverridingOptions.with_default_policies()
        # Reliable, as ros2_control's broadcaster is: it serves best effort and reliable subscribers.
        # With depth 10 a slow subscriber loses messages and never holds the loop up.
        self._states_out = self.create_publisher(JointState, "joint_states", 10, qos_overriding_options=qos)
        if self._odometry is not None:
            self._odom_out = self.create_publisher(Odometry, "odom", 10, qos_overriding_options=qos)
        if isinstance(self._body, StandingPhysics):
            # Only a robot with feet needs dyn_node's own messages.
            from dyn_node_msgs.msg import NamedValues

            self._contacts = NamedValues(names=list(self._body.feet))
            self._contacts_out = self.create_publisher(
                NamedValues, "contacts", 10, qos_overriding_options=qos
            )
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self._mode_out = self.create_publisher(String, "~/mode", latched)
        # Best effort matches every publisher; only the newest effort is of use.
        newest = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
        self._efforts_in = Tap(self, Float64MultiArray, "effort_command", newest, qos_overriding_options=qos)
        self.create_subscription(JointTrajectory, "~/reference", self._on_reference, 1)
        self.create_service(SetBool, "~/brake", self._on_brake)
        self.create_service(SetBool, "~/motors", self._on_motors)

    @property
    def _now(self) -> float:
        """Time of the simulated state, in seconds since the start."""
        return self._steps * self._period

    def run(self) -> None:
        """The cycle, until the context is shut down."""
        self._origin = time.monotonic()
        while self.context.ok():
            self._tick()
            # A cycle that is late starts the next one at once.
            time.sleep(max(0.0, self._origin + self._now + self._period - time.monotonic()))

    def _read_effort(self) -> None:
        """Hand the newest effort to the motors."""
        taken = self._efforts_in.take()
        if taken is None:
            return
        message = taken[0]
        try:
            self._received[self._index] = read_efforts(message.data, self._command_names)
        except DynNodeError as error:
            self.get_logger().error(f"effort ignored: {error}", throttle_duration_sec=REPORT_PERIOD)
            return
        self._motors.receive(self._received)

    def _on_reference(self, message: JointTrajectory) -> None:
        with self._lock:
            self._follow(message)

    def _follow(self, message: JointTrajectory) -> None:
        if not message.points:
            self._servo.release()
            return
        if self._motors.mode is not Mode.DRIVEN:
            self.get_logger().warning(f"reference ignored: the robot is {self._motors.mode.value}")
            return
        start = self._servo.reference(self._now)[0] if self._servo.active else self._body.position.copy()
        try:
            points, times = read_trajectory(message, self._body.names, start)
        except DynNodeError as error:
            self.get_logger().error(f"reference ignored: {error}")
            return
        self._serve(start, points, times)

    def _serve(self, start: Array, points: Array, times: Array) -> None:
        self._tuned_for = self._body.standing
        self._servo.follow(start, points, times, self._now, self._body.inertia())

    def _on_brake(self, request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        with self._lock:
            self._motors.brake = request.data
            return self._answer(response)

    def _on_motors(self, request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        with self._lock:
            self._motors.powered = request.data
            return self._answer(response)

    def _answer(self, response: SetBool.Response) -> SetBool.Response:
        response.success = True
        response.message = f"the robot is {self._motors.mode.value}"
        return response

    def _tick(self) -> None:
        """Bring the simulation up to the wall clock and publish where it stands."""
        begun = time.monotonic()
        late = begun - self._origin - self._now
        if late > MAX_CATCH_UP:
            self._origin += late - MAX_CATCH_UP
            self.get_logger().warning(
                f"the simulation is {late:.1f} s late and gives up {late - MAX_CATCH_UP:.1f} s: the machine "
                "is too busy for it",
                throttle_duration_sec=REPORT_PERIOD,
            )
            late = MAX_CATCH_UP
        due = int(late / self._period)
        if due <= 0:
            return
        before = self._steps
        with self._lock:
            self._motors.wait(min(due * self._period, max(LONGEST_SILENT_TICK, 2.0 * self._period)))
            self._read_effort()
            self._enter(self._motors.mode)
            for _ in range(due):
                self._advance()
                if time.monotonic() - begun > CYCLE_BUDGET:
                    break
        self._publish(self._steps // self._odom_every > before // self._odom_every)

    def _enter(self, mode: Mode) -> None:
        if mode is self._mode:
            return
        self.get_logger().info(f"the robot is {mode.value}")
        self._mode = mode
        self._mode_out.publish(String(data=mode.value))
        if mode is not Mode.DRIVEN:
            # A reference from before would tear the arm back when the motors return.
            self._servo.release()
            self._effort[:] = 0.0
        elif self._hold_posture:
            here = self._body.position.copy()
            self._serve(here, here[np.newaxis], np.array([self._period]))

    def _advance(self) -> None:
        """One period of simulated time."""
        self._steps += 1
        if self._mode is Mode.BRAKED:
            self._body.stop()
            return
        step = self._period / self._substeps
        for k in range(self._substeps):
            if self._mode is Mode.DRIVEN:
                self._drive(self._now + k * step)
            self._body.step(self._effort, step)

    def _drive(self, now: float) -> None:
        """Efforts of the motors: the command's, and those of the servo, whose loop is the fastest."""
        body, wanted = self._body, self._motors.command
        if self._servo.active:
            if body.standing != self._tuned_for:
                self._tuned_for = body.standing
                self._servo.tune(body.inertia())
            wanted = wanted + self._servo.effort(body.position, body.velocity, now)
        np.clip(wanted, -body.effort_limit, body.effort_limit, out=self._effort)
        saturated = self._effort != wanted
        if saturated.any():
            names = [name for name, full in zip(body.names, saturated, strict=True) if full]
            self.get_logger().warning(
                f"effort limit reached: {', '.join(names)}", throttle_duration_sec=REPORT_PERIOD
            )

    def _publish(self, odom_due: bool) -> None:
        # The state's own time: a late message says so, and differences of stamps are exact.
        stamp = self._wall.nanoseconds(self._origin + self._now)
        state, body = self._state, self._body
        fill_time(state.header.stamp, stamp)
        state.position = field(body.position)
        state.velocity = field(body.velocity)
        state.effort = field(self._effort)
        self._states_out.publish(state)
        if odom_due and self._odometry is not None:
            self._publish_base(self._odometry, stamp)

    def _publish_base(self, message: Odometry, stamp: int) -> None:
        """What follows from the base: odometry, TF and what the feet feel."""
        fill_time(message.header.stamp, stamp)
        if isinstance(self._body, StandingPhysics):
            self._base, twist = self._body.base()
            fill_odometry(message, self._base, twist)
            self._contacts.values = field(self._body.forces)
            self._contacts_out.publish(self._contacts)
        self._odom_out.publish(message)
        if self._transform is not None and self._base is not None:
            self._transform.publish(stamp, self._base)


def main(args: list[str] | None = None) -> NoReturn:
    """Run the node until SIGINT. Exit code 0, or 1 when the parameters are refused."""
    leave(_run(args))


def _run(args: list[str] | None) -> int:
    interrupt_start_only()
    rclpy.init(args=args)
    answering = node = None
    try:
        node = DemoRobot()
        answering = threading.Thread(target=_answer_services, args=(node,))
        answering.start()
        gc.freeze()  # what exists now lives as long as the node: keep the collector's pauses short
        spin_on()
        node.run()
    except DynNodeError as error:
        get_logger("demo_robot").fatal(str(error))
        return 1
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    except RuntimeError:  # rclpy's own: what it was doing when SIGINT shut the context down
        if rclpy.ok():
            traceback.print_exc()
            return 1
    finally:
        end_ros()
        if answering is not None:
            answering.join()
        if node is not None:
            with contextlib.suppress(Exception):
                node.destroy_node()
    return 0


def _answer_services(node: DemoRobot) -> None:
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    with contextlib.suppress(ExternalShutdownException):
        executor.spin()


if __name__ == "__main__":
    main()
