"""Several tasks at once: each is met by what other functions of the library say, objectives never compete."""

from __future__ import annotations

import numpy as np
import pytest
from robots import our_model

import dyn_node
from dyn_node import SE3, ik
from dyn_node.errors import InvalidValueError, UnknownFrameError

HAND, OTHER_HAND = "gripper_left_base_link", "gripper_right_base_link"
PATIENT = {"timeout": 20.0, "max_restarts": 30}
#: Errors recomputed by other functions.
CLOSE = 2e-6


@pytest.fixture(scope="module")
def talos():
    return our_model("talos", "fixed")


@pytest.fixture(scope="module")
def seeds(talos):
    """A configuration and another one nearby, inside the limits."""
    rng = np.random.default_rng(3)
    q = dyn_node.random_configuration(talos, rng, unbounded=0.5)
    dq = rng.uniform(-0.3, 0.3, talos.nv)
    other = np.clip(dyn_node.integrate(talos, q, dq), talos.lower_position_limit, talos.upper_position_limit)
    return q, other


def place(model, q, frame) -> SE3:
    data = model.create_data()
    dyn_node.forward_kinematics(model, data, q)
    return dyn_node.frame_placement(model, data, frame)


def angle(a, b) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), np.dot(a, b)))


def check_limits(model, q) -> None:
    assert (q >= model.lower_position_limit).all()
    assert (q <= model.upper_position_limit).all()


def miss(model, task, q) -> float:
    """By how much a task is missed, by functions that the solver does not use."""
    if isinstance(task, ik.CenterOfMassTask):
        return float(
            np.linalg.norm(dyn_node.center_of_mass(model, model.create_data(), q).position - task.target)
        )
    pose = place(model, q, task.frame)
    if isinstance(task, ik.RelativePoseTask):
        pose = place(model, q, task.base).inverse() * pose
    if isinstance(task, (ik.PoseTask, ik.RelativePoseTask)):
        return float(np.abs((pose.inverse() * task.target).log().vector).max())
    if isinstance(task, ik.PositionTask):
        return float(np.linalg.norm(pose.translation - task.target))
    if isinstance(task, ik.OrientationTask):
        turn = SE3(pose.rotation.T @ task.target, np.zeros(3)).log()
        return float(np.linalg.norm(turn.angular))
    direction = task.direction if isinstance(task, ik.AxisTask) else task.target - pose.translation
    return angle(pose.rotation @ task.axis, direction)


def tasks_at(model, q):
    """One task of each kind that the configuration fulfils."""
    hand, other, head = place(model, q, HAND), place(model, q, OTHER_HAND), place(model, q, "head_2_link")
    axis = np.array([0.0, 0.6, 0.8])
    return {
        "pose": ik.PoseTask(HAND, hand),
        "position": ik.PositionTask(HAND, hand.translation),
        "orientation": ik.OrientationTask(HAND, hand.rotation),
        "axis": ik.AxisTask(HAND, axis, hand.rotation @ axis),
        "look_at": ik.LookAtTask("head_2_link", [1.0, 0, 0], head.act(np.array([2.0, 0.0, 0.0]))),
        "center_of_mass": ik.CenterOfMassTask(
            dyn_node.center_of_mass(model, model.create_data(), q).position
        ),
        "relative": ik.RelativePoseTask(HAND, OTHER_HAND, other.inverse() * hand),
    }


KINDS = ("pose", "position", "orientation", "axis", "look_at", "center_of_mass", "relative")


@pytest.mark.parametrize("kind", KINDS)
def test_each_task_is_met(talos, seeds, kind):
    seed, goal = seeds
    task = tasks_at(talos, goal)[kind]
    result = ik.IkProblem(talos, [task]).solve(seed, **PATIENT)
    assert result.success, f"{kind}: {result.message}"
    assert miss(talos, task, result.q) <= CLOSE, kind
    assert result.iterations > 1, f"{kind}: the seed was no challenge"
    # The right Jacobian converges in a few steps.
    assert result.restarts == 0, kind
    assert result.iterations < 40, kind
    check_limits(talos, result.q)


def test_all_tasks_together_are_met(talos, seeds):
    seed, goal = seeds
    tasks = list(tasks_at(talos, goal).values())
    result = ik.IkProblem(talos, tasks).solve(seed, **PATIENT)
    assert result.success, result.message
    for task in tasks:
        assert miss(talos, task, result.q) <= CLOSE, type(task).__name__
    check_limits(talos, result.q)


