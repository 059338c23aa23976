"""Both nodes under arbitrary messages and requests, over real DDS: alive, all answered, outputs finite.

`make fuzz CASES=10000` is the long run.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

pytest.importorskip("hypothesis", reason="hypothesis is not installed")
pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

import harness
from arbitrary import (
    JOINTS,
    accelerations,
    base_wrenches,
    cases,
    common,
    contacts,
    frames,
    joint_states,
    odometries,
    references,
    stamps,
    values,
    wrenches,
)
from dyn_node_msgs.msg import MassMatrix
from dyn_node_msgs.srv import ForwardDynamics, GetFrame, GetMassMatrix, InverseDynamics, SolveIK
from geometry_msgs.msg import TwistStamped, WrenchStamped
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

import dyn_node

MANY = settings(
    max_examples=cases(300),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


class Nodes(NamedTuple):
    dynamics: harness.NodeProcess
    solver: harness.NodeProcess
    client: harness.Client
    outputs: dict[str, harness.Recorder]

    def check_outputs(self) -> int:
        """Assert that all that was published is finite, and forget it; how many messages that were."""
        count = 0
        for topic, recorder in self.outputs.items():
            with recorder.changed:
                messages, recorder.messages = recorder.messages, []
            for message in messages:
                assert np.isfinite(numbers_of(message)).all(), f"{topic}: {message}"
            count += len(messages)
        return count


def numbers_of(message: Any) -> list[float]:
    """All numbers of a message of results."""
    if isinstance(message, JointState):
        return list(message.effort)
    if isinstance(message, (MassMatrix, Float64MultiArray)):
        return list(message.data)
    pair = message.twist if isinstance(message, TwistStamped) else message.wrench
    vectors = (pair.linear, pair.angular) if isinstance(message, TwistStamped) else (pair.force, pair.torque)
    return [getattr(vector, axis) for vector in vectors for axis in "xyz"]


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    ns = harness.namespace()
    shared = {
        "robot_description": Path(dyn_node.robots.path("go2")).read_text(encoding="utf-8"),
        "root_joint": "free_flyer",
        "ik.max_timeout": 0.005,
    }
    streams = {
        "frames": ["FL_foot"],
        "command_joints": JOINTS,
        "arm_automatically": True,
        "max_effort_rate": [1e4],
    }
    topics = {
        "gravity_torques": JointState,
        "effort_command": Float64MultiArray,
        "base_wrench": WrenchStamped,
        "twist/FL_foot": TwistStamped,
        "mass_matrix": MassMatrix,
    }
    with (
        harness.client(ns) as client,
        harness.NodeProcess("dynamics", ns, {**shared, **streams}) as dynamics,
        harness.NodeProcess("solver", ns, shared) as solver,
    ):
        outputs = {topic: client.record(kind, f"dynamics/{topic}") for topic, kind in topics.items()}
        dynamics.wait_for("ready: ")
        solver.wait_for("ready: ")
        yield Nodes(dynamics, solver, client, outputs)


requests = st.one_of(
    st.tuples(
        st.just(("forward_dynamics", ForwardDynamics)),
        common,
        contacts,
        st.fixed_dictionaries(
            {
                "efforts": values(),
                "external_wrenches": st.lists(wrenches(), max_size=2),
                "base_wrench": st.lists(base_wrenches(), max_size=1),
            }
        ),
    ),
    st.tuples(
        st.just(("inverse_dynamics", InverseDynamics)),
        common,
        contacts,
        st.fixed_dictionaries(
            {"accelerations": values(), "base_acceleration": st.lists(accelerations(), max_size=1)}
        ),
    ),
    st.tuples(st.just(("get_mass_matrix", GetMassMatrix)), common, st.just({}), st.just({})),
    st.tuples(
        st.just(("get_frame", GetFrame)),
        common,
        st.just({}),
        st.fixed_dictionaries({"frame": frames, "reference": references}),
    ),
    st.tuples(
        st.just(("solve_ik", SolveIK)),
        st.fixed_dictionaries({"seed": joint_states()}),
        st.just({}),
        st.fixed_dictionaries({"frame": frames, "free_base": st.booleans()}),
    ),
)


def test_arbitrary_messages_and_requests(nodes: Nodes) -> None:
    client = nodes.client
    services = {
        name: client.keep_service(kind, f"solver/{name}")
        for name, kind in (
            ("forward_dynamics", ForwardDynamics),
            ("inverse_dynamics", InverseDynamics),
            ("get_mass_matrix", GetMassMatrix),
            ("get_frame", GetFrame),
            ("solve_ik", SolveIK),
        )
    }

    @MANY
    @given(joint_states(), odometries(), stamps, stamps, st.booleans(), requests)
    def one(joints: Any, base: Any, one: Any, other: Any, good: bool, request: Any) -> None:
        if good:  # a good state between: otherwise outputs would never come
            client.publish("odom", level())
            client.publish("joint_states", harness.joint_state(JOINTS, np.zeros(12), np.zeros(12)))
        for message, (sec, nanosec) in ((base, one), (joints, other)):
            message.header.stamp.sec, message.header.stamp.nanosec = sec, nanosec
        client.publish("odom", base)
        client.publish("joint_states", joints)
        (name, kind), *parts = request
        fields = {key: value for part in parts for key, value in part.items()}
        answer = services[name](kind.Request(**fields))
        assert answer.success == (answer.code == 1)
        assert answer.message

    one()
    heard = nodes.check_outputs()
    assert heard > 0, "nothing was published at all, so nothing was shown"
    # Alive and right after all that.
    client.exchange(good_state(client), nodes.outputs["gravity_torques"])
    for node in (nodes.dynamics, nodes.solver):
        assert node.process.poll() is None, node.log
        assert "Traceback" not in node.log, node.log


def level() -> Odometry:
    message = Odometry(child_frame_id="base")
    message.pose.pose.orientation.w = 1.0
    return message


def good_state(client: harness.Client) -> Any:
    def send(stamp: int) -> None:
        client.publish("odom", level())
        client.publish("joint_states", harness.joint_state(JOINTS, np.zeros(12), np.zeros(12), stamp))

    return send
