"""Part `numpy_loop`: inverse dynamics against the same recursion as one writes it in NumPy.

A reminder of what a Python loop over small arrays costs: Featherstone 2008, table 5.1, with 6x6 matrices.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

import dyn_node

from .calls import Call
from .machine import pinned
from .options import Options
from .per_call import STATES, Pair, random_state
from .results import Row
from .robots import Robot, load_ours

PART = "numpy_loop"
CALL = Call("rnea", "rnea(model, data, q, v, a)", "loop(q, v, a)")


def run(options: Options) -> Iterator[Row]:
    """The rows of this part, as they come."""
    # A call takes a fraction of a millisecond: fewer of them tell as much.
    budget = dataclasses.replace(options.calls, repetitions=max(3, options.calls.repetitions // 3))
    options = dataclasses.replace(options, calls=budget)
    with pinned():
        for robot in options.robots:
            yield pair(robot).compare(robot.name, CALL, options, PART, "NumPy")


def pair(robot: Robot) -> Pair:
    """The robot here, and as a loop."""
    model, rng = load_ours(robot), np.random.default_rng(7)
    ours = vars(dyn_node) | {"model": model, "data": model.create_data()}
    states = [random_state(model, rng) for _ in range(STATES)]
    return Pair(ours, {"loop": Loop(model)}, [(state, state) for state in states])


class Loop:
    """Inverse dynamics of a robot in NumPy; called with q, v, a it gives the efforts."""

    def __init__(self, model: Any) -> None:
        self._joints, self._gravity = model.joints[1:], model.gravity
        self._placements = [joint.placement.homogeneous for joint in self._joints]
        self._inertias = [inertia.matrix for inertia in model.inertias]
        self._subspaces = [_subspace(joint) for joint in self._joints]

    def __call__(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """The efforts, (nv,)."""
        velocity, acceleration = [np.zeros(6)], [np.concatenate([-self._gravity, np.zeros(3)])]
        forces, actions = [np.zeros(6)], [np.eye(6)]
        for joint, placement, S in zip(self._joints, self._placements, self._subspaces, strict=True):
            X = _inverse_action(placement @ _moved(joint, S, q))
            own = slice(joint.idx_v, joint.idx_v + joint.nv)
            relative = S @ v[own]
            velocity.append(X @ velocity[joint.parent] + relative)
            acceleration.append(X @ acceleration[joint.parent] + S @ a[own] + _cross(velocity[-1]) @ relative)
            momentum = self._inertias[joint.index] @ velocity[-1]
            forces.append(self._inertias[joint.index] @ acceleration[-1] - _cross(velocity[-1]).T @ momentum)
            actions.append(X)
        tau = np.empty(len(v))
        for joint, S in zip(reversed(self._joints), reversed(self._subspaces), strict=True):
            tau[joint.idx_v : joint.idx_v + joint.nv] = S.T @ forces[joint.index]
            forces[joint.parent] = forces[joint.parent] + actions[joint.index].T @ forces[joint.index]
        return tau


def _subspace(joint: Any) -> np.ndarray:
    """The motions that a joint allows, (6, nv), linear first."""
    if joint.kind == "free_flyer":
        return np.eye(6)
    first = 0 if joint.kind == "prismatic" else 3
    S = np.zeros((6, 1))
    S[first : first + 3, 0] = joint.axis
    return S


def _moved(joint: Any, S: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The joint's own displacement, homogeneous."""
    T = np.eye(4)
    if joint.kind == "free_flyer":
        K = _skew(q[3:6])  # of a quaternion x, y, z, w
        T[:3, :3] += 2.0 * (q[6] * K + K @ K)
        T[:3, 3] = q[:3]
    elif joint.kind == "prismatic":
        T[:3, 3] = S[:3, 0] * q[joint.idx_q]
    else:
        K = _skew(S[3:, 0])
        T[:3, :3] += np.sin(q[joint.idx_q]) * K + (1.0 - np.cos(q[joint.idx_q])) * K @ K
    return T


def _skew(x: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def _cross(m: np.ndarray) -> np.ndarray:
    """The motion cross product with a motion, 6x6."""
    linear, angular = _skew(m[:3]), _skew(m[3:])
    return _blocks(angular, linear)


def _inverse_action(T: np.ndarray) -> np.ndarray:
    """Takes motions from the parent's frame to the child's, 6x6."""
    R = T[:3, :3].T
    return _blocks(R, -R @ _skew(T[:3, 3]))


def _blocks(diagonal: np.ndarray, upper: np.ndarray) -> np.ndarray:
    X = np.zeros((6, 6))
    X[:3, :3] = X[3:, 3:] = diagonal
    X[:3, 3:] = upper
    return X
