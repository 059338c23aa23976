"""MuJoCo as a second opinion: the shipped robots' mass matrices, bias, gravity, momentum and energy."""

from __future__ import annotations

import numpy as np
import pytest
from algorithms.states import Comparison, states
from tolerances import REL

import dyn_node
from dyn_node.spatial import free_flyer_to_mujoco

mujoco = pytest.importorskip(
    "mujoco", reason="MuJoCo (pip install mujoco) is the second opinion of these tests"
)

ROBOTS = ("panda", "ur5e", "go2")


def mujoco_model(name: str):
    """The shipped URDF as MuJoCo reads it, on a free joint where the robot floats."""
    spec = mujoco.MjSpec.from_string(dyn_node.robots.path(name).read_text())
    spec.compiler.fusestatic = False
    robot = dyn_node.robots.describe(name)
    if robot.root == "free_flyer":
        spec.body(robot.base_frame).add_freejoint(name="root_joint")
    return spec.compile()


class Pair:
    """A robot in both libraries, and the ways between their states."""

    def __init__(self, name: str) -> None:
        self.model = dyn_node.robots.load(name)
        self.data = self.model.create_data()
        self.theirs = mujoco_model(name)
        self.reference = mujoco.MjData(self.theirs)
        self.floating = self.model.root_joint is not None

    def set(self, q, v) -> None:
        """MuJoCo at our state."""
        for joint in self.model.joints[1:]:
            address = mujoco.mj_name2id(self.theirs, mujoco.mjtObj.mjOBJ_JOINT, joint.name)
            k, d = self.theirs.jnt_qposadr[address], self.theirs.jnt_dofadr[address]
            own_q, own_v = q[joint.idx_q : joint.idx_q + joint.nq], v[joint.idx_v : joint.idx_v + joint.nv]
            if joint.kind == "free_flyer":
                own_q, own_v = free_flyer_to_mujoco(own_q, own_v)
            self.reference.qpos[k : k + joint.nq] = own_q
            self.reference.qvel[d : d + joint.nv] = own_v
        mujoco.mj_forward(self.theirs, self.reference)

    def order(self):
        """MuJoCo's number of each of our velocity coordinates."""
        numbers = []
        for joint in self.model.joints[1:]:
            address = mujoco.mj_name2id(self.theirs, mujoco.mjtObj.mjOBJ_JOINT, joint.name)
            first = self.theirs.jnt_dofadr[address]
            numbers += range(first, first + joint.nv)
        return numbers

    def mass_matrix(self):
        """MuJoCo's, column by column: what unpacks it has other arguments in each of its versions."""
        M = np.empty((self.model.nv, self.model.nv))
        for column, axis in zip(M, np.eye(self.model.nv), strict=True):
            mujoco.mj_mulM(self.theirs, self.reference, column, axis)
        return M.T

    def velocity_map(self, q):
        """V with qvel = V v in our order: MuJoCo has a base's linear velocity in world axes."""
        V = np.eye(self.model.nv)
        if self.floating:
            V[:3, :3] = dyn_node.SO3.from_quaternion(q[3:7]).matrix
        return V


@pytest.mark.parametrize("name", ROBOTS)
def test_mujoco_agrees(name: str) -> None:
    pair = Pair(name)
    model, data, reference = pair.model, pair.data, pair.reference
    order = pair.order()
    compare = Comparison(name, "mujoco")
    still = np.zeros(model.nv)
    for q, v, *_ in states(model, 20):
        V = pair.velocity_map(q)
        pair.set(q, still)
        compare.add(
            "generalized_gravity",
            dyn_node.generalized_gravity(model, data, q),
            V.T @ reference.qfrc_bias[order],
        )
        pair.set(q, v)
        M = pair.mass_matrix()[np.ix_(order, order)]
        compare.add("crba", dyn_node.crba(model, data, q), V.T @ M @ V)
        # Their acceleration of a base is the rate of its velocity in world axes: w x v apart from ours.
        bias = reference.qfrc_bias[order].copy()
        if pair.floating:
            linear = np.zeros(model.nv)
            linear[:3] = np.cross(V[:3, :3] @ v[3:6], V[:3, :3] @ v[:3])
            bias += M @ linear
        compare.add("nonlinear_effects", dyn_node.nonlinear_effects(model, data, q, v), V.T @ bias)
        moving = pair.theirs.body(dyn_node.robots.describe(name).base_frame).id
        com = dyn_node.center_of_mass(model, data, q, v)
        if pair.floating:
            compare.add("center_of_mass", com.position, reference.subtree_com[moving])
            mujoco.mj_subtreeVel(pair.theirs, reference)
            compare.add("center_of_mass velocity", com.velocity, reference.subtree_linvel[moving])
            momentum = dyn_node.centroidal_momentum(model, data, q, v)
            compare.add("centroidal_momentum angular", momentum.angular, reference.subtree_angmom[moving])
        mujoco.mj_energyVel(pair.theirs, reference)
        compare.add("kinetic_energy", dyn_node.kinetic_energy(model, data, q, v), reference.energy[1])
    compare.check(REL)
