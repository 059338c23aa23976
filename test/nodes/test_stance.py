"""Feet that stand: what the ground takes over, what it cannot, and what messages may say of them."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")

import dyn_node
from dyn_node.errors import InvalidValueError, MissingDependencyError, UnknownFrameError
from dyn_node.nodes.dynamics_settings import DynamicsSettings
from dyn_node.nodes.stance import Contacts, Stance, without_feet

FEET = ("FL_foot", "FR_foot", "RL_foot", "RR_foot")
SECOND = 1_000_000_000


def settings(**values: Any) -> DynamicsSettings:
    return DynamicsSettings(root_joint="free_flyer", contact_frames=FEET, **values)


def standing_robot() -> tuple[dyn_node.Model, Any, np.ndarray]:
    model = dyn_node.robots.load("go2")
    q = np.array(dyn_node.neutral(model))
    for name, position in dyn_node.robots.describe("go2").home.items():
        q[model.joints[model.joint_id(name)].idx_q] = position
    return model, model.create_data(), q


def carried(contacts: Contacts) -> tuple[Stance, np.ndarray]:
    model, data, q = standing_robot()
    stance, efforts = Stance(model, contacts), dyn_node.generalized_gravity(model, data, q)
    stance.carry(data, q, efforts)
    return stance, efforts


def test_four_feet_carry_everything() -> None:
    stance, efforts = carried(Contacts(settings()))
    model, data, q = standing_robot()
    assert np.abs(efforts[:6]).max() < 1e-9
    assert stance.forces.sum(axis=0) == pytest.approx([0.0, 0.0, 9.81 * model.total_mass])
    assert (stance.unsupported(), stance.pulled()) == ("", "")
    library = dyn_node.contact_gravity(model, data, q, FEET)
    assert efforts[6:] == pytest.approx(library.tau[6:], abs=1e-9)
    assert stance.report()["standing"] == ", ".join(FEET)


def test_a_lifted_foot_carries_nothing_and_the_rest_say_what_they_cannot() -> None:
    contacts = Contacts(settings(contact_source="topic"))
    contacts.update(list(FEET), np.array([0.0, 1.0, 1.0, 1.0]), SECOND)
    stance, _ = carried(contacts)
    assert stance.forces[0].tolist() == [0.0, 0.0, 0.0]
    # The centre of mass is ahead of the line between FR and RL.
    assert stance.pulled() == "RR_foot"
    contacts.update(list(FEET), np.array([0.0, 1.0, 0.0, 0.0]), SECOND)
    assert "1 feet leave" in carried(contacts)[0].unsupported()


def test_no_foot_leaves_the_free_body_and_says_so() -> None:
    contacts = Contacts(settings(contact_source="topic"))
    contacts.update(list(FEET), np.zeros(4), SECOND)
    stance, efforts = carried(contacts)
    model, data, q = standing_robot()
    assert efforts == pytest.approx(dyn_node.generalized_gravity(model, data, q))
    assert "free body" in stance.unsupported()


def test_a_floating_base_whose_feet_nobody_named_says_whose_torques_it_has() -> None:
    told = without_feet(dyn_node.robots.load("go2"))
    assert told["torques"] == "of the free body"
    assert "contact_frames is not set" in told["unsupported"]
    assert "~/base_wrench" in told["unsupported"]
    for root in ("fixed", "planar"):
        assert without_feet(dyn_node.robots.load("go2", root=root)) == {}


def test_the_report_labels_the_torques_and_gives_the_rank() -> None:
    contacts = Contacts(settings(contact_source="topic"))
    for standing, torques, rank in (
        ((1, 1, 1, 1), "with the ground's help", "6 of 6"),
        ((1, 0, 0, 1), "with the ground's help", "5 of 6"),  # nothing turns it about the line of two points
        ((0, 0, 0, 0), "of the free body", "0 of 6"),
    ):
        contacts.update(list(FEET), np.array(standing, dtype=float), SECOND)
        report = carried(contacts)[0].report()
        assert (report["torques"], report["rank"]) == (torques, rank), standing


def test_with_friction_feet_push_inside_their_pyramids() -> None:
    pytest.importorskip("qpsolvers", reason="friction needs qpsolvers")
    pytest.importorskip("proxsuite", reason="friction needs proxsuite")
    contacts = Contacts(settings(contact_source="topic", contact_friction=[0.6]))
    contacts.update(list(FEET), np.array([0.0, 1.0, 1.0, 1.0]), SECOND)
    stance, efforts = carried(contacts)
    # Without friction RR has to pull, for the centre of mass is ahead of the line between FR and RL.
    assert stance.pulled() == ""
    assert stance.forces[:, 2].min() > -1e-6
    assert (np.abs(stance.forces[:, :2]) <= 0.6 * stance.forces[:, 2:] + 1e-6).all()
    assert "3 feet leave" in stance.unsupported()
    model, data, q = standing_robot()
    library = dyn_node.contact_gravity(model, data, q, [dyn_node.Contact(foot, 0.6) for foot in FEET[1:]])
    assert stance.unsupported().split()[5] == f"{library.unsupported:.3g}"
    contacts.update(list(FEET), np.ones(4), SECOND)
    all_feet, efforts = carried(contacts)
    assert all_feet.unsupported() == ""
    assert efforts[6:] == pytest.approx(dyn_node.contact_gravity(model, data, q, FEET).tau[6:], abs=1e-9)


def test_friction_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidValueError, match=r"contact_friction: -0\.1"):
        settings(contact_friction=[-0.1])
    with pytest.raises(InvalidValueError, match=r"2 entries.*4 contact_frames"):
        settings(contact_friction=[0.5, 0.5])
    monkeypatch.setitem(sys.modules, "qpsolvers", None)
    with pytest.raises(MissingDependencyError, match="pip install qpsolvers proxsuite"):
        Contacts(settings(contact_friction=[0.5]))


def test_a_foot_stands_above_the_threshold() -> None:
    contacts = Contacts(settings(contact_source="topic", contact_threshold=20.0))
    contacts.update(list(FEET), np.array([19.0, 20.0, 21.0, 400.0]), SECOND)
    assert contacts.standing() == (False, False, True, True)


def test_feet_of_which_nothing_fresh_was_heard_are_unknown() -> None:
    assert Contacts(settings()).unknown(SECOND, 0.5) == []
    contacts = Contacts(settings(contact_source="topic"))
    contacts.update(FEET[:2], np.ones(2), SECOND)
    assert contacts.unknown(SECOND, 0.5) == ["RL_foot", "RR_foot"]
    contacts.update(FEET[2:], np.ones(2), SECOND)
    assert contacts.unknown(SECOND, 0.5) == []
    assert contacts.unknown(2 * SECOND, 0.5) == list(FEET)
    assert contacts.unknown(SECOND // 2, 0.5) == list(FEET), "the clock jumped back"


def test_a_message_that_cannot_be_right_is_refused_whole() -> None:
    contacts = Contacts(settings(contact_source="topic"))
    with pytest.raises(UnknownFrameError, match="FL_foot"):
        contacts.update(["FR_foot", "FL_fot"], np.ones(2), SECOND)
    with pytest.raises(InvalidValueError, match="1 values for 2 names"):
        contacts.update(["FR_foot", "FL_foot"], np.ones(1), SECOND)
    with pytest.raises(InvalidValueError, match="finite"):
        contacts.update(["FR_foot"], np.array([np.nan]), SECOND)
    assert contacts.unknown(SECOND, 0.5) == list(FEET)


def test_stances_that_cannot_be_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="fixed base"):
        Stance(dyn_node.robots.load("go2", root="fixed"), Contacts(settings()))
    contacts = Contacts(DynamicsSettings(root_joint="free_flyer", contact_frames=("FL_fot",)))
    with pytest.raises(UnknownFrameError, match="FL_foot"):
        Stance(dyn_node.robots.load("go2"), contacts)
    with pytest.raises(InvalidValueError, match="root_joint is fixed"):
        DynamicsSettings(contact_frames=FEET)
    with pytest.raises(InvalidValueError, match="twice"):
        DynamicsSettings(root_joint="free_flyer", contact_frames=("a", "a"))
