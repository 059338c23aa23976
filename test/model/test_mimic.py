"""Joints that follow others: against the reference library, and against the same robot let loose.

Let loose (`mimic=False`), every joint has its own coordinate. With v = G v_leaders for the robot as
it is, M = G^T M_free G, and efforts are G^T times the free ones; accelerations as well are G a.
"""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from algorithms.states import Comparison, states
from model.urdf_text import LIMIT, inertial, joint, link, robot
from robots import ALL_URDFS, our_model, pin_model
from tolerances import REL

import dyn_node
from dyn_node.errors import ModelError, UrdfError
from dyn_node.model import Mimic, ModelBuilder, check_model, load_urdf
from dyn_node.spatial import SE3, Inertia

needs_robots = pytest.mark.skipif(not ALL_URDFS, reason="example-robot-data is not installed")

#: Robots whose leaders come before their followers: the reference library reads no others.
REFERENCE = (
    "panda",
    "baxter_description/urdf/baxter.urdf",
    "pr2_description/urdf/pr2.urdf",
    "tiago_pro_description/robots/tiago_pro.urdf",
)
#: Robots with leaders that come later.
OTHERS = ("talos_data/robots/talos_full_v2.urdf", "romeo_description/urdf/romeo.urdf")


def follow(leader, multiplier=1.0, offset=0.0):
    return f'<mimic joint="{leader}" multiplier="{multiplier}" offset="{offset}"/>'


def member(name, parent, kind="revolute", content="", axis="0 1 0", xyz="0.1 0.2 0.3"):
    """A joint and its link, named alike."""
    limit = "" if kind == "continuous" else LIMIT
    body = f'{limit}<axis xyz="{axis}"/><origin xyz="{xyz}" rpy="0.3 -0.2 0.5"/>{content}'
    return joint(name, parent, "l" + name, kind, body) + link(
        "l" + name, inertial(origin='<origin xyz="0.1 0 0.2"/>')
    )


def serial(*kinds_and_contents):
    """Joints a, b, c ... one after the other."""
    parts, parent = [link("base")], "base"
    for name, (kind, content) in zip("abcdef", kinds_and_contents, strict=False):
        parts.append(member(name, parent, kind, content))
        parent = "l" + name
    return robot(*parts)


SMALL = {
    "a follower on its leader": serial(("revolute", ""), ("revolute", follow("a", -2.0, 0.3))),
    "a leader on its follower": serial(("revolute", follow("b", 0.5, -0.1)), ("revolute", "")),
    "a chain of followers": serial(
        ("revolute", follow("b", -1.5, 0.2)), ("revolute", follow("c", 2.0, -0.4)), ("revolute", "")
    ),
    "two followers": serial(
        ("revolute", ""), ("prismatic", follow("a", 0.2)), ("revolute", ""), ("revolute", follow("a", 1.0))
    ),
    "a slide that leads": serial(
        ("prismatic", ""), ("revolute", follow("a", 3.0, 0.1)), ("prismatic", follow("a"))
    ),
    "of a continuous joint": serial(
        ("continuous", ""), ("continuous", follow("a", -1.0, 0.5)), ("revolute", follow("a", 0.5))
    ),
    "a continuous follower": serial(
        ("revolute", ""), ("continuous", follow("a", 2.0, 0.1)), ("continuous", "")
    ),
}


def loose(model, free, q):
    """The free robot's configuration where the robot is at q, and G."""
    q_free, G = free.neutral.copy(), np.zeros((free.nv, model.nv))
    for joint_, other in zip(model.joints[1:], free.joints[1:], strict=True):
        if joint_.mimic is None:
            G[other.moved_by, joint_.moved_by] = np.eye(joint_.nv)
            q_free[other.idx_q : other.idx_q + other.nq] = q[joint_.idx_q : joint_.idx_q + joint_.nq]
            continue
        G[other.idx_v, joint_.idx_v] = joint_.mimic.multiplier
        leader = model.joints[model.joint_id(joint_.mimic.joint)]
        position = q[leader.idx_q] if leader.nq == 1 else np.arctan2(q[leader.idx_q + 1], q[leader.idx_q])
        position = joint_.mimic.multiplier * position + joint_.mimic.offset
        circle = other.kind == "continuous"
        entries = [np.cos(position), np.sin(position)] if circle else [position]
        q_free[other.idx_q : other.idx_q + other.nq] = entries
    return q_free, G


