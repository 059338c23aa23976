"""What the streamed outputs refuse before they publish anything, and what refused parameters are called."""

import dataclasses

import pytest

pytest.importorskip("rclpy", reason="the outputs are ROS publishers")
pytest.importorskip("dyn_node_msgs", reason="the outputs fill dyn_node_msgs")

import dyn_node
from dyn_node.errors import InvalidValueError
from dyn_node.nodes.arming import Arming
from dyn_node.nodes.dynamics_settings import DynamicsSettings
from dyn_node.nodes.effort_command import EffortCommand
from dyn_node.nodes.joint_map import JointMap
from dyn_node.nodes.model_source import configured
from dyn_node.nodes.outputs import Moment

ARM = """<robot name="arm"><link name="base"/>
<link name="upper"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
  <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
  <limit lower="-3" upper="3" effort="0" velocity="1"/></joint></robot>"""


class Kept:
    """A publisher that keeps the last message."""

    def publish(self, message: object) -> None:
        self.message = message


@pytest.fixture
def model() -> dyn_node.Model:
    return dyn_node.load_urdf(ARM)


def test_an_effort_limit_of_zero_is_refused_and_never_commanded(model: dyn_node.Model) -> None:
    settings = DynamicsSettings(command_joints=("shoulder",))
    with pytest.raises(InvalidValueError, match=r"shoulder is 0.*max_effort"):
        EffortCommand(Kept(), model, JointMap(model), settings, Arming())


def test_max_effort_stands_in_for_an_effort_limit_of_zero(model: dyn_node.Model) -> None:
    settings = DynamicsSettings(command_joints=("shoulder",), max_effort=(20.0,), start_ramp=0.0)
    publisher = Kept()
    command = EffortCommand(publisher, model, JointMap(model), settings, Arming())
    moment = Moment.of(model)
    moment.gravity[:] = 9.0
    command.publish(moment)
    assert list(publisher.message.data) == [9.0]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"payload_frame": "uper"}, "closest: upper"),
        ({"payload_frame": "upper", "payload_inertia": (-1.0, 0.0, 0.0, -1.0, 0.0, -1.0)}, "no real body"),
    ],
)
def test_a_refused_payload_is_called_by_its_parameter(
    model: dyn_node.Model, given: dict[str, object], words: str
) -> None:
    settings = dataclasses.replace(DynamicsSettings(), payload_mass=1.0, **given)
    with pytest.raises(InvalidValueError, match=rf"parameters payload\.\*.*{words}"):
        configured(model, settings)
