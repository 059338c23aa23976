"""Between joint positions by name, one number a joint as ROS has them, and q and v of the model."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dyn_node.errors import ModelError, UnknownJointError
from dyn_node.model.model import Model

Array = npt.NDArray[np.float64]


class Follower(NamedTuple):
    """A joint that mimics the one of slot `leader`: position = multiplier * leader's + offset."""

    name: str
    leader: int
    multiplier: float
    offset: float


class JointMap:
    """Where each actuated joint of a model, in model order, sits in q and in v.

    Attributes:
        names: the actuated joints; a *slot* is a position in this list.
        v_index: (n,) the velocity coordinate of each slot.
        turning: (n,) whether a slot's joint is continuous: it may be given in turns.
        followers: by name the joints that mimic another; they have no slot, the leader's state is theirs.

    Raises ModelError for a robot with a joint, other than the floating base, that has more than one
    degree of freedom: sensor_msgs/JointState cannot carry it.
    """

    def __init__(self, model: Model) -> None:
        joints = model.actuated_joints
        wide = [f"{joint.name} ({joint.kind})" for joint in joints if joint.nv != 1]
        if wide:
            raise ModelError(
                f"joint_states cannot carry joints of several degrees of freedom: {', '.join(wide)}; "
                "make the joint fixed or split it",
                wide,
                "joints of one degree of freedom",
            )
        self.names = tuple(joint.name for joint in joints)
        self._slots = {name: slot for slot, name in enumerate(self.names)}
        self.v_index = np.array([joint.idx_v for joint in joints], dtype=np.intp)
        self.lower = _one_number_limits(joints, "lower")
        self.upper = _one_number_limits(joints, "upper")
        self.followers = {
            joint.name: Follower(
                joint.name, self._slots[joint.mimic.joint], joint.mimic.multiplier, joint.mimic.offset
            )
            for joint in model.joints[1:]
            if joint.mimic is not None
        }
        self.turning = turning = np.array([joint.nq == 2 for joint in joints], dtype=bool)
        q_index = np.array([joint.idx_q for joint in joints], dtype=np.intp)
        self._plain, self._turning = np.flatnonzero(~turning), np.flatnonzero(turning)
        self._plain_q, self._cos_q = q_index[~turning], q_index[turning]
        self._all_plain = not turning.any()

    def slot(self, name: str) -> int:
        """The slot of a joint; UnknownJointError with the closest names when it has none."""
        if name not in self._slots:
            raise UnknownJointError(name, self.names, "the robot's actuated joints")
        return self._slots[name]

    def has(self, name: str) -> bool:
        """Whether an actuated joint has this name."""
        return name in self._slots

    def fill_q(self, q: Array, position: Array) -> None:
        """Write joint positions (n,) into q; a continuous joint becomes cosine and sine."""
        if self._all_plain:
            q[self._plain_q] = position
            return
        q[self._plain_q] = position[self._plain]
        angle = position[self._turning]
        q[self._cos_q] = np.cos(angle)
        q[self._cos_q + 1] = np.sin(angle)

    def fill_v(self, v: Array, velocity: Array) -> None:
        """Write joint velocities (n,) into v."""
        v[self.v_index] = velocity

    def positions(self, q: Array, near: Array | None = None) -> Array:
        """Joint positions (n,) of q. A continuous joint takes the turn that is nearest to `near` (n,)."""
        result = np.empty(len(self.names))
        result[self._plain] = q[self._plain_q]
        angle = np.arctan2(q[self._cos_q + 1], q[self._cos_q])
        if near is not None:
            turns = np.round((near[self._turning] - angle) / math.tau)
            angle = angle + math.tau * turns
        result[self._turning] = angle
        return result


def _one_number_limits(joints: tuple, side: str) -> Array:
    """Limits (n,) of the positions as ROS has them; a continuous joint has none."""
    none = -math.inf if side == "lower" else math.inf
    return np.array(
        [getattr(joint, side)[0] if joint.nq == 1 else none for joint in joints], dtype=np.float64
    )