def test_a_floating_robot_stands_on_its_feet_and_reaches():
    model = our_model("talos", "free_flyer")
    q = dyn_node.neutral(model)
    q[2] = 1.0
    for side in ("left", "right"):
        for name, value in (("3", -0.5), ("4", 1.0), ("5", -0.5)):
            q[model.joints[model.joint_id(f"leg_{side}_{name}_joint")].idx_q] = value
    feet = ("left_sole_link", "right_sole_link")
    hand = place(model, q, HAND)
    tasks = [
        *(ik.PoseTask(foot, place(model, q, foot)) for foot in feet),
        ik.CenterOfMassTask(
            dyn_node.center_of_mass(model, model.create_data(), q).position + 0.02, weights=[1, 1, 0]
        ),
        ik.PositionTask(HAND, hand.translation + 0.1),
        ik.PostureTask(q),
    ]
    result = ik.IkProblem(model, tasks, lock_base=False).solve(q, **PATIENT)
    assert result.success, result.message
    for task in (*tasks[:2], tasks[3]):
        assert miss(model, task, result.q) <= CLOSE
    centre = dyn_node.center_of_mass(model, model.create_data(), result.q).position
    assert np.abs(centre - tasks[2].target)[:2].max() <= CLOSE


def test_an_objective_moves_only_what_is_free():
    model = dyn_node.robots.load("panda")
    seed = ik.IkProblem(model, [ik.PositionTask("panda_hand_tcp", [0.4, 0.2, 0.5])]).solve(**PATIENT).q
    target = place(model, seed, "panda_hand_tcp")
    wanted = seed.copy()
    wanted[2] += 0.6
    plain = ik.IkProblem(model, [ik.PoseTask("panda_hand_tcp", target)]).solve(seed, **PATIENT)
    drawn = ik.IkProblem(model, [ik.PostureTask(wanted), ik.PoseTask("panda_hand_tcp", target)]).solve(
        seed, **PATIENT
    )
    assert drawn.success, drawn.message
    assert miss(model, ik.PoseTask("panda_hand_tcp", target), drawn.q) <= CLOSE
    assert np.linalg.norm(drawn.q - wanted) < 0.9 * np.linalg.norm(plain.q - wanted)
    # At the best configuration the gradient of the posture has no part left that would keep the pose.
    J = dyn_node.frame_jacobian(model, model.create_data(), drawn.q, "panda_hand_tcp")
    null = np.linalg.svd(J)[2][-1]
    assert abs(null @ (drawn.q - wanted)) < 0.05 * np.linalg.norm(drawn.q - wanted)


def test_what_cannot_be_met_is_called_so_with_its_name():
    model = dyn_node.robots.load("panda")
    far = ik.PositionTask("panda_hand_tcp", [3.0, 0.0, 0.0])
    result = ik.IkProblem(model, [far]).solve(timeout=10.0, max_restarts=3)
    assert not result
    assert result.restarts == 3
    assert "PositionTask" in result.message
    assert miss(model, far, result.q) == pytest.approx(result.errors[0, 0], rel=1e-6)


def test_bad_tasks_are_refused():
    model = dyn_node.robots.load("panda")
    with pytest.raises(InvalidValueError, match=r"^tasks"):
        ik.IkProblem(model, [])
    with pytest.raises(InvalidValueError, match=r"^tasks"):
        ik.IkProblem(model, [ik.PostureTask(dyn_node.neutral(model))])
    with pytest.raises(UnknownFrameError):
        ik.IkProblem(model, [ik.PositionTask("hand", [0, 0, 0])])
    with pytest.raises(InvalidValueError, match=r"^axis"):
        ik.IkProblem(model, [ik.AxisTask("panda_hand_tcp", [0, 0, 0], [0, 0, 1])])
    with pytest.raises(InvalidValueError, match=r"^weights"):
        ik.IkProblem(model, [ik.PositionTask("panda_hand_tcp", [0, 0, 0], weights=[-1, 1, 1])])
    with pytest.raises(InvalidValueError, match="nothing that can be met"):
        ik.IkProblem(model, [ik.ManipulabilityTask("panda_hand_tcp", objective=False)])
    hold = ik.PositionTask("panda_hand_tcp", [0.4, 0, 0.4])
    with pytest.raises(InvalidValueError, match=r"^weights: expected at most 4 directions"):
        ik.IkProblem(model, [hold, ik.ManipulabilityTask("panda_link4")])
    with pytest.raises(InvalidValueError, match=r"^strength"):
        ik.IkProblem(model, [hold, ik.ManipulabilityTask("panda_hand_tcp", strength=0.0)])


@pytest.mark.parametrize(
    "weights", [[1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 1, 0], [0, 0, 0, 1, 1, 1], [1, 0, 1, 1, 0, 1]]
)
@pytest.mark.parametrize("kind", ["pose", "relative"])
def test_free_directions_of_a_pose_are_free(talos, seeds, kind, weights):
    seed, goal = seeds
    free, off = np.array(weights) == 0, np.zeros(6)
    off[free] = np.random.default_rng(9).uniform(-2.0, 2.0, int(free.sum()))
    task = tasks_at(talos, goal)[kind]
    change = SE3.exp(off) if not free[3:].all() else SE3(SE3.exp(off).rotation, np.zeros(3))
    asked = type(task)(**{**vars(task), "target": task.target * change, "weights": weights})
    result = ik.IkProblem(talos, [asked]).solve(seed, **PATIENT)
    assert result.success, f"{kind}, {weights}: {result.message}"
    pose = place(talos, result.q, task.frame)
    if kind == "relative":
        pose = place(talos, result.q, task.base).inverse() * pose
    left = pose.inverse() * asked.target
    assert np.abs(left.translation[~free[:3]]).max(initial=0.0) <= CLOSE
    assert np.abs(left.log().angular[~free[3:]]).max(initial=0.0) <= CLOSE
    assert result.restarts == 0, f"{kind}, {weights}: the Jacobian is not that of what is left"


