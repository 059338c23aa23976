"""Inverse kinematics: what it returns is right, inside the limits and honest; never how fast."""

from __future__ import annotations

import time
import warnings
from types import ModuleType

import numpy as np
import pytest
from robots import our_model

import dyn_node
from dyn_node import SE3, ik
from dyn_node.errors import InvalidValueError, ModelWarning, ShapeError, UnknownFrameError, UnknownJointError
from dyn_node.ik import free_search, solve

#: Time enough for any restart on a busy machine; the tests are about answers.
PATIENT = {"timeout": 10.0, "max_restarts": 60}


def reach(model, frame: str, q: np.ndarray) -> SE3:
    data = model.create_data()
    dyn_node.forward_kinematics(model, data, q)
    return dyn_node.frame_placement(model, data, frame)


def check(model, frame: str, target: SE3, result: dyn_node.IkResult) -> None:
    """A success is a success by forward kinematics, and inside the limits."""
    miss = reach(model, frame, result.q).inverse() * target
    assert np.linalg.norm(miss.translation) <= 1.01e-6, f"{model.name}, position"
    assert np.linalg.norm(miss.log().angular) <= 1.01e-6, f"{model.name}, orientation"
    line = np.concatenate([np.full(j.nq, j.nq == j.nv) for j in model.joints])
    assert (result.q >= model.lower_position_limit)[line].all(), f"{model.name}, lower limits"
    assert (result.q <= model.upper_position_limit)[line].all(), f"{model.name}, upper limits"


@pytest.mark.parametrize(
    ("robot", "frame"),
    [
        ("panda", "panda_hand"),
        ("ur5", "tool0"),
        ("kinova", "j2s6s200_end_effector"),
        ("talos", "gripper_left_base_link"),
    ],
)
def test_reachable_poses_are_reached(robot: str, frame: str) -> None:
    model = our_model(robot, "fixed")
    rng = np.random.default_rng(0)
    for trial in range(100):
        target = reach(model, frame, dyn_node.random_configuration(model, rng, unbounded=np.pi))
        result = dyn_node.solve_ik(model, frame, target, **PATIENT)
        assert result.success, f"{robot}, pose {trial}: {result.message}"
        check(model, frame, target, result)


def test_a_half_turn_and_a_singular_start_are_solved() -> None:
    model = dyn_node.robots.load("panda")
    stretched = np.zeros(7)
    stretched[3] = model.upper_position_limit[3]
    start = reach(model, "panda_hand_tcp", dyn_node.integrate(model, stretched, [0, 0.4, 0, -1.5, 0, 1.9, 0]))
    half_turn = start * SE3.exp([0, 0, 0, np.pi, 0, 0])
    for target in (start, half_turn):
        result = dyn_node.solve_ik(model, "panda_hand_tcp", target, stretched, **PATIENT)
        assert result.success, result.message
        check(model, "panda_hand_tcp", target, result)


def test_an_unreachable_pose_is_called_so() -> None:
    model = dyn_node.robots.load("panda")
    for x in (3.0, 0.95):
        result = dyn_node.solve_ik(
            model, "panda_hand_tcp", SE3(np.eye(3), [x, 0.0, 0.4]), max_restarts=5, timeout=10.0
        )
        assert not result
        assert result.restarts == 5
        assert not result.timed_out
        assert "no solution" in result.message
        assert np.isfinite(result.q).all()
        assert result.position_error > 1e-6
        miss = reach(model, "panda_hand_tcp", result.q).translation - [x, 0.0, 0.4]
        assert np.linalg.norm(miss) == pytest.approx(result.position_error, rel=1e-6)


def test_time_that_runs_out_is_told_apart() -> None:
    model = dyn_node.robots.load("panda")
    result = dyn_node.solve_ik(model, "panda_hand_tcp", SE3(np.eye(3), [3.0, 0.0, 0.4]), timeout=0.0)
    assert result.timed_out
    assert result.restarts == 0
    assert "time ran out" in result.message


def test_the_same_request_has_the_same_answer() -> None:
    model = dyn_node.robots.load("ur5e")
    target = reach(model, "tool0", dyn_node.random_configuration(model, 11))
    first, second = (dyn_node.solve_ik(model, "tool0", target, **PATIENT) for _ in range(2))
    assert np.array_equal(first.q, second.q)
    assert first.iterations == second.iterations


