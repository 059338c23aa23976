"""Where the robot's model comes from: the parameter robot_description, else the latched topic."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from std_msgs.msg import String

from dyn_node.errors import DynNodeError, InvalidValueError, UrdfError
from dyn_node.model.model import Model
from dyn_node.model.urdf import load_urdf
from dyn_node.spatial import Inertia

from .base_intake import check_base_frame
from .joint_map import JointMap
from .settings import Settings

TOPIC = "robot_description"


def read_model(text: str, settings: Settings) -> Model:
    """The model of a URDF text, which the nodes can use.

    Raises:
        DynNodeError: with the reason, for whatever is not such a text.
    """
    if not text.strip():
        raise UrdfError("robot_description is empty", text, "the robot's URDF as XML text")
    if "<" not in text:  # load_urdf would take it for the path of a file
        raise UrdfError(
            f"robot_description is not XML; it begins with {text[:60]!r}",
            text[:60],
            "the robot's URDF as XML text, not the name of a file",
        )
    model = load_urdf(text, root=settings.root_joint, mimic=settings.mimic)
    JointMap(model)  # refuses joints that joint_states cannot carry
    check_base_frame(model, settings.base_frame)
    return model


def configured(model: Model, settings: Settings) -> Model:
    """The model under the gravity and with the payload of the settings.

    Raises:
        InvalidValueError: names the parameter: a payload.frame that does not exist, with the closest
            names, or a payload that no body can be.
    """
    inertias = list(model.inertias)
    if settings.payload_mass > 0.0:
        try:
            carrier, payload = _payload(model, settings)
        except DynNodeError as error:
            raise InvalidValueError(f"parameters payload.*: {error}", error.given, error.allowed) from error
        inertias[carrier] = inertias[carrier] + payload
    return Model(model.name, model.joints, inertias, model.frames, model.links, settings.gravity)


def _payload(model: Model, settings: Settings) -> tuple[int, Inertia]:
    """Index of the joint that carries the payload, and its inertia in that joint's frame."""
    frame = model.frames[model.frame_id(settings.payload_frame)]
    ixx, ixy, ixz, iyy, iyz, izz = settings.payload_inertia
    at_com = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
    payload = Inertia(settings.payload_mass, np.array(settings.payload_com), at_com)
    if settings.payload_inertia != (0.0,) * 6:  # a point mass has none and is allowed
        payload.check()
    return frame.parent_joint, frame.placement.act(payload)


class ModelSource:
    """Calls `found(model)` for each usable description; a bad one is refused, with the reason, and counted.

    Attributes:
        settings: under which descriptions are read.
        text: of the description in use.
        refused: number of descriptions refused; reason: of the last refusal, empty when there was none.
    """

    def __init__(self, node: Node, settings: Settings, found: Callable[[Model], None]) -> None:
        self._node, self.settings, self._found = node, settings, found
        self.refused = 0
        self.reason = self.text = ""
        self._unfit: tuple[Model, str, str] | None = None
        self._topic = node.resolve_topic_name(TOPIC)

    def look(self) -> None:
        """Take the parameter, if it holds a robot; otherwise subscribe to the topic."""
        text = self.settings.robot_description
        if text and self._take(text, "parameter robot_description"):
            return
        latched = QoSProfile(
            depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL
        )
        self._subscription = self._node.create_subscription(String, TOPIC, self._on_description, latched)

    def retry(self, settings: Settings) -> bool:
        """Look again at a robot that did not fit other settings, such as a payload; True if it does now."""
        self.settings = settings
        return self._unfit is not None and self._give(*self._unfit)

    @property
    def waiting_for(self) -> str:
        """What to tell a user while there is no model."""
        reason = f" (last refusal: {self.reason})" if self.reason else ""
        return f"no robot yet: waiting for {self._topic} (std_msgs/String, reliable, transient local){reason}"

    def _on_description(self, message: String) -> None:
        self._take(message.data, f"topic {self._topic}")

    def _take(self, text: str, origin: str) -> bool:
        try:
            model = read_model(text, self.settings)
        except DynNodeError as error:
            return self._refuse(origin, error)
        return self._give(model, text, origin)

    def _give(self, model: Model, text: str, origin: str) -> bool:
        """Hand a robot on; kept for `retry` where the settings do not fit it."""
        try:
            self._found(model)
        except DynNodeError as error:
            self._unfit = (model, text, origin)
            return self._refuse(origin, error)
        self.reason, self._unfit, self.text = "", None, text
        return True

    def _refuse(self, origin: str, error: DynNodeError) -> bool:
        self.refused += 1
        self.reason = str(error)
        self._node.get_logger().error(f"{origin} refused: {error}")
        return False
