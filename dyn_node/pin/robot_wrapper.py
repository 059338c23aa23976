"""RobotWrapper: a model and its data in one object."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from . import centroidal, configuration, dynamics, kinematics
from .editing import buildReducedModel
from .enums import LOCAL, ReferenceFrame
from .model import Model
from .parsing import buildModelFromUrdf
from .placement import SE3
from .sixvectors import Force, Motion
from .values import Array


class RobotWrapper:
    """A model and its data. Geometry and viewers are not covered: both geometry models are None.

    Attributes:
        model, data: the robot and its results.
        q0: neutral configuration; v0: zeros.
    """

    def __init__(
        self,
        model: Model | None = None,
        collision_model: Any = None,
        visual_model: Any = None,
        verbose: bool = False,
    ) -> None:
        self.model = Model() if model is None else model
        self.collision_model, self.visual_model = collision_model, visual_model
        self.collision_data = self.visual_data = self.viz = None
        self.data = self.model.createData()
        self.q0, self.v0 = configuration.neutral(self.model), np.zeros(self.model.nv)

    @staticmethod
    def BuildFromURDF(filename: str | os.PathLike[str], *args: Any, **kwargs: Any) -> RobotWrapper:
        """Read a robot: (path, package_dirs, root_joint); folders are not looked at."""
        robot = RobotWrapper()
        robot.initFromURDF(filename, *args, **kwargs)
        return robot

    def initFromURDF(
        self,
        filename: str | os.PathLike[str],
        package_dirs: Any = None,
        root_joint: Any = None,
        verbose: bool = False,
        meshLoader: Any = None,
        **kwargs: Any,
    ) -> None:
        """Read a robot into this one."""
        given = [] if root_joint is None else [root_joint]
        self.__init__(buildModelFromUrdf(filename, *given, **kwargs))  # type: ignore[misc]

    @property
    def nq(self) -> int:
        """Entries of q."""
        return self.model.nq

    @property
    def nv(self) -> int:
        """Entries of v."""
        return self.model.nv

    def com(self, q: Any = None, v: Any = None, a: Any = None) -> Any:
        """Centre of mass; with v its velocity too, with a its acceleration too."""
        state = [x for x in (q, v, a) if x is not None]
        centroidal.centerOfMass(self.model, self.data, *state)
        found = (self.data.com[0], self.data.vcom[0], self.data.acom[0])
        return found[0] if len(state) < 2 else found[: len(state)]

    def vcom(self, q: Any, v: Any) -> Array:
        """Velocity of the centre of mass."""
        return self.com(q, v)[1]

    def acom(self, q: Any, v: Any, a: Any) -> Array:
        """Acceleration of the centre of mass."""
        return self.com(q, v, a)[2]

    def centroidalMomentum(self, q: Any, v: Any) -> Force:
        """Momentum about the centre of mass."""
        return centroidal.computeCentroidalMomentum(self.model, self.data, q, v)

    def centroidalMap(self, q: Any) -> Array:
        """Centroidal momentum matrix."""
        return centroidal.computeCentroidalMap(self.model, self.data, q)

    def centroidal(self, q: Any, v: Any) -> tuple[Any, Array, Any]:
        """hg, Ag and Ig."""
        centroidal.ccrba(self.model, self.data, q, v)
        return self.data.hg, self.data.Ag, self.data.Ig

    def centroidalMomentumVariation(self, q: Any, v: Any, a: Any) -> Force:
        """Rate of the momentum about the centre of mass."""
        return centroidal.computeCentroidalMomentumTimeVariation(self.model, self.data, q, v, a)

    def Jcom(self, q: Any) -> Array:
        """Jacobian of the centre of mass."""
        return centroidal.jacobianCenterOfMass(self.model, self.data, q)

    def mass(self, q: Any) -> Array:
        """Mass matrix."""
        return dynamics.crba(self.model, self.data, q)

    def nle(self, q: Any, v: Any) -> Array:
        """Coriolis, centrifugal and gravity efforts."""
        return dynamics.nonLinearEffects(self.model, self.data, q, v)

    def gravity(self, q: Any) -> Array:
        """Gravity efforts."""
        return dynamics.computeGeneralizedGravity(self.model, self.data, q)

    def forwardKinematics(self, q: Any, v: Any = None, a: Any = None) -> None:
        """Kinematics of the joints."""
        kinematics.forwardKinematics(self.model, self.data, q, v, a)

    def framesForwardKinematics(self, q: Any) -> None:
        """Placements of joints and frames."""
        kinematics.framesForwardKinematics(self.model, self.data, q)

    def placement(self, q: Any, index: int, update_kinematics: bool = True) -> SE3:
        """Placement of a joint."""
        if update_kinematics:
            self.forwardKinematics(q)
        return self.data.oMi[index]

    def velocity(
        self,
        q: Any,
        v: Any,
        index: int,
        update_kinematics: bool = True,
        reference_frame: ReferenceFrame = LOCAL,
    ) -> Motion:
        """Spatial velocity of a joint."""
        if update_kinematics:
            self.forwardKinematics(q, v)
        return kinematics.getVelocity(self.model, self.data, index, reference_frame)

    def _moved(
        self, function: Any, index: int, state: tuple[Any, ...], update: bool, frame: ReferenceFrame
    ) -> Motion:
        if update:
            self.forwardKinematics(*state)
        return function(self.model, self.data, index, frame)

    def acceleration(
        self,
        q: Any,
        v: Any,
        a: Any,
        index: int,
        update_kinematics: bool = True,
        reference_frame: ReferenceFrame = LOCAL,
    ) -> Motion:
        """Spatial acceleration of a joint."""
        return self._moved(kinematics.getAcceleration, index, (q, v, a), update_kinematics, reference_frame)

    def classicalAcceleration(
        self,
        q: Any,
        v: Any,
        a: Any,
        index: int,
        update_kinematics: bool = True,
        reference_frame: ReferenceFrame = LOCAL,
    ) -> Motion:
        """Classical acceleration of a joint."""
        function = kinematics.getClassicalAcceleration
        return self._moved(function, index, (q, v, a), update_kinematics, reference_frame)

    def framePlacement(self, q: Any, index: int, update_kinematics: bool = True) -> SE3:
        """Placement of a frame."""
        if update_kinematics:
            self.forwardKinematics(q)
        return kinematics.updateFramePlacement(self.model, self.data, index)

    def frameVelocity(
        self,
        q: Any,
        v: Any,
        index: int,
        update_kinematics: bool = True,
        reference_frame: ReferenceFrame = LOCAL,
    ) -> Motion:
        """Spatial velocity of a frame."""
        return self._moved(kinematics.getFrameVelocity, index, (q, v), update_kinematics, reference_frame)

    def frameAcceleration(
        self,
        q: Any,
        v: Any,
        a: Any,
        index: int,
        update_kinematics: bool = True,
        reference_frame: ReferenceFrame = LOCAL,
    ) -> Motion:
        """Spatial acceleration of a frame."""
        return self._moved(
            kinematics.getFrameAcceleration, index, (q, v, a), update_kinematics, reference_frame
        )

    def frameClassicalAcceleration(
        self,
        q: Any,
        v: Any,
        a: Any,
        index: int,
        update_kinematics: bool = True,
        reference_frame: ReferenceFrame = LOCAL,
    ) -> Motion:
        """Classical acceleration of a frame."""
        function = kinematics.getFrameClassicalAcceleration
        return self._moved(function, index, (q, v, a), update_kinematics, reference_frame)

    def computeJointJacobian(self, q: Any, index: int) -> Array:
        """Jacobian of a joint, LOCAL."""
        return kinematics.computeJointJacobian(self.model, self.data, q, index)

    def getJointJacobian(self, index: int, rf_frame: ReferenceFrame = LOCAL) -> Array:
        """Jacobian of a joint at the last placements."""
        return kinematics.getJointJacobian(self.model, self.data, index, rf_frame)

    def computeJointJacobians(self, q: Any) -> Array:
        """Jacobian of all joints, WORLD."""
        return kinematics.computeJointJacobians(self.model, self.data, q)

    def getFrameJacobian(self, frame_id: int, rf_frame: ReferenceFrame = LOCAL) -> Array:
        """Jacobian of a frame at the last placements."""
        return kinematics.getFrameJacobian(self.model, self.data, frame_id, rf_frame)

    def computeFrameJacobian(self, q: Any, frame_id: int) -> Array:
        """Jacobian of a frame, LOCAL."""
        return kinematics.computeFrameJacobian(self.model, self.data, q, frame_id)

    def buildReducedRobot(
        self, list_of_joints_to_lock: Iterable[int | str], reference_configuration: Any = None
    ) -> RobotWrapper:
        """The robot with some joints, by index or name, fixed where the configuration has them."""
        q = self.q0 if reference_configuration is None else reference_configuration
        locked = [self.index(joint) if isinstance(joint, str) else joint for joint in list_of_joints_to_lock]
        return RobotWrapper(buildReducedModel(self.model, locked, q))

    def rebuildData(self) -> None:
        """A new data for the model as it is now."""
        self.data = self.model.createData()

    def index(self, name: str) -> int:
        """Index of a joint."""
        return self.model.getJointId(name)
