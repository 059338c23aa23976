"""The door to compiled kernels: what it refuses, what it keeps, and that there is a way without it."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import dyn_node
from dyn_node.kernels import engine, entry
from dyn_node.kernels.configuration import normalize
from dyn_node.kernels.frames import frame_jacobian
from dyn_node.kernels.pose import pose_compose
from dyn_node.kernels.rnea import generalized_gravity

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(not engine.has_doors(), reason="no Numba, or memory of another layout")


@pytest.fixture(scope="module")
def panda():
    model = dyn_node.robots.load("panda")
    dyn_node.warm("generalized_gravity", "normalize", "frame_jacobian", "pose_compose")
    return model, model.create_data()


def strange_vectors() -> dict[str, object]:
    """What is not a vector of seven float64 in a row."""
    locked = np.zeros(7)
    locked.flags.writeable = False
    shifted = np.frombuffer(bytearray(57), dtype=np.float64, offset=1)
    return {
        "integers": np.zeros(7, np.int64),
        "float32": np.zeros(7, np.float32),
        "other byte order": np.zeros(7, ">f8"),
        "complex": np.zeros(7, np.complex128),
        "objects": np.zeros(7, object),
        "strided": np.zeros(14)[::2],
        "reversed": np.zeros(7)[::-1],
        "read-only": locked,
        "unaligned": shifted,
        "two axes": np.zeros((7, 1)),
        "no axis": np.zeros(()),
        "matrix subclass": np.zeros(7).view(np.recarray),
        "list": [0.0] * 7,
        "None": None,
        "number": 1.0,
        "class": np.ndarray,
    }


@pytest.mark.parametrize("name", strange_vectors())
def test_any_other_memory_is_refused(panda, name: str) -> None:
    model, data = panda
    out = np.zeros(7)
    with pytest.raises(TypeError):
        generalized_gravity(model.records, data.work, strange_vectors()[name], out)
    assert not out.any(), "a refused call wrote something"
    if name != "None":  # which asks for a new array
        with pytest.raises(TypeError):
            generalized_gravity(model.records, data.work, np.zeros(7), strange_vectors()[name])


def test_wrong_sizes_and_counts_are_refused(panda) -> None:
    model, data = panda
    with pytest.raises(ValueError, match="sizes"):
        generalized_gravity(model.records, data.work, np.zeros(6), np.zeros(7))
    for count in (0, 3, 5):
        with pytest.raises(TypeError):
            generalized_gravity(*[np.zeros(7)] * count)
    with pytest.raises(TypeError):
        generalized_gravity(model.records, data.work, q=np.zeros(7), tau=np.zeros(7))


def test_integers_are_taken_and_others_are_not(panda) -> None:
    model, data = panda
    head = model.records, data.work, model.frame_records, np.zeros(7)
    J = np.zeros((6, 7))
    for good in (1, True, np.int32(1)):
        frame_jacobian(*head, good, 0, J)
    for bad in (1.0, "1", None, 2**70):
        with pytest.raises((TypeError, OverflowError)):
            frame_jacobian(*head, bad, 0, J)
    with pytest.raises(ValueError, match="sizes"):
        frame_jacobian(*head, -1, 0, J)


def test_results_come_back_as_python_numbers(panda) -> None:
    model, _ = panda
    out = np.zeros(7)
    result = normalize(model.records, np.ones(7), out)
    assert type(result) is int
    assert result == 0


def test_no_reference_is_lost_or_kept(panda) -> None:
    model, data = panda
    q, out = np.zeros(7), np.zeros(7)
    watched = (q, out, model.records, data.work, None, generalized_gravity)
    before = [sys.getrefcount(x) for x in watched]
    for _ in range(1000):
        generalized_gravity(model.records, data.work, q, out)
        with pytest.raises(ValueError, match="sizes"):
            generalized_gravity(model.records, data.work, q[:6].copy(), out)
    after = [sys.getrefcount(x) for x in watched]
    assert all(abs(a - b) < 500 for a, b in zip(after, before, strict=True)), (before, after)


def test_a_result_is_made_where_none_is_given(panda) -> None:
    model, data = panda
    q, given = np.full(7, 0.3), np.empty(7)
    made = generalized_gravity(model.records, data.work, q, None)
    other = generalized_gravity(model.records, data.work, q, None)
    assert type(made) is np.ndarray
    assert made.dtype == np.float64
    assert made.flags.carray
    assert made.flags.owndata
    assert made.base is None
    assert not np.shares_memory(made, other)
    assert generalized_gravity(model.records, data.work, q, given) is given
    assert (made == given).all()
    assert (made == other).all()


def test_a_value_is_made_where_its_class_is_given(panda) -> None:
    model, data = panda
    a, b = dyn_node.SE3.Random(), dyn_node.SE3.Random()
    made = pose_compose(a._pose, b._pose, dyn_node.SE3)
    assert type(made) is dyn_node.SE3
    assert np.allclose(made.homogeneous, a.homogeneous @ b.homogeneous, rtol=1e-14, atol=1e-14)
    for other in (None, int, dict, list, np.ndarray, 3, (), dyn_node.Model, dyn_node.CentroidalMap):
        with pytest.raises(TypeError):
            pose_compose(a._pose, b._pose, other)
    with pytest.raises(TypeError):  # this one has no value type
        generalized_gravity(model.records, data.work, np.zeros(7), dyn_node.SE3)


def test_what_was_made_is_given_back_to_the_last_byte(panda) -> None:
    """Memory and references, of results that are kept, dropped or never handed out."""
    model, data = panda
    q, pose, few = np.zeros(7), dyn_node.SE3.Random()._pose, np.zeros(6)

    def use() -> None:
        for _ in range(5000):
            generalized_gravity(model.records, data.work, q, None)
            pose_compose(pose, pose, dyn_node.SE3)
            with contextlib.suppress(ValueError):
                generalized_gravity(model.records, data.work, few, None)

    use()
    watched = (np.dtype(np.float64), np.ndarray, dyn_node.SE3, None)
    references = [sys.getrefcount(x) for x in watched]
    tracemalloc.start()  # NumPy reports the memory of its arrays
    use()
    grown = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert grown < 20_000, f"{grown} bytes"
    after = [sys.getrefcount(x) for x in watched]
    assert all(abs(a - b) < 500 for a, b in zip(after, references, strict=True)), (references, after)


def test_a_door_is_closed_until_its_kernel_is_compiled() -> None:
    def source(x: object) -> None:
        """Never compiled."""

    call, _ = entry.make_door("never", source.__doc__ or "")
    for _ in range(3):
        with pytest.raises(TypeError):
            call(np.zeros(3))


def test_without_doors_kernels_go_through_numbas_dispatcher() -> None:
    """As on a build of Python without the global lock, whose objects are laid out otherwise."""
    code = """
