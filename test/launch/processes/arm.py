"""arm.launch.py beside two arms at once, and beside a third that publishes its URDF late."""

from __future__ import annotations

import unittest

import harness
import included
import launch_testing
from dyn_node_msgs.srv import GetFrame
from geometry_msgs.msg import TwistStamped
from numpy.testing import assert_allclose
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tolerances import REL

import dyn_node
from dyn_node import robots


def generate_test_description():
    return included.description(
        included.launch_file(
            "arm", namespace="left", robot_file=str(robots.path("panda")), params_file="panda.yaml"
        ),
        included.launch_file(
            "arm", namespace="right", robot_file=str(robots.path("ur5e")), params_file="ur5e.yaml",
            joint_states="/cell/right_joint_states", frames="flange,tool0",
        ),
        included.launch_file("arm", namespace="late"),
    )  # fmt: skip


def expected(robot: str) -> tuple[list[str], list[float], list[float]]:
    """Joint names, positions and gravity torques of a shipped robot at home."""
    model = robots.load(robot)
    names = [joint.name for joint in model.actuated_joints]
    q = [robots.describe(robot).home[name] for name in names]
    return names, q, list(dyn_node.generalized_gravity(model, model.create_data(), q))


class TestArms(unittest.TestCase):
    def exchange(self, client, robot: str, kind: type, topic: str, states: str = "joint_states"):
        """What the robot's state, sent until it is heard, brings on a topic."""
        names, q, _ = expected(robot)

        def send(stamp: int) -> None:
            client.publish(states, harness.joint_state(names, q, [0.0] * len(q), stamp))

        return client.exchange(send, client.record(kind, topic), harness.READY)

    def test_left_arm_has_its_torques_and_commands_nothing_unasked(self):
        names, _, gravity = expected("panda")
        with harness.client("/left") as client:
            torques = self.exchange(client, "panda", JointState, "dynamics/gravity_torques")
            self.assertEqual(list(torques.name), names)
            assert_allclose(torques.effort, gravity, rtol=REL, atol=REL)
            self.assertEqual(client.node.count_publishers("dynamics/effort_command"), 0)
            twist = self.exchange(client, "panda", TwistStamped, "dynamics/twist/panda_hand_tcp")
            self.assertEqual(twist.header.frame_id, "panda_link0")

    def test_right_arm_hears_only_the_topic_that_it_was_given(self):
        names, _, gravity = expected("ur5e")
        with harness.client("/right") as client:
            topic = "dynamics/gravity_torques"
            torques = self.exchange(client, "ur5e", JointState, topic, "/cell/right_joint_states")
            self.assertEqual(list(torques.name), names)
            assert_allclose(torques.effort, gravity, rtol=REL, atol=REL)
            for frame in ("flange", "tool0"):
                topic = f"dynamics/twist/{frame}"
                twist = self.exchange(client, "ur5e", TwistStamped, topic, "/cell/right_joint_states")
                self.assertEqual(twist.header.frame_id, "base_link")

    def test_without_a_file_the_nodes_wait_for_the_topic(self, proc_output):
        for waiting in ("dynamics", "solver"):
            text = f"[late.{waiting}]: no robot yet: waiting for /late/robot_description"
            proc_output.assertWaitFor(text, timeout=harness.READY)
        names, _, gravity = expected("panda")
        urdf = robots.path("panda").read_text(encoding="utf-8")
        with harness.client("/late") as client:
            client.publish("robot_description", String(data=urdf), latched=True)
            torques = self.exchange(client, "panda", JointState, "dynamics/gravity_torques")
            self.assertEqual(list(torques.name), names)
            assert_allclose(torques.effort, gravity, rtol=REL, atol=REL)

    def test_solver_answers(self):
        names, q, _ = expected("ur5e")
        with harness.client("/right") as client:
            request = GetFrame.Request(frame="tool0", state=harness.joint_state(names, q))
            answer = client.call(GetFrame, "solver/get_frame", request)
            self.assertTrue(answer.success, answer.message)


@launch_testing.post_shutdown_test()
class TestEnd(unittest.TestCase):
    def test_every_process_ended_with_0(self, proc_info):
        self.assertEqual(len(list(proc_info)), 6)
        launch_testing.asserts.assertExitCodes(proc_info)