def test_a_free_direction_needs_not_be_met() -> None:
    model = dyn_node.robots.load("ur5e")
    q = np.array([dyn_node.robots.describe("ur5e").home[j.name] for j in model.actuated_joints])
    target = reach(model, "tool0", q) * SE3.exp([0, 0, 0, 0, 0, 2.0])
    position = dyn_node.solve_ik(model, "tool0", target, q, weights=[1, 1, 1, 0, 0, 0], **PATIENT)
    # Only the tool's own turn differs: position alone is already met.
    assert position.success
    assert position.iterations == 1
    assert np.array_equal(position.q, q)
    full = dyn_node.solve_ik(model, "tool0", target, q, **PATIENT)
    assert full.success
    assert full.iterations > 1


def test_fixed_joints_and_a_locked_base_stay() -> None:
    model = our_model("talos", "free_flyer")
    rng = np.random.default_rng(4)
    seed = dyn_node.random_configuration(model, rng, unbounded=0.5)
    moved = dyn_node.random_configuration(model, rng, unbounded=0.5)
    arm = [j for j in model.joints if "arm_left" in j.name or "torso" in j.name]
    goal = seed.copy()
    for joint in arm[1:]:
        goal[joint.idx_q] = moved[joint.idx_q]
    target = reach(model, "gripper_left_base_link", goal)
    result = dyn_node.solve_ik(
        model, "gripper_left_base_link", target, seed, fixed_joints=[arm[0].name], **PATIENT
    )
    assert result.success, result.message
    may_move = np.concatenate([np.arange(j.idx_q, j.idx_q + j.nq) for j in arm[1:]])
    still = np.setdiff1d(np.arange(model.nq), may_move)
    assert np.allclose(result.q[still], seed[still], atol=1e-15), "a joint moved that had to stay"


def test_a_free_base_moves_to_where_the_arm_cannot_reach() -> None:
    model = dyn_node.robots.load("go2")
    target = SE3(np.eye(3), [5.0, -2.0, 1.0])
    locked = dyn_node.solve_ik(model, "FL_foot", target, max_restarts=3, timeout=10.0)
    assert not locked.success
    free = dyn_node.solve_ik(model, "FL_foot", target, lock_base=False, **PATIENT)
    assert free.success, free.message
    check(model, "FL_foot", target, free)


def test_a_seed_outside_the_limits_is_brought_inside_and_noted() -> None:
    model = dyn_node.robots.load("panda")
    seed = np.full(7, 9.0)
    target = reach(model, "panda_hand_tcp", dyn_node.random_configuration(model, 1))
    result = dyn_node.solve_ik(model, "panda_hand_tcp", target, seed, **PATIENT)
    assert result.success
    assert "panda_joint4" in result.message
    assert "limits" in result.message


@pytest.mark.parametrize("mode", ["distance", "manipulability"])
def test_modes_return_a_better_solution_than_the_first(mode: str) -> None:
    model = dyn_node.robots.load("panda")
    data = model.create_data()
    seed = np.array([dyn_node.robots.describe("panda").home[j.name] for j in model.actuated_joints])
    target = reach(model, "panda_hand_tcp", dyn_node.random_configuration(model, 3))
    budget = {"timeout": 10.0, "max_restarts": 20}
    first = dyn_node.solve_ik(model, "panda_hand_tcp", target, seed, **budget)
    best = dyn_node.solve_ik(model, "panda_hand_tcp", target, seed, mode=mode, **budget)
    assert first.success
    assert best.success
    assert best.restarts == 20
    check(model, "panda_hand_tcp", target, best)

    def score(q: np.ndarray) -> float:
        if mode == "distance":
            return -float(np.linalg.norm(dyn_node.difference(model, seed, q)))
        J = dyn_node.frame_jacobian(model, data, q, "panda_hand_tcp")
        return float(np.sqrt(np.linalg.det(J @ J.T)))

    assert score(best.q) >= score(first.q)


