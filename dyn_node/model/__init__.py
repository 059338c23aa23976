"""The robot: joints, frames, the Model they make, and where it comes from."""

from .builder import STANDARD_GRAVITY, ModelBuilder
from .checks import Finding, check_model
from .data import Data
from .editing import add_frame, add_payload, append, reduce, remove, subtree_masses
from .frame import Frame, Link
from .joint import Joint, Mimic, SubJoint
from .model import Model
from .urdf import load_urdf

__all__ = [
    "STANDARD_GRAVITY",
    "Data",
    "Finding",
    "Frame",
    "Joint",
    "Link",
    "Mimic",
    "Model",
    "ModelBuilder",
    "SubJoint",
    "add_frame",
    "add_payload",
    "append",
    "check_model",
    "load_urdf",
    "reduce",
    "remove",
    "subtree_masses",
]
