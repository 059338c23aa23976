"""Constraints as descriptions, and how their rows move along a trajectory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from algorithms.standing import standing
from algorithms.states import relative, states
from tolerances import DIFFERENCES, REL

import dyn_node
from dyn_node import SE3, ConstraintSet, JointCoupling, JointLock, PointConstraint, RigidConstraint
from dyn_node.errors import InvalidValueError, ShapeError, UnknownFrameError, UnknownJointError

PLACE = SE3.exp(np.array([0.1, 0.2, -0.1, 0.3, -0.2, 0.1]))

#: Constraints whose velocity rows are the rates of which gamma is the bias; a point's are in world axes.
MOVING = {
    "point": PointConstraint("FL_foot", placement=PLACE, reference="LOCAL_WORLD_ALIGNED"),
    "points of two legs": PointConstraint("FL_foot", "RR_foot", other_placement=PLACE, reference=2),
    "rigid": RigidConstraint("FL_foot", placement=PLACE),
    "rigid between two legs": RigidConstraint("FL_foot", "RR_foot", other_placement=PLACE),
    "with the base": RigidConstraint("FL_foot", "base"),
}


@pytest.mark.parametrize("label", MOVING)
def test_rows_move_as_they_say(label: str) -> None:
    """Differences along a motion: velocity of J v, and of the error where it is a distance."""
    model, data, _ = standing("go2")
    ties, h = ConstraintSet(model, [MOVING[label]]), 1e-6
    for q, v, a, *_ in states(model, 3):
        now = dyn_node.constraint_motion(model, data, q, v, ties)
        assert relative(now.velocity, now.jacobian @ v) < REL, label

        def at(t: float, q: Any = q, v: Any = v, a: Any = a) -> Any:
            later = dyn_node.integrate(model, q, t * v + 0.5 * t * t * a)
            return dyn_node.constraint_motion(model, data, later, v + t * a, ties)

        before, after = at(-h), at(h)
        slope = (after.velocity - before.velocity) / (2 * h)
        assert relative(now.jacobian @ a + now.gamma, slope) < DIFFERENCES, f"{label}: gamma"
        if "point" in label:
            slope = (after.error - before.error) / (2 * h)
            assert relative(now.velocity, slope) < DIFFERENCES, f"{label}: error"


def test_axes_choose_components_only() -> None:
    model, data, _ = standing("go2")
    for q, v, _, tau, _ in states(model, 2):
        for kind in (PointConstraint, RigidConstraint):
            settings = {"placement": PLACE, "other_placement": PLACE, "kp": 3.0, "kd": 1.0}
            own, world = (
                dyn_node.constrained_forward_dynamics(
                    model, data, q, v, tau, kind("FL_foot", reference=axes, **settings)
                )
                for axes in ("LOCAL", "LOCAL_WORLD_ALIGNED")
            )
            assert relative(own.ddq, world.ddq) < REL
            dyn_node.forward_kinematics(model, data, q)
            R = (dyn_node.frame_placement(model, data, "FL_foot") * PLACE).rotation
            assert relative(R @ own.multipliers[:3], world.multipliers[:3]) < REL


def test_anchored_contacts_have_no_error_where_they_are() -> None:
    model, data, feet = standing("go2")
    q, v, *_ = states(model, 1)[0]
    ties = ConstraintSet(model, feet).anchored(data, q, 100.0, 20.0)
    motion = dyn_node.constraint_motion(model, data, q, v, ties)
    assert np.abs(motion.error).max() < 1e-12
    assert all(tie.kp == 100.0 for tie in ties.constraints)


def test_rows_in_order_locks_last() -> None:
    model, _, feet = standing("go2")
    ties = ConstraintSet(model, [JointLock("FL_calf_joint"), *feet])
    assert [type(tie) for tie in ties.constraints] == [PointConstraint] * 4 + [JointLock]
    parts = ties.split(np.arange(13.0))
    assert [len(part) for part in parts] == [3, 3, 3, 3, 1]
    assert parts[-1] == [12.0]
    with pytest.raises(ShapeError, match="multipliers"):
        ties.split(np.zeros(12))


def test_unknown_names_list_the_closest() -> None:
    model, _, _ = standing("go2")
    with pytest.raises(UnknownFrameError, match="FL_foot"):
        ConstraintSet(model, [PointConstraint("FL_fot")])
    with pytest.raises(UnknownJointError, match="FL_calf_joint"):
        ConstraintSet(model, [JointLock("FL_calf")])


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda m: PointConstraint("FL_foot", kp=-1.0), "kp"),
        (lambda m: PointConstraint("FL_foot", kd=np.nan), "kd"),
        (lambda m: PointConstraint("FL_foot", kp=1.0), "place in the world"),
        (lambda m: PointConstraint("FL_foot", reference="WORLD"), "LOCAL_WORLD_ALIGNED"),
        (lambda m: JointLock("FL_calf_joint", kp=1.0), "position"),
        (lambda m: JointCoupling({}), "none given"),
        (lambda m: JointCoupling({"FL_calf_joint": 0.0}), "zero"),
        (lambda m: ConstraintSet(m, [JointCoupling({"root_joint": 1.0})]), "one coordinate"),
        (lambda m: ConstraintSet(m, [RigidConstraint("FL_foot", "FL_calf")]), "one body"),
        (lambda m: ConstraintSet(m, ["FL_foot"]), "PointConstraint"),
    ],
)
def test_what_cannot_be_is_refused(build: Any, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        build(standing("go2")[0])


def test_lock_of_the_wrong_size() -> None:
    with pytest.raises(ShapeError, match="position"):
        ConstraintSet(standing("go2")[0], [JointLock("FL_calf_joint", position=[0.0, 1.0])])
