"""What the markers show, a class each: made for a robot once, brought up to a `Moment` by `update`."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from visualization_msgs.msg import Marker

from dyn_node.algorithms.jacobian import frame_jacobian
from dyn_node.algorithms.kinematics import frame_velocity
from dyn_node.model.model import Model
from dyn_node.spatial import SE3

from .conversions import fill_vector
from .dynamics_settings import DynamicsSettings
from .marker_shapes import arrow, ball, draw, line, point_from, stretch
from .outputs import Moment

Array = npt.NDArray[np.float64]

#: An arc of torque has this many points, goes round at most so far (rad), and so wide for its thickness.
_POINTS, _MOST, _RADIUS = 25, 5.5, 8.0
#: Diameter of the centre of mass for the thickness of an arrow.
_BALL = 4.0
#: rviz draws nothing that is thinner (m).
_THIN = 1e-3


class Part:
    """Some markers. `needs_gravity`: whether the torques of the moment have to be computed for it."""

    needs_gravity = False

    def __init__(self, markers: list[Marker]) -> None:
        self.markers = markers

    def update(self, moment: Moment) -> None:
        """Show this moment."""
        raise NotImplementedError


class Twists(Part):
    """Linear and angular velocity of frames, as arrows at their origins."""

    def __init__(self, settings: DynamicsSettings, frames: dict[str, int]) -> None:
        self._frames, self._scale = list(frames.values()), settings.marker_twist_scale
        frame, size = settings.world_frame, settings.marker_thickness
        self._arrows = [
            (
                arrow(f"{name} linear", frame, settings.marker_linear_color, size),
                arrow(f"{name} angular", frame, settings.marker_angular_color, size),
            )
            for name in frames
        ]
        super().__init__([each for pair in self._arrows for each in pair])

    def update(self, moment: Moment) -> None:
        """Point the arrows."""
        for index, (linear, angular) in zip(self._frames, self._arrows, strict=True):
            origin = moment.data.oMf[index].translation
            twist = (
                self._scale * frame_velocity(moment.model, moment.data, index, "LOCAL_WORLD_ALIGNED").vector
            )
            point_from(linear, origin, twist[:3])
            point_from(angular, origin, twist[3:])


class CenterOfMass(Part):
    """The centre of mass, and the point below it where the world's z is zero."""

    def __init__(self, settings: DynamicsSettings) -> None:
        frame, colour = settings.world_frame, settings.marker_com_color
        size = _BALL * settings.marker_thickness
        super().__init__(
            [
                ball("centre of mass", frame, colour, size),
                ball("centre of mass on the ground", frame, colour, size / 2),
            ]
        )

    def update(self, moment: Moment) -> None:
        """Place both."""
        centre = centre_of_mass(moment)
        fill_vector(self.markers[0].pose.position, centre)
        fill_vector(self.markers[1].pose.position, (centre[0], centre[1], 0.0))


def centre_of_mass(moment: Moment) -> Array:
    """Centre of mass of all moving bodies in the world (3,); the origin for a robot without mass."""
    model, placements = moment.model, moment.data.oMi
    bodies = [
        (inertia.mass, placements[k].act(inertia.com))
        for k, inertia in enumerate(model.inertias)
        if k > 0 and inertia.mass > 0.0
    ]
    total = sum(mass for mass, _ in bodies)
    return sum((mass * point for mass, point in bodies), np.zeros(3)) / total if total else np.zeros(3)


class Torques(Part):
    """Gravity torques: arcs about the axes of turning joints, arrows along those of sliding ones."""

    needs_gravity = True

    def __init__(self, settings: DynamicsSettings, model: Model) -> None:
        self._turn, self._push = settings.marker_torque_scale, settings.marker_force_scale
        self._radius = _RADIUS * settings.marker_thickness
        self._joints = model.actuated_joints
        frame, colour, size = settings.world_frame, settings.marker_torque_color, settings.marker_thickness
        self._arcs: list[Marker | None] = []
        self._heads = []
        for joint in self._joints:
            slides = joint.kind == "prismatic"
            self._arcs.append(
                None if slides else line(f"{joint.name} torque", frame, colour, size / 2, _POINTS)
            )
            self._heads.append(
                arrow(f"{joint.name} {'force' if slides else 'torque head'}", frame, colour, size)
            )
        super().__init__([*(arc for arc in self._arcs if arc is not None), *self._heads])

    def update(self, moment: Moment) -> None:
        """Draw what each joint applies."""
        for joint, arc, head in zip(self._joints, self._arcs, self._heads, strict=True):
            placement = moment.data.oMi[joint.index]
            effort = float(moment.gravity[joint.idx_v])
            axis = placement.rotation @ np.asarray(joint.axis, dtype=np.float64)
            if arc is None:
                point_from(head, placement.translation, self._push * effort * axis)
                continue
            points = arc_points(placement.translation, axis, self._radius, self._turn * effort)
            draw(arc, points)
            point_from(head, points[-2], points[-1] - points[-2])


def arc_points(centre: Array, axis: Array, radius: float, angle: float) -> Array:
    """Points (n, 3) on a circle about an axis (3,) through a centre (3,), over an angle; right-handed."""
    side = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    side /= np.linalg.norm(side)
    turns = np.linspace(0.0, min(max(angle, -_MOST), _MOST), _POINTS)[:, None]
    return np.asarray(
        centre + radius * (np.cos(turns) * side + np.sin(turns) * np.cross(axis, side)), dtype=np.float64
    )


class VelocityEllipsoids(Part):
    """How fast each frame can move which way, for joint velocities of length one: J J^T of its origin."""

    def __init__(self, settings: DynamicsSettings, model: Model, frames: dict[str, int]) -> None:
        self._frames, self._scale = list(frames.values()), settings.marker_ellipsoid_scale
        self._columns = np.array([joint.idx_v for joint in model.actuated_joints], dtype=np.intp)
        frame, colour = settings.world_frame, settings.marker_ellipsoid_color
        super().__init__([ball(f"{name} velocity ellipsoid", frame, colour, _THIN) for name in frames])

    def update(self, moment: Moment) -> None:
        """Stretch the ellipsoids."""
        for index, marker in zip(self._frames, self.markers, strict=True):
            jacobian = frame_jacobian(moment.model, moment.data, moment.q, index, "LOCAL_WORLD_ALIGNED")
            linear = jacobian[:3, self._columns]
            squares, axes = np.linalg.eigh(linear @ linear.T)
            axes[:, 0] *= math.copysign(1.0, float(np.linalg.det(axes)))
            diameters = np.maximum(2.0 * self._scale * np.sqrt(np.maximum(squares, 0.0)), _THIN)
            quaternion = SE3._trusted(axes, np.zeros(3)).quaternion
            stretch(marker, moment.data.oMf[index].translation, diameters, quaternion)


class ContactForces(Part):
    """What the ground exerts at the feet."""

    needs_gravity = True

    def __init__(self, settings: DynamicsSettings, model: Model) -> None:
        self._scale = settings.marker_force_scale
        self._feet = [model.frame_id(name) for name in settings.contact_frames]
        frame, colour, size = settings.world_frame, settings.marker_force_color, settings.marker_thickness
        super().__init__([arrow(f"{name} force", frame, colour, size) for name in settings.contact_frames])

    def update(self, moment: Moment) -> None:
        """Point the arrows."""
        if moment.stance is None:
            return
        for index, marker, force in zip(self._feet, self.markers, moment.stance.forces, strict=True):
            point_from(marker, moment.data.oMf[index].translation, self._scale * force)
