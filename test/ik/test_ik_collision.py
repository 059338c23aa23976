"""Inverse kinematics whose solutions do not collide; every one is looked at by the reference library too."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from robots import ROBOTS_FOLDER, our_model, pin_model, robot_path

import dyn_node
from dyn_node import CollisionChecker
from dyn_node.errors import InvalidValueError

pytest.importorskip("coal", reason="coal is not installed")
pin = pytest.importorskip("pinocchio")

TIP = "panda_hand_tcp"
PATIENT = {"timeout": 20.0, "max_restarts": 60}


class Panda:
    """The arm, its checker, and what the reference library says of it."""

    def __init__(self) -> None:
        srdf = str(ROBOTS_FOLDER / "panda_description" / "srdf" / "panda.srdf")
        path, share = robot_path("panda"), str(ROBOTS_FOLDER.parents[1])
        self.model, self.theirs = our_model("panda"), pin_model("panda")
        self.checker = CollisionChecker(self.model, path, srdf, package_dirs=[share])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._shapes = pin.buildGeomFromUrdf(self.theirs, path, pin.GeometryType.COLLISION, [share])
        self._shapes.addAllCollisionPairs()
        pin.removeCollisionPairs(self.theirs, self._shapes, srdf)
        self._data, self._placed = self.theirs.createData(), self._shapes.createData()

    def collides(self, q: np.ndarray) -> bool:
        return pin.computeCollisions(self.theirs, self._data, self._shapes, self._placed, q, True)

    def place(self, q: np.ndarray) -> np.ndarray:
        pin.framesForwardKinematics(self.theirs, self._data, q)
        return self._data.oMf[self.theirs.getFrameId(TIP)].homogeneous.copy()

    def check(self, target: np.ndarray, q: np.ndarray) -> None:
        """A solution reaches the target inside the limits and does not collide."""
        miss = np.linalg.inv(self.place(q)) @ target
        assert np.abs(miss - np.eye(4)).max() < 1e-5
        assert (q >= self.theirs.lowerPositionLimit).all()
        assert (q <= self.theirs.upperPositionLimit).all()
        assert not self.collides(q)

    def collisions(self, count: int, seed: int) -> list[np.ndarray]:
        """Configurations that collide, and not with the arm's foot: what is there no other one brings out."""
        rng, found = np.random.default_rng(seed), []
        while len(found) < count:
            q = dyn_node.random_configuration(self.model, rng)
            if self.collides(q) and not any("panda_link0" in pair for pair in self.checker.collisions(q)):
                found.append(q)
        return found


@pytest.fixture(scope="module")
def panda() -> Panda:
    if ROBOTS_FOLDER is None:
        pytest.skip("real robots' models are not installed: pip install example-robot-data")
    return Panda()


@pytest.mark.parametrize("mode", ["reject", "avoid"])
def test_solutions_do_not_collide(panda: Panda, mode: str) -> None:
    solved = 0
    for number, q in enumerate(panda.collisions(15, 2)):
        target = panda.place(q)
        plain = dyn_node.solve_ik(panda.model, TIP, target, q, **PATIENT)
        assert plain.success
        assert panda.collides(plain.q), "the seed is a solution, and collides"
        free = dyn_node.solve_ik(
            panda.model, TIP, target, q, collision=panda.checker, collision_mode=mode, **PATIENT
        )
        if free.success:
            panda.check(target, free.q)
            solved += 1
        else:
            assert "solutions collide, the last one panda_" in free.message, f"pose {number}: {free.message}"
    assert solved >= 8, f"{mode}: only {solved} of 15"


def test_avoiding_finds_a_way_out_where_rejecting_only_searches_on(panda: Panda) -> None:
    moved = 0
    for q in panda.collisions(15, 3):
        target = panda.place(q)
        once = {"timeout": 20.0, "max_restarts": 0, "collision": panda.checker}
        rejected = dyn_node.solve_ik(panda.model, TIP, target, q, **once)
        assert not rejected.success
        assert rejected.restarts == 0
        assert "1 solutions collide" in rejected.message
        avoided = dyn_node.solve_ik(panda.model, TIP, target, q, collision_mode="avoid", **once)
        if avoided.success:
            panda.check(target, avoided.q)
            moved += 1
    assert moved >= 4, f"only {moved} of 15"


def test_without_a_collision_the_answer_is_the_same(panda: Panda) -> None:
    rng, same = np.random.default_rng(4), 0
    for _ in range(20):
        q, seed = (dyn_node.random_configuration(panda.model, rng) for _ in range(2))
        target = panda.place(q)
        plain = dyn_node.solve_ik(panda.model, TIP, target, seed, **PATIENT)
        free = dyn_node.solve_ik(panda.model, TIP, target, seed, collision=panda.checker, **PATIENT)
        if not panda.collides(plain.q):
            assert np.array_equal(plain.q, free.q)
            assert (plain.restarts, plain.iterations) == (free.restarts, free.iterations)
            same += 1
    assert same >= 10


