"""quadruped.launch.py beside a robot whose odometry and feet have other names than they have by default."""

from __future__ import annotations

import unittest

import harness
import included
import launch_testing
from dyn_node_msgs.msg import NamedValues
from geometry_msgs.msg import TwistStamped, WrenchStamped
from nav_msgs.msg import Odometry
from numpy.testing import assert_allclose
from sensor_msgs.msg import JointState
from tolerances import REL

import dyn_node
from dyn_node import robots


def generate_test_description():
    return included.description(
        included.launch_file(
            "quadruped",
            robot_file=str(robots.path("go2")),
            params_file="go2.yaml",
            odom="/estimate",
            contacts="/feet",
        )
    )


class TestQuadruped(unittest.TestCase):
    def setUp(self):
        self.model = robots.load("go2")
        self.home = robots.describe("go2").home

    def exchange(self, client, kind: type, topic: str, pressed: float = 40.0, done=lambda message: True):
        """What a level base that moves along its x axis, yawed by 180 degrees, brings on a topic.

        Args:
            pressed: force at each foot; done: what has to hold, once word of the feet has arrived.
        """
        recorder, feet = client.record(kind, topic), robots.describe("go2").feet

        def send(stamp: int) -> None:
            odometry = Odometry()
            odometry.header.frame_id, odometry.child_frame_id = "odom", "base"
            odometry.pose.pose.position.z = 0.5
            odometry.pose.pose.orientation.z, odometry.pose.pose.orientation.w = 1.0, 0.0
            odometry.twist.twist.linear.x = 1.0
            odometry.header.stamp.sec, odometry.header.stamp.nanosec = divmod(stamp, 1_000_000_000)
            client.publish("/feet", NamedValues(names=feet, values=[pressed] * len(feet)))
            client.publish("/estimate", odometry)
            client.publish("/joint_states", harness.joint_state(
                list(self.home), list(self.home.values()), [0.0] * len(self.home), stamp))  # fmt: skip

        for _ in range(100):
            message = client.exchange(send, recorder, harness.READY)
            if done(message):
                break
        return message

    def test_the_ground_carries_the_weight_through_the_feet_that_stand(self):
        weight = 9.81 * self.model.total_mass
        for pressed, carried_by_base in ((40.0, 0.0), (1.0, weight)):
            with harness.client("/") as client:
                wrench = self.exchange(
                    client,
                    WrenchStamped,
                    "/dynamics/base_wrench",
                    pressed,
                    lambda message, base=carried_by_base: abs(message.wrench.force.z - base) < REL * weight,
                ).wrench
            force = [wrench.force.x, wrench.force.y, wrench.force.z]
            assert_allclose(force, [0.0, 0.0, carried_by_base], atol=REL * weight)

    def test_legs_have_the_torques_of_a_robot_on_its_feet(self):
        q = dyn_node.neutral(self.model)
        for joint in self.model.actuated_joints:
            q[joint.idx_q] = self.home[joint.name]
        held = dyn_node.contact_gravity(
            self.model, self.model.create_data(), q, robots.describe("go2").feet
        ).tau[6:]
        with harness.client("/") as client:
            torques = self.exchange(
                client,
                JointState,
                "/dynamics/gravity_torques",
                done=lambda message: abs(message.effort[2] - held[2]) < 1e-6,
            )
        self.assertEqual(list(torques.name), [joint.name for joint in self.model.actuated_joints])
        # To a level base it makes no difference where it is and where it looks.
        assert_allclose(torques.effort, held, atol=1e-6)

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
