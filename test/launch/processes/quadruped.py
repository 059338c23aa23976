"""quadruped.launch.py beside a robot whose odometry has another name than odom."""

from __future__ import annotations

import unittest

import harness
import included
import launch_testing
from geometry_msgs.msg import TwistStamped, WrenchStamped
from nav_msgs.msg import Odometry
from numpy.testing import assert_allclose
from sensor_msgs.msg import JointState
from tolerances import REL

from dyn_node import robots


def generate_test_description():
    return included.description(
        included.launch_file(
            "quadruped",
            robot_file=str(robots.path("go2")),
            params_file="go2.yaml",
            odom="/estimate",
        )
    )


class TestQuadruped(unittest.TestCase):
    def setUp(self):
        self.model = robots.load("go2")
        self.home = robots.describe("go2").home

    def exchange(self, client, kind: type, topic: str):
        """What level flight along the body's x axis, yawed by 180 degrees, brings on a topic."""

        def send(stamp: int) -> None:
            odometry = Odometry()
            odometry.header.frame_id, odometry.child_frame_id = "odom", "base"
            odometry.pose.pose.position.z = 0.5
            odometry.pose.pose.orientation.z, odometry.pose.pose.orientation.w = 1.0, 0.0
            odometry.twist.twist.linear.x = 1.0
            odometry.header.stamp.sec, odometry.header.stamp.nanosec = divmod(stamp, 1_000_000_000)
            client.publish("/estimate", odometry)
            client.publish("/joint_states", harness.joint_state(
                list(self.home), list(self.home.values()), [0.0] * len(self.home), stamp))  # fmt: skip

        return client.exchange(send, client.record(kind, topic), harness.READY)

    def test_base_carries_the_weight(self):
        with harness.client("/") as client:
            wrench = self.exchange(client, WrenchStamped, "/dynamics/base_wrench").wrench
        weight = 9.81 * self.model.total_mass
        assert_allclose(
            [wrench.force.x, wrench.force.y, wrench.force.z], [0.0, 0.0, weight], atol=REL * weight
        )

    def test_legs_have_their_torques(self):
        with harness.client("/") as client:
            torques = self.exchange(client, JointState, "/dynamics/gravity_torques")
        self.assertEqual(list(torques.name), [joint.name for joint in self.model.actuated_joints])

    def test_feet_move_with_the_base(self):
        with harness.client("/") as client:
            twist = self.exchange(client, TwistStamped, "/dynamics/twist/RL_foot")
        self.assertEqual(twist.header.frame_id, "odom")
        linear = twist.twist.linear
        assert_allclose([linear.x, linear.y, linear.z], [-1.0, 0.0, 0.0], atol=REL)


@launch_testing.post_shutdown_test()
class TestEnd(unittest.TestCase):
    def test_every_process_ended_with_0(self, proc_info):
        self.assertEqual(len(list(proc_info)), 2)
        launch_testing.asserts.assertExitCodes(proc_info)
