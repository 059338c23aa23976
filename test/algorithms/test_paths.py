"""The main algorithms by every path to them, against Pinocchio: none gives up any accuracy.

Paths: general functions, these on batches and on two threads, compiled models, these on batches, CasADi
symbols, the kernels' source over Python's own numbers, and a process without Numba.
"""

from __future__ import annotations

import functools
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from algorithms.states import Comparison, states
from robots import our_model, pin_model, robot_path
from tolerances import PATHS

import dyn_node
from dyn_node.algorithms import batch
from dyn_node.codegen import function
from dyn_node.kernels import engine

pin = pytest.importorskip("pinocchio", reason="Pinocchio (pip install pin) is the reference of these tests")

ROOT = Path(__file__).resolve().parents[2]
#: Continuous joints, a floating base, and neither.
CASES = (("panda", "fixed"), ("kinova", "fixed"), ("anymal", "free_flyer"))
#: What each takes; the frames' take the last frame besides.
ALGORITHMS = {
    "rnea": "qva",
    "generalized_gravity": "q",
    "nonlinear_effects": "qv",
    "crba": "q",
    "aba": "qvt",
    "frame_placement": "q",
    "frame_jacobian": "q",
}
#: Two blocks of a compiled model's registers, and some states that are left.
COUNT = 11
WITHOUT_NUMBA = """
import pickle, sys, warnings
sys.modules["numba"] = None
warnings.simplefilter("ignore")
import numpy as np
import dyn_node
path, root, frame, vectors, algorithms = pickle.load(sys.stdin.buffer)
model = dyn_node.load_urdf(path, root=root, mimic=False)
data, found = model.create_data(), {}
for name, taken in algorithms.items():
    many = [vectors[letter] for letter in taken]
    if name == "frame_placement":
        found[name] = dyn_node.frame_placements(model, data, *many, frame)
    else:
        more = (frame, "LOCAL_WORLD_ALIGNED") if name == "frame_jacobian" else ()
        call = getattr(dyn_node, name)
        found[name] = np.array([call(model, data, *one, *more) for one in zip(*many)])
pickle.dump(found, sys.stdout.buffer)
"""


class Case:
    """A robot here and in Pinocchio, and its states, (N, nq) and (N, nv)."""

    def __init__(self, robot: str, root: str) -> None:
        self.robot, self.root = robot, root
        self.model, self.theirs = our_model(robot, root), pin_model(robot, root)
        q, v, a, tau, _ = (np.array(x) for x in zip(*states(self.model, COUNT), strict=True))
        self.vectors = {"q": q, "v": v, "a": a, "t": tau}
        self.frame = self.model.frames[-1].name

    def many(self, name: str) -> list[np.ndarray]:
        """What an algorithm takes."""
        return [self.vectors[letter] for letter in ALGORITHMS[name]]

    def each(self, name: str, call: Callable[..., Any]) -> np.ndarray:
        """The results of a call for each state."""
        return np.array([call(*one) for one in zip(*self.many(name), strict=True)])


def reference(case: Case, name: str) -> np.ndarray:
    model, data, frame = case.theirs, case.theirs.createData(), case.theirs.getFrameId(case.frame)

    def crba(*given: Any) -> Any:
        upper = np.triu(pin.crba(model, data, *given))
        return upper + np.triu(upper, 1).T

    def placement(*given: Any) -> Any:
        pin.framesForwardKinematics(model, data, *given)
        return data.oMf[frame].homogeneous.copy()

    calls = {
        "rnea": lambda *given: pin.rnea(model, data, *given).copy(),
        "generalized_gravity": lambda *given: pin.computeGeneralizedGravity(model, data, *given).copy(),
        "nonlinear_effects": lambda *given: pin.nonLinearEffects(model, data, *given).copy(),
        "crba": crba,
        "aba": lambda *given: pin.aba(model, data, *given).copy(),
        "frame_placement": placement,
        "frame_jacobian": lambda *given: pin.computeFrameJacobian(
            model, data, *given, frame, pin.LOCAL_WORLD_ALIGNED
        ).copy(),
    }
    return case.each(name, calls[name])


