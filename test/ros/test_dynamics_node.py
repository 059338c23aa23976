"""`dynamics_node` as a process, over real DDS: what it publishes, and when it stays silent."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness
from diagnostic_msgs.msg import DiagnosticArray
from dyn_node_msgs.msg import MassMatrix
from geometry_msgs.msg import PoseStamped, TwistStamped, WrenchStamped
from nav_msgs.msg import Odometry
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, String
from tolerances import IDENTITY
from visualization_msgs.msg import MarkerArray

import dyn_node

HALF = math.sqrt(0.5)
COMMAND_ORDER = ["panda_joint7", "panda_joint2", "panda_joint4"]


class Robot(NamedTuple):
    """A running node, the test's client beside it, the model to compare with."""

    node: harness.NodeProcess
    client: harness.Client
    model: dyn_node.Model
    names: list[str]
    gravity: harness.Recorder

    def send(self, position: Any, velocity: Any = None, order: Any = None) -> JointState:
        """Publish the joints, in an order, until gravity torques answer; the answer."""
        chosen = list(range(len(self.names))) if order is None else list(order)
        position = np.asarray(position, dtype=float)

        def publish(stamp: int) -> None:
            speeds = None if velocity is None else np.asarray(velocity)[chosen]
            names = [self.names[k] for k in chosen]
            self.client.publish("joint_states", harness.joint_state(names, position[chosen], speeds, stamp))

        return self.client.exchange(publish, self.gravity)

    def expected(self, q: Any) -> np.ndarray:
        """Gravity torques by the library."""
        return dyn_node.generalized_gravity(self.model, self.model.create_data(), q)


def urdf(name: str) -> str:
    return Path(dyn_node.robots.path(name)).read_text(encoding="utf-8")


@contextlib.contextmanager
def running(name: str, root: str, **parameters: Any) -> Iterator[Robot]:
    ns = harness.namespace()
    values = {"robot_description": urdf(name), "root_joint": root, **parameters}
    with harness.client(ns) as client, harness.NodeProcess("dynamics", ns, values) as node:
        model = dyn_node.robots.load(name, root=root)
        gravity = client.record(JointState, "dynamics/gravity_torques")
        node.wait_for("ready: ")
        yield Robot(node, client, model, [joint.name for joint in model.actuated_joints], gravity)


@pytest.fixture(scope="module")
def arm() -> Iterator[Robot]:
    with running(
        "panda",
        "fixed",
        frames=["panda_hand", "panda_hnd"],
        command_joints=COMMAND_ORDER,
        arm_automatically=True,
        start_ramp=0.0,
        gravity_scale=0.5,
        max_effort=[100.0, 100.0, 2.0],
        outputs=["gravity_torques", "twist", "mass_matrix", "markers"],
        state_timeout=10.0,  # partial messages stay valid while a machine does other things
    ) as robot:
        yield robot


@pytest.fixture(scope="module")
def quadruped() -> Iterator[Robot]:
    with running("go2", "free_flyer", frames=["base", "FL_foot"], world_frame="map") as robot:
        yield robot


