"""What the tests of batches go through: every algorithm that takes a state, and how to ask it."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from algorithms.states import relative
from tolerances import ROUNDING

import dyn_node

#: States of a batch.
COUNT = 6


#: Name, or name and what distinguishes the case: the inputs that may be batches, and the call.
CASES: dict[str, tuple[str, Any]] = {
    "rnea": ("q v a", dyn_node.rnea),
    "rnea, forces": ("q v a f_ext", dyn_node.rnea),
    "generalized_gravity": ("q", dyn_node.generalized_gravity),
    "nonlinear_effects": ("q v", dyn_node.nonlinear_effects),
    "crba": ("q", dyn_node.crba),
    "aba": ("q v tau", dyn_node.aba),
    "aba, forces": ("q v tau f_ext", dyn_node.aba),
    "minverse": ("q", dyn_node.minverse),
    "coriolis_matrix": ("q v", dyn_node.coriolis_matrix),
    "cholesky": ("q", dyn_node.cholesky),
    "static_torque": ("q f_ext", dyn_node.static_torque),
    "gravity_derivatives": ("q", dyn_node.gravity_derivatives),
    "static_torque_derivatives": ("q f_ext", dyn_node.static_torque_derivatives),
    "rnea_derivatives": ("q v a", dyn_node.rnea_derivatives),
    "rnea_derivatives, forces": ("q v a f_ext", dyn_node.rnea_derivatives),
    "aba_derivatives": ("q v tau", dyn_node.aba_derivatives),
    "aba_derivatives, forces": ("q v tau f_ext", dyn_node.aba_derivatives),
    "kinetic_energy": ("q v", dyn_node.kinetic_energy),
    "potential_energy": ("q", dyn_node.potential_energy),
    "mechanical_energy": ("q v", dyn_node.mechanical_energy),
    "center_of_mass, position": ("q", dyn_node.center_of_mass),
    "center_of_mass, velocity": ("q v", dyn_node.center_of_mass),
    "center_of_mass, acceleration": ("q v a", dyn_node.center_of_mass),
    "subtree_centers_of_mass, positions": ("q", dyn_node.subtree_centers_of_mass),
    "subtree_centers_of_mass, velocities": ("q v", dyn_node.subtree_centers_of_mass),
    "subtree_centers_of_mass, accelerations": ("q v a", dyn_node.subtree_centers_of_mass),
    "jacobian_center_of_mass": ("q", dyn_node.jacobian_center_of_mass),
    "center_of_mass_velocity_derivatives": ("q v", dyn_node.center_of_mass_velocity_derivatives),
    "centroidal_momentum": ("q v", dyn_node.centroidal_momentum),
    "centroidal_momentum_time_variation": ("q v a", dyn_node.centroidal_momentum_time_variation),
    "centroidal_map": ("q", dyn_node.centroidal_map),
    "centroidal_map_time_variation": ("q v", dyn_node.centroidal_map_time_variation),
    "ccrba": ("q v", dyn_node.ccrba),
    "dccrba": ("q v", dyn_node.dccrba),
    "centroidal_dynamics_derivatives": ("q v a", dyn_node.centroidal_dynamics_derivatives),
    "joint_torque_regressor": ("q v a", dyn_node.joint_torque_regressor),
    "static_regressor": ("q", dyn_node.static_regressor),
    "kinetic_energy_regressor": ("q v", dyn_node.kinetic_energy_regressor),
    "potential_energy_regressor": ("q", dyn_node.potential_energy_regressor),
    "frame_placements": ("q", dyn_node.frame_placements),
    "frame_velocities": ("q v", dyn_node.frame_velocities),
    "frame_accelerations": ("q v a", dyn_node.frame_accelerations),
    "joint_jacobians": ("q", dyn_node.joint_jacobians),
    "joint_jacobians_time_variation": ("q v", dyn_node.joint_jacobians_time_variation),
}


def _of_model(name: str, inputs: str, *more: Any) -> None:
    """A case that takes no data."""
    function = getattr(dyn_node, name)
    CASES[name] = inputs, lambda model, data, *x, **out: function(model, *x, *more, **out)


def _of_frame(name: str, inputs: str) -> None:
    """A case that takes the number of a frame, or of a joint, and a reference after q, v, a."""
    function = getattr(dyn_node, name)
    states = len([x for x in inputs.split() if x != "point"])

    def call(model: Any, data: Any, *x: Any, **out: Any) -> Any:
        where = 2 if name.startswith("joint") else model.nframes - 1
        return function(model, data, *x[:states], where, *x[states:], "LOCAL_WORLD_ALIGNED", **out)

    CASES[name] = inputs, call


def _tied(name: str, inputs: str) -> None:
    """A case of a robot with two of its bodies tied to the world and to another body."""
    function, states = getattr(dyn_node, name), len(inputs.split())

    def call(model: Any, data: Any, *x: Any) -> Any:
        first, middle, last = (model.joint_frames[k] for k in (1, model.njoints // 2, model.njoints - 1))
        ties = [dyn_node.PointConstraint(last, kd=2.0), dyn_node.RigidConstraint(middle, first)]
        return function(model, data, *x[:states], ties, *x[states:])

    for forces in ("", " f_ext") if "f_ext" in inspect.signature(function).parameters else ("",):
        CASES[f"{name},{forces}" if forces else name] = inputs + forces, call


def _standing(name: str, inputs: str) -> None:
    """A case of a robot that stands on two frames, one of them flat."""
    function, states = getattr(dyn_node, name), len(inputs.split())

    def call(model: Any, data: Any, *x: Any) -> Any:
        last, middle = (model.joint_frames[k] for k in (model.njoints - 1, model.njoints // 2))
        stance = [last, dyn_node.Contact(middle, size=(0.1, 0.2))]
        return function(model, data, *x[:states], stance, *x[states:])

    CASES[name] = inputs, call
    CASES[f"{name}, forces"] = f"{inputs} f_ext", call


def _step(name: str, method: str) -> None:
    """A case of a step of time."""
    function = getattr(dyn_node, name)
    for forces in ("", " f_ext"):
        CASES[f"{name}, {method}{forces}"] = (
            f"q v tau{forces}",
            lambda model, data, *x: function(model, data, *x[:3], 0.01, method, *x[3:]),
        )


for method in ("euler", "semi_implicit", "rk4"):
    _step("step", method)
    _step("linearize", method)
_tied("constrained_forward_dynamics", "q v tau")
_tied("constrained_dynamics_derivatives", "q v tau")
_tied("constrained_inverse_dynamics", "q v a")
_tied("impulse_dynamics", "q v")
_tied("constraint_motion", "q v")
_tied("constraint_jacobian", "q")
_tied("constraint_hessian", "q")
_tied("constraint_jacobian_time_variation", "q v")
_standing("contact_gravity", "q")
_standing("contact_inverse_dynamics", "q v a")
_of_model("integrate", "q dv")
_of_model("difference", "q0 q1")
_of_model("normalize", "q")
_of_model("d_integrate", "q dv", "q")
_of_model("d_difference", "q0 q1", "q0")
_of_model("integrate_coefficient_jacobian", "q")
_of_model("transport", "q dv J")
_of_model("interpolate", "q0 q1", 0.3)
_of_model("distance", "q0 q1")
_of_model("squared_distance", "q0 q1")
_of_model("is_same_configuration", "q0 q1")
_of_model("is_normalized", "q")
_of_frame("frame_jacobian", "q")
_of_frame("joint_jacobian", "q")
_of_frame("frame_hessian", "q")
_of_frame("joint_hessian", "q")
_of_frame("manipulability", "q")
_of_frame("point_jacobian", "q point")
_of_frame("frame_jacobian_time_variation", "q v")
_of_frame("joint_jacobian_time_variation", "q v")
_of_frame("point_jacobian_time_variation", "q v point")
_of_frame("frame_velocity_derivatives", "q v")
_of_frame("joint_velocity_derivatives", "q v")
_of_frame("point_velocity_derivatives", "q v point")
_of_frame("frame_acceleration_derivatives", "q v a")
_of_frame("frame_classical_acceleration_derivatives", "q v a")
_of_frame("joint_acceleration_derivatives", "q v a")
_of_frame("point_acceleration_derivatives", "q v a point")

#: Without a batch, and why.
WITHOUT = {
    **dict.fromkeys(("neutral", "random_configuration", "dynamic_parameters"), "takes no state"),
    **dict.fromkeys(("frame_support", "symbolic", "with_scalars"), "takes no state"),
    **dict.fromkeys(
        ("update_frame_placements", "frame_placement", "frame_velocity", "frame_acceleration"),
        "takes no state but reads the one that a Data holds; frame_placements and the like take batches",
    ),
    **dict.fromkeys(
        ("frame_classical_acceleration", "joint_velocity", "joint_acceleration"), "reads a Data too"
    ),
    "joint_classical_acceleration": "reads a Data too",
    "forward_kinematics": "fills a Data, which holds one state; its error names what takes a batch",
    "body_regressor": "takes no state of the robot; its batches are in a test of their own below",
}

#: Those that leave sums to NumPy, which does them in another order for a batch.
SUMMED_BY_NUMPY = ("linearize", "constraint_hessian", "constraint_jacobian_time_variation")

#: Those that write into an array of the caller's.
WITH_OUT = [
    case for case in CASES if "out" in inspect.signature(getattr(dyn_node, case.partition(",")[0])).parameters
]


def draw(model: Any, name: str, rng: np.random.Generator) -> np.ndarray:
    """One value of an input."""
    if name.startswith("q"):
        return dyn_node.random_configuration(model, rng, unbounded=1.0)
    shapes = {"f_ext": (model.njoints, 6), "J": (model.nv, 2), "point": (3,)}
    return rng.standard_normal(shapes.get(name, (model.nv,)))


def draw_batch(model: Any, case: str, count: int = COUNT, seed: int = 0) -> list[np.ndarray]:
    """The inputs of a case, each with an axis in front."""
    rng = np.random.default_rng(seed)
    shapes = [draw(model, name, rng).shape for name in CASES[case][0].split()]
    rows = [[draw(model, name, rng) for name in CASES[case][0].split()] for _ in range(count)]
    return [np.array([row[k] for row in rows]).reshape(count, *shape) for k, shape in enumerate(shapes)]


def fields(result: Any) -> list[np.ndarray]:
    """Whatever an algorithm returns, as arrays."""
    if isinstance(result, (tuple, dyn_node.CentroidalMap)):
        return [array for part in result if part is not None for array in fields(part)]
    if isinstance(result, dyn_node.Manipulability):
        parts = result.measure, result.singular_values, result.directions, result.axes
        return [np.asarray(part) for part in (*parts, result.condition_number)]
    for attribute in ("vector", "matrix", "packed"):
        if hasattr(result, attribute):
            return [getattr(result, attribute)]
    return [np.asarray(result)]


def check(where: str, ours: Any, rows: list[Any], exactly: bool) -> None:
    """A batch's result is the states' results, stacked."""
    for k, together in enumerate(fields(ours)):
        alone = np.stack([fields(row)[k] for row in rows])
        assert together.shape == alone.shape, f"{where}, field {k}"
        if exactly:
            assert np.array_equal(together, alone, equal_nan=True), f"{where}, field {k}"
        else:
            assert relative(together, alone) <= ROUNDING, f"{where}, field {k}"