def _general(case: Case, name: str) -> Callable[..., Any]:
    """The general function, of a state or of many."""
    data = case.model.create_data()
    if name == "frame_placement":
        return lambda q: dyn_node.frame_placements(case.model, data, q, case.frame)
    more = (case.frame, "LOCAL_WORLD_ALIGNED") if name == "frame_jacobian" else ()
    return lambda *given: getattr(dyn_node, name)(case.model, data, *given, *more)


@functools.cache
def _fast(case: Case) -> Any:
    return dyn_node.compile(case.model)


def _compiled(case: Case, name: str) -> Callable[..., Any]:
    if not engine.has_doors():
        pytest.skip("compiled models need Numba")
    if not name.startswith("frame"):
        assert _fast(case).is_straight(name), name
        return getattr(_fast(case), name)
    return getattr(_fast(case).frame(case.frame, "LOCAL_WORLD_ALIGNED"), name.removeprefix("frame_"))


def _two_threads(case: Case, name: str) -> np.ndarray:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(batch, "_WORTH_A_THREAD", 1)
        patched.setattr(batch, "_FEW", 1)
        dyn_node.set_threads(2)
        try:
            return _general(case, name)(*case.many(name))
        finally:
            dyn_node.set_threads(None)


def _compiled_threads(case: Case, name: str) -> np.ndarray:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(function, "_WORTH_A_THREAD", 1)
        return _compiled(case, name)(*case.many(name), threads=2)


@functools.cache
def _symbols(case: Case) -> Any:
    pytest.importorskip("casadi", reason="CasADi (pip install casadi) is optional")
    return dyn_node.symbolic(case.model)


def _symbolic(case: Case, name: str) -> np.ndarray:
    more = {"frame_placement": (case.frame,), "frame_jacobian": (case.frame, "LOCAL_WORLD_ALIGNED")}
    call = _symbols(case).function(name, *more.get(name, ()))
    results = case.each(name, lambda *given: np.array(call(*given)))
    return results[..., 0] if results.shape[-1] == 1 else results


def _scalars(case: Case, name: str) -> np.ndarray:
    scalars = dyn_node.with_scalars(case.model)
    more = {"frame_placement": (case.frame,), "frame_jacobian": (case.frame, "LOCAL_WORLD_ALIGNED")}

    def call(*given: np.ndarray) -> np.ndarray:
        result = getattr(scalars, name)(*[x.tolist() for x in given], *more.get(name, ()))
        return np.array(result, dtype=float)

    return case.each(name, call)


@functools.cache
def _alone(case: Case) -> dict[str, np.ndarray]:
    """All results of a process that has no Numba."""
    given = (robot_path(case.robot), case.root, case.frame, case.vectors, ALGORITHMS)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA],
        input=pickle.dumps(given),
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return pickle.loads(done.stdout)


BY_PATH: dict[str, Callable[[Case, str], np.ndarray]] = {
    "general": lambda case, name: case.each(name, _general(case, name)),
    "general, batch": lambda case, name: _general(case, name)(*case.many(name)),
    "general, two threads": _two_threads,
    "compiled": lambda case, name: case.each(name, _compiled(case, name)),
    "compiled, batch": lambda case, name: _compiled(case, name)(*case.many(name)),
    "compiled, two threads": _compiled_threads,
    "symbolic": _symbolic,
    "scalars": _scalars,
    "without Numba": lambda case, name: _alone(case)[name],
}


@pytest.fixture(scope="module", params=CASES, ids=lambda case: case[0])
def case(request: pytest.FixtureRequest) -> Case:
    return Case(*request.param)


@pytest.fixture(scope="module")
def expected(case: Case) -> dict[str, np.ndarray]:
    return {name: reference(case, name) for name in ALGORITHMS}


@pytest.mark.parametrize("path", BY_PATH)
def test_the_reference_agrees(case: Case, expected: dict[str, np.ndarray], path: str) -> None:
    compare = Comparison(case.robot, path)
    for name in ALGORITHMS:
        compare.add(name, BY_PATH[path](case, name), expected[name])
    compare.check(PATHS)