def some_state(model: dyn_node.Model, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return dyn_node.random_configuration(model, rng), rng.normal(size=model.nv)


def test_ready_line_names_robot_joints_and_what_is_missing(arm: Robot) -> None:
    line = arm.node.wait_for("ready: ")
    for word in ("panda", "7 dof", "root fixed", "missing: panda_joint1"):
        assert word in line


def test_order_and_partition_of_the_joints_do_not_matter(arm: Robot) -> None:
    q, _ = some_state(arm.model, 1)
    ordered = arm.send(q)
    assert list(ordered.name) == arm.names
    assert list(ordered.position) == list(ordered.velocity) == []
    assert np.array(ordered.effort) == pytest.approx(arm.expected(q), abs=IDENTITY)
    assert arm.send(q, order=[5, 0, 3, 6, 1, 4, 2]).effort == ordered.effort
    other, _ = some_state(arm.model, 2)
    mixed = np.concatenate([q[:3], other[3:]])
    arm.send(q)
    assert np.array(arm.send(other, order=range(3, 7)).effort) == pytest.approx(
        arm.expected(mixed), abs=IDENTITY
    )
    assert arm.send(q, order=[6, 3, 5, 4]).effort == ordered.effort


def test_mass_matrix_is_full_symmetric_and_labelled(arm: Robot) -> None:
    q, _ = some_state(arm.model, 3)
    matrices = arm.client.record(MassMatrix, "dynamics/mass_matrix")
    message = arm.client.exchange(
        lambda stamp: arm.client.publish("joint_states", harness.joint_state(arm.names, q, stamp=stamp)),
        matrices,
    )
    assert (message.rows, message.cols, list(message.names)) == (7, 7, arm.names)
    assert message.header.frame_id == "world"
    matrix = np.array(message.data).reshape(7, 7)
    assert (matrix == matrix.T).all()
    assert matrix == pytest.approx(dyn_node.crba(arm.model, arm.model.create_data(), q), abs=IDENTITY)


def test_twist_of_a_frame_is_in_the_axes_of_the_world(arm: Robot) -> None:
    q, v = some_state(arm.model, 4)
    twists = arm.client.record(TwistStamped, "dynamics/twist/panda_hand")
    message = arm.client.exchange(
        lambda stamp: arm.client.publish("joint_states", harness.joint_state(arm.names, q, v, stamp)), twists
    )
    data = arm.model.create_data()
    dyn_node.forward_kinematics(arm.model, data, q, v)
    twist = message.twist
    given = [
        twist.linear.x,
        twist.linear.y,
        twist.linear.z,
        twist.angular.x,
        twist.angular.y,
        twist.angular.z,
    ]
    expected = dyn_node.frame_velocity(arm.model, data, "panda_hand", dyn_node.LOCAL_WORLD_ALIGNED).vector
    assert np.array(given) == pytest.approx(expected, abs=IDENTITY)


def test_an_unknown_frame_is_refused_with_the_closest_and_the_rest_goes_on(arm: Robot) -> None:
    line = arm.node.wait_for("panda_hnd")
    assert "closest: panda_hand" in line
    topics = [name for name, _ in arm.client.node.get_topic_names_and_types()]
    assert not [name for name in topics if name.endswith("panda_hnd")]


def test_effort_command_is_in_the_controllers_order_scaled_and_bounded(arm: Robot) -> None:
    q = np.array([0.0, -0.7, 0.0, -2.3, 0.0, 1.6, 0.7])
    commands = arm.client.record(Float64MultiArray, "dynamics/effort_command")
    # It has no stamp: wait for the command that belongs to this position.
    whole = dict(zip(arm.names, arm.expected(q), strict=True))
    half = [0.5 * whole[name] for name in COMMAND_ORDER]
    assert half[2] > 2.0, "this pose does not need more than the bound"
    expected = [half[0], half[1], 2.0]
    arm.send(q)
    arm.client.publish("joint_states", harness.joint_state(arm.names, q, stamp=arm.client.new_stamp()))
    command = commands.wait(lambda m: np.allclose(m.data, expected, rtol=0, atol=IDENTITY))
    assert command.layout.dim[0].label == ",".join(COMMAND_ORDER)
    assert "panda_joint4" in arm.node.wait_for("cut to max_effort", harness.ANSWER)


def test_markers_show_the_twist(arm: Robot) -> None:
    q, v = some_state(arm.model, 5)
    markers = arm.client.record(MarkerArray, "dynamics/markers")
    arm.send(q, v)
    arm.send(q, v)
    message = markers.wait(lambda m: len(m.markers) == 4 + 2 * 7 + 1)
    assert {marker.ns for marker in message.markers} >= {
        "panda_hand linear",
        "centre of mass",
        "panda_joint4 torque",
    }


def silent_on(robot: Robot, bad: JointState) -> None:
    """Assert that a message gives no output, by sending a good one after it that does."""
    q, v = some_state(robot.model, 6)
    robot.send(q, v)
    before = harness.stamp_of(bad)
    robot.client.publish("joint_states", bad)
    robot.send(q, v)
    assert before not in robot.gravity.stamps()
    for message in robot.gravity.messages:
        assert np.isfinite(message.effort).all()


@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e300])
def test_a_position_that_is_no_number_gives_no_torque(arm: Robot, bad: float) -> None:
    position = np.zeros(7)
    position[4] = bad
    silent_on(arm, harness.joint_state(arm.names, position, np.zeros(7), arm.client.new_stamp()))


@pytest.mark.parametrize(("positions", "velocities"), [(6, 7), (0, 7), (8, 7), (7, 3)])
def test_arrays_that_do_not_fit_their_names_give_no_torque(
    arm: Robot, positions: int, velocities: int
) -> None:
    message = harness.joint_state(
        arm.names, np.zeros(positions), np.zeros(velocities), arm.client.new_stamp()
    )
    silent_on(arm, message)


def test_a_yawed_base_with_a_body_velocity_moves_sideways_in_the_world(quadruped: Robot) -> None:
    q = dyn_node.neutral(quadruped.model)[7:]
    twists = quadruped.client.record(TwistStamped, "dynamics/twist/base")
    wrenches = quadruped.client.record(WrenchStamped, "dynamics/base_wrench")
    odometry = Odometry(child_frame_id="base")
    odometry.header.frame_id = "map"
    odometry.pose.pose.orientation.z = odometry.pose.pose.orientation.w = HALF
    odometry.twist.twist.linear.x = 1.0

    def publish(stamp: int) -> None:
        odometry.header.stamp.sec, odometry.header.stamp.nanosec = divmod(stamp, 1_000_000_000)
        quadruped.client.publish("odom", odometry)
        quadruped.client.publish("joint_states", harness.joint_state(quadruped.names, q, np.zeros(12), stamp))

    message = quadruped.client.exchange(publish, twists)
    assert message.header.frame_id == "map"
    linear = message.twist.linear
    assert (linear.x, linear.y, linear.z) == pytest.approx((0.0, 1.0, 0.0), abs=IDENTITY)
    wrench = quadruped.client.exchange(publish, wrenches)
    assert wrench.header.frame_id == "base"
    assert wrench.wrench.force.z == pytest.approx(9.81 * quadruped.model.total_mass, rel=1e-9)
    torque = quadruped.client.exchange(publish, quadruped.gravity)
    assert list(torque.name) == quadruped.names
    assert len(torque.effort) == 12


