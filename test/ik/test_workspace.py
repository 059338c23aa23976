"""Workspace maps against arms whose reach is known."""

from __future__ import annotations

import dataclasses
import warnings

import numpy as np
import pytest

import dyn_node
from dyn_node import ik
from dyn_node.errors import InvalidValueError, ModelWarning, ShapeError, UnknownFrameError

UPPER, FORE = 0.5, 0.3
#: What lies nearer to the edge than this may be called either way.
EDGE = 2e-3

PLANAR = f"""<robot name="planar">
  <link name="base"/><link name="upper"/><link name="fore"/><link name="tip"/>
  <joint name="a" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/></joint>
  <joint name="b" type="continuous"><parent link="upper"/><child link="fore"/>
    <origin xyz="{UPPER} 0 0"/><axis xyz="0 0 1"/></joint>
  <joint name="c" type="fixed"><parent link="fore"/><child link="tip"/><origin xyz="{FORE} 0 0"/></joint>
</robot>"""


@pytest.fixture(scope="module")
def planar():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # links without mass
        return dyn_node.load_urdf(PLANAR)


def test_two_links_reach_a_ring(planar):
    heard = []
    found = ik.map_workspace(
        planar, "tip", resolution=0.05, box=[[-1, -1, 0], [1, 1, 0.05]], progress=lambda *a: heard.append(a)
    )
    assert found.reached.shape == (41, 41, 2)
    assert heard[-1] == (41 * 41 * 2, 41 * 41 * 2)
    x, y = np.meshgrid(found.x, found.y, indexing="ij")
    far = np.hypot(x, y)
    inside = (far > UPPER - FORE + EDGE) & (far < UPPER + FORE - EDGE)
    outside = (far < UPPER - FORE - EDGE) | (far > UPPER + FORE + EDGE)
    assert inside.sum() > 500
    assert (found.reached[..., 0][inside] == 1.0).all()
    assert (found.reached[..., 0][outside] == 0.0).all()
    assert not found.reached[..., 1].any(), "no joint lifts the tip out of its plane"
    assert np.isnan(found.manipulability[found.reached == 0.0]).all()
    assert found.volume == pytest.approx(found.reached.sum() * 0.05**3)


#: The planar arm with boxes: half edges and centre, metres, in the link's frame. Much of the ring is in the
#: base's, which is beside the axis: many points around it are free with the elbow on one side only.
BASE_BOX, FORE_BOX = ((0.3, 0.2), (0.1, 0.3)), ((0.5 * FORE, 0.02), (0.5 * FORE, 0.0))


def boxed_planar() -> str:
    """The URDF's text; without the upper arm's shape, out of the plane, base and fore would be neighbours."""
    text = PLANAR
    for link, (half, centre), z in (
        ("base", BASE_BOX, 0.0), ("upper", ((0.1, 0.02), (0.2, 0.0)), 0.5), ("fore", FORE_BOX, 0.0)
    ):  # fmt: skip
        text = text.replace(
            f'<link name="{link}"/>',
            f'<link name="{link}"><collision><origin xyz="{centre[0]} {centre[1]} {z}"/><geometry>'
            f'<box size="{2 * half[0]} {2 * half[1]} 0.1"/></geometry></collision></link>',
        )
    return text


def gap(a, b):
    """Between fore and base at joint angles a, b: > 0 apart, < 0 overlapping; by separating axes."""
    along = np.array([np.cos(a + b), np.sin(a + b)])
    across = np.array([-along[1], along[0]])
    half, centre = np.array(BASE_BOX)
    fore, middle = np.array(FORE_BOX)
    at = UPPER * np.array([np.cos(a), np.sin(a)]) + middle[0] * along - centre
    gaps = [abs(at @ n) - half @ np.abs(n) - fore @ np.abs([n @ along, n @ across])
            for n in (*np.eye(2), along, across)]  # fmt: skip
    return max(gaps)


def elbows(x, y):
    """The joint angles, two times (a, b), that bring the tip to a point in the ring."""
    b = np.arccos((x * x + y * y - UPPER**2 - FORE**2) / (2.0 * UPPER * FORE))
    return [(np.arctan2(y, x) - np.arctan2(FORE * np.sin(s), UPPER + FORE * np.cos(s)), s) for s in (b, -b)]


