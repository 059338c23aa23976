"""What both nodes share: parameters, the model, the state intake, diagnostics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry
from rclpy.clock import Clock, ClockType
from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions
from sensor_msgs.msg import Imu, JointState

from dyn_node.model.model import Model

from .backlog import with_backlog
from .base_intake import root_frame
from .base_tf import PERIOD, TfBase, require_tf2
from .conversions import nanoseconds, six, view, xyz, xyzw
from .diagnostics import Diagnostics
from .managed import INACTIVE, Managed
from .model_source import ModelSource, configured
from .notices import Notices
from .parameters import Parameters
from .qos_watch import QosWatch
from .settings import Settings
from .state import RobotState
from .watch import Watch

#: Messages read at a turn beyond the first; more than any sensible queue holds.
_MOST_WAITING = 100
_NO_CLOCK = "use_sim_time is set but nothing arrives on /clock"


class RobotNode(Node, Managed):
    """A node that knows a robot's model and its state.

    `start` subscribes, so that nothing arrives before the kernels are compiled. Subclasses
    implement `model_changed` and `joints_arrived` and may extend `report`.
    """

    #: Parameters that this node has, and kernels that it needs compiled.
    settings_kind: type[Settings] = Settings
    kernels: tuple[str, ...] = ()
    #: Kernels that reading a model and the state needs, on both nodes.
    intake_kernels = (
        "act_inertia",
        "inertia_sum",
        "quaternion_rotation",
        "rotation_quaternion",
        "pose_assembled",
        "pose_compose",
        "pose_inverse",
        "pose_log",
        "act_motion",
    )

    #: What it means that the state cannot be used.
    consequence = "no output"

    source: ModelSource  # from `start` on
    diagnostics: Diagnostics

    def __init__(self, name: str) -> None:
        Node.__init__(self, name)
        self.parameters: Parameters[Any] = Parameters(self, self.settings_kind)
        self.notices = Notices(self.get_logger())
        if self.settings.root_joint != "fixed" and self.settings.base_source == "tf":
            require_tf2()
        self.qos = QosWatch(self)
        self.watch = Watch(self)
        self.model: Model | None = None
        self.state: RobotState | None = None
        self._described: Model | None = None  # as in the URDF, before payload and gravity
        self._tf: TfBase | None = None
        self._was_ready = False
        self._kept: set[Any] = set()

    @property
    def settings(self) -> Any:
        """The current parameters."""
        return self.parameters.settings

    def start(self) -> None:
        """Look for the model, subscribe to the state, begin to report. `stop` undoes all of it."""
        self._kept = {*self.publishers, *self.subscriptions, *self.timers, *self.services}
        self.parameters.examine = self._examine
        self.parameters.changed = self._settings_changed
        self.source = ModelSource(self, self.settings, self._found_model)
        self.source.look()
        self._joints_in = self._subscribe(JointState, "joint_states", self._on_joint_states)
        self._listen_to_base()
        if self.settings.gravity_source == "imu":
            self._subscribe(Imu, "imu", self._on_imu)
        self.diagnostics = Diagnostics(self)
        # Steady: warnings have to come also while simulated time stands still.
        self._watch = self.create_timer(
            1.0, self._once_a_second, clock=Clock(clock_type=ClockType.STEADY_TIME)
        )

    def stop(self) -> None:
        """Leave every topic and service that `start` has made, and forget the robot."""
        everything: tuple[tuple[Any, Callable[[Any], bool]], ...] = (
            (self.timers, self.destroy_timer),
            (self.subscriptions, self.destroy_subscription),
            (self.publishers, self.destroy_publisher),
            (self.services, self.destroy_service),
        )
        for made, destroy in everything:
            for entity in [entity for entity in made if entity not in self._kept]:
                destroy(entity)
        self.qos = QosWatch(self)
        self.model = self.state = self._described = None

    def _listen_to_base(self) -> None:
        settings = self.settings
        if settings.root_joint == "fixed":
            return
        if settings.base_source == "odom":
            self._base_in = self._subscribe(Odometry, "odom", self._on_odometry)
        elif settings.base_source == "base_pose":
            self._base_in = self._subscribe(PoseStamped, "base_pose", self._on_base_pose)
        else:
            self._tf = TfBase(self, settings.world_frame)
            self._tf_timer = self.create_timer(PERIOD, self._look_at_tf)

    def _subscribe(self, kind: type, topic: str, callback: Callable[..., None]) -> Any:
        """A subscription as drivers need it: best effort takes what any publisher offers."""
        best_effort = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
        options = QoSOverridingOptions.with_default_policies()
        return self.create_subscription(kind, topic, callback, best_effort, qos_overriding_options=options)

    def create_publisher(self, *arguments: Any, **options: Any) -> Any:
        """A publisher without rclpy's event callbacks, which would cost time for every message."""
        options.setdefault("event_callbacks", PublisherEventCallbacks(use_default_callbacks=False))
        made = super().create_publisher(*arguments, **options)
        if hasattr(self, "qos"):  # rclpy makes publishers of its own before
            self.qos.add(made, publishes=True)
        return made

    def create_subscription(self, *arguments: Any, **options: Any) -> Any:
        """A subscription without rclpy's event callbacks, which would cost time for every message."""
        options.setdefault("event_callbacks", SubscriptionEventCallbacks(use_default_callbacks=False))
        made = super().create_subscription(*arguments, **options)
        if hasattr(self, "qos"):
            self.qos.add(made, publishes=False)
        return made

    def now(self) -> int:
        """The node's time (simulated where use_sim_time is set), ns."""
        return self.get_clock().now().nanoseconds

    def model_changed(self, model: Model, state: RobotState) -> None:
        """A new model is in place, or the same robot under other settings."""

    def joints_arrived(self, now: int) -> None:
        """A joint_states message was taken."""

    def interrupted(self, reason: str) -> None:
        """What was known before does not count any more: another robot, another time."""

    def forget_transforms(self) -> None:
        """The clock jumped back: what tf has said is of another time."""
        if self._tf is not None:
            self._tf.clear()

    def watched(self, now: int, problem: str) -> None:
        """Once a second, with why the state cannot be used (empty when it can)."""

    def report(self) -> dict[str, str]:
        """More values for the diagnostics."""
        return {}

    def state_problem(self, now: int) -> str:
        """Why the state cannot be used; empty when it can."""
        if not self.active:
            return INACTIVE
        if self.state is None:
            return "no robot model"
        if now <= 0:
            return _NO_CLOCK
        return self.state.why_not_ready(now, self.settings.state_timeout)

    def _found_model(self, described: Model) -> None:
        model = configured(described, self.settings)
        self._described = described
        state = RobotState(model, self.settings, self.notices)
        self.interrupted("there is a new robot_description")
        self._install(model, state)
        joints, root = len(state.map.names), self.settings.root_joint
        self.get_logger().info(
            f"ready: {model.name}, {joints} joints, {model.nv} dof, root {root}, {model.total_mass:.3g} kg; "
            f"missing: {', '.join(state.missing()) or 'nothing'}"
        )

    def _install(self, model: Model, state: RobotState) -> None:
        self.model, self.state, self._was_ready = model, state, False
        self.model_changed(model, state)

    def _examine(self, settings: Settings) -> None:
        """Refuse settings that do not fit the robot, before they take effect."""
        if self._described is not None:
            configured(self._described, settings)

    def _settings_changed(self, settings: Settings) -> None:
        """Gravity or payload may be others: same robot, same state, new numbers."""
        if self.source.retry(settings) or self._described is None or self.state is None:
            return
        model = configured(self._described, settings)
        self.state.follow(model, settings)
        self._install(model, self.state)

    def time_of_receipt(self, state: RobotState) -> int:
        """The node's time, ns; where it jumped back, what was known before is forgotten."""
        now = self.now()
        if not state.clock_is(now):
            self.interrupted("the clock jumped back")
            self.forget_transforms()
            self.notices.every("clock", "the clock jumped back: the state was forgotten and starts anew")
        return now

    def _on_joint_states(self, message: JointState, info: dict[str, Any]) -> None:
        state = self.state
        if state is None:
            return
        now = self.time_of_receipt(state)
        taken = False
        for each in with_backlog(message, info, self._joints_in, _MOST_WAITING):
            position, velocity = view(each.position), view(each.velocity)
            stamp = nanoseconds(each.header.stamp)
            taken = state.joints.update(each.name, position, velocity, stamp, now) or taken
        if taken:
            self.joints_arrived(now)

    def _on_odometry(self, message: Odometry, info: dict[str, Any]) -> None:
        state = self.state
        if state is None or state.base is None:
            return
        now = self.time_of_receipt(state)
        for each in with_backlog(message, info, self._base_in, _MOST_WAITING):
            pose, twist = each.pose.pose, each.twist.twist
            self._look_at_frame(each.header.frame_id)
            state.base.odometry(
                each.child_frame_id,
                xyz(pose.position),
                xyzw(pose.orientation),
                six(twist.linear, twist.angular),
                nanoseconds(each.header.stamp),
                now,
            )
        self._base_arrived(state, now)

    def _base_arrived(self, state: RobotState, now: int) -> None:
        """Where a robot has no joints, no joint_states will come."""
        if not state.map.names:
            self.joints_arrived(now)

    def _look_at_frame(self, frame: str) -> None:
        """Say once when the base is given in another frame than the parameter world_frame."""
        if frame and frame != self.settings.world_frame:
            self.notices(
                f"base in {frame}",
                f"the base is given in {frame!r}, which is taken for the world frame "
                f"(parameter world_frame is {self.settings.world_frame!r})",
            )

    def _on_base_pose(self, message: PoseStamped, info: dict[str, Any]) -> None:
        state = self.state
        if state is None or state.base is None:
            return
        now = self.time_of_receipt(state)
        for each in with_backlog(message, info, self._base_in, _MOST_WAITING):
            self._look_at_frame(each.header.frame_id)
            pose, stamp = each.pose, nanoseconds(each.header.stamp)
            state.base.pose(xyz(pose.position), xyzw(pose.orientation), stamp, now)
        self._base_arrived(state, now)

    def _look_at_tf(self) -> None:
        state = self.state
        if state is None or state.base is None or self.model is None or self._tf is None:
            return
        now = self.time_of_receipt(state)
        if self._tf.look(self.settings.base_frame or root_frame(self.model).name, state.base, now):
            self._base_arrived(state, now)

    def _on_imu(self, message: Imu) -> None:
        state = self.state
        if state is None or state.gravity is None:
            return
        now = self.time_of_receipt(state)
        oriented = message.orientation_covariance[0] != -1.0
        state.gravity.update(message.header.frame_id, xyzw(message.orientation), oriented, now)

    def _once_a_second(self) -> None:
        now = self.now()
        problem = self.state_problem(now)
        if now <= 0:
            self.notices.every("no clock", f"{self.consequence}: {_NO_CLOCK}")
        if self.state is None:
            self.notices.every("model", self.source.waiting_for)
        elif problem and now > 0 and self.active:
            self.notices.every("state", f"{self.consequence}: {problem}")
        elif not self._was_ready:
            self.get_logger().info("state complete")
        self._was_ready = not problem
        self.watched(now, problem)
        self.diagnostics.publish(problem, self.watch.look())