def test_gravity_can_be_changed_while_the_node_runs_and_bad_values_are_refused(arm: Robot) -> None:
    q, _ = some_state(arm.model, 7)
    before = np.array(arm.send(q).effort)

    def change(gravity: list[float]) -> Any:
        request = SetParameters.Request(parameters=[Parameter("gravity", value=gravity).to_parameter_msg()])
        return arm.client.call(SetParameters, "dynamics/set_parameters", request).results[0]

    assert change([0.0, 0.0, -4.905]).successful
    try:
        assert np.array(arm.send(q).effort) == pytest.approx(before / 2, abs=IDENTITY)
        refusal = change([0.0, 0.0])
        assert not refusal.successful
        assert "3 entries" in refusal.reason
        assert np.array(arm.send(q).effort) == pytest.approx(before / 2, abs=IDENTITY)
    finally:
        assert change([0.0, 0.0, -9.81]).successful


def test_poses_of_the_base_give_its_twist_and_a_rate_gives_outputs_of_its_own() -> None:
    more = {
        "base_source": "base_pose",
        "base_pose_filter": 0.0,
        "rate": 50.0,
        "frames": ["base"],
        "stat_timeout": 1.0,
    }
    with running("go2", "free_flyer", **more) as robot:
        assert "did you mean state_timeout?" in robot.node.wait_for("stat_timeout")
        twists = robot.client.record(TwistStamped, "dynamics/twist/base")
        pose = PoseStamped()

        def move(stamp: int) -> None:
            joints = harness.joint_state(robot.names, np.zeros(12), np.zeros(12), stamp)
            robot.client.publish("joint_states", joints)
            pose.header.stamp = joints.header.stamp
            pose.pose.position.x = 0.5 * stamp * 1e-9  # half a metre a second
            robot.client.publish("base_pose", pose)

        robot.client.exchange(move, robot.gravity)
        message = robot.client.exchange(move, twists)
        message = twists.wait(lambda m: m.twist.linear.x != 0.0)
        assert message.twist.linear.x == pytest.approx(0.5, rel=1e-6)
        stamp = harness.stamp_of(message)
        # Nothing more is sent, and the timer goes on with the state that it has.
        count = len(twists.messages)
        twists.wait(lambda m: len(twists.messages) >= count + 3 and harness.stamp_of(m) >= stamp)


def test_missing_joints_are_in_the_diagnostics_and_nothing_is_published() -> None:
    with running("panda", "fixed") as robot:
        diagnostics = robot.client.record(DiagnosticArray, "/diagnostics")
        q = np.zeros(7)

        def partial(stamp: int) -> None:
            robot.client.publish("joint_states", harness.joint_state(robot.names[:6], q[:6], stamp=stamp))

        def ours(message: DiagnosticArray) -> bool:
            status = message.status[0]
            values = {pair.key: pair.value for pair in status.values}
            named = status.name.startswith(robot.client.ns[1:])
            return named and status.level == b"\x02" and values.get("missing") == "panda_joint7"

        deadline = 20
        while not any(map(ours, diagnostics.messages)) and deadline:
            partial(robot.client.new_stamp())
            with diagnostics.changed:
                diagnostics.changed.wait(1.0)
            deadline -= 1
        message = diagnostics.wait(ours)
        assert "panda_joint7" in message.status[0].message
        assert robot.gravity.messages == []
        assert "panda_joint7" in robot.node.wait_for("no output: ")
        robot.send(q)  # all of them: what was sent before may be stale by now


@pytest.mark.parametrize(
    ("description", "reason"),
    [
        ("", "waiting for"),
        ("not a robot", "not XML"),
        ("<robot name='x'><link name=", "robot_description refused"),
        ("<html><body/></html>", "robot_description refused"),
    ],
)
def test_a_bad_description_is_refused_and_the_node_waits_for_a_good_one(
    description: str, reason: str
) -> None:
    ns = harness.namespace()
    values = {"robot_description": description}
    with harness.client(ns) as client, harness.NodeProcess("dynamics", ns, values) as node:
        node.wait_for(reason)
        client.publish("robot_description", String(data="<robot"), latched=True)
        node.wait_for(f"topic {ns}/robot_description refused")
        client.publish("robot_description", String(data=urdf("panda")), latched=True)
        node.wait_for("ready: panda")
        seen = len(node.lines)
        client.publish("robot_description", String(data="<robot/>"), latched=True)
        node.wait_for("refused", after=seen)
        gravity = client.record(JointState, "dynamics/gravity_torques")
        names = [f"panda_joint{k}" for k in range(1, 8)]
        answer = client.exchange(
            lambda stamp: client.publish(
                "joint_states", harness.joint_state(names, np.zeros(7), stamp=stamp)
            ),
            gravity,
        )
        assert len(answer.effort) == 7
