"""demo.launch.py twice, in two namespaces: the arm is held by its own torques, the quadruped stands."""

from __future__ import annotations

import unittest

import harness
import included
import launch_testing
import numpy as np
from dyn_node_msgs.msg import NamedValues
from dyn_node_msgs.srv import GetFrame
from geometry_msgs.msg import WrenchStamped
from nav_msgs.msg import Odometry
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from dyn_node import robots

#: rad; what the demo promises over five seconds.
DRIFT = 1e-3
#: m; how much the base may have sunk or risen.
STANDING = 5e-3
#: Messages over which the drift is looked at: three seconds of simulated time.
WATCHED = 300
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def generate_test_description():
    # Slower than by default: six processes share what cores there are.
    return included.description(
        included.launch_file("demo", robot="panda", rate="100.0"),
        included.launch_file("demo", robot="go2", rate="100.0", namespace="yard"),
    )


class TestDemo(unittest.TestCase):
    def check_held(self, ns: str, robot: str):
        with harness.client(ns) as client:
            mode = client.record(String, "demo_robot/mode", LATCHED)
            mode.wait(lambda message: message.data == "driven", harness.READY)
            states = client.record(JointState, "joint_states")
            states.wait(lambda message: len(states.messages) > WATCHED)
            watched = states.messages[:]
        self.assertEqual(set(watched[0].name), set(robots.describe(robot).home), robot)
        drift = np.abs(np.subtract(watched[-1].position, watched[0].position)).max()
        self.assertLess(drift, DRIFT, f"{robot}: drift in rad")
        # On a busy machine the brakes may close for a moment: not all messages need carry an effort.
        effort = max(np.abs(message.effort).max() for message in watched)
        self.assertGreater(effort, 0.1, f"{robot}: no effort holds it")

    def test_panda_is_held(self):
        self.check_held("/", "panda")

    def test_go2_stands_in_its_namespace(self):
        self.check_held("/yard", "go2")
        with harness.client("/yard") as client:
            odom = client.record(Odometry, "odom")
            felt = client.record(NamedValues, "dynamics/contacts").wait(lambda _: True)
            base = odom.wait(lambda _: len(odom.messages) > 2).pose.pose.position
            forces = [
                client.record(WrenchStamped, f"dynamics/contact_forces/{foot}").wait(lambda _: True)
                for foot in felt.names
            ]
        self.assertEqual(tuple(felt.names), robots.describe("go2").feet)
        self.assertLess(abs(base.z - robots.describe("go2").base_height), STANDING, "height of the base in m")
        self.assertEqual(forces[0].header.frame_id, "odom")
        published = [force.wrench.force.z for force in forces]
        np.testing.assert_allclose(published, felt.values, atol=1.0, err_msg="N, published and felt")

    def test_solvers_know_their_own_robots(self):
        for ns, robot in (("/", "panda"), ("/yard", "go2")):
            with harness.client(ns) as client:
                request = GetFrame.Request(frame=robots.describe(robot).tool)
                answer = client.call(GetFrame, "solver/get_frame", request)
                self.assertTrue(answer.success, f"{robot}: {answer.message}")


@launch_testing.post_shutdown_test()
class TestEnd(unittest.TestCase):
    def test_every_process_ended_with_0(self, proc_info):
        self.assertEqual(len(list(proc_info)), 6)
        launch_testing.asserts.assertExitCodes(proc_info)
