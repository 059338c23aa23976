"""Pinocchio's sample robots, made of simple bodies."""

from __future__ import annotations

import numpy as np

from . import random
from .inertia import Inertia
from .joint_models import TYPES, JointModel
from .model import Model
from .model_parts import LARGEST
from .placement import SE3
from .rpy import rotate

_LIMIT, _STRONG = 3.14, 10.0
_IDENTITY = SE3.Identity()


def _ball() -> Inertia:
    return Inertia(0.1, np.zeros(3), 0.01 * np.eye(3))


def _bar() -> Inertia:
    return Inertia(1.0, np.array([0.0, 0.0, 0.5]), np.eye(3))


def _at(x: float, y: float, z: float) -> SE3:
    return SE3(np.eye(3), np.array([x, y, z]))


class _Sample:
    """A model that joints with bodies are hung on."""

    def __init__(self) -> None:
        self.model = Model()

    def add(
        self, kind: str, parent: str, name: str, placement: SE3 = _IDENTITY, body: Inertia | None = None
    ) -> None:
        """A joint of one axis, its frame, its body, and the body's frame."""
        joint: JointModel = TYPES[f"JointModel{kind}"]()
        model = self.model
        limits = [np.full(joint.nv, _STRONG)] * 2 + [np.full(joint.nq, -_LIMIT), np.full(joint.nq, _LIMIT)]
        number = model.addJoint(model.getJointId(parent), joint, placement, f"{name}_joint", *limits)
        model.addJointFrame(number)
        if body is not None:
            model.appendBodyToJoint(number, body)
        model.addBodyFrame(f"{name}_body", number, _IDENTITY)

    def link(self, joint: str, name: str) -> None:
        """A bar on a joint, with a frame of its own."""
        number = self.model.getJointId(f"{joint}_joint")
        self.model.appendBodyToJoint(number, _bar())
        self.model.addBodyFrame(f"{name}_body", number, _IDENTITY)

    def limb(self, parent: str, prefix: str, placement: SE3, wrist: SE3 = _IDENTITY) -> None:
        """A shoulder of three axes, an elbow, a wrist of two; upper arm, lower arm and effector."""
        p = prefix
        self.add("RX", parent, f"{p}shoulder1", placement, _ball())
        self.add("RY", f"{p}shoulder1_joint", f"{p}shoulder2", body=_ball())
        self.add("RZ", f"{p}shoulder2_joint", f"{p}shoulder3")
        self.link(f"{p}shoulder3", f"{p}upperarm")
        self.add("RY", f"{p}shoulder3_joint", f"{p}elbow", _at(0.0, 0.0, 1.0))
        self.link(f"{p}elbow", f"{p}lowerarm")
        self.add("RX", f"{p}elbow_joint", f"{p}wrist1", _at(0.0, 0.0, 1.0), _ball())
        self.add("RY", f"{p}wrist1_joint", f"{p}wrist2", wrist)
        self.link(f"{p}wrist2", f"{p}effector")


def buildSampleModelManipulator(mimic: bool = False) -> Model:
    """An arm of six joints. With mimic not covered."""
    _refuse(mimic)
    sample = _Sample()
    sample.limb("universe", "", _IDENTITY)
    return sample.model


def buildSampleModelHumanoid(using_free_flyer: bool = True) -> Model:
    """A humanoid of 28 joints on a free-flyer."""
    sample = _Sample()
    model, root = sample.model, _root(using_free_flyer)
    most = np.full(6, LARGEST)
    upper = np.concatenate([most[:3], np.ones(4)]) if using_free_flyer else most
    number = model.addJoint(0, root, _IDENTITY, "root_joint", most, most, -upper, upper)
    model.addJointFrame(number)
    model.appendBodyToJoint(number, _ball())
    down, foot = rotate("x", np.pi), SE3(rotate("y", np.pi / 2), np.zeros(3))
    for side, sign in (("r", -1.0), ("l", 1.0)):
        sample.limb("root_joint", f"{side}leg_", SE3(down, np.array([0.0, 0.2 * sign, -0.1])), foot)
    sample.add("RX", "root_joint", "chest1", body=_ball())
    sample.add("RY", "chest1_joint", "chest2", body=_bar())
    sample.add("RX", "chest2_joint", "head1", _at(0.0, 0.0, 1.0), _ball())
    sample.add("RY", "head1_joint", "head2", body=_bar())
    for side, sign in (("r", -1.0), ("l", 1.0)):
        sample.limb("chest2_joint", f"{side}arm_", SE3(down, np.array([0.0, 0.3 * sign, 1.0])))
    return model


def _root(using_free_flyer: bool) -> JointModel:
    """A free-flyer, or the same freedom as a translation and three angles."""
    if using_free_flyer:
        return TYPES["JointModelFreeFlyer"]()
    composite = TYPES["JointModelComposite"](TYPES["JointModelTranslation"]())
    return composite.addJoint(TYPES["JointModelSphericalZYX"]())


#: The random humanoid's branches: parent joint, axes of the joints, their names.
_BRANCHES = (
    ("root", "XYZYYX", [f"lleg{i}" for i in range(1, 7)]),
    ("root", "XYZYYX", [f"rleg{i}" for i in range(1, 7)]),
    ("root", "YZ", ["torso1", "chest"]),
    ("chest", "XYZYYX", [f"rarm{i}" for i in range(1, 7)]),
    ("chest", "XYZYYX", [f"larm{i}" for i in range(1, 7)]),
)


def buildSampleModelHumanoidRandom(using_free_flyer: bool = True, mimic: bool = False) -> Model:
    """A humanoid of random placements, bodies and limits: for tests. Numbers are this module's own."""
    _refuse(mimic)
    model = Model()
    _add_random(model, _root(using_free_flyer), 0, "root", _IDENTITY)
    for parent, axes, names in _BRANCHES:
        number = model.getJointId(f"{parent}_joint")
        for axis, name in zip(axes, names, strict=True):
            number = _add_random(model, TYPES[f"JointModelR{axis}"](), number, name, SE3.Random())
    return model


def _add_random(model: Model, joint: JointModel, parent: int, name: str, placement: SE3) -> int:
    rng = random.generator
    effort, velocity = rng.uniform(0.0, 1.0, (2, joint.nv))
    middle, width = rng.uniform(-1.0, 1.0, joint.nq), rng.uniform(0.0, 1.0, joint.nq) + 1.0
    turning = ~np.array(joint.hasConfigurationLimit(), dtype=bool)
    low, high = np.where(turning, -1.0, middle - width), np.where(turning, 1.0, middle + width)
    number = model.addJoint(parent, joint, placement, f"{name}_joint", effort, velocity, low, high)
    model.addJointFrame(number)
    model.appendBodyToJoint(number, Inertia.Random())
    model.addBodyFrame(f"{name}_body", number, _IDENTITY)
    return number


def _refuse(mimic: bool) -> None:
    if mimic:
        raise NotImplementedError("sample models with mimic joints are not covered")
