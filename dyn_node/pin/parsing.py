"""Models from URDF files, configurations from SRDF files."""

from __future__ import annotations

import os
import warnings
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ..errors import InvalidValueError, ModelWarning
from ..model import Model as CoreModel
from ..model import load_urdf
from ..model.editing import append
from .joint_models import JointModel
from .model import Model

_ROOTS = {"JointModelFreeFlyer": "free_flyer", "JointModelPlanar": "planar"}
ROOT_NAME = "root_joint"


def buildModelFromUrdf(urdf_filename: str | os.PathLike[str], *arguments: Any, mimic: bool = False) -> Model:
    """Read a robot: (path), (path, root joint), (path, root joint, its name).

    With a `Model` last, the robot is added to that model. `mimic` True lets joints with a <mimic>
    tag follow their leaders; without it they move by themselves.
    """
    return _read(os.fspath(urdf_filename), arguments, mimic)


def buildModelFromXML(urdf_xml_stream: str | bytes, *arguments: Any, mimic: bool = False) -> Model:
    """The same from the text of a URDF."""
    text = urdf_xml_stream.decode() if isinstance(urdf_xml_stream, bytes) else urdf_xml_stream
    return _read(text, arguments, mimic)


def _read(source: str, arguments: tuple[Any, ...], mimic: bool) -> Model:
    root, name, into = "fixed", ROOT_NAME, None
    for argument in arguments:
        if isinstance(argument, JointModel):
            root = _root(argument)
        elif isinstance(argument, str):
            name = argument
        elif isinstance(argument, Model):
            into = argument
        elif isinstance(argument, bool):
            mimic = argument
        else:
            raise TypeError(f"expected a joint model, a name or a Model, given {argument!r}")
    with warnings.catch_warnings():
        # Pinocchio says nothing about doubtful inertias.
        warnings.simplefilter("ignore", ModelWarning)
        core = load_urdf(source, root=root, mimic=mimic)
    if into is not None:
        return _joined(into, core)
    model = Model._from_core(core)
    if root != "fixed" and name != ROOT_NAME:
        model.names[1] = model.frames[1].name = name
        model._core = None
    return model


def _root(joint: JointModel) -> str:
    try:
        return _ROOTS[joint.shortname()]
    except KeyError:
        raise InvalidValueError(
            f"root_joint: {joint.shortname()} cannot carry a robot here; allowed: {', '.join(_ROOTS)}",
            joint,
            tuple(_ROOTS),
        ) from None


def _joined(into: Model, core: CoreModel) -> Model:
    """Pinocchio changes the model that it is given and returns it."""
    into._take(append(into.renamed_core(), core, 0))
    return into


def loadReferenceConfigurations(
    model: Model, srdf_filename: str | os.PathLike[str], verbose: bool = False
) -> None:
    """Read the <group_state> elements of an SRDF into model.referenceConfigurations."""
    _read_states(model, ElementTree.parse(srdf_filename).getroot())


def loadReferenceConfigurationsFromXML(model: Model, srdf_xml_stream: str, verbose: bool = False) -> None:
    """The same from the text of an SRDF."""
    _read_states(model, ElementTree.fromstring(srdf_xml_stream))


def _read_states(model: Model, robot: ElementTree.Element) -> None:
    for state in robot.iter("group_state"):
        q = model.core.neutral.copy()
        for element in state.iter("joint"):
            _put(model, q, element)
        model.referenceConfigurations[str(state.get("name"))] = q


def _put(model: Model, q: np.ndarray, element: ElementTree.Element) -> None:
    """One <joint name value>: joints that the model does not have are passed over."""
    name = element.get("name", "")
    values = np.array((element.get("value") or "").split(), dtype=np.float64)
    if not model.existJointName(name):
        return
    joint = model.joints[model.getJointId(name)]
    if joint.nq == 2 and joint.nv == 1 and values.size == 1:
        values = np.array([np.cos(values[0]), np.sin(values[0])])
    if values.size == joint.nq:
        q[joint.idx_q : joint.idx_q + joint.nq] = values


def loadRotorParameters(model: Model, srdf_filename: str | os.PathLike[str], verbose: bool = False) -> bool:
    """Read <rotor_params> of an SRDF: rotorInertia, rotorGearRatio and with them armature."""
    for element in ElementTree.parse(srdf_filename).getroot().findall("rotor_params/joint"):
        name = element.get("name", "")
        if model.existJointName(name):
            joint = model.joints[model.getJointId(name)]
            inertia, ratio = float(element.get("mass") or 0.0), float(element.get("gear_ratio") or 1.0)
            model.rotorInertia[joint.idx_v], model.rotorGearRatio[joint.idx_v] = inertia, ratio
            model.armature[joint.idx_v] = ratio**2 * inertia
    return True