def test_bad_requests_are_refused_with_what_is_allowed() -> None:
    model = dyn_node.robots.load("panda")
    good = SE3(np.eye(3), [0.4, 0.0, 0.4])
    with pytest.raises(UnknownFrameError, match="panda_hand_tcp"):
        dyn_node.solve_ik(model, "panda_hand_tpc", good)
    with pytest.raises(UnknownJointError):
        dyn_node.solve_ik(model, "panda_hand_tcp", good, fixed_joints=["elbow"])
    with pytest.raises(ShapeError, match=r"\(4, 4\)"):
        dyn_node.solve_ik(model, "panda_hand_tcp", np.eye(3))
    with pytest.raises(InvalidValueError):
        dyn_node.solve_ik(model, "panda_hand_tcp", 2.0 * np.eye(4))
    with pytest.raises(InvalidValueError):
        dyn_node.solve_ik(model, "panda_hand_tcp", np.full((4, 4), np.nan))
    with pytest.raises(ShapeError, match=r"^seed"):
        dyn_node.solve_ik(model, "panda_hand_tcp", good, np.zeros(3))
    for name, bad in {
        "timeout": -1.0,
        "position_tolerance": np.nan,
        "orientation_tolerance": -1e-9,
        "weights": [0.0] * 6,
        "mode": "fast",
        "max_restarts": -1,
        "rng_seed": 2**64,
    }.items():
        with pytest.raises(InvalidValueError, match=f"^{name}"):
            dyn_node.solve_ik(model, "panda_hand_tcp", good, **{name: bad})
    for name in ("max_restarts", "rng_seed"):
        for bad in (0.5, np.inf, "3"):
            with pytest.raises(InvalidValueError, match=f"^{name}"):
                dyn_node.solve_ik(model, "panda_hand_tcp", good, **{name: bad})
            with pytest.raises(InvalidValueError, match=f"^{name}"):
                ik.solve_ik_all(model, "panda_hand_tcp", good, 2, **{name: bad})
            with pytest.raises(InvalidValueError, match=f"^{name}"):
                ik.solve_ik_batch(model, "panda_hand_tcp", [good], **{name: bad})
            with pytest.raises(InvalidValueError, match=f"^{name}"):
                ik.IkProblem(model, [ik.PoseTask("panda_hand_tcp", good)]).solve(**{name: bad})
    assert dyn_node.solve_ik(model, "panda_hand_tcp", good, max_restarts=2**70, timeout=1.0).success


@pytest.mark.parametrize(
    ("module", "compiled", "limits"),
    [
        (solve, "pose_of", {}),
        (solve, "_reach", {"within": 100.0}),
        (free_search, "normalize", {"within": 100.0}),
    ],
)
def test_what_the_first_call_has_to_compile_is_not_the_time_of_the_search(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, compiled: str, limits: dict[str, float]
) -> None:
    """Else the first request of a process had a single descent, and failed."""
    timeout, at_once = 0.05, getattr(module, compiled)

    def slow(*arguments: object) -> object:
        time.sleep(2.0 * timeout)
        return at_once(*arguments)

    monkeypatch.setattr(module, compiled, slow)
    model, far = our_model("kinova"), np.eye(4)  # with joints that turn without end
    far[0, 3] = 3.0
    result = dyn_node.solve_ik(model, model.frames[-1].name, far, timeout=timeout, **limits)
    assert result.restarts > 0, result.message


def test_joints_of_several_turns_end_on_the_turn_nearest_to_the_seed() -> None:
    model = dyn_node.robots.load("ur5e")
    seed = np.array([4.0, -5.0, 1.5, -4.5, 5.5, -5.8])
    assert (np.abs(seed) <= model.upper_position_limit).all()
    rng = np.random.default_rng(8)
    for trial in range(20):
        target = reach(model, "tool0", dyn_node.random_configuration(model, rng))
        result = dyn_node.solve_ik(model, "tool0", target, seed, **PATIENT)
        assert result.success, result.message
        check(model, "tool0", target, result)
        for k in np.flatnonzero(np.abs(result.q - seed) > np.pi + 1e-9):
            other = result.q[k] - 2.0 * np.pi * np.round((result.q[k] - seed[k]) / (2.0 * np.pi))
            outside = other < model.lower_position_limit[k] or other > model.upper_position_limit[k]
            assert outside, f"pose {trial}, joint {k}: {result.q[k]} is a turn away from {seed[k]}"


def test_what_cannot_help_stays_where_it_is() -> None:
    model = our_model("panda", "fixed")
    seed = dyn_node.random_configuration(model, 2)
    seed[7:] = 0.5  # fingers outside their limits: measured so, and none of the hand's business
    target = reach(model, "panda_hand", dyn_node.random_configuration(model, 3))
    result = dyn_node.solve_ik(model, "panda_hand", target, seed, **PATIENT)
    assert result.success, result.message
    assert np.array_equal(result.q[7:], seed[7:])
    assert result.message == "solved"