import sysconfig
original = sysconfig.get_config_var
sysconfig.get_config_var = lambda name: 1 if name == "Py_GIL_DISABLED" else original(name)
import dyn_node
from dyn_node.kernels import engine
model = dyn_node.robots.load("panda"); data = model.create_data()
tau = dyn_node.generalized_gravity(model, data, [0.1] * 7)
assert engine._registry["generalized_gravity"]._dispatcher.signatures
pose = dyn_node.SE3.from_quaternion([0, 0, 0, 1], [1, 2, 3])
assert (pose * pose).translation.tolist() == [2, 4, 6]
assert pose.act(dyn_node.Motion([1, 0, 0], [0, 0, 0])) == dyn_node.Motion([1, 0, 0], [0, 0, 0])
print(repr(tau.tolist()))
"""
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, done.stderr
    model = dyn_node.robots.load("panda")
    expected = dyn_node.generalized_gravity(model, model.create_data(), [0.1] * 7)
    assert np.allclose(eval(done.stdout), expected, rtol=1e-14, atol=1e-14)


def test_every_compiled_kernel_of_this_process_has_a_door(panda) -> None:
    compiled = [made for made in engine._registry.values() if made.compiled]
    assert compiled
    assert all(type(made.call).__name__ == "builtin_function_or_method" for made in compiled)
