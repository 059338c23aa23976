"""The demo robot's body: joints that move under efforts, on a base that is held still. Free of rclpy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import dyn_node
from dyn_node.errors import InvalidValueError, ModelError

Array = npt.NDArray[np.float64]

#: Largest share of a joint's speed that friction may take in one step.
LARGEST_BRAKING = 0.3


class RobotPhysics:
    """Forward dynamics (ABA) of a fixed-base model, integrated by semi-implicit Euler steps.

    A position limit is a hard stop without bounce: the joint stands at the limit and keeps no
    velocity into it. What such a stop does to the other joints at the instant of impact is left out.
    Coulomb friction of the URDF is left out. Viscous friction is its damping, and `friction_rate` (1/s)
    times each joint's own inertia at the start.

    Attributes:
        names: the joints, in model order; base_link: the root link.
        position, velocity: (n,), rad and rad/s (m and m/s). A continuous joint counts its turns.
        effort_limit: (n,), N m (N).
        standing: feet on the ground: none, for the base is held.
    """

    standing: tuple[str, ...] = ()

    def __init__(self, model: dyn_node.Model, position: Array, friction_rate: float = 0.0) -> None:
        _check_joints(model)
        self._model, self._data = model, model.create_data()
        self.names = tuple(joint.name for joint in model.actuated_joints)
        self.base_link = model.links[0].name
        n = model.nv
        self._continuous = [(j.idx_q, j.idx_v) for j in model.actuated_joints if j.kind == "continuous"]
        self._index_q = np.array([joint.idx_q for joint in model.actuated_joints])
        self._lower, self._upper = _position_limits(model)
        self.position, self.velocity = inside(position, self._lower, self._upper, self.names), np.zeros(n)
        self.effort_limit = np.array(model.effort_limit)
        self._q, self._acceleration = np.zeros(model.nq), np.zeros(n)
        self._damping = np.array(model.damping) + friction_rate * self.inertia()
        self._damped = bool(self._damping.any())

    def step(self, effort: Array, duration: float) -> None:
        """Move by `duration` seconds under constant joint efforts (n,)."""
        if self._damped:
            effort = effort - self._damping * self.velocity
        q = self._configuration()
        a = dyn_node.aba(self._model, self._data, q, self.velocity, effort, out=self._acceleration)
        self.velocity += duration * a
        self.position += duration * self.velocity
        self._stop_at_limits()

    def check_step(self, duration: float) -> None:
        """Refuse a step (s) in which friction would do more than brake: such a simulation explodes.

        Raises:
            InvalidValueError: names the joint.
        """
        share = duration * self._damping / np.maximum(self.inertia(), np.finfo(float).tiny)
        worst = int(np.argmax(share))
        if share[worst] > LARGEST_BRAKING:
            raise InvalidValueError(
                f"joint {self.names[worst]} would lose its speed {share[worst]:.1f} times over in a step of "
                f"{duration:g} s: its damping is {self._damping[worst]:g}; raise substeps or rate",
                duration,
                f"steps below {duration * LARGEST_BRAKING / share[worst]:g} s",
            )

    def stop(self) -> None:
        """Lock every joint where it is, as brakes do."""
        self.velocity[:] = 0.0

    def inertia(self) -> Array:
        """Inertia that each joint's motor feels when only that joint moves, (n,): the diagonal of M(q)."""
        return np.diag(dyn_node.crba(self._model, self._data, self._configuration())).copy()

    def _configuration(self) -> Array:
        self._q[self._index_q] = self.position
        for q, v in self._continuous:
            self._q[q], self._q[q + 1] = np.cos(self.position[v]), np.sin(self.position[v])
        return self._q

    def _stop_at_limits(self) -> None:
        low, high = self.position < self._lower, self.position > self._upper
        if low.any() or high.any():
            np.clip(self.position, self._lower, self._upper, out=self.position)
            self.velocity[low] = np.maximum(self.velocity[low], 0.0)
            self.velocity[high] = np.minimum(self.velocity[high], 0.0)


def home_positions(model: dyn_node.Model, home: dict[str, float]) -> Array:
    """Start position of each joint (n,): from `home`, else zero brought inside the limits."""
    lower, upper = _position_limits(model)
    start = np.array([home.get(joint.name, 0.0) for joint in model.actuated_joints], dtype=float)
    return np.clip(start, lower, upper)


def _position_limits(model: dyn_node.Model) -> tuple[Array, Array]:
    """Limits of the angle (or length) itself, (n,) each; none for a continuous joint."""
    lower, upper = np.full(model.nv, -np.inf), np.full(model.nv, np.inf)
    for joint in model.actuated_joints:
        if joint.nq == 1:
            lower[joint.idx_v], upper[joint.idx_v] = joint.lower[0], joint.upper[0]
    return lower, upper


def inside(position: Array, lower: Array, upper: Array, names: tuple[str, ...]) -> Array:
    """The start positions (n,). InvalidValueError names the joint that is outside its limits."""
    position = np.array(position, dtype=float)
    if position.shape != lower.shape:
        raise InvalidValueError(
            f"initial_positions has {position.size} entries; the robot has {len(names)} joints: "
            f"{', '.join(names)}",
            position.size,
            len(names),
        )
    for i in np.flatnonzero(~((lower <= position) & (position <= upper))):
        raise InvalidValueError(
            f"initial_positions: joint {names[i]} cannot be at {position[i]:g}; its limits are "
            f"{lower[i]:g} to {upper[i]:g}",
            position[i],
            (lower[i], upper[i]),
        )
    return position


def _check_joints(model: dyn_node.Model) -> None:
    if model.nv == 0:
        raise ModelError("the demo robot needs a joint that moves; this robot has none", model.name, "joints")
    for joint in model.actuated_joints:
        if joint.nv != 1:
            raise ModelError(
                f"the demo robot simulates joints of one degree of freedom; joint {joint.name} is "
                f"{joint.kind}",
                joint.name,
                ("revolute", "continuous", "prismatic"),
            )
