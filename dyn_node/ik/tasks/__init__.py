"""The tasks that an `IkProblem` is made of."""

from .axis import AxisTask
from .center_of_mass import CenterOfMassTask
from .look_at import LookAtTask
from .manipulability import ManipulabilityTask
from .orientation import OrientationTask
from .pose import PoseTask
from .position import PositionTask
from .posture import PostureTask
from .relative_pose import RelativePoseTask
from .task import Task

__all__ = [
    "AxisTask",
    "CenterOfMassTask",
    "LookAtTask",
    "ManipulabilityTask",
    "OrientationTask",
    "PoseTask",
    "PositionTask",
    "PostureTask",
    "RelativePoseTask",
    "Task",
]
