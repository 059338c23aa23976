"""Several solutions of one pose, many poses at once, and streams of poses."""

from __future__ import annotations

import numpy as np
import pytest

import dyn_node
from dyn_node import SE3, ik
from dyn_node.errors import InvalidValueError

TIP = "panda_hand_tcp"
#: Recomputed by forward kinematics.
CLOSE = 1.01e-6


def place(model, q, frame) -> SE3:
    data = model.create_data()
    dyn_node.forward_kinematics(model, data, q)
    return dyn_node.frame_placement(model, data, frame)


def miss(model, frame, target, q) -> float:
    way = place(model, q, frame).inverse() * target
    return max(np.linalg.norm(way.translation), np.linalg.norm(way.log().angular))


def inside(model, q) -> bool:
    return bool((q >= model.lower_position_limit).all() and (q <= model.upper_position_limit).all())


@pytest.fixture(scope="module")
def panda():
    return dyn_node.robots.load("panda")


def test_all_solutions_of_an_arm_of_six_joints_are_distinct_and_sorted():
    model = dyn_node.robots.load("ur5e")
    seed = np.array([0.3, -1.2, 1.5, -0.8, 0.9, 0.2])
    target = place(model, seed, "tool0")
    found = ik.solve_ik_all(model, "tool0", target, 6, seed, timeout=20.0, max_restarts=300)
    assert len(found) == 6
    for one in found:
        assert miss(model, "tool0", target, one.q) <= CLOSE
        assert inside(model, one.q)
    for a in range(6):
        for b in range(a):
            assert np.linalg.norm(found[a].q - found[b].q) >= 0.1
    far = [np.linalg.norm(one.q - seed) for one in found]
    assert far == sorted(far)
    assert far[0] < 1e-5


def test_no_solution_gives_none(panda):
    target = SE3(np.eye(3), [3.0, 0.0, 0.0])
    assert ik.solve_ik_all(panda, TIP, target, 3, timeout=20.0, max_restarts=2) == []
    with pytest.raises(InvalidValueError, match=r"^n: "):
        ik.solve_ik_all(panda, TIP, target, 0)


def test_a_batch_gives_what_single_calls_give(panda):
    rng = np.random.default_rng(5)
    targets = [place(panda, dyn_node.random_configuration(panda, rng), TIP) for _ in range(40)]
    targets.append(SE3(np.eye(3), [3.0, 0.0, 0.0]))
    heard = []
    batch = ik.solve_ik_batch(
        panda, TIP, targets, max_restarts=20, progress=lambda done, count: heard.append((done, count))
    )
    assert heard[-1] == (41, 41)
    for k, target in enumerate(targets):
        one = dyn_node.solve_ik(panda, TIP, target, timeout=20.0, max_restarts=20)
        assert batch.success[k] == one.success, k
        assert np.array_equal(batch.q[k], one.q), k
        assert batch.restarts[k] == one.restarts, k
    assert batch.success[:-1].all()
    assert not batch.success[-1]
    with pytest.raises(InvalidValueError, match=r"^seeds"):
        ik.solve_ik_batch(panda, TIP, targets, np.zeros((3, 7)))


def test_an_empty_batch_is_empty(panda):
    assert ik.solve_ik_batch(panda, TIP, []).q.shape == (0, 7)


def test_a_straight_line_is_followed_without_jumps(panda):
    home = np.array([dyn_node.robots.describe("panda").home[j.name] for j in panda.actuated_joints])
    tracker = ik.IkTracker(panda, TIP, home, dt=0.01)
    side = np.array([0.0, 1.0, 0.0])
    start, before, moved = place(panda, home, TIP), home, []
    for k in range(1, 251):
        target = SE3(start.rotation, start.translation + 1e-3 * k * side)
        q = tracker.step(target)
        assert tracker.position_error < 1e-6, f"step {k}"
        assert miss(panda, TIP, target, q) < 1e-5
        assert inside(panda, q)
        moved.append(np.linalg.norm(q - before))
        before = q
    assert max(moved) < 10.0 * np.mean(moved)


def test_the_limits_of_speed_and_position_hold_out_of_reach_too(panda):
    home = np.array([dyn_node.robots.describe("panda").home[j.name] for j in panda.actuated_joints])
    dt = 0.002
    tracker = ik.IkTracker(panda, TIP, home, dt=dt)
    far, before = SE3(np.eye(3), [0.0, 2.0, 0.3]), home
    for _ in range(1500):
        q = tracker.step(far)
        assert (np.abs(q - before) <= panda.velocity_limit * dt * (1.0 + 1e-9)).all()
        assert inside(panda, q)
        before = q
    assert tracker.position_error > 0.5
    # Stretched out is singular: it comes to rest there.
    assert np.abs(tracker.step(far) - before).max() < 1e-3
    tracker.reset(home)
    assert np.array_equal(tracker.q, home)


@pytest.mark.parametrize("beside", [0.0, 1e-3, 1e-2])
@pytest.mark.parametrize("where", ["wrist", "shoulder"])
def test_a_tracker_passes_singularities_without_jumps(where, beside):
    model, dt = dyn_node.robots.load("ur5e"), 0.002
    start = {"wrist": [0.3, -1.2, 1.5, -0.8, 0.4, 0.2], "shoulder": [0.0, -1.9, 1.2, -0.9, -1.5, 0.0]}[where]
    tracker = ik.IkTracker(model, "tool0", start, dt=dt)
    before, a = np.array(start), place(model, np.array(start), "tool0")
    if where == "wrist":  # the last but one joint to the other side, straight on through zero
        b = place(model, before + np.array([0.2, 0, 0, 0, -0.8, 0]), "tool0")
    else:  # straight over the base's axis
        b = SE3(a.rotation, a.translation * [-1.0, -1.0, 1.0])
    aside = np.cross([0.0, 0.0, 1.0], b.translation - a.translation)
    aside *= beside / np.linalg.norm(aside)
    for k in range(2500):
        s = min(1.0, (k + 1) / 1200)
        target = a.interpolate(b, s)
        q = tracker.step(SE3(target.rotation, target.translation + np.sin(np.pi * s) * aside))
        assert (np.abs(q - before) <= model.velocity_limit * dt * (1.0 + 1e-9)).all(), f"step {k}"
        assert inside(model, q)
        before = q
    # What the speed limits kept it from on the way is made up for.
    assert miss(model, "tool0", b, q) < 1e-6
    assert np.abs(tracker.step(b) - q).max() < 1e-6


def test_bad_trackers_are_refused(panda):
    q = dyn_node.neutral(panda)
    for bad in ({"dt": 0.0}, {"dt": 0.01, "damping": 0.0}, {"dt": 0.01, "iterations": 0}):
        with pytest.raises(InvalidValueError):
            ik.IkTracker(panda, TIP, q, **bad)
