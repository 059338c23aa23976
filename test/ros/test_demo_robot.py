"""The demo robot as a process of its own, over real DDS."""

from __future__ import annotations

import array
import json
import math
import os
import signal
import sys
import time

import numpy as np
import pytest
from numpy.testing import assert_allclose

pytest.importorskip("rclpy", reason="needs ROS 2")

import rclpy
from builtin_interfaces.msg import Duration
from nav_msgs.msg import Odometry
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, String
from std_srvs.srv import SetBool
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

import dyn_node
from dyn_node import robots
from dyn_node.tools.demo_processes import Children

DOMAIN = 1 + (os.getpid() + 50) % 100  # not that of conftest.py: these topics have no namespace
DEADLINE = 90.0  # a cold start compiles kernels
FALLS = {"robot": "panda", "effort_timeout": 1.0, "on_timeout": "fall"}
TURNED = {"robot": "go2", "base_pose": [1.0, 2.0, 0.5, 0.0, 0.0, 1.0, 1.0], "publish_tf": True}
STILL = 1e-6  # rad: brakes hold exactly, gravity torques up to rounding


class Bench:
    """A demo robot in a process, and a node that plays controller to it."""

    def __init__(self, children: Children, **parameters) -> None:
        self._children = children
        file = children.folder / "parameters.yaml"
        file.write_text(json.dumps({"demo_robot": {"ros__parameters": parameters}}), encoding="utf-8")
        children.start(
            "demo_robot",
            [sys.executable, "-m", "dyn_node.nodes.demo_robot", "--ros-args", "--params-file", str(file)],
        )
        self._context = rclpy.Context()
        rclpy.init(args=[], context=self._context, domain_id=DOMAIN)
        self.node = Node("bench", context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self.states: list[JointState] = []
        self.odom: list[Odometry] = []
        self.mode = ""
        best_effort = QoSProfile(depth=50, reliability=ReliabilityPolicy.BEST_EFFORT)
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.node.create_subscription(JointState, "joint_states", self.states.append, best_effort)
        self.node.create_subscription(Odometry, "odom", self.odom.append, best_effort)
        self.node.create_subscription(String, "demo_robot/mode", self._on_mode, latched)
        self._effort = self.node.create_publisher(Float64MultiArray, "effort_command", 1)
        self._reference = self.node.create_publisher(JointTrajectory, "demo_robot/reference", 1)
        self._switches = {
            name: self.node.create_client(SetBool, f"demo_robot/{name}") for name in ("brake", "motors")
        }
        self.efforts: list[float] | None = None
        self.wait("joint_states", lambda: self.states and self.mode)
        self.wait(
            "the controller's topics",
            lambda: (
                self._effort.get_subscription_count()
                and self._reference.get_subscription_count()
                and all(client.service_is_ready() for client in self._switches.values())
            ),
        )

    def _on_mode(self, message: String) -> None:
        self.mode = message.data

    @property
    def position(self) -> np.ndarray:
        return np.array(self.states[-1].position)

    def wait(self, what, done) -> None:
        """Until `done()`, keeping the efforts coming."""
        deadline = time.monotonic() + DEADLINE
        while not done():
            assert time.monotonic() < deadline, f"waited {DEADLINE} s for {what}; robot is {self.mode}"
            self._children.check()
            if self.efforts is not None:
                self.send(self.efforts)
            self._executor.spin_once(timeout_sec=0.005)

    def wait_for(self, duration: float) -> None:
        end = time.monotonic() + duration
        self.wait("the clock", lambda: time.monotonic() >= end)

    def wait_for_states(self, count: int) -> list[JointState]:
        first = len(self.states)
        self.wait(f"{count} joint_states", lambda: len(self.states) >= first + count)
        return self.states[first:]

    def send(self, efforts: list[float]) -> None:
        self._effort.publish(Float64MultiArray(data=array.array("d", efforts)))

    def refer(self, names: list[str], positions: list[float], seconds: int = 1) -> None:
        message = JointTrajectory(joint_names=names)
        message.points = [JointTrajectoryPoint(positions=positions, time_from_start=Duration(sec=seconds))]
        self._reference.publish(message)

    def switch(self, name: str, on: bool) -> str:
        future = self._switches[name].call_async(SetBool.Request(data=on))
        self.wait(name, future.done)
        assert future.result().success
        return future.result().message

    def close(self) -> None:
        rclpy.shutdown(context=self._context)


def _environment() -> dict[str, str]:
    return {
        **os.environ,
        "ROS_DOMAIN_ID": str(DOMAIN),
        "FASTDDS_BUILTIN_TRANSPORTS": "UDPv4",
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
    }


@pytest.fixture
def children(monkeypatch):
    for name, value in _environment().items():
        monkeypatch.setenv(name, value)
    with Children(_environment()) as children:
        yield children


@pytest.fixture
def bench(children, request):
    bench = Bench(children, **getattr(request, "param", {"robot": "panda", "effort_timeout": 2.0}))
    yield bench
    bench.close()


def _panda_gravity(position: np.ndarray) -> list[float]:
    model = robots.load("panda")
    return list(dyn_node.generalized_gravity(model, model.create_data(), position))


def test_brakes_gravity_reference_and_fall(bench):
    """One life of an arm: brakes, wrong efforts, right efforts, a move, silence, a cut."""
    home = np.array(list(robots.describe("panda").home.values()))
    names = list(robots.describe("panda").home)
    for state in bench.wait_for_states(20):
        assert list(state.name) == names
        assert_allclose(state.position, home, atol=STILL)
        assert not any(state.velocity)
        assert not any(state.effort)
    assert bench.mode == "braked"

    for wrong in ([1.0] * 6, [1.0] * 6 + [math.nan], []):
        for _ in range(5):
            bench.send(wrong)
            bench.wait_for_states(2)
    assert bench.mode == "braked"

    bench.efforts = _panda_gravity(home)
    bench.wait("the brakes to open", lambda: bench.mode == "driven")
    bench.wait("an effort", lambda: any(bench.states[-1].effort))
    for state in bench.wait_for_states(300):
        assert_allclose(state.effort, bench.efforts, atol=1e-9)
        assert_allclose(state.position, home, atol=STILL)

    bench.refer(["panda_elbow"], [0.0])
    bench.refer(["panda_joint7"], [math.nan])
    assert_allclose(bench.wait_for_states(50)[-1].position, home, atol=STILL)
    # The last joint's axis goes through the hand's centre of mass nearly: gravity hardly changes.
    bench.refer(["panda_joint7"], [home[6] + 0.2])
    bench.wait("the move", lambda: abs(bench.position[6] - home[6] - 0.2) < 2e-3)

    bench.efforts = None
    bench.wait("the brakes", lambda: bench.mode == "braked" and not any(bench.states[-1].effort))
    held = bench.states[-1].position
    assert_allclose(bench.wait_for_states(50)[-1].position, held, atol=STILL)

    bench.efforts = _panda_gravity(np.array(held))
    bench.wait("the brakes to open", lambda: bench.mode == "driven")
    assert "limp" in bench.switch("motors", False)
    bench.wait("the fall", lambda: abs(bench.states[-1].velocity[1]) > 0.05)
    assert not any(bench.states[-1].effort)
    assert "braked" in bench.switch("brake", True)
    bench.wait("the brakes", lambda: not any(bench.states[-1].velocity))


@pytest.mark.parametrize("bench", [FALLS], indirect=True)
def test_on_timeout_fall_drops_the_arm(bench):
    bench.efforts = _panda_gravity(bench.position)
    bench.wait("the brakes to open", lambda: bench.mode == "driven")
    bench.efforts = None
    bench.wait("the fall", lambda: bench.mode == "limp" and any(bench.states[-1].velocity))


@pytest.mark.parametrize("bench", [{"robot": "panda"}], indirect=True)
def test_stamps_are_those_of_the_states_and_do_not_drift(bench):
    states = bench.wait_for_states(500)
    stamps = np.array([state.header.stamp.sec + 1e-9 * state.header.stamp.nanosec for state in states])
    steps = np.diff(stamps) / 1e-3
    assert_allclose(steps, np.round(steps), atol=2e-3)  # whole periods, however late a message was
    assert steps.min() > 0.5
    assert abs(time.time() - stamps[-1]) < 1.0


@pytest.mark.parametrize("bench", [TURNED], indirect=True)
def test_a_floating_base_is_held_where_odom_says(bench):
    bench.wait("odom", lambda: bench.odom)
    odom = bench.odom[-1]
    assert odom.header.frame_id == "world"
    assert odom.child_frame_id == "base"
    pose, twist = odom.pose.pose, odom.twist.twist
    half = math.sqrt(0.5)
    assert_allclose([pose.position.x, pose.position.y, pose.position.z], [1.0, 2.0, 0.5])
    assert_allclose(
        [pose.orientation.x, pose.orientation.y, pose.orientation.z, pose.orientation.w],
        [0.0, 0.0, half, half],
        atol=1e-12,
    )
    assert twist.linear.x == twist.linear.y == twist.linear.z == twist.angular.z == 0.0


def test_it_ends_with_0_on_sigint(bench, children):
    os.kill(children.pids()["demo_robot"], signal.SIGINT)
    children.stop()
    assert children.exit_codes == {"demo_robot": 0}


@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        ("robot:=pandas", "panda"),
        ("initial_positions:=[1.0]", "7 joints"),
        ("rate:=fast", "rate"),
        ("robot_description:=nonsense", "XML"),
    ],
)
def test_bad_parameters_end_it_with_1_and_say_why(children, parameter, said):
    children.start(
        "demo_robot", [sys.executable, "-m", "dyn_node.nodes.demo_robot", "--ros-args", "-p", parameter]
    )
    deadline = time.monotonic() + DEADLINE
    while "demo_robot" not in children.exit_codes:
        assert time.monotonic() < deadline
        children._wait(0.1)
    assert children.exit_codes == {"demo_robot": 1}
    assert said in children.tail("demo_robot")
