"""The demo robot on its feet: a free base above flat ground, by constrained dynamics. Free of rclpy.

A foot is a point. It stands from the moment that it comes down to the ground until the ground would have
to pull at it; it does not slip. What comes to rest does so by an impact without rebound. A joint at the
end of its range is held there in the same way. Nothing but the feet touches the ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import dyn_node
from dyn_node.errors import InvalidValueError, ModelError
from dyn_node.spatial import SE3

from .demo_physics import LARGEST_BRAKING, inside

Array = npt.NDArray[np.float64]

#: Baumgarte gains that bring a foot back to where it came down, 1/s^2 and 1/s.
KP, KD = 400.0, 40.0
#: A force or moment below this part of the weight is not yet a pull.
NO_PULL = 1e-6
#: Largest share of a mode's speed that the servo's damping may take in one step; from 2 on it grows.
LARGEST_DAMPING = 1.5
#: Height above the ground (m) up to which a foot touches it: postures are given to a few digits.
TOUCH = 1e-4
#: Directions in which the held feet let the robot move by less than this part are none.
RANK = 1e-9


class StandingPhysics:
    """Forward dynamics of a free base on its feet, integrated by semi-implicit Euler steps.

    Attributes:
        names: the joints, in model order; base_link: the root link.
        position, velocity: (n,), rad and rad/s (m and m/s).
        effort_limit: (n,), N m (N).
        q, v: state of the whole model, base first.
        ground: height of the feet's origins when they stand, m.
        feet: those that can stand; forces: (feet,), how hard the ground pushes each one up, N.
    """

    def __init__(
        self,
        model: dyn_node.Model,
        base: SE3,
        position: Array,
        feet: tuple[str, ...],
        friction_rate: float = 0.0,
    ) -> None:
        _check(model, feet)
        position = inside(
            position,
            model.lower_position_limit[7:],
            model.upper_position_limit[7:],
            tuple(joint.name for joint in model.actuated_joints),
        )
        self._model, self._data, self.feet = model, model.create_data(), feet
        self.names = tuple(joint.name for joint in model.actuated_joints)
        self.base_link = model.links[0].name
        self.effort_limit = np.array(model.effort_limit[6:])
        self._lower, self._upper = model.lower_position_limit[7:], model.upper_position_limit[7:]
        self.q = np.concatenate([base.translation, base.quaternion, position])
        self.v, self._tau = np.zeros(model.nv), np.zeros(model.nv)
        heights = [self._foot(foot)[2] for foot in feet]
        self.ground = min(heights)
        low = [foot for foot, height in zip(feet, heights, strict=True) if height <= self.ground + TOUCH]
        self._damping = np.array(model.damping[6:]) + friction_rate * self._inertia(low)
        self._weight = model.total_mass * float(np.linalg.norm(model.gravity))
        # What holds: a foot by its name, a stop by its joint's number; with its constraint.
        self._held: dict[str | int, Any] = {}
        self._set: dyn_node.ConstraintSet | None = None
        self.forces = np.zeros(len(feet))
        self._rests = False

    @property
    def position(self) -> Array:
        """Of the joints, (n,)."""
        return self.q[7:]

    @property
    def velocity(self) -> Array:
        """Of the joints, (n,)."""
        return self.v[6:]

    @property
    def standing(self) -> tuple[str, ...]:
        """Feet on the ground."""
        return tuple(foot for foot in self.feet if foot in self._held)

    def base(self) -> tuple[SE3, Array]:
        """Pose in the world, and twist in base coordinates."""
        return SE3.from_quaternion(self.q[3:7], self.q[:3]), self.v[:6]

    def step(self, effort: Array, duration: float) -> None:
        """Move by `duration` seconds under constant joint efforts (n,)."""
        self._rests = False
        self._meet()
        self._tau[6:] = effort - self._damping * self.velocity
        self.v = self.v + duration * self._acceleration()
        self.q = dyn_node.integrate(self._model, self.q, duration * self.v)

    def stop(self) -> None:
        """Lock every joint where it is, as brakes do: on its feet the robot then stands still."""
        if self._rests:
            return
        self.v[:] = 0.0
        self._rests = True
        for foot in self.feet:
            place = self._foot(foot)
            if foot not in self._held and place[2] <= self.ground + TOUCH:
                self._held[foot] = self._foothold(foot, place)
                self._set = None
        # The brakes share the weight out as it happens; the smallest forces are as likely as any.
        shared = dyn_node.contact_gravity(self._model, self._data, self.q, self.standing)
        self._note(dict(zip(self.standing, shared.wrenches[:, 2], strict=True)))

    def inertia(self) -> Array:
        """Inertia that each joint's motor feels when the others yield and the feet stay, (n,).

        A motor of a leg that stands feels its share of the trunk, one of a leg in the air that leg alone.
        """
        return self._inertia(self.standing)

    def _inertia(self, standing: Sequence[str]) -> Array:
        yields = np.diag(self._mobility(standing))
        # A joint that cannot move while the feet stay has no inertia but its own.
        stuck = yields <= RANK * yields.max(initial=0.0)
        own = np.diag(dyn_node.crba(self._model, self._data, self.q))[6:]
        return np.asarray(np.where(stuck, own, 1.0 / np.where(stuck, 1.0, yields)), dtype=np.float64)

    def _mobility(self, standing: Sequence[str]) -> Array:
        """How joint torques accelerate the joints while these feet stay, (n, n)."""
        M = dyn_node.crba(self._model, self._data, self.q)
        free = np.eye(self._model.nv)
        if standing:
            feet = [dyn_node.PointConstraint(foot) for foot in standing]
            J = dyn_node.constraint_jacobian(self._model, self._data, self.q, feet)
            _, size, across = np.linalg.svd(J)
            free = across[np.count_nonzero(size > RANK * size[0]) :].T
        held = free @ np.linalg.solve(free.T @ M @ free, free.T)
        return np.asarray(held[6:, 6:], dtype=np.float64)

    def check_step(self, duration: float) -> None:
        """Refuse a step (s) in which friction would do more than brake. InvalidValueError names the joint."""
        # In the air a leg is lightest.
        share = duration * self._damping / np.maximum(self._inertia(()), np.finfo(float).tiny)
        worst = int(np.argmax(share))
        if share[worst] > LARGEST_BRAKING:
            raise InvalidValueError(
                f"joint {self.names[worst]} would lose its speed {share[worst]:.1f} times over in a step of "
                f"{duration:g} s; raise substeps or rate",
                duration,
                f"steps below {duration * LARGEST_BRAKING / share[worst]:g} s",
            )

    def check_servo(self, duration: float, frequency: float) -> None:
        """Refuse a servo (rad/s) that overshoots in steps of `duration` (s). InvalidValueError."""
        for standing in ((), self.feet):
            inertia = self._inertia(standing)
            fastest = float(
                np.abs(np.linalg.eigvals(inertia[:, np.newaxis] * self._mobility(standing))).max()
            )
            # Of each mode the damping takes 2 frequency times the share of the inertia that it moves.
            if 2.0 * frequency * fastest * duration > LARGEST_DAMPING:
                raise InvalidValueError(
                    f"a servo of {frequency:g} rad/s is too stiff for steps of {duration:g} s; lower "
                    "servo_frequency, or raise rate or substeps",
                    frequency,
                    f"below {LARGEST_DAMPING / (2.0 * fastest * duration):.3g} rad/s",
                )

    def _foot(self, foot: str) -> Array:
        dyn_node.forward_kinematics(self._model, self._data, self.q, self.v)
        return np.array(dyn_node.frame_placement(self._model, self._data, foot).translation)

    def _meet(self) -> None:
        """Hold what has come down to the ground or to the end of its range, and take its speed."""
        met: dict[str | int, Any] = {}
        for foot in self.feet:
            if foot not in self._held:
                place = self._foot(foot)
                speed = dyn_node.frame_velocity(self._model, self._data, foot, "LOCAL_WORLD_ALIGNED")
                if place[2] <= self.ground + TOUCH and speed.linear[2] <= 0.0:
                    met[foot] = self._foothold(foot, place)
        low, high = self.position < self._lower, self.position > self._upper
        if low.any() or high.any():
            past = np.where(low, self._lower, self._upper)
            outside = (low & (self.velocity <= 0.0)) | (high & (self.velocity >= 0.0))
            for k in np.flatnonzero(outside).tolist():
                if k not in self._held:
                    met[k] = dyn_node.JointLock(self.names[k], position=past[k], kp=KP, kd=KD)
        if met:
            self._held |= met
            self._set = None
            self.v = dyn_node.impulse_dynamics(self._model, self._data, self.q, self.v, self._ties()).v

    def _foothold(self, foot: str, place: Array) -> dyn_node.PointConstraint:
        there = SE3(np.eye(3), [place[0], place[1], self.ground])
        return dyn_node.PointConstraint(
            foot, other_placement=there, reference="LOCAL_WORLD_ALIGNED", kp=KP, kd=KD
        )

    def _ties(self) -> dyn_node.ConstraintSet:
        if self._set is None:
            self._set = dyn_node.ConstraintSet(self._model, self._held.values())
        return self._set

    def _acceleration(self) -> Array:
        """Of the whole model, (nv,), after letting go of whatever would have to pull."""
        while True:
            ties = self._ties()
            solved = dyn_node.constrained_forward_dynamics(
                self._model, self._data, self.q, self.v, self._tau, ties
            )
            # A set puts feet before stops.
            keys = sorted(self._held, key=lambda key: isinstance(key, int))
            parts = dict(zip(keys, ties.split(solved.multipliers), strict=True))
            pulls = [key for key, part in parts.items() if self._pulls(key, part)]
            if not pulls:
                self._note({key: part[2] for key, part in parts.items() if isinstance(key, str)})
                return solved.ddq
            for key in pulls:
                del self._held[key]
            self._set = None

    def _note(self, pushed: dict[str, Any]) -> None:
        """Keep what the ground does at each foot that stands."""
        self.forces = np.array([max(0.0, float(pushed.get(foot, 0.0))) for foot in self.feet])

    def _pulls(self, key: str | int, part: Array) -> bool:
        if isinstance(key, str):
            return bool(part[2] < -NO_PULL * self._weight)
        away = 1.0 if self.position[key] < 0.5 * (self._lower[key] + self._upper[key]) else -1.0
        return bool(away * part[0] < -NO_PULL * self._weight)


def _check(model: dyn_node.Model, feet: tuple[str, ...]) -> None:
    """Refuse a robot that cannot stand in this simulation."""
    root = model.root_joint
    if root is None or root.nv != 6:
        raise ModelError("a robot on its feet needs a free base", model.name, "root free_flyer")
    if not feet:
        raise InvalidValueError("feet: none are named for the robot to stand on", feet, "frames")
    for foot in feet:
        model.frame_id(foot)
    for joint in model.actuated_joints:
        if joint.nv != 1 or joint.nq != 1:
            raise ModelError(
                f"a robot on its feet needs joints of one angle or length; {joint.name} is {joint.kind}",
                joint.name,
                ("revolute", "prismatic"),
            )
