"""Results are filled again only when nobody can see it."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dyn_node
from dyn_node.kernels import engine
from dyn_node.kernels.cpython import REMEMBERED
from dyn_node.kernels.pose import pose_compose
from dyn_node.kernels.rnea import generalized_gravity

pytestmark = pytest.mark.skipif(not engine.has_doors(), reason="results are made by NumPy and Python here")

#: Calls after which every remembered result would have been filled again, were it free.
MANY = 5 * REMEMBERED


@pytest.fixture(scope="module")
def panda() -> tuple[dyn_node.Model, dyn_node.Data]:
    model = dyn_node.robots.load("panda")
    data = model.create_data()
    dyn_node.generalized_gravity(model, data, np.zeros(7))
    dyn_node.SE3.Identity() * dyn_node.SE3.Identity()
    return model, data


def gravity(panda: Any, angle: float = 0.3) -> np.ndarray:
    model, data = panda
    return generalized_gravity(model.records, data.work, np.full(7, angle), None)


def placement(angle: float = 0.3) -> dyn_node.SE3:
    turn = dyn_node.SE3.exp([0.1, 0.2, 0.3, angle, 0.0, 0.0])._pose
    return pose_compose(turn, turn, dyn_node.SE3)


#: Ways to hold on to an array: what is kept of it, and the numbers that are read from that later.
HOLDS: dict[str, tuple[Callable[[np.ndarray], Any], Callable[[Any], np.ndarray]]] = {
    "the array": (lambda x: x, lambda kept: kept),
    "a view": (lambda x: x[1:][::2], lambda kept: kept),
    "a reshaped view": (lambda x: x.reshape(7, 1).T, lambda kept: kept),
    "a buffer": (memoryview, np.asarray),
    "an iterator": (iter, lambda kept: np.array(list(kept))),
    "a bound method": (lambda x: x.copy, lambda kept: kept()),
    "a cycle": (lambda x: (lambda box: box.append(box) or box)([x]), lambda kept: kept[0]),
    "a default argument": (lambda x: lambda y=x: y, lambda kept: kept()),
}


@pytest.mark.parametrize("how", HOLDS)
def test_an_array_that_is_held_keeps_its_numbers(panda: Any, how: str) -> None:
    hold, read = HOLDS[how]
    expected = np.array(read(hold(gravity(panda).copy())))
    kept = [hold(gravity(panda)) for _ in range(REMEMBERED // 2)]
    for _ in range(MANY):
        gravity(panda, 1.1)
    for one in kept:
        assert np.array_equal(read(one), expected), how


@pytest.mark.parametrize("part", ["_pose", "rotation", "translation", "homogeneous", "self"])
def test_a_value_that_is_held_by_a_part_keeps_its_numbers(part: str) -> None:
    def read(value: Any) -> np.ndarray:
        return np.asarray(value.homogeneous if part == "self" else value)

    def one() -> Any:
        value = placement()
        return value if part == "self" else getattr(value, part)

    expected = read(one()).copy()
    kept = [one() for _ in range(REMEMBERED // 2)]
    for _ in range(MANY):
        placement(1.1)
    for value in kept:
        assert np.array_equal(read(value), expected), part


def test_what_nobody_holds_is_filled_again(panda: Any) -> None:
    assert len({id(gravity(panda)) for _ in range(MANY)}) <= 2 * REMEMBERED
    assert len({id(placement()) for _ in range(MANY)}) <= 2 * REMEMBERED


SPOILS: dict[str, Callable[[np.ndarray], object]] = {
    "shape": lambda x: setattr(x, "shape", (7, 1)),
    "read-only": lambda x: x.setflags(write=False),
    "weak reference": weakref.ref,
}


def test_an_array_over_memory_of_another_object_does_not_come_again(panda: Any) -> None:
    model = dyn_node.robots.load("go2")
    data, q, held = model.create_data(), dyn_node.neutral(model), bytes(8 * 18 * 18)
    made = dyn_node.crba(model, data, q)
    made.__setstate__((1, made.shape, made.dtype, False, held))
    assert made.base is held, "NumPy copied, which is well; choose a larger array"
    del made
    for _ in range(MANY):
        dyn_node.crba(model, data, q)
    assert not any(held)


@pytest.mark.filterwarnings("ignore:Setting the shape:DeprecationWarning")
@pytest.mark.parametrize("how", SPOILS)
def test_a_result_that_was_changed_in_its_nature_does_not_come_again(panda: Any, how: str) -> None:
    kept = [SPOILS[how](gravity(panda)) for _ in range(REMEMBERED)]
    for _ in range(MANY):
        made = gravity(panda)
        assert made.shape == (7,)
        assert made.flags.carray
        assert not weakref.getweakrefs(made)
    assert len(kept) == REMEMBERED


def test_a_result_over_an_input_that_is_let_go_with_the_call(panda: Any) -> None:
    """The input is a result itself, which the call alone holds."""
    model, data = panda
    expected = generalized_gravity(model.records, data.work, gravity(panda).copy(), None).copy()
    for _ in range(MANY):
        assert np.array_equal(generalized_gravity(model.records, data.work, gravity(panda), None), expected)


def test_robots_of_many_sizes_in_turn(panda: Any) -> None:
    models = [dyn_node.robots.load(name) for name in ("panda", "ur5e", "go2")]
    datas = [model.create_data() for model in models]
    expected = [dyn_node.crba(m, d, dyn_node.neutral(m)).copy() for m, d in zip(models, datas, strict=True)]
    for _ in range(MANY):
        for model, data, right in zip(models, datas, expected, strict=True):
            assert np.array_equal(dyn_node.crba(model, data, dyn_node.neutral(model)), right), model.name


def test_threads_do_not_get_each_others_results(panda: Any) -> None:
    wrong: list[float] = []

    def work(angle: float) -> None:
        data = panda[0].create_data()
        own = panda[0], data
        expected = gravity(own, angle).copy()
        for _ in range(2000):
            made = gravity(own, angle)
            if not np.array_equal(made, expected):
                wrong.append(angle)

    threads = [threading.Thread(target=work, args=(0.2 * k,)) for k in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
