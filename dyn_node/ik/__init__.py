"""Inverse kinematics: poses of frames and other tasks in, a configuration inside the limits out."""

from .batch import IkBatch, solve_ik_batch
from .problem import IkProblem, IkSolution
from .result import IkResult
from .several import solve_ik_all
from .solve import MODES, solve_ik
from .tasks import (
    AxisTask,
    CenterOfMassTask,
    LookAtTask,
    ManipulabilityTask,
    OrientationTask,
    PoseTask,
    PositionTask,
    PostureTask,
    RelativePoseTask,
    Task,
)
from .tracker import IkTracker
from .workspace import WorkspaceMap, map_workspace, spread_orientations

__all__ = [
    "MODES",
    "AxisTask",
    "CenterOfMassTask",
    "IkBatch",
    "IkProblem",
    "IkResult",
    "IkSolution",
    "IkTracker",
    "LookAtTask",
    "ManipulabilityTask",
    "OrientationTask",
    "PoseTask",
    "PositionTask",
    "PostureTask",
    "RelativePoseTask",
    "Task",
    "WorkspaceMap",
    "map_workspace",
    "solve_ik",
    "solve_ik_all",
    "solve_ik_batch",
    "spread_orientations",
]
