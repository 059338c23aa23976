"""Robots with their feet, as this library and the reference library have them, and a four-bar linkage."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from algorithms.pairs import REFERENCES, pair, pin
from robots import our_model

import dyn_node
from dyn_node import SE3, ConstraintSet, PointConstraint, ReferenceFrame, RigidConstraint
from dyn_node.algorithms.reference import reference_code

#: Robot to the frames that stand, and whether these are flat.
STANDING: dict[str, tuple[tuple[str, ...], bool]] = {
    "anymal": (("LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"), False),
    "go2": (("FL_foot", "FR_foot", "RL_foot", "RR_foot"), False),
    "solo_description/robots/solo12.urdf": (("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"), False),
    "talos": (("left_sole_link", "right_sole_link"), True),
}


def standing(robot: str) -> tuple[Any, Any, list[Any]]:
    """Model, data, and the feet as constraints in LOCAL."""
    feet, flat = STANDING[robot]
    model = our_model(robot, "free_flyer")
    kind = RigidConstraint if flat else PointConstraint
    return model, model.create_data(), [kind(foot) for foot in feet]


def theirs_of(model: Any, ties: ConstraintSet) -> tuple[Any, Any]:
    """The same constraints between frames, as the reference library takes them."""
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for tie in ties.constraints:
        kind = pin.ContactType.CONTACT_3D if tie.rows == 3 else pin.ContactType.CONTACT_6D
        ends = []
        sides = ((tie.frame, tie.placement), (tie.other, tie.other_placement or SE3.Identity()))
        for name, placement in sides:
            frame = model.frames[model.getFrameId(name)]
            own = pin.SE3(np.array(placement.rotation), np.array(placement.translation))
            ends += [frame.parentJoint, frame.placement * own]
        one = pin.RigidConstraintModel(
            kind, model, *ends, REFERENCES[ReferenceFrame(reference_code(tie.reference))]
        )
        one.m_baumgarte_parameters.Kp, one.m_baumgarte_parameters.Kd = tie.kp, tie.kd
        models.append(one)
    for one in models:
        datas.append(one.createData())
    return models, datas


def solved_by_pinocchio(
    robot: str, ties: ConstraintSet, state: tuple[Any, ...]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(ddq, multipliers, Jacobian) of the reference library at q, v, tau."""
    _, _, theirs, data = pair(robot, "free_flyer")
    models, datas = theirs_of(theirs, ties)
    pin.initConstraintDynamics(theirs, data, models, datas)
    settings = pin.ProximalSettings(1e-13, 1e-12, 20)
    ddq = pin.constraintDynamics(theirs, data, *state, models, datas, settings).copy()
    jacobian = pin.getConstraintsJacobian(theirs, data, models, datas)
    return ddq, np.array(data.lambda_c), jacobian


def _link(name: str, length: float, side: int = 1) -> str:
    """A bar from its joint along x, or along -x."""
    return (
        f'<link name="{name}"><inertial><origin xyz="{side * length / 2} 0 0"/><mass value="{2 * length}"/>'
        f'<inertia ixx="1e-3" iyy="{length**3 / 6}" izz="{length**3 / 6}" ixy="0" ixz="0" iyz="0"/>'
        "</inertial></link>"
    )


def _joint(name: str, parent: str, child: str, x: float) -> str:
    return (
        f'<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{x} 0 0"/><axis xyz="0 -1 0"/></joint>'
    )


#: Crank 0.3 m, coupler 0.5 m, rocker 0.4 m, on pivots 0.5 m apart, in the plane y = 0.
FOUR_BAR = "".join(
    (
        '<robot name="four_bar"><link name="ground"/>',
        _link("crank", 0.3),
        _link("coupler", 0.5),
        _link("rocker", 0.4),
        '<link name="coupler_end"/><link name="rocker_end"/>',
        _joint("a", "ground", "crank", 0.0),
        _joint("b", "crank", "coupler", 0.3),
        _joint("c", "ground", "rocker", 0.5),
        '<joint name="ce" type="fixed"><parent link="coupler"/><child link="coupler_end"/>'
        '<origin xyz="0.5 0 0"/></joint>',
        '<joint name="re" type="fixed"><parent link="rocker"/><child link="rocker_end"/>'
        '<origin xyz="0.4 0 0"/></joint></robot>',
    )
)


def cut_coupler() -> str:
    """The same linkage, cut in the middle of its coupler instead of at a joint."""
    return "".join(
        (
            '<robot name="cut_coupler"><link name="ground"/>',
            _link("crank", 0.3),
            _link("front", 0.25),
            _link("rocker", 0.4),
            _link("back", 0.25, -1),
            '<link name="front_end"/><link name="back_end"/>',
            _joint("a", "ground", "crank", 0.0),
            _joint("b", "crank", "front", 0.3),
            _joint("c", "ground", "rocker", 0.5),
            _joint("d", "rocker", "back", 0.4),
            '<joint name="fe" type="fixed"><parent link="front"/><child link="front_end"/>'
            '<origin xyz="0.25 0 0"/></joint>',
            '<joint name="be" type="fixed"><parent link="back"/><child link="back_end"/>'
            '<origin xyz="-0.25 0 0"/></joint></robot>',
        )
    )


@functools.cache
def cut_inside() -> Any:
    """That linkage as an open tree."""
    return dyn_node.load_urdf(cut_coupler())


def weld(**settings: Any) -> RigidConstraint:
    """What closes it."""
    return RigidConstraint("front_end", "back_end", **settings)


def welded(model: Any, data: Any, crank: float) -> np.ndarray:
    """A configuration in which it is closed, from the crank's angle."""
    coupler, rocker = _closed_angles(crank)
    return angles(crank, coupler - crank, rocker, coupler - rocker)


@functools.cache
def four_bar() -> Any:
    """The linkage as an open tree."""
    return dyn_node.load_urdf(FOUR_BAR)


def loop(**settings: Any) -> PointConstraint:
    """What closes it."""
    return PointConstraint("coupler_end", "rocker_end", **settings)


def angles(*values: float) -> np.ndarray:
    """Positions of continuous joints as (cos, sin) pairs."""
    return np.array([f(x) for x in values for f in (np.cos, np.sin)])


def closed(model: Any, data: Any, crank: float) -> np.ndarray:
    """A configuration in which the loop is closed, from the crank's angle."""
    coupler, rocker = _closed_angles(crank)
    return angles(crank, coupler - crank, rocker)


def _closed_angles(crank: float) -> tuple[float, float]:
    """Angles of coupler and rocker from the ground, by the cosine rule."""
    pin_x, pin_z = 0.3 * np.cos(crank), 0.3 * np.sin(crank)
    x, z = 0.5 - pin_x, -pin_z
    distance = np.hypot(x, z)
    inner = np.arccos((0.5**2 + distance**2 - 0.4**2) / (2 * 0.5 * distance))
    coupler = np.arctan2(z, x) + inner
    end = np.array([pin_x + 0.5 * np.cos(coupler), pin_z + 0.5 * np.sin(coupler)])
    return coupler, np.arctan2(end[1], end[0] - 0.5)
