"""Which algorithms are written down as programs, and how each is run over the robot's records."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import algorithms as general
from ..algorithms.batch import evaluate
from ..algorithms.inertia_matrix import FEW
from ..kernels import aba_derivatives as _aba_derivatives
from ..kernels import rnea_derivatives as _rnea_derivatives
from ..kernels.engine import kernel_call
from ..kernels.plain import plain
from .program import Records

if TYPE_CHECKING:
    from ..model import Model

Run = Callable[[Records, Sequence[Any]], Any]


@dataclasses.dataclass(frozen=True)
class Algorithm:
    """An algorithm with vectors in and one array out.

    Attributes:
        name: of the function of `dyn_node`.
        module, kernel: file and name of its kernel; or as kernel a function of records and vectors.
        vectors: names of what comes in.
        shape: of the result, lengths or attributes of the model.
        general: the function for what a program does not take: (model, data, vectors) -> the result.
        between: what the kernel takes between the vectors and its result.
    """

    name: str
    module: str
    kernel: str | Callable[..., Any]
    vectors: tuple[str, ...]
    shape: tuple[int | str, ...]
    general: Callable[..., Any]
    between: tuple[Any, ...] = ()

    def sizes(self, model: Model) -> tuple[int, ...]:
        """Lengths of the vectors."""
        return tuple(model.nq if name == "q" else model.nv for name in self.vectors)

    def result_shape(self, model: Model) -> tuple[int, ...]:
        """Of the result."""
        return tuple(getattr(model, n) if isinstance(n, str) else n for n in self.shape)

    def run(self, model: Model, *numbers: int) -> Run:
        """What `record` calls; `numbers` are those of a frame and its reference frame."""

        def run(records: Records, vectors: Sequence[Any]) -> Any:
            if callable(self.kernel):
                return self.kernel(records, vectors, *numbers)
            out = np.zeros(self.result_shape(model), dtype=object)
            head = (records.joints, records.work, records.frames)[: 3 if numbers else 2]
            getattr(plain(self.module), self.kernel)(*head, *vectors, *numbers, *self.between, out)
            return out

        return run

    def loops(self, model: Model) -> Callable[..., Any] | None:
        """The compiled kernel that does the same in loops: what general functions call."""
        if not isinstance(self.kernel, str):
            return None
        deep = self.kernel == "minverse" and model.nv > FEW
        return kernel_call("minverse_deep" if deep else self.kernel)


def _placements(records: Records, vectors: Sequence[Any]) -> Any:
    """World placements of all joints, (njoints, 4, 4)."""
    plain("kinematics").forward_kinematics_0(records.joints, records.kinematics, *vectors)
    return np.array([_homogeneous(records.kinematics[k]) for k in records.of_joints])


def _placement(records: Records, vectors: Sequence[Any], frame: int) -> Any:
    """World placement of a frame, (4, 4)."""
    plain("kinematics").forward_kinematics_0(records.joints, records.kinematics, *vectors)
    placed = records.frames.copy()
    plain("frames").update_frame_placements(records.joints, records.kinematics, records.frames, placed)
    return _homogeneous(placed[frame])


def _homogeneous(placed: Any) -> Any:
    T = np.zeros((4, 4), dtype=object)
    T[:3, :3], T[:3, 3], T[3, 3] = placed.R, placed.p, 1.0
    return T


def _of_parts(function: Callable[..., Any], kernel: Any) -> Callable[..., Any]:
    """A function whose result is a tuple of matrices, as one array with them on axis -3."""

    def general(model: Model, data: Any, *vectors: Any) -> Any:
        if model.records[0]["followers"]:  # the kernel of aba's derivatives refuses them
            return np.stack(function(model, data, *vectors), axis=-3)
        head = model.records, data.work, *vectors, *_NO_FORCES
        return evaluate(kernel, head, [(3, model.nv, model.nv)])[0]

    return general


def _all_placements(model: Model, data: Any, q: Any) -> Any:
    return general.frame_placements(model, data, q, list(model.joint_frames))


def _momentum(model: Model, data: Any, q: Any, v: Any) -> Any:
    return np.asarray(general.centroidal_momentum(model, data, q, v))


def _position(model: Model, data: Any, q: Any) -> Any:
    return general.center_of_mass(model, data, q).position


_NO_FORCES = (np.zeros((0, 6)),)
_q, _qv, _qva, _qvt = ("q",), ("q", "v"), ("q", "v", "a"), ("q", "v", "tau")
_square, _three = ("nv", "nv"), (3, "nv", "nv")

FRAME_JACOBIAN = Algorithm(
    "frame_jacobian", "frames", "frame_jacobian", _q, (6, "nv"), general.frame_jacobian
)
FRAME_PLACEMENT = Algorithm("frame_placement", "", _placement, _q, (4, 4), general.frame_placements)

#: By name.
ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("rnea", "rnea", "rnea", _qva, ("nv",), general.rnea),
        Algorithm(
            "generalized_gravity", "rnea", "generalized_gravity", _q, ("nv",), general.generalized_gravity
        ),
        Algorithm("nonlinear_effects", "rnea", "nonlinear_effects", _qv, ("nv",), general.nonlinear_effects),
        Algorithm("aba", "aba", "aba", _qvt, ("nv",), general.aba),
        Algorithm("crba", "crba", "crba", _q, _square, general.crba),
        Algorithm("minverse", "minverse", "minverse", _q, _square, general.minverse),
        Algorithm("coriolis_matrix", "coriolis", "coriolis_matrix", _qv, _square, general.coriolis_matrix),
        Algorithm(
            "gravity_derivatives", "static", "gravity_derivatives", _q, _square, general.gravity_derivatives
        ),
        Algorithm(
            "rnea_derivatives", "rnea_derivatives", "rnea_derivatives", _qva, _three,
            _of_parts(general.rnea_derivatives, _rnea_derivatives.rnea_derivatives), _NO_FORCES,
        ),
        Algorithm(
            "aba_derivatives", "aba_derivatives", "aba_derivatives", _qvt, _three,
            _of_parts(general.aba_derivatives, _aba_derivatives.aba_derivatives), _NO_FORCES,
        ),
        Algorithm("forward_kinematics", "", _placements, _q, ("njoints", 4, 4), _all_placements),
        Algorithm(
            "joint_jacobians", "joint_jacobians", "joint_jacobians", _q, (6, "nv"), general.joint_jacobians
        ),
        Algorithm("center_of_mass", "center_of_mass", "center_of_mass_0", _q, (3,), _position),
        Algorithm(
            "jacobian_center_of_mass", "center_of_mass", "jacobian_center_of_mass", _q, (3, "nv"),
            general.jacobian_center_of_mass, (0,),
        ),
        Algorithm("centroidal_map", "centroidal", "centroidal_map", _q, (6, "nv"), general.centroidal_map),
        Algorithm("centroidal_momentum", "centroidal", "centroidal_momentum", _qv, (6,), _momentum),
    )
}  # fmt: skip
