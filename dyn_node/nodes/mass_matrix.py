"""What of a MassMatrix message depends on the robot alone. Free of rclpy."""

from __future__ import annotations

from typing import Any

from dyn_node.model.model import Model

from .base_intake import root_frame


def label_mass_matrix(message: Any, model: Model, world_frame: str) -> None:
    """Fill names, sizes and frame of a dyn_node_msgs/MassMatrix."""
    message.header.frame_id = world_frame if model.root_joint is None else root_frame(model).name
    message.names = list(model.coordinate_names)
    message.rows = message.cols = model.nv
