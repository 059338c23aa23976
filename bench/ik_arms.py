"""The arms of the inverse kinematics benchmark, each as one URDF text that every solver is given.

Joints that are not between the base and the tool are made fixed, and shapes are left out, so that all
solvers search over the same joints and MuJoCo needs no mesh. So are the limits of safety controllers,
which TRAC-IK obeys and nobody else reads.
"""

from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np

from .robots import robots_folder


@dataclasses.dataclass(frozen=True)
class Arm:
    """An arm of example-robot-data.

    Attributes:
        name: its short name; urdf: path in the package's folder of robots.
        tip: the link that has to reach the pose; base: where the moving joints start ("" for the root).
        position_only: whether the orientation is free, for arms with fewer than six joints.
    """

    name: str
    urdf: str
    tip: str
    base: str = ""
    position_only: bool = False

    def text(self) -> str:
        """The arm's URDF."""
        return arm_urdf(robots_folder() / self.urdf, self.base, self.tip)


ARMS = {
    arm.name: arm
    for arm in (
        Arm("panda", "panda_description/urdf/panda.urdf", "panda_hand_tcp"),
        Arm("ur5", "ur_description/urdf/ur5_robot.urdf", "tool0"),
        Arm("ur10", "ur_description/urdf/ur10_robot.urdf", "tool0"),
        Arm("xarm7", "xarm_description/urdf/xarm7.urdf", "link_eef"),
        Arm("kinova", "kinova_description/robots/kinova.urdf", "j2s6s200_end_effector"),
        Arm("z1", "z1_description/urdf/z1.urdf", "gripperStator"),
        Arm("so101", "so_arm_description/urdf/so101.urdf", "gripper_frame_link", position_only=True),
        Arm("baxter", "baxter_description/urdf/baxter.urdf", "left_gripper"),
        Arm("talos", "talos_data/robots/talos_reduced.urdf", "gripper_left_base_link", "torso_2_link"),
    )
}


def arm_urdf(path: Path, base: str, tip: str) -> str:
    """A robot's URDF with all joints fixed but those between two links, and without shapes."""
    robot = ET.parse(path).getroot()
    above = {j.find("child").get("link"): j for j in robot.iter("joint") if j.find("child") is not None}
    chain, link = set(), tip
    while link != base and link in above:
        joint = above[link]
        chain.add(joint)
        link = joint.find("parent").get("link")
    links = {link.get("name") for link in robot.iter("link")}
    for joint in above.values():
        if joint.get("name") in links:  # a frame's name has to be one frame's
            joint.set("name", f"{joint.get('name')}_joint")
        if joint not in chain:
            joint.set("type", "fixed")
        for soft_limits in joint.findall("safety_controller"):
            joint.remove(soft_limits)
    for element in list(robot):
        if element.tag not in ("link", "joint"):
            robot.remove(element)
        elif element.tag == "link":
            for shape in (*element.findall("visual"), *element.findall("collision")):
                element.remove(shape)
    return ET.tostring(robot, encoding="unicode")


class Reference:
    """An arm in Pinocchio: makes the poses and judges the answers.

    Attributes:
        model: Pinocchio's model; frame: number of the tip's frame.
        root: name of the root link.
    """

    def __init__(self, arm: Arm, text: str, pin: Any) -> None:
        self.arm, self._pin = arm, pin
        self.model = pin.buildModelFromXML(text)
        self.frame = self.model.getFrameId(arm.tip)
        self.root = self.model.frames[1].name
        self._data = self.model.createData()

    def pose(self, q: np.ndarray) -> Any:
        """Pose of the tip in the world."""
        self._pin.framesForwardKinematics(self.model, self._data, q)
        return self._data.oMf[self.frame].copy()

    def middle(self) -> np.ndarray:
        """The middle of the joints' ranges; a joint that turns without end at zero."""
        return self.configuration(
            [
                0.5 * (self.model.lowerPositionLimit[j.idx_q] + self.model.upperPositionLimit[j.idx_q])
                if j.nq == 1
                else 0.0
                for j in self.model.joints[1:]
            ]
        )

    def random(self, rng: np.random.Generator) -> np.ndarray:
        """A configuration inside the limits."""
        low, high = self.model.lowerPositionLimit, self.model.upperPositionLimit
        return self.configuration(
            [
                rng.uniform(low[j.idx_q], high[j.idx_q]) if j.nq == 1 else rng.uniform(-np.pi, np.pi)
                for j in self.model.joints[1:]
            ]
        )

    def configuration(self, angles: Any) -> np.ndarray:
        """A configuration from one number a joint."""
        q = np.zeros(self.model.nq)
        for joint, angle in zip(self.model.joints[1:], angles, strict=True):
            q[joint.idx_q : joint.idx_q + joint.nq] = (
                (angle,) if joint.nq == 1 else (np.cos(angle), np.sin(angle))
            )
        return q

    def angles(self, q: np.ndarray) -> np.ndarray:
        """One number a joint from a configuration."""
        return np.array(
            [
                q[j.idx_q] if j.nq == 1 else np.arctan2(q[j.idx_q + 1], q[j.idx_q])
                for j in self.model.joints[1:]
            ]
        )

    def misses(self, q: np.ndarray, target: Any) -> tuple[float, float]:
        """Metres and radians by which a configuration misses a pose."""
        pose = self.pose(q)
        metres = float(np.linalg.norm(pose.translation - target.translation))
        turn = self._pin.log3(pose.rotation.T @ target.rotation)
        return metres, 0.0 if self.arm.position_only else float(np.linalg.norm(turn))

    def inside(self, q: np.ndarray) -> bool:
        """Whether a configuration is finite and inside the limits; TRAC-IK keeps them in single precision."""
        line = np.concatenate([np.full(j.nq, j.nq == 1) for j in self.model.joints[1:]])
        low, high = self.model.lowerPositionLimit - 1e-6, self.model.upperPositionLimit + 1e-6
        return bool(np.isfinite(q).all() and ((q >= low) & (q <= high))[line].all())

    def distance(self, q0: np.ndarray, q1: np.ndarray) -> float:
        """Length of the way between two configurations (rad)."""
        return float(np.linalg.norm(self._pin.difference(self.model, q0, q1)))