def test_an_objective_keeps_away_from_limits():
    model, tip = dyn_node.robots.load("panda"), "panda_hand_tcp"
    data, rng, nearer, slopes = model.create_data(), np.random.default_rng(6), 0, []
    low, high = model.lower_position_limit, model.upper_position_limit
    away = ik.PostureTask.away_from_limits(model)

    def off(q):
        return (2.0 * q - low - high) / (high - low)

    for trial in range(20):
        seed = dyn_node.random_configuration(model, rng)
        pose = ik.PoseTask(tip, place(model, seed, tip))
        result = ik.IkProblem(model, [pose, away]).solve(seed, **PATIENT)
        assert result.success, f"pose {trial}: {result.message}"
        assert miss(model, pose, result.q) <= CLOSE, f"pose {trial}"
        check_limits(model, result.q)
        before, after = np.linalg.norm(off(seed)), np.linalg.norm(off(result.q))
        assert after <= before + 1e-6, f"pose {trial}"
        nearer += after < 0.95 * before
        gradient = off(result.q) / (high - low)
        along = np.linalg.svd(dyn_node.frame_jacobian(model, data, result.q, tip))[2][-1]
        slopes.append(abs(along @ gradient) / np.linalg.norm(gradient))
    assert nearer >= 5
    assert np.median(slopes) < 0.15, "most end where the self-motion brings nothing more"


def dexterity(model, q, frame, rows, columns) -> float:
    """Logarithm of sqrt(det J J^T) over some directions and coordinates."""
    J = dyn_node.frame_jacobian(model, model.create_data(), q, frame)[rows][:, columns]
    return 0.5 * float(np.log(np.linalg.det(J @ J.T)))


@pytest.mark.parametrize(
    ("robot", "tip", "root", "weights"),
    [
        ("panda", "panda_hand_tcp", "fixed", [1, 1, 1, 1, 1, 1]),
        ("panda", "panda_hand_tcp", "fixed", [1, 1, 1, 0, 0, 0]),
        ("talos", HAND, "fixed", [1, 1, 1, 1, 1, 1]),  # a tree
        ("talos", HAND, "free_flyer", [1, 1, 1, 0, 0, 0]),  # on a base that stays
    ],
)
def test_an_objective_climbs_to_more_manipulability(robot, tip, root, weights):
    model = our_model(robot, root)
    rng, rows, gained, slopes = np.random.default_rng(8), np.array(weights) > 0, 0, []
    for trial in range(8):
        seed = dyn_node.random_configuration(model, rng, unbounded=0.5)
        pose = ik.PositionTask(tip, place(model, seed, tip).translation)
        tasks = [ik.ManipulabilityTask(tip, weights), pose]
        columns = np.abs(dyn_node.frame_jacobian(model, model.create_data(), seed, tip)).max(axis=0) > 0
        if model.root_joint is not None:
            columns[model.root_joint.moved_by] = False
        result = ik.IkProblem(model, tasks).solve(seed, **PATIENT)
        assert result.success, f"{robot}, pose {trial}: {result.message}"
        assert miss(model, pose, result.q) <= CLOSE, f"{robot}, pose {trial}"
        check_limits(model, result.q)
        assert np.array_equal(result.errors[0], [0.0, 0.0])
        before, after = (dexterity(model, q, tip, rows, columns) for q in (seed, result.q))
        assert after >= before - 1e-6, f"{robot}, pose {trial}"
        gained += after > before + 0.01
        slopes.append(slope_left(model, result.q, tip, rows, columns))
    assert gained >= 5, f"{robot}: {gained} gained"
    assert np.median(slopes) < 0.15, f"{robot}: {slopes}"


def slope_left(model, q, tip, rows, columns) -> float:
    """How fast manipulability would still grow along joints that are free to move and keep the position."""
    inside = (q > model.lower_position_limit + 5e-3) & (q < model.upper_position_limit - 5e-3)
    free = [
        joint.idx_v
        for joint in model.joints[1:]
        if joint.nv == 1 and columns[joint.idx_v] and (joint.nq == 2 or inside[joint.idx_q])
    ]
    linear = dyn_node.frame_jacobian(model, model.create_data(), q, tip)[:3][:, free]
    gradient = np.zeros(len(free))
    for k, v in enumerate(free):
        beside = [
            dexterity(model, dyn_node.integrate(model, q, h * np.eye(model.nv)[v]), tip, rows, columns)
            for h in (1e-6, -1e-6)
        ]
        gradient[k] = (beside[0] - beside[1]) / 2e-6
    return float(np.linalg.norm(gradient - np.linalg.pinv(linear) @ linear @ gradient))
