"""The output /tf: placements of frames in the world. The one place that knows of tf2, which is optional."""

from __future__ import annotations

from typing import Any

from geometry_msgs.msg import TransformStamped

from dyn_node.model.model import Model

from .conversions import fill_transform
from .dynamics_settings import DynamicsSettings
from .outputs import Moment, Output


def tf_message_type() -> type | None:
    """tf2_msgs/TFMessage, or None where the package is not installed."""
    try:
        from tf2_msgs.msg import TFMessage
    except ImportError:
        return None
    return TFMessage


class TransformOutput(Output):
    """Placement of each frame (the parameter `frames`, or all links) in the world, under a prefix.

    Every frame is a child of the world frame: the prefix keeps them apart from the tree that
    robot_state_publisher sends. With `tf_lwa` there is another one at each origin, along the world's axes.
    """

    needs_kinematics = True

    def __init__(
        self, publisher: Any, kind: type, model: Model, frames: dict[str, int], settings: DynamicsSettings
    ) -> None:
        super().__init__(publisher)
        chosen = frames or {frame.name: frame.index for frame in model.frames if frame.kind == "body"}
        self._indices = list(chosen.values())
        names = [settings.tf_prefix + name for name in chosen]
        self._transforms = [_transform(settings.world_frame, name) for name in names]
        self._upright = [_transform(settings.world_frame, f"{name}_lwa") for name in names if settings.tf_lwa]
        self._message = kind(transforms=self._transforms + self._upright)

    def publish(self, moment: Moment) -> None:
        """Publish all placements."""
        for index, transform in zip(self._indices, self._transforms, strict=True):
            fill_transform(transform.transform, moment.data.oMf[index])
        for transform, like in zip(self._upright, self._transforms, strict=False):
            transform.transform.translation = like.transform.translation
        for transform in self._message.transforms:
            transform.header.stamp.sec, transform.header.stamp.nanosec = moment.stamp
        self.publisher.publish(self._message)


def _transform(parent: str, child: str) -> TransformStamped:
    transform = TransformStamped(child_frame_id=child)
    transform.header.frame_id = parent
    transform.transform.rotation.w = 1.0
    return transform