def test_a_follower_moves_with_its_leader() -> None:
    urdf = """<robot name="scissors">
      <link name="base"/><link name="upper"/><link name="lower"/><link name="tip"/>
      <joint name="a" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
        <limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
      <joint name="b" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.5 0 0"/>
        <axis xyz="0 0 1"/><limit lower="-4" upper="4" effort="1" velocity="1"/>
        <mimic joint="a" multiplier="-2" offset="0.3"/></joint>
      <joint name="c" type="fixed"><parent link="lower"/><child link="tip"/><origin xyz="0.5 0 0"/></joint>
    </robot>"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # links without mass
        model = dyn_node.load_urdf(urdf)
    assert model.nv == 1
    target = reach(model, "tip", np.array([1.2]))
    result = dyn_node.solve_ik(model, "tip", target, np.array([-0.4]), **PATIENT)
    assert result.success, result.message
    assert result.q == pytest.approx([1.2], abs=1e-5)


def test_the_nearest_solution_uses_the_freedom_of_a_redundant_arm() -> None:
    model = dyn_node.robots.load("panda")
    rng = np.random.default_rng(12)
    for trial in range(10):
        seed, q = (dyn_node.random_configuration(model, rng) for _ in range(2))
        target = reach(model, "panda_hand_tcp", q)
        best = dyn_node.solve_ik(
            model, "panda_hand_tcp", target, seed, mode="distance", timeout=20.0, max_restarts=30
        )
        assert best.success, f"pose {trial}: {best.message}"
        check(model, "panda_hand_tcp", target, best)
        # Nearer than where the pose came from, and at a minimum along the self-motion, or held by a limit.
        assert np.linalg.norm(best.q - seed) <= np.linalg.norm(q - seed), f"pose {trial}"
        J = dyn_node.frame_jacobian(model, model.create_data(), best.q, "panda_hand_tcp")
        way = np.linalg.svd(J)[2][-1]
        low, high = model.lower_position_limit, model.upper_position_limit
        held = ((best.q <= low + 5e-3) | (best.q >= high - 5e-3)).any()
        assert held or abs(way @ (best.q - seed)) < 0.05 * np.linalg.norm(best.q - seed), f"pose {trial}"


@pytest.mark.parametrize(
    ("robot", "frame"), [("panda", "panda_hand"), ("ur5", "tool0"), ("talos", "gripper_left_base_link")]
)
@pytest.mark.parametrize(
    "weights",
    [[1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 1, 0], [1, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1], [1, 1, 0, 1, 1, 1]],
)
def test_free_directions_are_free_however_far_they_are_off(
    robot: str, frame: str, weights: list[int]
) -> None:
    model = our_model(robot, "fixed")
    rng = np.random.default_rng(21)
    free = np.array(weights) == 0
    first = 0
    for trial in range(40):
        q, seed = (dyn_node.random_configuration(model, rng) for _ in range(2))
        # Anywhere along the free directions: what is asked for can be met, the whole pose cannot.
        off = np.zeros(6)
        off[free] = rng.uniform(-2.5, 2.5, int(free.sum()))
        target = reach(model, frame, q)
        if free[3:].all():
            target = SE3(SE3.exp([0, 0, 0, *off[3:]]).rotation, target.translation)
        else:
            target = target * SE3.exp(off)
        result = dyn_node.solve_ik(model, frame, target, seed, weights=weights, **PATIENT)
        assert result.success, f"{robot}, {weights}, pose {trial}: {result.message}"
        miss = reach(model, frame, result.q).inverse() * target
        assert np.linalg.norm(miss.translation[~free[:3]]) <= 1.01e-6, f"{robot}, {weights}, pose {trial}"
        assert np.linalg.norm(miss.log().angular[~free[3:]]) <= 1.01e-6, f"{robot}, {weights}, pose {trial}"
        first += result.restarts == 0
    assert first >= 16, f"{robot}, {weights}: only {first} of 40 without a restart"


def test_manipulability_is_climbed_along_the_freedom_of_a_redundant_arm() -> None:
    model = dyn_node.robots.load("panda")
    data, rng, gained, tip = model.create_data(), np.random.default_rng(5), 0, "panda_hand_tcp"
    for trial in range(12):
        q = dyn_node.random_configuration(model, rng)
        target = reach(model, tip, q)
        best = dyn_node.solve_ik(model, tip, target, q, mode="manipulability", timeout=20.0, max_restarts=0)
        assert best.success, f"pose {trial}: {best.message}"
        check(model, tip, target, best)
        here, there = (dyn_node.manipulability(model, data, x, tip).measure for x in (q, best.q))
        assert there >= here * (1.0 - 1e-6), f"pose {trial}"
        gained += there > 1.01 * here
        # At a maximum along the self-motion, or held by a limit.
        along = np.linalg.svd(dyn_node.frame_jacobian(model, data, best.q, tip))[2][-1]
        beside = [
            dyn_node.manipulability(model, data, best.q + h * along, tip).measure for h in (1e-5, -1e-5)
        ]
        slope = (np.log(beside[0]) - np.log(beside[1])) / 2e-5
        low, high = model.lower_position_limit, model.upper_position_limit
        assert abs(slope) < 0.1 or ((best.q <= low + 5e-3) | (best.q >= high - 5e-3)).any(), f"pose {trial}"
    assert gained >= 6