def check_against_the_loose(case, model, free, count=5):
    data, free_data, compare = model.create_data(), free.create_data(), Comparison(case, "let loose")
    assert model.nv < free.nv
    singular = any(finding.kind == "mass" for finding in check_model(model))
    for q, v, a, tau, f_ext in states(model, count):
        q_free, G = loose(model, free, q)
        state = q_free, G @ v, G @ a
        free_tau = dyn_node.rnea(free, free_data, *state)
        compare.add("rnea", dyn_node.rnea(model, data, q, v, a), G.T @ free_tau)
        free_tau = dyn_node.rnea(free, free_data, *state, f_ext)
        compare.add("rnea with f_ext", dyn_node.rnea(model, data, q, v, a, f_ext), G.T @ free_tau)
        gravity = G.T @ dyn_node.generalized_gravity(free, free_data, q_free)
        compare.add("generalized_gravity", dyn_node.generalized_gravity(model, data, q), gravity)
        drift = G.T @ dyn_node.nonlinear_effects(free, free_data, q_free, G @ v)
        compare.add("nonlinear_effects", dyn_node.nonlinear_effects(model, data, q, v), drift)
        M = dyn_node.crba(model, data, q)
        compare.add("crba", M, G.T @ dyn_node.crba(free, free_data, q_free) @ G)
        if not singular:
            compare.add("aba", M @ dyn_node.aba(model, data, q, v, tau), tau - drift)
            wrenched = dyn_node.rnea(model, data, q, v, dyn_node.aba(model, data, q, v, tau, f_ext), f_ext)
            compare.add("aba with f_ext", wrenched, tau)
        dyn_node.forward_kinematics(model, data, q, v, a)
        dyn_node.update_frame_placements(model, data)
        dyn_node.forward_kinematics(free, free_data, *state)
        dyn_node.update_frame_placements(free, free_data)
        for frame in range(0, model.nframes, max(1, model.nframes // 20)):
            compare.add("oMf", data.oMf[frame].homogeneous, free_data.oMf[frame].homogeneous)
            twice = [
                dyn_node.frame_acceleration(m, d, frame).vector for m, d in ((model, data), (free, free_data))
            ]
            compare.add("frame_acceleration", *twice)
            jacobian = dyn_node.frame_jacobian(free, free_data, q_free, frame, "WORLD") @ G
            compare.add("frame_jacobian", dyn_node.frame_jacobian(model, data, q, frame, "WORLD"), jacobian)
    compare.check(REL)


@pytest.mark.parametrize("case", SMALL)
def test_small_robots_let_loose(case):
    check_against_the_loose(case, load_urdf(SMALL[case]), load_urdf(SMALL[case], mimic=False), 20)


@needs_robots
@pytest.mark.parametrize("name", OTHERS)
def test_real_robots_let_loose(name):
    check_against_the_loose(name, our_model(name, "free_flyer", True), our_model(name, "free_flyer"))


@needs_robots
@pytest.mark.parametrize("root", ["fixed", "free_flyer"])
@pytest.mark.parametrize("name", REFERENCE)
def test_against_the_reference_library(name, root):
    pin = pytest.importorskip("pinocchio")
    model, theirs = our_model(name, root, True), pin_model(name, root, True)
    data, reference, compare = model.create_data(), theirs.createData(), Comparison(name, root)
    ours = [(j.nq, j.nv, j.idx_q, j.idx_v) for j in model.joints[1:]]
    assert ours == [(j.nq, j.nv, j.idx_q, j.idx_v) for j in list(theirs.joints)[1:]], (
        f"{name}: sizes and indices"
    )
    assert (model.nq, model.nv) == (theirs.nq, theirs.nv)
    compare.add("neutral", dyn_node.neutral(model), pin.neutral(theirs))
    for q, v, a, _, f_ext in states(model, 10):
        forces = [pin.Force(f) for f in f_ext]
        compare.add(
            "rnea", dyn_node.rnea(model, data, q, v, a, f_ext), pin.rnea(theirs, reference, q, v, a, forces)
        )
        upper = np.triu(pin.crba(theirs, reference, q))
        compare.add("crba", dyn_node.crba(model, data, q), upper + np.triu(upper, 1).T)
        compare.add("integrate", dyn_node.integrate(model, q, v), pin.integrate(theirs, q, v))
        moved = dyn_node.integrate(model, q, v)
        compare.add("difference", dyn_node.difference(model, q, moved), pin.difference(theirs, q, moved))
        pin.framesForwardKinematics(theirs, reference, q)
        dyn_node.forward_kinematics(model, data, q)
        dyn_node.update_frame_placements(model, data)
        for frame in range(0, model.nframes, 3):
            compare.add("oMf", data.oMf[frame].homogeneous, reference.oMf[frame].homogeneous)
            jacobian = pin.computeFrameJacobian(theirs, reference, q, frame, pin.WORLD)
            compare.add("frame_jacobian", dyn_node.frame_jacobian(model, data, q, frame, "WORLD"), jacobian)
    compare.check(REL)


@pytest.mark.parametrize("case", ["a chain of followers", "of a continuous joint"])
def test_configuration_space_is_the_leaders(case):
    model = load_urdf(SMALL[case])
    compare = Comparison(case, "fixed")
    for q, v, *_ in states(model, 10):
        moved = dyn_node.integrate(model, q, v)
        assert dyn_node.is_normalized(model, moved)
        compare.add("difference", np.sin(dyn_node.difference(model, q, moved)), np.sin(v))
        compare.add("d_integrate", dyn_node.d_integrate(model, q, v), np.eye(model.nv))
        J, step = dyn_node.integrate_coefficient_jacobian(model, q), 1e-7
        rate = (dyn_node.integrate(model, q, step * v) - dyn_node.integrate(model, q, -step * v)) / (
            2.0 * step
        )
        assert np.abs(J @ v - rate).max() <= 1e-6 * max(1.0, np.abs(rate).max()), "dq/dt = J v"
    compare.check(REL)
    assert len(dyn_node.squared_distance(model, model.neutral, model.neutral)) == model.njoints - 1


def test_chains_lead_to_one_leader():
    model = load_urdf(SMALL["a chain of followers"])
    assert model.joints[1].mimic == Mimic("c", -3.0, -1.5 * -0.4 + 0.2)
    assert model.joints[2].mimic == Mimic("c", 2.0, -0.4)
    assert model.coordinate_names == ("c",)
    assert [j.name for j in model.actuated_joints] == ["c"]
    copy = pickle.loads(pickle.dumps(model))
    assert copy.joints[1].mimic == model.joints[1].mimic
    assert copy.records["ratio"].tolist() == model.records["ratio"].tolist()
    assert "= -3 * c + 0.8" in str(model)


def test_what_a_leader_feels():
    """Damping, friction and armature of a follower, referred to the leader's coordinate."""
    builder = ModelBuilder()
    coefficients = {"damping": 0.5, "friction": 0.25, "armature": 0.125}
    builder.add_joint(0, "revolute", name="a", axis=(0, 0, 1), armature=1.0)
    builder.add_joint(0, "revolute", name="b", axis=(0, 0, 1), mimic=Mimic("a", -2.0), **coefficients)
    model = builder.build()
    assert (model.damping[0], model.friction[0], model.armature[0]) == (2.0, 0.5, 1.5)
    assert dyn_node.crba(model, model.create_data(), [0.0])[0, 0] == pytest.approx(1.5, rel=REL)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (serial(("revolute", follow("gone"))), "'a' follows 'gone', which does not exist"),
        (serial(("revolute", follow("a"))), "'a' follows 'a', which follows it in turn: a -> a"),
        (
            serial(("revolute", follow("b")), ("revolute", follow("a"))),
            "'b' follows 'a', which follows it in turn: a -> b -> a",
        ),
        (serial(("fixed", ""), ("revolute", follow("a"))), "'b' follows 'a', which is a fixed joint"),
        (serial(("planar", ""), ("revolute", follow("a"))), "'b' follows 'a', which is a planar joint"),
        (
            serial(("revolute", ""), ("floating", follow("a"))),
            "'b' cannot follow 'a': it is a free_flyer joint",
        ),
    ],
)
def test_leaders_that_cannot_lead(text, message):
    with pytest.raises(UrdfError) as caught:
        load_urdf(text)
    assert message in str(caught.value)
    assert "mimic=False" in str(caught.value)
    load_urdf(text, mimic=False)