def test_points_that_are_reached_only_in_collision_do_not_count(planar, monkeypatch):
    pytest.importorskip("coal", reason="coal is not installed")
    checker, answers = dyn_node.CollisionChecker(planar, boxed_planar()), []
    assert checker.pairs == (("base", "fore"),)

    def listen(*args, **named):
        answers.append(ik.solve_ik_batch(*args, **named))
        return answers[-1]

    monkeypatch.setattr("dyn_node.ik.workspace.solve_ik_batch", listen)
    asked = {"resolution": 0.05, "box": [[-1, -1, 0], [1, 1, 0]], "max_restarts": 30}
    found = ik.map_workspace(planar, "tip", collision=checker, **asked)
    assert found.collisions
    counts = dict.fromkeys(("blocked", "one elbow", "both elbows"), 0)
    for i, j in np.ndindex(41, 41):
        x, y = found.x[i], found.y[j]
        if not UPPER - FORE + EDGE < np.hypot(x, y) < UPPER + FORE - EDGE:
            continue
        gaps = [gap(*angles) for angles in elbows(x, y)]
        if min(np.abs(gaps)) < EDGE:
            continue
        free = sum(size > 0.0 for size in gaps)
        counts[tuple(counts)[free]] += 1
        assert found.reached[i, j, 0] == (free > 0), f"({x:.2f}, {y:.2f})"
    assert min(counts.values()) > 50, counts
    (batch,) = answers
    assert np.array_equal(batch.success, found.reached.ravel() == 1.0)
    for ca, sa, cb, sb in batch.q[batch.success]:
        assert gap(np.arctan2(sa, ca), np.arctan2(sb, cb)) > 0.0
    assert batch.rejected.sum() > 100


def test_the_part_of_the_orientations_is_that_of_each_alone():
    model = dyn_node.robots.load("ur5e")
    box, some = [[0.2, -0.3, 0.1], [0.6, 0.3, 0.5]], ik.spread_orientations(4)
    together = ik.map_workspace(model, "tool0", resolution=0.2, box=box, orientations=some)
    alone = [ik.map_workspace(model, "tool0", resolution=0.2, box=box, orientations=one) for one in some]
    assert np.allclose(together.reached, np.mean([one.reached for one in alone], axis=0))
    assert 0.0 < together.reached.mean() < 1.0
    best = np.fmax.reduce([one.manipulability for one in alone])
    assert np.array_equal(together.manipulability, best, equal_nan=True)


def test_orientations_are_spread_evenly():
    q = ik.spread_orientations(400)
    assert np.allclose(np.linalg.norm(q, axis=1), 1.0)
    # Of an even spread the mean of q q^T is a quarter of the identity.
    assert np.abs(q.T @ q / len(q) - 0.25 * np.eye(4)).max() < 0.01


def test_the_grid_holds_what_the_arm_reaches():
    model = dyn_node.robots.load("ur5e")
    found = ik.map_workspace(model, "tool0", resolution=0.25, max_restarts=2)
    data, rng = model.create_data(), np.random.default_rng(7)
    q = np.array([dyn_node.random_configuration(model, rng) for _ in range(200)])
    places = dyn_node.frame_placements(model, data, q, "tool0")[:, :3, 3]
    for axis, at in zip((found.x, found.y, found.z), places.T, strict=True):
        assert axis[0] <= at.min()
        assert at.max() <= axis[-1]


def test_a_map_survives_a_file(planar, tmp_path):
    found = ik.map_workspace(
        planar, "tip", resolution=0.2, box=[[0, 0, 0], [1, 1, 0]], orientations=[0, 0, 0, 2]
    )
    assert np.array_equal(found.orientations, [[0, 0, 0, 1]])
    found.save(tmp_path / "map.npz")
    again = ik.WorkspaceMap.load(tmp_path / "map.npz")
    assert vars(again).keys() == vars(found).keys()
    for name, value in vars(found).items():
        assert np.array_equal(getattr(again, name), value, equal_nan=name == "manipulability"), name
    for collisions in (False, True):
        dataclasses.replace(found, collisions=collisions).save(tmp_path / "map.npz")
        assert ik.WorkspaceMap.load(tmp_path / "map.npz").collisions is collisions
    np.savez(tmp_path / "old.npz", **{name: x for name, x in vars(found).items() if name != "collisions"})
    assert ik.WorkspaceMap.load(tmp_path / "old.npz").collisions is False


def test_a_locked_base_stays_at_its_place():
    model = dyn_node.robots.load("go2", root="free_flyer")
    found = ik.map_workspace(model, "FL_foot", resolution=0.2, max_restarts=2)
    assert found.reached.any()
    assert max(np.abs(axis).max() for axis in (found.x, found.y, found.z)) < 2.0


def test_bad_requests_are_refused(planar):
    with pytest.raises(UnknownFrameError):
        ik.map_workspace(planar, "tp")
    for bad in (
        {"resolution": 0.0},
        {"resolution": 1e-5, "box": [[0, 0, 0], [1, 1, 1]]},
        {"box": [[0, 0, 0], [1, -1, 0]]},
        {"orientations": np.zeros((2, 4))},
    ):
        with pytest.raises(InvalidValueError, match=f"^{next(iter(bad))}"):
            ik.map_workspace(planar, "tip", **bad)
    with pytest.raises(ShapeError):
        ik.map_workspace(planar, "tip", orientations=[1.0, 0.0, 0.0])
    with pytest.raises(InvalidValueError):
        ik.spread_orientations(0)
