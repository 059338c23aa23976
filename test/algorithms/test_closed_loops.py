"""The four-bar linkage against Pinocchio: closed at a joint by a point, and inside a link by a weld."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from algorithms.pairs import pin
from algorithms.standing import FOUR_BAR, cut_coupler, cut_inside, four_bar, loop, theirs_of, weld, welded
from algorithms.standing import closed as closed_at_a_joint
from algorithms.states import Comparison, relative
from tolerances import REL

import dyn_node
from dyn_node import ConstraintSet

#: Kind of loop to URDF, model, constraint and a closed configuration.
LOOPS = {
    "point": (FOUR_BAR, four_bar, loop, closed_at_a_joint, 2),
    "rigid": (cut_coupler(), cut_inside, weld, welded, 3),
}
#: Rows that imply each other need its proximal iterations; this small mu costs it no digits.
SETTINGS = (1e-14, 1e-14, 1e-10, 100)


class Loop:
    """A linkage in both libraries, at states in which the loop is closed and moves as the loop allows."""

    def __init__(self, kind: str, **gains: Any) -> None:
        urdf, build, constraint, closed, self.rank = LOOPS[kind]
        self.model = build()
        self.data = self.model.create_data()
        self.theirs = pin.buildModelFromXML(urdf)
        self.reference = self.theirs.createData()
        self.ties = ConstraintSet(self.model, [constraint(**gains)])
        self.models, self.datas = theirs_of(self.theirs, self.ties)
        pin.initConstraintDynamics(self.theirs, self.reference, self.models, self.datas)
        self.settings = pin.ProximalSettings(*SETTINGS)
        self.closed = closed

    def states(self) -> Any:
        rng = np.random.default_rng(1)
        for crank in (0.4, 1.2, 2.5):
            q = self.closed(self.model, self.data, crank)
            motion = dyn_node.constraint_motion(self.model, self.data, q, np.zeros(self.model.nv), self.ties)
            assert np.abs(motion.error).max() < REL, "the loop is open"
            # Its one degree of freedom, and some velocity that the gains have to take away.
            v = np.linalg.svd(motion.jacobian)[2][-1] + 0.1 * rng.standard_normal(self.model.nv)
            yield q, v, rng.standard_normal(self.model.nv)


@pytest.mark.parametrize("gains", [{}, {"kp": 4.0, "kd": 3.0}])
@pytest.mark.parametrize("kind", LOOPS)
def test_forward_dynamics(kind: str, gains: dict[str, float]) -> None:
    at = Loop(kind, **gains)
    compare = Comparison("four-bar", kind)
    for q, v, tau in at.states():
        ours = dyn_node.constrained_forward_dynamics(at.model, at.data, q, v, tau, at.ties)
        ddq = pin.constraintDynamics(
            at.theirs, at.reference, q, v, tau, at.models, at.datas, at.settings
        ).copy()
        compare.add("ddq", ours.ddq, ddq)
        compare.add("multipliers", ours.multipliers, np.array(at.reference.lambda_c))
        J = pin.getConstraintsJacobian(at.theirs, at.reference, at.models, at.datas)
        compare.add("jacobian", dyn_node.constraint_jacobian(at.model, at.data, q, at.ties), J)
        assert ours.rank == at.rank, f"{kind}: rank {ours.rank}"
        assert ours.residual < REL, f"{kind}: residual {ours.residual:.2g}"
    compare.check(REL)


@pytest.mark.parametrize("kind", LOOPS)
def test_impulses(kind: str) -> None:
    """From independent rows: Pinocchio's function of constraint models looks at their first body alone."""
    at = Loop(kind)
    compare = Comparison("four-bar", f"{kind}, impulses")
    for q, v, _ in at.states():
        ours = dyn_node.impulse_dynamics(at.model, at.data, q, v, at.ties, 0.3)
        rows = np.linalg.svd(dyn_node.constraint_jacobian(at.model, at.data, q, at.ties))[2][: at.rank]
        compare.add("v", ours.v, pin.impulseDynamics(at.theirs, at.reference, q, v, rows, 0.3, 0.0))
    compare.check(REL)


def test_both_cuts_move_alike() -> None:
    """However the loop is cut, crank and rocker accelerate alike, and the loop's forces do no work."""
    found = {}
    for cut in LOOPS:
        at = Loop(cut)
        q = at.closed(at.model, at.data, 1.2)
        free = np.linalg.svd(dyn_node.constraint_jacobian(at.model, at.data, q, at.ties))[2][-1]
        v = free / free[0]
        tau = np.zeros(at.model.nv)
        tau[0] = 0.7
        moved = dyn_node.constrained_forward_dynamics(at.model, at.data, q, v, tau, at.ties)
        names = [joint.name for joint in at.model.joints[1:]]
        found[cut] = [moved.ddq[names.index(name)] for name in ("a", "c")]
        held = dyn_node.rnea(at.model, at.data, q, v, moved.ddq) - tau
        assert abs(held @ free) < REL * np.abs(held).max(), f"{cut}: the loop works"
    assert relative(found["rigid"], found["point"]) < REL
