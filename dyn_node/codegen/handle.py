"""What `dyn_node.compile` returns: the algorithms of one robot, compiled for it alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..algorithms.reference import LOCAL, ReferenceFrame, reference_code
from ..errors import InvalidValueError
from .algorithms import ALGORITHMS, FRAME_JACOBIAN, FRAME_PLACEMENT
from .function import Function

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from ..model import Model

    Array = NDArray[np.float64]


class CompiledModel:
    """A robot's algorithms as straight-line machine code, with its constants in the code.

        fast = dyn_node.compile(model)
        tau = fast.rnea(q, v, a)             # one state: (nq,), (nv,), (nv,) -> (nv,)
        fast.rnea(Q, V, A, out=T, threads=2) # a batch: (N, nq), ... -> (N, nv)

    Names, results, units and frames are those of the functions of `dyn_node`, without model and data.
    The first call of each compiles it: tenths of a second to some seconds, once a machine; `warm` does
    so ahead. States of a batch run side by side in wide registers, on `threads` threads (by default
    `get_threads()`). Any number of threads may use one CompiledModel.

    Where there is no straight line (very many joints, joints that follow others in `aba`), and for
    states that are not finite or have an angle above 1e5 rad, the general functions answer.

    All raise ShapeError for an array of the wrong size or type.

    Attributes:
        model: the robot.
        rnea (q, v, a), generalized_gravity (q), nonlinear_effects (q, v), aba (q, v, tau): (nv,).
        crba (q), minverse (q), coriolis_matrix (q, v), gravity_derivatives (q): (nv, nv).
        rnea_derivatives (q, v, a), aba_derivatives (q, v, tau): (3, nv, nv), by each argument in turn.
        forward_kinematics (q): world placements of all joints, homogeneous, (njoints, 4, 4).
        joint_jacobians (q): columns of all joints in WORLD, (6, nv).
        center_of_mass (q): (3,); jacobian_center_of_mass (q): (3, nv).
        centroidal_map (q): (6, nv); centroidal_momentum (q, v): (6,), about the centre of mass.
    """

    rnea: Function
    generalized_gravity: Function
    nonlinear_effects: Function
    aba: Function
    crba: Function
    minverse: Function
    coriolis_matrix: Function
    gravity_derivatives: Function
    rnea_derivatives: Function
    aba_derivatives: Function
    forward_kinematics: Function
    joint_jacobians: Function
    center_of_mass: Function
    jacobian_center_of_mass: Function
    centroidal_map: Function
    centroidal_momentum: Function

    def __init__(self, model: Model) -> None:
        self.model = model
        for name, algorithm in ALGORITHMS.items():
            setattr(self, name, Function(model, algorithm))
        self._jacobians: dict[tuple[int | str, Any], Function] = {}
        self._placements: dict[int | str, Function] = {}

    def frame_jacobian(
        self,
        q: ArrayLike,
        frame_id: int | str,
        reference: ReferenceFrame | str = LOCAL,
        *,
        out: Array | None = None,
        threads: int | None = None,
    ) -> Array:
        """Jacobian of a frame, (6, nv); a function of its own for each frame and reference frame.

        Raises:
            UnknownFrameError: no such frame.
            InvalidValueError: an unknown reference.
        """
        function = self._jacobians.get((frame_id, reference))
        if function is None:
            numbers = self.model.frame_id(frame_id), reference_code(reference)
            function = Function(self.model, FRAME_JACOBIAN, numbers)
            function = self._jacobians.setdefault((frame_id, reference), function)
        return function(q, out=out, threads=threads)

    def frame_placement(
        self, q: ArrayLike, frame_id: int | str, *, out: Array | None = None, threads: int | None = None
    ) -> Array:
        """World placement of a frame, homogeneous, (4, 4); a function of its own for each frame.

        Raises:
            UnknownFrameError: no such frame.
        """
        function = self._placements.get(frame_id)
        if function is None:
            function = Function(self.model, FRAME_PLACEMENT, (self.model.frame_id(frame_id),))
            function = self._placements.setdefault(frame_id, function)
        return function(q, out=out, threads=threads)

    def warm(self, *names: str) -> None:
        """Compile the named functions (all of them without a name) before they are needed.

        Raises:
            InvalidValueError: a name that is not one of the attributes.
        """
        for name in names or ALGORITHMS:
            if name not in ALGORITHMS:
                raise InvalidValueError(
                    f"nothing is compiled as {name!r}; all: {', '.join(ALGORITHMS)}", name, tuple(ALGORITHMS)
                )
            getattr(self, name).make()

    def __repr__(self) -> str:
        return f"CompiledModel({self.model!r})"


def compile_model(model: Model) -> CompiledModel:
    """The algorithms of one robot, compiled for it alone; see `CompiledModel`."""
    return CompiledModel(model)
