"""The solvers of the inverse kinematics benchmark behind one call: a pose and a seed in, an answer out."""

from __future__ import annotations

import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import numpy as np

from .ik_arms import Reference
from .peers import MissingPeerError, need

#: Metres and radians that count as solved.
TOLERANCE = 1e-5

#: What a solver is: target (Pinocchio SE3) and seed (nq,) to a configuration, or None.
Solve = Callable[[Any, np.ndarray], "np.ndarray | None"]


def dyn_node_solver(reference: Reference, text: str, limit: float) -> Solve:
    """This library's solve_ik."""
    import dyn_node

    model = dyn_node.load_urdf(text)
    data = model.create_data()
    weights = [1, 1, 1, 0, 0, 0] if reference.arm.position_only else None
    tip = reference.arm.tip

    def solve(target: Any, seed: np.ndarray) -> np.ndarray | None:
        result = dyn_node.solve_ik(
            model, tip, target.homogeneous, seed,
            position_tolerance=TOLERANCE, orientation_tolerance=TOLERANCE, timeout=limit,
            weights=weights, data=data,
        )  # fmt: skip
        return result.q if result.success else None

    return solve


def trac_ik_solver(reference: Reference, text: str, limit: float) -> Solve:
    """TRAC-IK in its mode "Speed", through its C++ binding without the Python class around it."""
    trac = need("pytracik")
    if reference.arm.position_only:
        raise MissingPeerError("TRAC-IK's Python binding offers no position-only requests")
    pin = need("pinocchio")
    chain = trac.TRAC_IK(reference.root, reference.arm.tip, text, limit, TOLERANCE, trac.SolveType.Speed)

    def solve(target: Any, seed: np.ndarray) -> np.ndarray | None:
        p, quaternion = target.translation, pin.Quaternion(target.rotation).coeffs()
        answer = trac.ik(chain, reference.angles(seed), *p, *quaternion)
        return reference.configuration(answer[1:]) if answer[0] >= 0 else None

    return solve


def pink_solver(reference: Reference, text: str, limit: float) -> Solve:
    """pink: differential inverse kinematics by quadratic programs, repeated until it arrives."""
    pin, pink = need("pinocchio"), need("pink")
    solver = _qp_solver()
    model, data = reference.model, reference.model.createData()
    free = reference.arm.position_only
    task = pink.FrameTask(reference.arm.tip, position_cost=1.0, orientation_cost=0.0 if free else 1.0)

    def solve(target: Any, seed: np.ndarray) -> np.ndarray | None:
        end = time.perf_counter() + limit
        configuration = pink.Configuration(model, data, seed)
        task.set_target(pin.SE3(target))
        while not _arrived(task.compute_error(configuration), free):
            if time.perf_counter() > end:
                return None
            try:
                velocity = pink.solve_ik(configuration, [task], 1.0, solver=solver)
            except pink.exceptions.PinkError:  # no solution of one quadratic program: none of the pose
                return None
            configuration.integrate_inplace(velocity, 1.0)
        return configuration.q.copy()

    return solve


def mink_solver(reference: Reference, text: str, limit: float) -> Solve:
    """mink: the same idea over MuJoCo."""
    mujoco, mink = need("mujoco"), need("mink")
    solver = _qp_solver()
    model = mujoco.MjModel.from_xml_string(_for_mujoco(text))
    if model.nq != len(reference.model.joints) - 1:
        raise MissingPeerError("MuJoCo reads other joints from this URDF")
    order = [model.joint(name).qposadr[0] for name in list(reference.model.names)[1:]]
    free = reference.arm.position_only
    task = mink.FrameTask(reference.arm.tip, "body", position_cost=1.0, orientation_cost=0.0 if free else 1.0)
    limits = [mink.ConfigurationLimit(model)]

    def solve(target: Any, seed: np.ndarray) -> np.ndarray | None:
        end = time.perf_counter() + limit
        q = np.zeros(model.nq)
        q[order] = reference.angles(seed)
        configuration = mink.Configuration(model, q)
        task.set_target(mink.SE3.from_matrix(target.homogeneous))
        while not _arrived(task.compute_error(configuration), free):
            if time.perf_counter() > end:
                return None
            try:
                velocity = mink.solve_ik(configuration, [task], 1.0, solver, limits=limits)
            except mink.MinkError:
                return None
            configuration.integrate_inplace(velocity, 1.0)
        return reference.configuration(configuration.q[order])

    return solve


#: In the order of the table; each is made of an arm, its URDF and the seconds that a request may take.
SOLVERS: dict[str, Callable[[Reference, str, float], Solve]] = {
    "dyn_node": dyn_node_solver,
    "TRAC-IK": trac_ik_solver,
    "pink": pink_solver,
    "mink": mink_solver,
}

#: What the peers come from.
PACKAGES = ("pytracik", "pin-pink", "mink", "daqp")

#: Those that take milliseconds a request: asked fewer times.
SLOW = ("pink", "mink")


def _arrived(error: np.ndarray, position_only: bool) -> bool:
    return bool((np.abs(error[:3] if position_only else error) <= TOLERANCE).all())


def _qp_solver() -> str:
    """A quadratic program solver that is installed."""
    available = need("qpsolvers").available_solvers
    if not available:
        raise MissingPeerError("qpsolvers finds no solver: pip install daqp")
    return "daqp" if "daqp" in available else available[0]


def _for_mujoco(text: str) -> str:
    """The URDF with MuJoCo told to keep links that are fixed to others."""
    robot = ET.fromstring(text)
    element = ET.SubElement(ET.SubElement(robot, "mujoco"), "compiler")
    settings = {"fusestatic": "false", "boundmass": "1e-6", "boundinertia": "1e-9", "balanceinertia": "true"}
    for name, value in settings.items():
        element.set(name, value)
    return ET.tostring(robot, encoding="unicode")