@pytest.mark.parametrize("mode", ["distance", "manipulability"])
def test_the_best_of_those_that_do_not_collide_is_taken(panda: Panda, mode: str) -> None:
    q = panda.collisions(1, 5)[0]
    target = panda.place(q)
    ask = {"timeout": 60.0, "collision": panda.checker}
    few = dyn_node.solve_ik(panda.model, TIP, target, q, mode=mode, max_restarts=10, **ask)
    many = dyn_node.solve_ik(panda.model, TIP, target, q, mode=mode, max_restarts=40, **ask)
    assert many.success, many.message
    assert many.restarts == 40
    panda.check(target, many.q)

    def score(x: np.ndarray) -> float:
        if mode == "distance":
            return -float(np.linalg.norm((x - q)[:7]))
        return dyn_node.manipulability(panda.model, panda.model.create_data(), x, TIP).measure

    if few.success:
        assert score(many.q) >= score(few.q) - 1e-12


@pytest.mark.parametrize("mode", ["reject", "avoid"])
def test_all_solutions_of_a_pose_are_free_and_apart(panda: Panda, mode: str) -> None:
    q = panda.collisions(1, 2)[0]
    target = panda.place(q)
    checked = {"collision": panda.checker, "collision_mode": mode, "timeout": 20.0, "max_restarts": 400}
    found = dyn_node.ik.solve_ik_all(panda.model, TIP, target, 4, q, **checked)
    assert len(found) == 4, mode
    for one in found:
        panda.check(target, one.q)
    for a in range(4):
        for b in range(a):
            assert np.linalg.norm(found[a].q - found[b].q) >= 0.1, f"{mode}: {a}, {b}"


@pytest.mark.parametrize("mode", ["reject", "avoid"])
def test_a_batch_gives_the_free_solutions_of_single_calls(panda: Panda, mode: str) -> None:
    seeds = np.array([*panda.collisions(6, 4), *(panda.model.neutral for _ in range(2))])
    targets = [panda.place(q) for q in seeds]
    targets[-1][:3, 3] = [3.0, 0.0, 0.0]  # out of reach
    checked = {"collision": panda.checker, "collision_mode": mode, "max_restarts": 60}
    found = dyn_node.ik.solve_ik_batch(panda.model, TIP, targets, seeds, **checked)
    assert found.success.sum() >= 4, mode
    for k, (seed, target) in enumerate(zip(seeds, targets, strict=True)):
        alone = dyn_node.solve_ik(panda.model, TIP, target, seed, timeout=20.0, **checked)
        assert found.success[k] == alone.success, f"{mode}, pose {k}"
        assert np.array_equal(found.q[k], alone.q), f"{mode}, pose {k}"
        if alone.success:
            panda.check(target, found.q[k])
        else:
            assert (found.rejected[k] > 0) == ("collide" in alone.message), f"{mode}, pose {k}"
    assert not found.success[-1]
    other = dyn_node.robots.load("ur5e")
    with pytest.raises(InvalidValueError, match=r"^collision: "):
        dyn_node.ik.solve_ik_batch(other, "tool0", targets[:1], collision=panda.checker)
    with pytest.raises(InvalidValueError, match=r"^collision_mode: "):
        dyn_node.ik.solve_ik_all(panda.model, TIP, targets[0], 2, collision_mode="hope")


def test_time_and_bad_requests(panda: Panda) -> None:
    q = panda.collisions(1, 6)[0]
    target = panda.place(q)
    late = dyn_node.solve_ik(panda.model, TIP, target, q, timeout=0.0, collision=panda.checker)
    assert not late.success
    assert late.timed_out
    assert late.restarts == 0
    far = target.copy()
    far[0, 3] = 5.0
    none = dyn_node.solve_ik(panda.model, TIP, far, q, timeout=20.0, max_restarts=3, collision=panda.checker)
    assert not none.success
    assert none.restarts == 3
    assert "collide" not in none.message
    with pytest.raises(InvalidValueError, match=r"^collision_mode"):
        dyn_node.solve_ik(panda.model, TIP, target, q, collision=panda.checker, collision_mode="ignore")
    other = dyn_node.robots.load("ur5e")
    with pytest.raises(InvalidValueError, match=r"^collision: the checker was made for"):
        dyn_node.solve_ik(other, "tool0", target, collision=panda.checker)
