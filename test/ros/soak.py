"""A soak: both nodes for a long time under 1 kHz joint_states, 400 Hz odometry and faults at random.

    python test/ros/soak.py --duration 600        (make soak DURATION=600)

Exit code 0 only if outputs came back within a second after every fault, no output was not finite, every
request was answered, and no node's memory grew by more than 5 MB after the first minute (a third of a
shorter run). Faults: silence, joints that are missing, numbers that are none, arrays of a wrong length, a
base in a foreign frame, a quaternion of zeros, stamps out of order, parameters that change, a description
that comes again.
"""

from __future__ import annotations

import argparse
import dataclasses
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import conftest  # noqa: F401  # a domain of its own, before rclpy
import harness
import numpy as np
from dyn_node_msgs.srv import GetFrame
from nav_msgs.msg import Odometry
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_msgs.msg import String

import dyn_node

JOINT_RATE, ODOM_RATE = 1000.0, 400.0
#: Seconds: outputs are back after a fault; what a run shorter than three of these divides by three.
BACK, SETTLED = 1.0, 60.0
#: Growth of a node's memory that is none (bytes), and what a fault lasts (s).
FLAT, FAULT = 5 << 20, (0.05, 1.2)
URDF = Path(dyn_node.robots.path("go2")).read_text(encoding="utf-8")
NAMES = [joint.name for joint in dyn_node.robots.load("go2").actuated_joints]


@dataclasses.dataclass
class Spoil:
    """What is wrong with the messages at the moment: functions that spoil them, None for nothing sent."""

    joints: Callable[[JointState], JointState | None] | None = None
    odom: Callable[[Odometry], Odometry | None] | None = None


class Robot:
    """The driver: a thread that sends both streams, spoilt as `spoil` says."""

    def __init__(self, client: harness.Client) -> None:
        self._client = client
        self._joints_out = client.node.create_publisher(JointState, "joint_states", 10)
        self._odom_out = client.node.create_publisher(Odometry, "odom", 10)
        self.spoil = Spoil()
        self.sent = 0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._end.set()
        self._thread.join(harness.END)

    def _run(self) -> None:
        begin = time.perf_counter()
        odometries = 0
        while not self._end.is_set():
            elapsed = time.perf_counter() - begin
            late = self.sent - elapsed * JOINT_RATE
            if late > 0.0:
                time.sleep(late / JOINT_RATE)
            elif late < -50.0:  # a pause of the machine: no burst to make up for it
                begin = time.perf_counter() - self.sent / JOINT_RATE
            phase = self.sent / JOINT_RATE
            self._send(self._joints_out, self._joints(phase), self.spoil.joints)
            if odometries < elapsed * ODOM_RATE:
                odometries += 1
                self._send(self._odom_out, self._odometry(phase), self.spoil.odom)
            self.sent += 1

    def _send(self, publisher: Any, message: Any, spoil: Callable[[Any], Any] | None) -> None:
        spoilt = message if spoil is None else spoil(message)
        if spoilt is not None:
            publisher.publish(spoilt)

    def _joints(self, phase: float) -> JointState:
        position = 0.3 * np.sin(phase + np.arange(12.0))
        return harness.joint_state(NAMES, position, 0.3 * np.cos(phase + np.arange(12.0)), time.time_ns())

    def _odometry(self, phase: float) -> Odometry:
        message = Odometry(child_frame_id="base")
        message.header.frame_id = "odom"
        message.header.stamp.sec, message.header.stamp.nanosec = divmod(time.time_ns(), 1_000_000_000)
        message.pose.pose.position.x, message.pose.pose.orientation.w = np.sin(phase), 1.0
        return message


def with_(**changes: Any) -> Callable[[Any], Any]:
    """Spoil a message by setting fields, given as functions of the message."""

    def spoil(message: Any) -> Any:
        for name, value in changes.items():
            setattr(message, name, value(message))
        return message

    return spoil


def zero_quaternion(message: Odometry) -> Odometry:
    message.pose.pose.orientation.w = 0.0
    return message


def shuffled_stamp(message: Any) -> Any:
    message.header.stamp.sec = max(0, message.header.stamp.sec + random.choice((-2, 0, 3)))
    return message


def nothing(message: Any) -> None:
    return None


FAULTS: dict[str, Spoil] = {
    "silence": Spoil(nothing, nothing),
    "no joint_states": Spoil(joints=nothing),
    "no odom": Spoil(odom=nothing),
    "a joint missing": Spoil(with_(name=lambda m: m.name[:-1], position=lambda m: m.position[:-1],
                                   velocity=lambda m: m.velocity[:-1])),
    "nan": Spoil(with_(position=lambda m: [*m.position[:-1], float("nan")])),
    "short": Spoil(with_(position=lambda m: m.position[:4])),
    "joints foreign": Spoil(with_(name=lambda m: [f"other_{name}" for name in m.name])),
    "child foreign": Spoil(odom=with_(child_frame_id=lambda m: "camera")),
    "zero quaternion": Spoil(odom=zero_quaternion),
    "stamps out of order": Spoil(shuffled_stamp, shuffled_stamp),
}  # fmt: skip


