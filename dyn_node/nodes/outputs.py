"""What `dynamics_node` streams, one class an output. Each fills a message kept from call to call.

An output knows its topic and publishes one `Moment`; whether the state may be used at all has been
decided before. `wanted` says whether anybody listens, so that nothing is computed for nobody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from geometry_msgs.msg import TwistStamped, WrenchStamped
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.qos_overriding_options import QoSOverridingOptions
from sensor_msgs.msg import JointState

from dyn_node.algorithms.dynamics import crba, generalized_gravity
from dyn_node.algorithms.kinematics import forward_kinematics, frame_velocity, update_frame_placements
from dyn_node.errors import DynNodeError, UnknownFrameError
from dyn_node.model.joint import Joint
from dyn_node.model.model import Model

from .base_intake import root_frame
from .conversions import NANOSECONDS, field, fill_six, topic_part
from .gravity_intake import TiltedGravity
from .joint_map import JointMap
from .mass_matrix import label_mass_matrix
from .stance import Stance

Array = npt.NDArray[np.float64]


@dataclass
class Moment:
    """One state with what was computed from it.

    Attributes:
        q, v: state; stamp: (seconds, nanoseconds) of it; now: time of this computation, ns.
        gravity: (nv,) g(q) less the ground's share, once computed; kinematics are in `data` when needed.
        stance: the feet; None where there are none.
        tilted: gravity of any direction; None where it is the model's; down: (3,), that gravity then.
    """

    model: Model
    data: Any
    q: Array
    v: Array
    stamp: tuple[int, int]
    gravity: Array
    stance: Stance | None = None
    now: int = 0
    tilted: TiltedGravity | None = None
    down: Array | None = None

    @staticmethod
    def of(model: Model) -> Moment:
        """An empty one, to be filled again and again."""
        return Moment(
            model, model.create_data(), np.zeros(model.nq), np.zeros(model.nv), (0, 0), np.zeros(model.nv)
        )

    def take(self, q: Array, v: Array, stamp: int, now: int = 0) -> None:
        """Stand for another state."""
        self.q, self.v, self.stamp, self.now = q, v, divmod(stamp, NANOSECONDS), now

    def compute_gravity(self) -> None:
        """g(q) for the outputs that need it, less what the ground carries where feet stand."""
        if self.tilted is not None and self.down is not None:
            self.tilted.compute(self.q, self.down, self.gravity)
            return
        generalized_gravity(self.model, self.data, self.q, out=self.gravity)
        if self.stance is not None:
            self.stance.carry(self.data, self.q, self.gravity)

    def compute_kinematics(self) -> None:
        """Placements and velocities for the outputs that need them."""
        forward_kinematics(self.model, self.data, self.q, self.v)
        update_frame_placements(self.model, self.data)


class Output:
    """One published topic. Subclasses set `needs_gravity` or `needs_kinematics` and implement `publish`."""

    needs_gravity = False
    needs_kinematics = False

    def __init__(self, publisher: Any) -> None:
        self.publisher = publisher

    def wanted(self) -> bool:
        """Whether anybody subscribes."""
        return self.publisher.get_subscription_count() > 0

    def publish(self, moment: Moment) -> None:
        """Publish this output of one state."""
        raise NotImplementedError


def make_publisher(node: Node, kind: type, topic: str) -> Any:
    """A reliable publisher of depth 10 whose QoS the qos_overrides parameters can change."""
    return node.create_publisher(
        kind, topic, QoSProfile(depth=10), qos_overriding_options=QoSOverridingOptions.with_default_policies()
    )


def _stamp(header: Any, moment: Moment) -> None:
    header.stamp.sec, header.stamp.nanosec = moment.stamp


class GravityTorques(Output):
    """The efforts that hold the robot still, actuated joints in model order. Never scaled, never clamped."""

    needs_gravity = True

    def __init__(self, publisher: Any, joints: JointMap) -> None:
        super().__init__(publisher)
        self._index = joints.v_index
        self._message = JointState(name=list(joints.names))

    def publish(self, moment: Moment) -> None:
        """Publish g of the actuated joints."""
        _stamp(self._message.header, moment)
        self._message.effort = field(moment.gravity[self._index])
        self.publisher.publish(self._message)


class BaseWrench(Output):
    """What something has to exert on the floating base for the robot to stand still, base coordinates."""

    needs_gravity = True

    def __init__(self, publisher: Any, model: Model, root: Joint) -> None:
        super().__init__(publisher)
        self._message = WrenchStamped()
        self._message.header.frame_id = root_frame(model).name
        self._rows = root.idx_v + np.arange(root.nv)
        # A planar base supports itself out of its plane: those three numbers stay zero.
        self._places = np.arange(6) if root.nv == 6 else np.array([0, 1, 5])
        self._wrench = np.zeros(6)

    def publish(self, moment: Moment) -> None:
        """Publish the base rows of g."""
        _stamp(self._message.header, moment)
        self._wrench[self._places] = moment.gravity[self._rows]
        wrench = self._message.wrench
        fill_six(wrench.force, wrench.torque, self._wrench)
        self.publisher.publish(self._message)


class ContactForce(Output):
    """What the ground exerts at one foot, along the axes of the world; zero at a foot that does not stand."""

    needs_gravity = True

    def __init__(self, publisher: Any, stance: Stance, foot: int, world_frame: str) -> None:
        super().__init__(publisher)
        self._stance, self._foot = stance, foot
        self._message = WrenchStamped()
        self._message.header.frame_id = world_frame

    def publish(self, moment: Moment) -> None:
        """Publish the force; a point transmits no moment."""
        _stamp(self._message.header, moment)
        force = self._message.wrench.force
        force.x, force.y, force.z = self._stance.forces[self._foot].tolist()
        self.publisher.publish(self._message)


class Twist(Output):
    """Velocity of one frame: of its origin, along the axes of the world."""

    needs_kinematics = True

    def __init__(self, publisher: Any, frame: int, world_frame: str) -> None:
        super().__init__(publisher)
        self._frame = frame
        self._message = TwistStamped()
        self._message.header.frame_id = world_frame

    def publish(self, moment: Moment) -> None:
        """Publish the twist, LOCAL_WORLD_ALIGNED."""
        _stamp(self._message.header, moment)
        motion = frame_velocity(moment.model, moment.data, self._frame, "LOCAL_WORLD_ALIGNED")
        twist = self._message.twist
        fill_six(twist.linear, twist.angular, motion.vector)
        self.publisher.publish(self._message)


class MassMatrixOutput(Output):
    """M(q), full and symmetric, row by row."""

    def __init__(self, publisher: Any, message: Any, model: Model, world_frame: str) -> None:
        super().__init__(publisher)
        self._message = message
        label_mass_matrix(message, model, world_frame)
        self._matrix = np.zeros((model.nv, model.nv))

    def publish(self, moment: Moment) -> None:
        """Publish the matrix."""
        _stamp(self._message.header, moment)
        self._message.data = field(crba(moment.model, moment.data, moment.q, out=self._matrix))
        self.publisher.publish(self._message)


def known_frames(model: Model, names: tuple[str, ...]) -> tuple[dict[str, int], list[str]]:
    """Indices of the frames that the model has, and a sentence for each that it has not or cannot publish."""
    found: dict[str, int] = {}
    problems = []
    topics: dict[str, str] = {}
    for name in names:
        topic = topic_part(name)
        try:
            index = model.frame_id(name)
            if topics.setdefault(topic, name) != name:
                raise DynNodeError(
                    f"frames {topics[topic]!r} and {name!r} both become the topic ~/twist/{topic}"
                )
        except (UnknownFrameError, DynNodeError) as error:
            problems.append(f"parameter frames: {error}")
        else:
            found[name] = index
    return found, problems