@needs_robots
def test_a_real_robot_whose_leader_is_missing():
    name = "alex_description/urdf/alex_psyonic_hands.urdf"
    with pytest.raises(
        UrdfError, match="'Left_index_q2' follows 'index_q1', which does not exist; mimic=False"
    ):
        our_model(name, mimic=True)
    assert our_model(name).nv > 0


def test_a_leader_in_the_builder_may_come_later():
    builder = ModelBuilder()
    builder.add_joint(0, "revolute", name="a", axis=(0, 0, 1), mimic=Mimic("b"))
    with pytest.raises(ModelError, match="'a' follows 'b', which does not exist"):
        builder.build()
    builder.add_joint(0, "helical", name="b", axis=(0, 0, 1), pitch=0.1)
    assert builder.build().nv == 1


def test_inverse_kinematics_moves_followers_with_their_leaders():
    model = load_urdf(
        serial(("revolute", ""), ("revolute", follow("a", -0.5, 0.2)), *4 * (("revolute", ""),))
    )
    data, goal = model.create_data(), np.full(model.nv, 0.4)
    dyn_node.forward_kinematics(model, data, goal)
    target = dyn_node.frame_placement(model, data, "lf")
    found = dyn_node.solve_ik(model, "lf", target, np.zeros(model.nq), timeout=1.0)
    assert found.success, found.message
    dyn_node.forward_kinematics(model, data, found.q)
    assert dyn_node.frame_placement(model, data, "lf").is_approx(target, 1e-5)
    held = dyn_node.solve_ik(model, "lf", target, np.zeros(model.nq), fixed_joints=["b"], timeout=0.0)
    assert held.q[0] == 0.0, "a follower that is held holds its leader"


def test_a_helical_follower():
    builder = ModelBuilder()
    builder.add_joint(0, "prismatic", name="a", axis=(1, 0, 0))
    builder.add_joint(0, "helical", name="b", axis=(0, 0, 2), pitch=0.5, mimic=Mimic("a", 2.0, 0.1))
    builder.append_body("b", Inertia(1.0, [1.0, 0.0, 0.0], np.eye(3)))
    model = builder.build()
    data = model.create_data()
    dyn_node.forward_kinematics(model, data, [0.3], [1.0])
    expected = SE3.exp([0.0, 0.0, 0.5 * 0.7, 0.0, 0.0, 0.7])
    assert data.oMi["b"].is_approx(expected, REL)
    velocity = dyn_node.frame_velocity(model, data, "b").vector
    assert np.abs(velocity - [0.0, 0.0, 1.0, 0.0, 0.0, 2.0]).max() <= REL