class Soak:
    """One run. `problems` is what did not hold."""

    def __init__(self, client: harness.Client, seed: int) -> None:
        self.client, self.random = client, random.Random(seed)
        self.robot = Robot(client)
        self.latencies: list[float] = []
        self.returns: list[float] = []
        self.faults: Counter[str] = Counter()
        self.problems: list[str] = []
        self.answers = self.heard = 0
        self._newest = 0
        self._changed = threading.Condition()
        client.node.create_subscription(JointState, "dynamics/gravity_torques", self._hear, 100)
        self._frame = client.keep_service(GetFrame, "solver/get_frame")

    def _hear(self, message: JointState) -> None:
        stamp = harness.stamp_of(message)
        with self._changed:
            self.heard += 1
            if self.heard % 5 == 0 and self.robot.spoil.joints is None:
                self.latencies.append((time.time_ns() - stamp) / 1e6)
            if not np.isfinite(message.effort).all():
                self.problems.append(f"an effort is not finite: {message.effort}")
            self._newest = time.monotonic_ns()
            self._changed.notify_all()

    def back(self, what: str, limit: float) -> None:
        """Wait until an output comes that is younger than now; how long that took."""
        begin = time.monotonic_ns()
        with self._changed:
            found = self._changed.wait_for(lambda: self._newest > begin + 20_000_000, max(10.0, limit))
        took = (time.monotonic_ns() - begin) / 1e9
        self.returns.append(took)
        if not found or took > limit:
            self.problems.append(f"{took:.2f} s without output after {what}")

    def fault(self) -> None:
        """Let one fault come and go."""
        what = self.random.choice([*FAULTS, "parameters", "description"])
        self.faults[what] += 1
        if what == "parameters":
            self.set_parameters()
        elif what == "description":
            self.client.publish("robot_description", String(data=URDF), latched=True)
        else:
            self.robot.spoil = FAULTS[what]
            time.sleep(self.random.uniform(*FAULT))
            self.robot.spoil = Spoil()
        self.back(what, BACK)

    def set_parameters(self) -> None:
        """A payload that comes and goes, and one that cannot be."""
        mass = self.random.choice((0.0, 1.5, -1.0))
        parameters = [Parameter("payload.frame", value="base"), Parameter("payload.mass", value=mass)]
        request = SetParameters.Request(parameters=[each.to_parameter_msg() for each in parameters])
        results = self.client.call(SetParameters, "dynamics/set_parameters", request).results
        if results[1].successful != (mass >= 0.0):
            self.problems.append(f"payload.mass {mass}: {results[1]}")

    def ask(self) -> None:
        """A request, which has to be answered whatever the state."""
        answer = self._frame(GetFrame.Request(frame="FL_foot"))
        self.answers += 1
        if not answer.message:
            self.problems.append("an answer without a message")


def memory(pid: int) -> int:
    """Resident memory of a process, bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def run(duration: float, seed: int = 1) -> list[str]:
    """Soak for that many seconds, print what was seen; what did not hold."""
    ns = harness.namespace()
    shared = {"root_joint": "free_flyer"}
    streams = {"command_joints": NAMES, "arm_automatically": True, "frames": ["FL_foot", "RR_foot"]}
    with (
        harness.client(ns) as client,
        harness.NodeProcess("dynamics", ns, {**shared, **streams}) as dynamics,
        harness.NodeProcess("solver", ns, shared) as solver,
    ):
        client.publish("robot_description", String(data=URDF), latched=True)
        dynamics.wait_for("ready: ")
        solver.wait_for("ready: ")
        soak = Soak(client, seed)
        try:
            soak.back("the start", harness.ANSWER)
            sizes = _work(soak, duration, {"dynamics": dynamics.process.pid, "solver": solver.process.pid})
        finally:
            soak.robot.close()
        for name, grown in sizes.items():
            if grown > FLAT:
                soak.problems.append(f"{name} grew by {grown / 1e6:.1f} MB")
        _print(soak, duration, sizes)
        for node in (dynamics, solver):
            if "Traceback" in node.log:
                soak.problems.append(node.log)
    return soak.problems


def _work(soak: Soak, duration: float, pids: dict[str, int]) -> dict[str, int]:
    """Faults until the time is over; by how much each process has grown since it settled (bytes)."""
    begin = time.monotonic()
    settled: dict[str, int] = {}
    while time.monotonic() - begin < duration:
        if not settled and time.monotonic() - begin > min(SETTLED, duration / 3):
            settled = {name: memory(pid) for name, pid in pids.items()}
        soak.fault()
        soak.ask()
        time.sleep(soak.random.uniform(0.0, 0.5))
    return {name: memory(pid) - settled[name] for name, pid in pids.items()}


def _print(soak: Soak, duration: float, sizes: dict[str, int]) -> None:
    parts = (50, 90, 99, 99.9, 100)
    late = np.percentile(soak.latencies, parts)
    print(
        f"soak of {duration:g} s: {soak.robot.sent} joint_states sent ({soak.robot.sent / duration:.0f} Hz), "
        f"{soak.heard} outputs, {soak.answers} answers, {sum(soak.faults.values())} faults: "
        + ", ".join(f"{count} {what}" for what, count in sorted(soak.faults.items()))
    )
    print("latency ms: " + ", ".join(f"{p:g} % {value:.2f}" for p, value in zip(parts, late, strict=True)))
    grown = ", ".join(f"{name} {size / 1e6:+.2f} MB" for name, size in sizes.items())
    returns = soak.returns[1:]
    print(f"back after a fault: {np.median(returns):.3f} s median, {max(returns):.3f} s at most")
    print(f"memory: {grown}")


def main() -> int:
    """Run as the command line says; the exit code."""
    parser = argparse.ArgumentParser(description="Both nodes for a long time, with faults.")
    parser.add_argument("--duration", type=float, default=600.0, help="seconds (default: 600)")
    parser.add_argument("--seed", type=int, default=1, help="of the order of faults (default: 1)")
    options = parser.parse_args()
    problems = run(options.duration, options.seed)
    for problem in problems:
        print(f"soak: {problem}", file=sys.stderr)
    print("soak: failed" if problems else "soak: everything held")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
